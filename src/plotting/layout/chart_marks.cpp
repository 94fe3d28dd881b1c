// The marks of a chart and the words beside them.
#include "core/constants.hpp"
#include "plotting/layout/chart_frame.hpp"
#include "plotting/layout/shapes.hpp"
#include "plotting/layout/ticks.hpp"

namespace attnlab {
namespace {

constexpr double bar_width = 0.72;  // of the distance between two bars

// Which point of a label lands on the tip so that the label lies on the far side, seen along (dx, dy).
Placement beside(const Position& tip, double dx, double dy, double distance) {
  const AlignX x = dx > 0.38 ? AlignX::left : dx < -0.38 ? AlignX::right : AlignX::centre;
  const AlignY y = dy > 0.38 ? AlignY::top : dy < -0.38 ? AlignY::bottom : AlignY::middle;
  return {{tip.x + dx * distance, tip.y + dy * distance}, x, y};
}

// All around a mark, first near and in the preferred direction, then farther.
std::vector<Placement> around(const Position& mark, double preferred, double distance) {
  std::vector<Placement> placements;
  const std::array<double, 6> reaches{1.0, 1.9, 3.0, 4.4, 6.5, 9.0};
  const std::array<double, 8> turns{0.0, 0.4, -0.4, 0.9, -0.9, 1.6, -1.6, pi};
  for (const double reach : reaches) {
    for (const double turn : turns) {
      placements.push_back(
          beside(mark, std::cos(preferred + turn), std::sin(preferred + turn), distance * reach));
    }
    for (const double side : {-1.0, 1.0}) {  // of the last mark at the right edge
      placements.push_back({{mark.x, mark.y + side * distance * reach},
                            AlignX::right,
                            side < 0.0 ? AlignY::bottom : AlignY::top});
    }
  }
  return placements;
}

// All over a panel, the nearest to the mark first.
std::vector<Placement> all_over(const Box& box, const Position& mark, double step) {
  std::vector<Placement> placements;
  const auto rows = static_cast<std::size_t>(std::max(0.0, box.height / step));
  const auto columns = static_cast<std::size_t>(std::max(0.0, box.width / step));
  for (std::size_t i = 0; i <= rows; ++i) {
    for (std::size_t j = 0; j <= columns; ++j) {
      const Position at{box.x + static_cast<double>(j) * step, box.y + static_cast<double>(i) * step};
      placements.push_back({at, AlignX::centre, AlignY::middle});
    }
  }
  std::stable_sort(placements.begin(), placements.end(), [&](const Placement& one, const Placement& other) {
    return distance(one.at, mark) < distance(other.at, mark);
  });
  return placements;
}

// Twice the area of a triangle, negative where its corners follow each other clockwise.
double turn(const Position& one, const Position& two, const Position& three) {
  return (two.x - one.x) * (three.y - one.y) - (two.y - one.y) * (three.x - one.x);
}

bool cross(const Position& from, const Position& to, const Position& one, const Position& other) {
  return turn(from, to, one) * turn(from, to, other) < 0.0 &&
         turn(one, other, from) * turn(one, other, to) < 0.0;
}

/// Draws the marks of each layer; its words come after all marks, and what finds no free place is left out
/// with a warning.
class LayerPainter {
 public:
  LayerPainter(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box)
      : chart_(chart), frame_(frame), sheet_(sheet), style_(sheet.style()), box_(box) {}

  void operator()(const Circle& circle) const {
    const Position centre = at(0.0, 0.0);
    const double radius = at(circle.radius, 0.0).x - centre.x;
    sheet_.add(circle.id, Disc{centre, radius, {}, style_.muted, style_.line * 0.35});
  }

  void operator()(const Rule& rule) const {
    const bool vertical = rule.direction == Rule::Direction::vertical;
    const Position mark = vertical ? at(rule.at, frame_.y.low) : at(frame_.x.low, rule.at);
    const Position from = vertical ? Position{mark.x, box_.y} : Position{box_.x, mark.y};
    const Position to = vertical ? Position{mark.x, box_.bottom()} : Position{box_.right(), mark.y};
    sheet_.avoid(corners_of_line(from, to, style_.line));
    sheet_.add(rule.id, line({from, to}, style_.colour(rule.ink), style_.line * 0.8, dash_pattern(style_)));
  }

  void operator()(const Curve& curve) const {
    std::vector<Position> points;
    const auto flush = [&](std::size_t run) {
      if (curve.filled && points.size() > 2) {
        constexpr double tint = 0.85;  // of the paper's colour
        Path area = Path::area(points, mixed(style_.colour(curve.ink), style_.paper, tint));
        area.clip = box_;
        sheet_.add(indexed(curve.id, run) + ".area", area);
      }
      if (points.size() > 1) {
        sheet_.add(indexed(curve.id, run),
                   line(points, style_.colour(curve.ink), style_.line,
                        curve.dashed ? dash_pattern(style_) : series_dashes(style_, curve.ink)));
      }
      points.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) {
        flush(i);  // NaN and infinities interrupt a curve
        continue;
      }
      points.push_back(at(curve.x[i], curve.y[i]));
      if (points.size() > 1) {
        sheet_.avoid(corners_of_line(points[points.size() - 2], points.back(), style_.line));
      }
    }
    flush(curve.x.size());
  }

  void operator()(const Points& points) const {
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      if (!std::isfinite(points.x[i]) || !std::isfinite(points.y[i])) continue;
      const Colour colour = style_.colour(points.ink);
      if (points.y[i] > frame_.y.high || points.y[i] < frame_.y.low) {
        sheet_.add(indexed(points.id, i), off_scale(points.x[i], points.y[i], colour));
      } else {
        add_point(indexed(points.id, i), at(points.x[i], points.y[i]), points.ink);
      }
    }
  }

  void operator()(const Bars& bars) const {
    const double base = at(0.0, std::clamp(0.0, frame_.y.low, frame_.y.high)).y;
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      if (!std::isfinite(bars.values[i])) continue;
      const auto centre = static_cast<double>(i);
      const double left = at(centre - bar_width / 2.0, 0.0).x;
      const double width = at(centre + bar_width / 2.0, 0.0).x - left;
      const bool broken = is_broken(bars, i);
      const double tip = broken ? top_of_broken() : at(centre, bars.values[i]).y;
      const Colour colour = bar_colour(bars, i);
      const Box bar{left, std::min(tip, base), width, std::abs(tip - base)};
      sheet_.add(indexed(bars.id, i), FilledBox{bar, colour});
      if (!bars.scale) add_hatching(indexed(bars.id, i), bars.ink, bar);
      if (!broken) continue;
      sheet_.avoid(corners_of(bar));
      add_break(indexed(bars.id, i), {bar.centre().x, tip + style_.tick}, {0.0, -1.0}, width);
    }
    sheet_.add(bars.id + ".base",
               line({{box_.x, base}, {box_.right(), base}}, style_.muted, style_.line * 0.6, {}));
  }

  void operator()(const Arrows& arrows) const {
    for (std::size_t i = 0; i < arrows.arrows.size(); ++i) draw_arrow(arrows, i);
  }

  void operator()(const Callout&) const {}  // words only

  void label(const Circle&) const {}  // no words
  void label(const Curve&) const {}

  void label(const Rule& rule) const {
    if (rule.label.in(sheet_.language()).empty()) return;
    const Words words = sheet_.words(rule.label, style_.tick);
    std::vector<Placement> placements;
    if (rule.direction == Rule::Direction::vertical) {
      const double x = at(rule.at, frame_.y.low).x;
      const double line = style_.tick * 1.5;
      const auto lines = static_cast<std::size_t>(std::max(0.0, box_.height / line));
      for (std::size_t i = 0; i < lines; ++i) {
        const double down = style_.gap + line * static_cast<double>(i);
        placements.push_back({{x + style_.gap, box_.y + down}, AlignX::left, AlignY::top});
        placements.push_back({{x - style_.gap, box_.y + down}, AlignX::right, AlignY::top});
      }
    } else {
      const double y = at(frame_.x.low, rule.at).y;
      placements = {{{box_.right() - style_.gap, y - style_.gap * 0.3}, AlignX::right, AlignY::bottom},
                    {{box_.right() - style_.gap, y + style_.gap * 0.3}, AlignX::right, AlignY::top},
                    {{box_.x + style_.gap, y - style_.gap * 0.3}, AlignX::left, AlignY::bottom},
                    {{box_.x + style_.gap, y + style_.gap * 0.3}, AlignX::left, AlignY::top}};
    }
    add(rule.id + ".text", words, placements);
  }

  void label(const Points& points) const {
    for (std::size_t i = 0; i < points.y.size(); ++i) {
      const bool above = points.y[i] > frame_.y.high;
      if (!above && !(points.y[i] < frame_.y.low)) continue;
      const Position edge = at(points.x[i], above ? frame_.y.high : frame_.y.low);
      const double inward = point_radius(style_) * (above ? 1.2 : -1.2);
      std::vector<Placement> placements =
          on_either_side({edge.x, edge.y + inward}, style_.gap + point_radius(style_) * 1.6);
      for (const double lines : {0.0, 1.3, 2.6}) {
        const double y = edge.y + 2.5 * inward + (above ? lines : -lines) * style_.tick;
        const AlignY side = above ? AlignY::top : AlignY::bottom;
        placements.push_back({{edge.x, y}, AlignX::centre, side});
        placements.push_back(
            {{edge.x + point_radius(style_), y}, AlignX::right, side});  // at the panel's edge
        placements.push_back({{edge.x - point_radius(style_), y}, AlignX::left, side});
      }
      add(indexed(points.id, i) + ".text", sheet_.set_markup(number_text(points.y[i], 3), style_.tick),
          placements);
    }
  }

  void label(const Bars& bars) const {
    const double space = at(1.0, 0.0).x - at(0.0, 0.0).x;
    label_broken(bars, space);
    if (bars.decimals == no_numbers) return;
    std::vector<std::string> numbers;
    for (const double value : bars.values) numbers.push_back(number_text(value, bars.decimals));
    double size = size_of(numbers, space * 0.94);
    if (size < style_.smallest) {
      std::transform(numbers.begin(), numbers.end(), numbers.begin(), without_leading_zero);
      size = size_of(numbers, space * 0.94);
    }
    if (size < style_.smallest) return sheet_.warn_of_labels_left_out();
    const bool below = has_space_below(bars, size);
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      if (is_broken(bars, i)) continue;
      const double value = bars.values[i];
      const double shown = std::isfinite(value) ? value : 0.0;
      const bool negative = shown < 0.0;
      const bool down = negative && below;
      const Position tip = at(static_cast<double>(i), negative && !below ? 0.0 : shown);
      const Label number = Sheet::place(with_halo(sheet_.set_markup(numbers[i], size)),
                                        {{tip.x, tip.y + style_.gap * (down ? 0.3 : -0.3)},
                                         AlignX::centre,
                                         down ? AlignY::top : AlignY::bottom});
      const std::string id = indexed(bars.id, i);
      const Box ink = bounds_of(ink_corners(number)).grown(style_.line);
      if (is_ruled(ink)) sheet_.add(id + ".gap", FilledBox{ink, style_.paper});
      sheet_.add(id + ".text", number);
    }
  }

  void label(const Arrows& arrows) const {
    const Position tail = at(0.0, 0.0);
    for (std::size_t i = 0; i < arrows.arrows.size(); ++i) {
      const Arrow& arrow = arrows.arrows[i];
      if (arrow.label.in(sheet_.language()).empty()) continue;
      const Position tip = end_of(arrow);
      const double direction = std::atan2(tip.y - tail.y, tip.x - tail.x);
      Words words = with_halo(sheet_.words(arrow.label, style_.tick));
      if (!arrow.value) words.colour = letters_in(style_.colour(arrow.ink), style_);
      const std::vector<Placement> all = around(tip, direction, style_.gap);
      add_or_smaller(words, [&](const Words& tried) {
        return add_beside(tip, indexed(arrows.id, i) + ".text", tried, all);
      });
    }
  }

  void label(const Callout& callout) const {
    const Position mark = at(callout.x, callout.y);
    const double outward = mark.x > box_.x + box_.width * 0.6 ? pi : 0.0;  // towards the panel's middle
    Words words = with_halo(sheet_.words(callout.text, style_.tick, Weight::bold));
    if (const Ink* ink = ink_at(callout)) words.colour = letters_in(style_.colour(*ink), style_);
    add_or_smaller(words, [&](const Words& tried) { return add_callout(callout, mark, tried, outward); });
  }

 private:
  bool add_callout(const Callout& callout, const Position& mark, const Words& words, double outward) const {
    const double near = style_.gap + point_radius(style_);
    const std::vector<Placement> all = around(mark, outward, near);
    const std::vector<Placement> plain = placements_where(words, all, [&](const Box& box) {
      return distance(nearest_in(box, mark), mark) < 2.0 * near && is_nearest(mark, box) &&
             !is_cut_off(callout, box) && box.y > box_.y;  // below the panel's title
    });
    return add_plainly(callout.id, words, plain) || add_separate(callout.id, mark, words, all) ||
           add_separate(callout.id, mark, words, all_over(box_, mark, style_.gap));
  }

  Position at(double x, double y) const { return place_of(x, y, chart_, frame_, box_); }

  // A bar or an arrow that is longer than the axis is broken: it ends within the panel, with a gap across it.
  bool is_broken(const Bars& bars, std::size_t i) const { return bars.values[i] > frame_.y.high; }
  double top_of_broken() const { return box_.y + line_height(style_.tick); }

  // The tip of an arrow; of a broken one where it ends, in the direction of its tip.
  Position end_of(const Arrow& arrow) const {
    const Position tail = at(0.0, 0.0);
    const Position tip = at(arrow.x, arrow.y);
    const Box inner = box_.grown(-1.6 * line_height(style_.tick));  // room for its words
    const auto share = [](double from, double to, double low, double high) {
      return to > high ? (high - from) / (to - from) : to < low ? (low - from) / (to - from) : 1.0;
    };
    if (share(0.0, tip.x, box_.x, box_.right()) == 1.0 && share(0.0, tip.y, box_.y, box_.bottom()) == 1.0)
      return tip;
    const double part =
        std::min(share(tail.x, tip.x, inner.x, inner.right()), share(tail.y, tip.y, inner.y, inner.bottom()));
    return {tail.x + part * (tip.x - tail.x), tail.y + part * (tip.y - tail.y)};
  }

  // A slanted gap across a bar or a shaft of that width.
  void add_break(const std::string& id, const Position& middle, const Position& along, double width) const {
    const double half = style_.line * 1.1;
    const double across = width / 2.0 + style_.line;
    const auto corner = [&](double side, double end) {
      const double shift = end * half - side * half * 1.6;
      return Position{middle.x + along.x * shift - along.y * side * across,
                      middle.y + along.y * shift + along.x * side * across};
    };
    sheet_.add(id + ".break",
               Path::area({corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}, style_.paper));
  }

  static std::vector<Placement> on_either_side(const Position& mark, double away) {
    return {{{mark.x + away, mark.y}, AlignX::left, AlignY::middle},
            {{mark.x - away, mark.y}, AlignX::right, AlignY::middle}};
  }

  void label_broken(const Bars& bars, double space) const {
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      if (!is_broken(bars, i)) continue;
      const Position tip{at(static_cast<double>(i), 0.0).x, top_of_broken() - style_.gap * 0.3};
      std::vector<Placement> placements{{tip, AlignX::centre, AlignY::bottom},
                                        {{tip.x + space / 2.0, tip.y}, AlignX::right, AlignY::bottom},
                                        {{tip.x - space / 2.0, tip.y}, AlignX::left, AlignY::bottom}};
      for (const double lines : {1.0, 2.3, 3.6}) {
        const Position lower{tip.x, tip.y + lines * style_.tick};
        for (const Placement& beside : on_either_side(lower, space * 0.6)) placements.push_back(beside);
      }
      add(indexed(bars.id, i) + ".text", sheet_.set_markup(number_text(bars.values[i], 3), style_.tick),
          placements);
    }
  }

  // The places where what the words cover suits.
  template <class Suits>
  static std::vector<Placement> placements_where(const Words& words, const std::vector<Placement>& all,
                                                 const Suits& suits) {
    const TextExtent extent = measure(words);
    std::vector<Placement> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](const Placement& placement) {
      return suits(bounds_of(ink_corners(Sheet::place(words, extent, placement))));
    });
    return some;
  }

  // Where no line is needed to understand them.
  bool add_plainly(const std::string& id, const Words& words, const std::vector<Placement>& plain) const {
    const std::optional<Label> label = sheet_.free_place(words, plain, grown(box_));
    if (label) sheet_.add(id, *label);
    return label.has_value();
  }

  // Whether an upright rule runs through the box.
  bool is_ruled(const Box& box) const {
    return std::any_of(chart_.layers.begin(), chart_.layers.end(), [&](const Layer& layer) {
      const auto* rule = std::get_if<Rule>(&layer);
      if (rule == nullptr || rule->direction != Rule::Direction::vertical) return false;
      const double x = at(rule->at, frame_.y.low).x;
      return x > box.x && x < box.right();
    });
  }

  // Whether a series has a point, or a corner, just there.
  template <class Series>
  static bool passes(const Series& series, double x, double y) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (series.x[i] == x && series.y[i] == y) return true;
    }
    return false;
  }

  // The ink of the last series drawn where the words point to.
  const Ink* ink_at(const Callout& callout) const {
    const Ink* found = nullptr;
    for (const Layer& layer : chart_.layers) {
      const auto* points = std::get_if<Points>(&layer);
      const auto* curve = std::get_if<Curve>(&layer);
      if (points != nullptr && passes(*points, callout.x, callout.y)) found = &points->ink;
      if (curve != nullptr && passes(*curve, callout.x, callout.y)) found = &curve->ink;
    }
    return found;
  }

  // From the mark, the end of a line to the nearest edge of words that stand away from it.
  Position end_of_leader(const Position& mark, const Label& label) const {
    return nearest_in(bounds_of(ink_corners(label)).grown(style_.line), mark);
  }

  static Position nearest_in(const Box& box, const Position& to) {
    return {std::clamp(to.x, box.x, box.right()), std::clamp(to.y, box.y, box.bottom())};
  }

  // Whether a curve of something else runs between the words and what they point to.
  bool is_cut_off(const Callout& callout, const Box& words) const {
    const Position mark = at(callout.x, callout.y);
    for (const Layer& layer : chart_.layers) {
      const auto* curve = std::get_if<Curve>(&layer);
      if (curve == nullptr || passes(*curve, callout.x, callout.y)) continue;
      for (std::size_t i = 1; i < curve->x.size(); ++i) {
        if (cross(mark, words.centre(), at(curve->x[i - 1], curve->y[i - 1]), at(curve->x[i], curve->y[i])))
          return true;
      }
    }
    return false;
  }

  // Whether the words stand nearer to this mark than to any point elsewhere.
  bool is_nearest(const Position& mark, const Box& words) const {
    const Position middle = words.centre();
    for (const Layer& layer : chart_.layers) {
      const auto* points = std::get_if<Points>(&layer);
      if (points == nullptr) continue;
      for (std::size_t i = 0; i < points->x.size(); ++i) {
        const Position other = at(points->x[i], points->y[i]);
        const bool same = distance(other, mark) < point_radius(style_);
        if (!same && distance(other, middle) < 1.2 * distance(mark, middle)) return false;
      }
    }
    return true;
  }

  // What words stand beside: the tips of arrows, and what callouts point to.
  std::vector<Position> named_marks() const {
    std::vector<Position> marks;
    for (const Layer& layer : chart_.layers) {
      if (const auto* callout = std::get_if<Callout>(&layer)) marks.push_back(at(callout->x, callout->y));
      const auto* arrows = std::get_if<Arrows>(&layer);
      if (arrows == nullptr) continue;
      for (const Arrow& arrow : arrows->arrows) marks.push_back(end_of(arrow));
    }
    return marks;
  }

  // Whether an arrow runs between the words and their tip.
  bool is_across_arrow(const Position& tip, const Box& words) const {
    return std::any_of(chart_.layers.begin(), chart_.layers.end(), [&](const Layer& layer) {
      const auto* arrows = std::get_if<Arrows>(&layer);
      return arrows != nullptr &&
             std::any_of(arrows->arrows.begin(), arrows->arrows.end(), [&](const Arrow& arrow) {
               return cross(tip, words.centre(), at(0.0, 0.0), end_of(arrow));
             });
    });
  }

  // The places at which no other mark is as near to the words as `allowed(distance to their own)`.
  template <class Allowed>
  std::vector<Placement> clear_of_others(const Position& mark, const Words& words,
                                         const std::vector<Placement>& all, Allowed allowed) const {
    const std::vector<Position> others = named_marks();
    return placements_where(words, all, [&](const Box& box) {
      const auto from_words = [&box](const Position& point) {
        return distance(nearest_in(box, point), point);
      };
      return std::none_of(others.begin(), others.end(), [&](const Position& other) {
        return distance(other, mark) >= style_.gap && from_words(other) <= allowed(from_words(mark));
      });
    });
  }

  // Away from the mark, with a line to it that runs through no other words: beside no other mark, unless it
  // is nearer to its own.
  bool add_separate(const std::string& id, const Position& mark, const Words& words,
                    const std::vector<Placement>& all) const {
    const auto beside = [this](double own) { return std::min(own, style_.tick); };
    const double width = style_.line * 0.4;
    const auto label = sheet_.free_place(
        words, clear_of_others(mark, words, all, beside), grown(box_), [&](const Label& there) {
          return !sheet_.meets_words(corners_of_line(mark, end_of_leader(mark, there), width));
        });
    if (!label) return false;
    const Position end = end_of_leader(mark, *label);
    sheet_.avoid(corners_of_line(mark, end, width));
    sheet_.add(id + ".leader", Path::line({mark, end}, style_.muted, width));
    sheet_.add(id, *label);
    return true;
  }

  // Where it is plain which arrow is meant; failing that, with a line to its tip.
  bool add_beside(const Position& tip, const std::string& id, const Words& words,
                  const std::vector<Placement>& all) const {
    const auto nearer = [](double own) { return 1.2 * own; };
    std::vector<Placement> plain =
        placements_where(words, clear_of_others(tip, words, all, nearer),
                         [&](const Box& box) { return !is_across_arrow(tip, box); });
    return add_plainly(id, words, plain) || add_separate(id, tip, words, all);
  }

  void add(const std::string& id, const Words& words, const std::vector<Placement>& placements) const {
    add_or_smaller(with_halo(words), [&](const Words& tried) {
      return sheet_.add_where_free(id, tried, placements, grown(box_));
    });
  }

  // As large as they are; failing that, as small as any may be; failing that, not at all.
  template <class Add>
  void add_or_smaller(Words words, const Add& add_words) const {
    if (add_words(words)) return;
    words.size = style_.smallest;
    if (!add_words(words)) sheet_.warn_of_labels_left_out();
  }

  // Grid lines and marks may pass behind the words.
  Words with_halo(Words words) const {
    words.halo = style_.paper;
    return words;
  }

  // Words may reach a little beyond the data, but not towards the ticks at the left and below.
  Box grown(const Box& box) const {
    const double more = style_.gap;
    return {box.x, box.y - more, box.width + more, box.height + more};
  }

  Path line(std::vector<Position> points, const Colour& colour, double width,
            std::vector<double> dashes) const {
    return {std::move(points), false, {}, colour, width, std::move(dashes), box_};
  }

  void add_point(const std::string& id, const Position& centre, const Ink& ink) const {
    const double radius = point_radius(style_);
    sheet_.avoid(corners_of(Box{centre.x - radius, centre.y - radius, 2.0 * radius, 2.0 * radius}));
    sheet_.add(id, point_shape(style_, ink, centre));
  }

  // The largest size in which each of the numbers has that room.
  double size_of(const std::vector<std::string>& numbers, double space) const {
    double widest = 0.0;
    for (const std::string& number : numbers) widest = std::max(widest, measure(number, style_.tick).width);
    return style_.tick * std::min(1.0, space / widest);
  }

  // Whether the numbers of bars that hang down end above the axis; otherwise they stand over their bars, on
  // the line that these hang from.
  bool has_space_below(const Bars& bars, double size) const {
    const double needed = style_.gap * 0.3 + line_height(size);
    return std::all_of(bars.values.begin(), bars.values.end(), [&](double value) {
      return !(value < 0.0) || at(0.0, value).y + needed <= box_.bottom();
    });
  }

  // Bars that nobody speaks of are pale.
  Colour bar_colour(const Bars& bars, std::size_t index) const {
    constexpr double pale = 0.55;
    if (bars.scale) return colour_of(*bars.scale, bars.values[index], style_.theme, Coloured::marks);
    const Colour colour = style_.colour(bars.ink);
    if (!bars.marked || *bars.marked == index) return colour;
    return mixed(colour, style_.paper, pale);
  }

  void add_hatching(const std::string& id, const Ink& ink, const Box& bar) const {
    const std::vector<Path> lines = series_hatching(style_, ink, bar);
    for (std::size_t i = 0; i < lines.size(); ++i) sheet_.add(indexed(id + ".hatch", i), lines[i]);
  }

  // A triangle at the edge that points beyond it.
  Path off_scale(double x, double y, const Colour& colour) const {
    const bool above = y > frame_.y.high;
    const Position edge = at(x, above ? frame_.y.high : frame_.y.low);
    const double side = point_radius(style_) * 1.6;
    const double inward = above ? side * 1.5 : -side * 1.5;
    sheet_.avoid(
        corners_of(Box{edge.x - side, std::min(edge.y, edge.y + inward), 2.0 * side, std::abs(inward)}));
    return Path::area({edge, {edge.x - side, edge.y + inward}, {edge.x + side, edge.y + inward}}, colour);
  }

  Colour arrow_colour(const Arrows& arrows, const Arrow& arrow) const {
    if (arrow.value && arrows.scale)
      return colour_of(*arrows.scale, *arrow.value, style_.theme, Coloured::marks);
    return style_.colour(arrow.ink);
  }

  void draw_arrow(const Arrows& arrows, std::size_t index) const {
    const Arrow& arrow = arrows.arrows[index];
    const double head = style_.line * 5.0;
    const double width = style_.line * 1.3;
    const Position tail = at(0.0, 0.0);
    const Position tip = end_of(arrow);
    add_arrow({tail, tip, arrow_colour(arrows, arrow), width, head, head * 0.38,
               arrow.dashed ? dash_pattern(style_) : std::vector<double>{}},
              sheet_, indexed(arrows.id, index));
    if (distance(tip, at(arrow.x, arrow.y)) == 0.0) return;
    const double length = distance(tail, tip);
    const Position along{(tip.x - tail.x) / length, (tip.y - tail.y) / length};
    add_break(indexed(arrows.id, index), {tip.x - along.x * 2.2 * head, tip.y - along.y * 2.2 * head}, along,
              width * 3.0);
  }

  const Chart& chart_;
  const ChartFrame& frame_;
  Sheet& sheet_;
  const Style& style_;
  const Box& box_;
};

}  // namespace

void draw_marks(const Chart& chart, const ChartFrame& frame, Sheet& sheet, const Box& box) {
  const LayerPainter painter(chart, frame, sheet, box);
  for (const Layer& layer : chart.layers) std::visit(painter, layer);
  for (const Layer& layer : chart.layers)
    std::visit([&](const auto& content) { painter.label(content); }, layer);
}

}  // namespace attnlab
