// Page sizes as they are typed.
#include "core/error.hpp"
#include "core/from_chars.hpp"
#include "core/utf8.hpp"
#include "products/look.hpp"

namespace attnlab {
namespace {

constexpr double least_side = 1.0;  // inches
constexpr double most_side = 200.0;

struct Length {
  double number = 0.0;
  std::string_view unit;  // "" when none was typed
};

/// How many there are in an inch; of pixels, whose number the resolution tells, 0.
constexpr std::array<std::pair<std::string_view, double>, 5> units{
    {{"in", 1.0}, {"cm", 2.54}, {"mm", 25.4}, {"pt", 72.0}, {"px", 0.0}}};

/// Takes a number from the front of `text`.
std::optional<double> take_number(std::string_view& text) {
  double number = 0.0;
  const auto [end, problem] = from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Takes a length from the front of `text`: a number and perhaps a unit.
std::optional<Length> take_length(std::string_view& text) {
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  for (const auto& [unit, in_inch] : units) {
    if (text.substr(0, unit.size()) != unit) continue;
    text.remove_prefix(unit.size());
    return Length{*number, unit};
  }
  return Length{*number, ""};
}

double inches(const Length& length, double dpi) {
  const auto* unit =
      std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == length.unit; });
  return length.number / (unit->second > 0.0 ? unit->second : dpi);
}

/// Without spaces, in lower case, × as x.
std::string simplified(const std::string& text) {
  std::string simple = replaced(text, "×", "x");
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

}  // namespace attnlab
