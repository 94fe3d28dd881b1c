#include "products/look.hpp"

namespace attnlab {
namespace {

constexpr double most_pixels = 100e6;           // 400 MB in memory
constexpr double most_pixels_a_side = 32767.0;  // of a Cairo image

}  // namespace

std::string drawing_command(const std::string& command, const std::string& figure, const Look& look) {
  std::vector<TypedFlag> flags = look.typed;
  if (!figure.empty()) flags.insert(flags.begin(), {"figure", figure});
  flags.push_back({"lang", code_of(look.language)});
  return command_with(command, flags);
}

LayoutOptions layout_options(const Look& look, const PageSize& own) {
  LayoutOptions options;
  options.language = look.language;
  options.theme = look.theme;
  options.page = page_of(look, own);
  options.colours = look.colours;
  if (look.preset) {
    options.measures = look.preset->measures;
    options.caption = look.preset->caption;
  }
  if (!look.has_title) options.title = Wording::left_to_text;
  if (!look.has_caption) options.caption = Wording::left_to_text;
  return options;
}

// --- Pages

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

PageSize page_with_space(const Look& look, const PageSize& own,
                         const std::function<void(const PageSize&)>& lay_out) {
  constexpr double growth = 1.15;
  constexpr int most_steps = 8;
  PageSize page = page_of(look, own);
  const bool may_grow = look.preset && !look.page;
  for (int step = 0;; ++step) {
    try {
      lay_out(page);
      return page;
    } catch (const NoSpace&) {
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
