#include "products/frame_layouts.hpp"

#include "page/picture.hpp"

namespace attnlab {

Figure ranged(Figure figure, const Look& look) {
  const Text caption = figure.caption;  // the layout adds what is to be said of colours
  figure = recolour(std::move(figure), look.colours, look.theme).figure;
  figure.caption = caption;
  return figure;
}

LayoutOptions frame_options(const Look& look, const Figure& figure) {
  LayoutOptions options = layout_options(look, figure.page);
  options.colours.range = RangeOfFigure{};
  return options;
}

FrameLayouts::FrameLayouts(const std::vector<Figure>& figures, const Look& look)
    : figures_(figures), look_(look) {
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const LayoutOptions options = frame_options(look, figures[i]);
    const Layout layout = lay_out(figures[i], options);
    least_width_ = std::max(least_width_, attnlab::least_width(layout.list));
    space_ = i == 0 ? layout.space : united(space_, layout.space);
    // That a frame is almost one colour is no fault of it: others are not.
    const std::vector<Text> of_colours = recolour(figures[i], options.colours, options.theme).warnings;
    for (const Text& warning : layout.warnings)
      if (!contains(of_colours, warning)) add_once(warnings_, warning);
  }
}

Layout FrameLayouts::at(std::size_t index, Theme theme) const {
  LayoutOptions options = frame_options(look_, figures_[index]);
  options.theme = theme;
  options.reserved = space_;
  return lay_out(figures_[index], options);
}

Look with_space_for(const std::vector<Figure>& figures, Look look, std::vector<Text>& warnings) {
  if (!look.preset || look.page) return look;
  const PageSize page = page_with_space(look, {}, [&](const PageSize& larger) {
    Look tried = look;
    tried.page = larger;
    const FrameLayouts layouts(figures, tried);
    for (std::size_t i = 0; i < figures.size(); ++i) layouts.at(i);
  });
  if (page.width > look.preset->page.width)
    warnings.push_back(larger_page(figures.front().name, *look.preset, page));
  look.page = page;
  return look;
}

Look with_readable_letters(const std::vector<Figure>& figures, const Look& look, double width) {
  const double needed = FrameLayouts(figures, look).least_width();
  if (needed <= width) return look;
  Look narrower = look;
  narrower.page = page_of(look, figures.front().page);
  narrower.page->width *= width / needed;
  try {
    return FrameLayouts(figures, narrower).least_width() <= std::ceil(width) ? narrower : look;
  } catch (const NoSpace&) {
    return look;
  }
}

}  // namespace attnlab
