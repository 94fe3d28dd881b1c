#include "attnlab/look.hpp"

namespace attnlab {

PageSize page_of(const Look& look, const PageSize& own) {
  if (look.page) return *look.page;
  return look.preset ? look.preset->page : own;
}

LayoutOptions layout_options(const Look& look, const PageSize& own) {
  LayoutOptions options;
  options.language = look.language;
  options.theme = look.theme;
  options.page = page_of(look, own);
  options.colours = look.colours;
  if (look.preset) {
    options.measures = look.preset->measures;
    options.captions = look.preset->captions;
  }
  return options;
}

}  // namespace attnlab
