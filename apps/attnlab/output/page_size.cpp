// Page sizes as the user types them, those whose picture would not fit into memory, and pages that grow.
#include "attnlab/output/look.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr double least_side = 1.0;  // inches
constexpr double most_side = 200.0;
constexpr double most_pixels = 100e6;           // 400 MB in memory
constexpr double most_pixels_a_side = 32767.0;  // of a Cairo image

struct Length {
  double number = 0.0;
  std::string unit;  // "" when none was typed
};

/// Takes a number from the front of `text`.
std::optional<double> take_number(std::string_view& text) {
  double number = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Takes a length from the front of `text`: a number and perhaps a unit.
std::optional<Length> take_length(std::string_view& text) {
  static constexpr std::array<std::string_view, 5> units = {"in", "cm", "mm", "pt", "px"};
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  for (const std::string_view unit : units) {
    if (text.substr(0, unit.size()) != unit) continue;
    text.remove_prefix(unit.size());
    return Length{*number, std::string(unit)};
  }
  return Length{*number, ""};
}

double inches(const Length& length, double dpi) {
  if (length.unit == "cm") return length.number / 2.54;
  if (length.unit == "mm") return length.number / 25.4;
  if (length.unit == "pt") return length.number / 72.0;
  if (length.unit == "px") return length.number / dpi;
  return length.number;
}

/// Without spaces, in lower case, × as x.
std::string simplified(const std::string& text) {
  static const std::string cross = "×";
  std::string simple = text;
  for (std::size_t at = simple.find(cross); at != std::string::npos; at = simple.find(cross)) {
    simple.replace(at, cross.size(), "x");
  }
  simple.erase(std::remove(simple.begin(), simple.end(), ' '), simple.end());
  return lower_case(simple);
}

[[noreturn]] void refuse_form(const std::string& text) {
  refuse_usage(attnlab::text("--size {} は図の大きさとして読めません", "--size {} is not a page size",
                             quotation(text)),
               {"12inx12in、30x20cm、1728x1728px のように、単位 in、cm、mm、pt、px を付けて指定してください",
                "write it as 12inx12in, 30x20cm or 1728x1728px, with a unit: in, cm, mm, pt or px"});
}

void check_side(const std::string& text, double side) {
  if (side >= least_side && side <= most_side) return;
  refuse_usage(attnlab::text("--size {} の一辺は {:.4g} インチです", "--size {} has a side of {:.4g} in",
                             quotation(text), side),
               attnlab::text("{}〜{} インチにしてください", "choose {} to {} in", least_side, most_side));
}

}  // namespace

PageSize parse_page_size(const std::string& text, double dpi) {
  const std::string simple = simplified(text);
  std::string_view rest = simple;
  std::optional<Length> width = take_length(rest);
  if (!width || rest.substr(0, 1) != "x") refuse_form(text);
  rest.remove_prefix(1);
  std::optional<Length> height = take_length(rest);
  if (!height || !rest.empty()) refuse_form(text);

  if (width->unit.empty()) width->unit = height->unit;
  if (height->unit.empty()) height->unit = width->unit;
  if (width->unit.empty()) refuse_form(text);

  const PageSize page{inches(*width, dpi), inches(*height, dpi)};
  check_side(text, page.width);
  check_side(text, page.height);
  return page;
}

void check_pixels(const PageSize& page, double dpi) {
  const double width = std::round(page.width * dpi);
  const double height = std::round(page.height * dpi);
  if (width * height <= most_pixels && std::max(width, height) <= most_pixels_a_side) return;
  refuse_usage(
      attnlab::text("{:.0f}×{:.0f} ピクセルの png は大きすぎます",
                    "a png of {:.0f} x {:.0f} pixels is too large", width, height),
      {"1 億ピクセル、一辺 32767 ピクセルまでです。--dpi か --size を小さくするか、svg か pdf を選んでください",
       "the most is 100 million pixels and 32767 a side: lower --dpi or --size, or choose svg or pdf"});
}

PageSize page_of(const Look& look, const PageSize& own) {
  if (look.page) return *look.page;
  return look.preset ? look.preset->page : own;
}

PageSize page_with_room(const Look& look, const PageSize& own,
                        const std::function<void(const PageSize&)>& lay_out) {
  constexpr double growth = 1.15;
  constexpr int most_steps = 8;
  PageSize page = page_of(look, own);
  const bool may_grow = look.preset && !look.page;
  for (int step = 0;; ++step) {
    try {
      lay_out(page);
      return page;
    } catch (const NoRoom&) {
      if (!may_grow || step == most_steps) throw;
      page = {page.width * growth, page.height * growth};
    }
  }
}

Text larger_page(const std::string& figure, const Preset& preset, const PageSize& page) {
  const std::string size = fmt::format("{:.3g}x{:.3g}in", page.width, page.height);
  return text("{} は {} のページに入らないため {} で描きました",
              "{} has no room on the page of {} and is drawn on {}", figure, preset.name, size);
}

}  // namespace attnlab
