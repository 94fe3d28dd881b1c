#include "terminal_figure/panels.hpp"

#include "core/constants.hpp"
#include "plotting/layout/chart_frame.hpp"
#include "terminal_figure/canvas.hpp"

namespace attnlab::terminal_figure {
namespace {

bool is_finite(const Fraction& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

bool is_inside(const Fraction& point) {
  constexpr double slack = 1e-9;
  return point.x >= -slack && point.x <= 1.0 + slack && point.y >= -slack && point.y <= 1.0 + slack;
}

std::string off_scale_mark(const Fraction& point) {
  return point.y > 1.0 ? "↑" : point.y < 0.0 ? "↓" : point.x > 1.0 ? "→" : "←";
}

/// The arrowhead nearest to a direction on the screen.
std::string head_of(double right, double up) {
  constexpr std::array<const char*, 8> heads{"→", "↗", "↑", "↖", "←", "↙", "↓", "↘"};
  const auto eighth = std::lround(std::atan2(up, right) / (pi / 4.0));
  return heads.at(static_cast<std::size_t>((eighth + 8) % 8));
}

/// Places at equal distances along a line, on the screen.
std::vector<Fraction> places_along(const std::vector<Fraction>& line, const DotCanvas& dots, double first,
                                   std::size_t count) {
  const auto length = [&](std::size_t i) {
    return std::hypot((line[i].x - line[i - 1].x) * static_cast<double>(dots.width()),
                      (line[i].y - line[i - 1].y) * 2.0 * static_cast<double>(dots.height()));
  };
  double total = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) total += length(i);
  std::vector<Fraction> places;
  double passed = 0.0;
  for (std::size_t i = 1; i < line.size() && places.size() < count; ++i) {
    const double here = length(i);
    while (places.size() < count) {
      const double wanted = total * (static_cast<double>(places.size()) + first) / static_cast<double>(count);
      if (wanted > passed + here) break;
      const double part = here > 0.0 ? (wanted - passed) / here : 0.0;
      places.push_back({line[i - 1].x + (line[i].x - line[i - 1].x) * part,
                        line[i - 1].y + (line[i].y - line[i - 1].y) * part});
    }
    passed += here;
  }
  return places;
}

class Plotter {
 public:
  Plotter(const Chart& chart, const Limits& limits, std::size_t width, std::size_t height,
          const Setting& setting)
      : chart_(chart), limits_(limits), setting_(setting), dots_(width, height), letters_(width, height) {
    letters_.paint({0, 0}, width, height, setting.style.paper);
  }

  void draw_lines() {
    for (const Layer& layer : chart_.layers) {
      if (const auto* circle = std::get_if<Circle>(&layer)) draw(*circle);
      if (const auto* curve = std::get_if<Curve>(&layer)) draw(*curve);
      if (const auto* arrows = std::get_if<Arrows>(&layer)) draw(*arrows);
    }
    for (const Layer& layer : chart_.layers) {
      if (const auto* rule = std::get_if<Rule>(&layer)) draw(*rule);
    }
  }

  void draw_marks() {
    for (const Layer& layer : chart_.layers) {
      if (const auto* curve = std::get_if<Curve>(&layer)) mark(*curve);
      if (const auto* points = std::get_if<Points>(&layer)) draw(*points);
      if (const auto* arrows = std::get_if<Arrows>(&layer)) draw_heads(*arrows);
    }
  }

  void draw_words() {
    for (const Layer& layer : chart_.layers) {
      if (const auto* points = std::get_if<Points>(&layer)) label(*points);
      if (const auto* rule = std::get_if<Rule>(&layer)) label(*rule);
      if (const auto* arrows = std::get_if<Arrows>(&layer)) label(*arrows);
      if (const auto* callout = std::get_if<Callout>(&layer)) label(*callout);
    }
  }

  PlotArea finished() {
    dots_.lay_under(letters_, {0, 0});
    return {std::move(letters_), std::move(left_out_)};
  }

 private:
  Fraction at(double x, double y) const {
    return {fraction_along(chart_.x, limits_.x, x), fraction_along(chart_.y, limits_.y, y)};
  }
  Look look_of(const Ink& ink) const { return {setting_.style.colour(ink), {}, Emphasis::none}; }
  Look words_look() const { return {setting_.style.ink, {}, Emphasis::none}; }
  Look arrow_look(const Arrows& arrows, const Arrow& arrow) const {
    if (!arrow.value || !arrows.scale) return look_of(arrow.ink);
    return {
        colour_of(*arrows.scale, *arrow.value, setting_.style.theme, Coloured::marks), {}, Emphasis::none};
  }

  void draw(const Circle& circle) {
    constexpr int corners = 180;
    std::vector<Fraction> points;
    for (int i = 0; i <= corners; ++i) {
      const double angle = 2.0 * pi * i / corners;
      points.push_back(at(circle.radius * std::cos(angle), circle.radius * std::sin(angle)));
    }
    dots_.draw_line(points, dotted, look_of(muted_ink));
  }

  /// NaN and infinities interrupt a curve.
  std::vector<std::vector<Fraction>> runs_of(const Curve& curve) const {
    std::vector<std::vector<Fraction>> runs(1);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const Fraction point = at(curve.x[i], curve.y[i]);
      if (is_finite(point)) {
        runs.back().push_back(point);
      } else if (!runs.back().empty()) {
        runs.emplace_back();
      }
    }
    return runs;
  }

  void draw(const Curve& curve) {
    for (const std::vector<Fraction>& run : runs_of(curve)) {
      dots_.draw_line(run, curve.dashed ? dashed : solid, look_of(curve.ink));
    }
  }

  /// A curve that the legend names bears its mark, unless points of that colour lie on it.
  void mark(const Curve& curve) {
    if (curve.name.en().empty() || curve.ink.role != Ink::Role::series) return;
    const bool marked = std::any_of(chart_.layers.begin(), chart_.layers.end(), [&](const Layer& layer) {
      const auto* points = std::get_if<Points>(&layer);
      return points != nullptr && points->ink.role == curve.ink.role &&
             points->ink.series == curve.ink.series;
    });
    if (marked) return;
    constexpr std::size_t marks = 5;
    const double first = 0.2 + 0.2 * static_cast<double>(curve.ink.series % 4);
    for (const std::vector<Fraction>& run : runs_of(curve)) {
      for (const Fraction& place : places_along(run, dots_, first, marks)) {
        if (is_inside(place)) letters_.write(dots_.spot_of(place), mark_of(curve.ink), look_of(curve.ink));
      }
    }
  }

  void draw(const Arrows& arrows) {
    for (const Arrow& arrow : arrows.arrows) {
      dots_.draw_line({at(0.0, 0.0), at(arrow.x, arrow.y)}, arrow.dashed ? dashed : solid,
                      arrow_look(arrows, arrow));
    }
  }

  void draw_heads(const Arrows& arrows) {
    for (const Arrow& arrow : arrows.arrows) {
      const Fraction tip = at(arrow.x, arrow.y);
      if (!is_finite(tip) || !is_inside(tip)) continue;
      const Direction way = direction_to(arrow);
      letters_.write(dots_.spot_of(tip), head_of(way.right, way.up), arrow_look(arrows, arrow));
    }
  }

  /// As it looks on the screen, of length 1.
  Direction direction_to(const Arrow& arrow) const {
    const Fraction tail = at(0.0, 0.0);
    const Fraction tip = at(arrow.x, arrow.y);
    const double right = (tip.x - tail.x) * static_cast<double>(dots_.width());
    const double up = (tip.y - tail.y) * 2.0 * static_cast<double>(dots_.height());
    const double length = std::max(1e-9, std::hypot(right, up));
    return {right / length, up / length};
  }

  /// Lines give way to the data.
  void draw(const Rule& rule) {
    const bool vertical = rule.direction == Rule::Direction::vertical;
    const Spot start = rule_start(rule);
    const std::size_t length = vertical ? letters_.height() : letters_.width();
    for (std::size_t i = 0; i < length; ++i) {
      const Spot spot = vertical ? Spot{start.column, i} : Spot{i, start.line};
      if (!dots_.has_dots(spot)) letters_.write(spot, vertical ? "┊" : "┄", look_of(rule.ink));
    }
  }

  Spot rule_start(const Rule& rule) const {
    const bool vertical = rule.direction == Rule::Direction::vertical;
    return dots_.spot_of(vertical ? at(rule.at, limits_.y.high) : at(limits_.x.high, rule.at));
  }

  void draw(const Points& points) {
    const bool crowded = points.x.size() > 4 * letters_.width();
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      const Fraction point = at(points.x[i], points.y[i]);
      if (!is_finite(point)) continue;
      if (!is_inside(point)) {
        letters_.write(dots_.spot_of(point), off_scale_mark(point), look_of(points.ink));
      } else if (crowded) {
        dots_.draw_dot(point, look_of(points.ink));
      } else {
        letters_.write(dots_.spot_of(point), mark_of(points.ink), look_of(points.ink));
      }
    }
  }

  void add(const std::string& words, const Spot& mark, const Direction& preferred, const Look& look) {
    if (words.empty()) return;
    if (place_words(words, {mark, preferred}, look, dots_, letters_) == Placed::no)
      left_out_.push_back(words);
  }

  /// The values of the points that are off the scale.
  void label(const Points& points) {
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      const Fraction point = at(points.x[i], points.y[i]);
      if (!is_finite(point) || is_inside(point)) continue;
      add(number_text(points.y[i], 3), dots_.spot_of(point), {1.0, 0.0}, look_of(points.ink));
    }
  }

  void label(const Rule& rule) {
    const bool vertical = rule.direction == Rule::Direction::vertical;
    add(setting_.words(rule.label), rule_start(rule), vertical ? Direction{1.0, 0.0} : Direction{-0.7, 0.7},
        words_look());
  }

  void label(const Arrows& arrows) {
    for (const Arrow& arrow : arrows.arrows) {
      const Fraction tip = at(arrow.x, arrow.y);
      if (is_finite(tip))
        add(setting_.words(arrow.label), dots_.spot_of(tip), direction_to(arrow), words_look());
    }
  }

  void label(const Callout& callout) {
    const Fraction place = at(callout.x, callout.y);
    if (!is_finite(place)) return;
    Look look = words_look();
    look.emphasis = Emphasis::bold;
    const Direction towards_middle{place.x > 0.6 ? -1.0 : 1.0, 0.0};
    add(setting_.words(callout.text), dots_.spot_of(place), towards_middle, look);
  }

  const Chart& chart_;
  const Limits& limits_;
  const Setting& setting_;
  DotCanvas dots_;
  Picture letters_;
  std::vector<std::string> left_out_;
};

}  // namespace

std::string mark_of(const Ink& ink) {
  constexpr std::array<const char*, 7> marks{"●", "▲", "■", "◆", "○", "△", "□"};
  switch (ink.role) {
    case Ink::Role::series: return marks.at(ink.series % marks.size());
    case Ink::Role::foreground: return "✕";
    case Ink::Role::muted: break;
  }
  return "∘";
}

PlotArea draw_layers(const Chart& chart, const Limits& limits, std::size_t width, std::size_t height,
                     const Setting& setting) {
  Plotter plotter(chart, limits, width, height, setting);
  plotter.draw_lines();
  plotter.draw_marks();
  plotter.draw_words();
  return plotter.finished();
}

}  // namespace attnlab::terminal_figure
