// How a figure is put together.
#include "plotting/figure/figure.hpp"

namespace attnlab {

template struct OneOf<Points, Curve, Bars, Arrows, Rule, Circle, Callout>;
template struct OneOf<MatrixTerm, OperatorTerm>;
template struct OneOf<HeatMap, Chart, MatrixEquation, Diagram, Arcs>;

Figure&& Figure::panel(Text heading, Content content) && {
  return std::move(*this).panel(Panel{std::move(heading), std::move(content)});
}

Figure&& Figure::panel(Panel ready) && {
  panels.push_back(std::move(ready));
  return std::move(*this);
}

void add_to_caption(Figure& figure, const Text& sentence) {
  if (sentence.en().empty()) return;
  const std::string space = figure.caption.en().empty() ? "" : " ";
  figure.caption = {figure.caption.ja() + sentence.ja(), figure.caption.en() + space + sentence.en()};
}

}  // namespace attnlab

template class std::vector<attnlab::Layer>;
template class std::vector<attnlab::Figure>;
