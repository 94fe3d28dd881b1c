#include "attnlab/growing_page.hpp"

#include <fmt/format.h>

namespace attnlab {

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
  return {fmt::format("{} は {} のページに入らないため {} で描きました", figure, preset.name, size),
          fmt::format("{} has no room on the page of {} and is drawn on {}", figure, preset.name, size)};
}

}  // namespace attnlab
