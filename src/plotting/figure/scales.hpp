// The colour scales of a panel, one by one.
#pragma once

#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Calls visit(id, scale, part) for each: `part` is the heat map, the matrix of an equation, the bars, the
/// arrows or the diagram that has its colours; a diagram has no id.
template <class Visit>
void for_each_scale(Panel& panel, const Visit& visit) {
  if (auto* map = std::get_if<HeatMap>(&panel.content)) visit(map->id, map->scale, *map);
  if (auto* diagram = std::get_if<Diagram>(&panel.content); diagram != nullptr && diagram->scale)
    visit(std::string(), *diagram->scale, *diagram);
  if (auto* chart = std::get_if<Chart>(&panel.content)) {
    for (Layer& layer : chart->layers) {
      if (auto* bars = std::get_if<Bars>(&layer); bars != nullptr && bars->scale)
        visit(bars->id, *bars->scale, *bars);
      if (auto* arrows = std::get_if<Arrows>(&layer); arrows != nullptr && arrows->scale)
        visit(arrows->id, *arrows->scale, *arrows);
    }
  }
  if (auto* equation = std::get_if<MatrixEquation>(&panel.content)) {
    for (auto& term : equation->terms) {
      if (auto* matrix = std::get_if<MatrixTerm>(&term)) visit(matrix->map.id, matrix->map.scale, *matrix);
    }
  }
}

}  // namespace attnlab
