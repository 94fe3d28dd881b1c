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

Figure in_both_languages(Figure japanese, Figure english) {
  Figure both = std::move(english);
  both.title = {japanese.title.ja(), both.title.en()};
  both.description = {japanese.description.ja(), both.description.en()};
  both.caption = {japanese.caption.ja(), both.caption.en()};
  both.japanese_panels = std::move(japanese.panels);
  return both;
}

Figure in_language(Figure figure, Language language) {
  const bool has_own = language == Language::ja && !figure.japanese_panels.empty();
  if (has_own) figure.panels = std::move(figure.japanese_panels);
  figure.japanese_panels.clear();
  return figure;
}

void drop_recorded(std::vector<Figure>& figures) {
  const auto is_recorded = [](const Figure& figure) { return figure.is_recorded; };
  figures.erase(std::remove_if(figures.begin(), figures.end(), is_recorded), figures.end());
}

void add_to_caption(Figure& figure, const Text& sentence) {
  if (sentence.en().empty()) return;
  const std::string space = figure.caption.en().empty() ? "" : " ";
  figure.caption = {figure.caption.ja() + sentence.ja(), figure.caption.en() + space + sentence.en()};
}

}  // namespace attnlab

template class std::vector<attnlab::Layer>;
template class std::vector<attnlab::Figure>;
