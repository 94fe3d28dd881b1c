// How a figure is put together.
#include "plotting/figure/figure.hpp"

namespace attnlab {

template struct OneOf<Points, Curve, Bars, Arrows, Rule, Circle, Callout>;
template struct OneOf<MatrixTerm, OperatorTerm>;
template struct OneOf<HeatMap, Chart, MatrixEquation, Diagram>;

Figure&& Figure::described(Text text) && {
  description = std::move(text);
  return std::move(*this);
}

Figure&& Figure::captioned(Text text) && {
  caption = std::move(text);
  return std::move(*this);
}

Figure&& Figure::panel(Text heading, Content content) && {
  panels.push_back({std::move(heading), std::move(content)});
  return std::move(*this);
}

Figure&& Figure::panel(Content content) && {
  return std::move(*this).panel(Text::none(), std::move(content));
}

Figure&& Figure::panel(Panel ready) && {
  panels.push_back(std::move(ready));
  return std::move(*this);
}

Figure&& Figure::all_panels(std::vector<Panel> ready) && {
  panels = std::move(ready);
  return std::move(*this);
}

Figure&& Figure::in_columns(std::size_t count) && {
  columns = count;
  return std::move(*this);
}

Figure&& Figure::sharing_scale(ColourScale scale) && {
  shared_scale = std::move(scale);
  return std::move(*this);
}

Figure&& Figure::sharing_axes() && {
  shared_axes = true;
  return std::move(*this);
}

Figure&& Figure::on_page(double width, double height) && {
  page = {width, height};
  return std::move(*this);
}

}  // namespace attnlab

template class std::vector<attnlab::Layer>;
template class std::vector<attnlab::Figure>;
