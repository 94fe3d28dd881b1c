// Words that attend to words: queries and keys in two columns, or in two rows where these have more room, and
// lines between them as wide as the weights.
#include "core/constants.hpp"
#include "plotting/layout/chart_frame.hpp"
#include "plotting/layout/shapes.hpp"

namespace attnlab {
namespace {

constexpr double most_for_names = 0.28;  // of what lies across the lines of words, on each side

/// The words of one side: where they stand along their line, and where the arcs reach it.
struct WordLine {
  const std::vector<ShortText>& names;
  Side side;           // of the arcs
  double line = 0.0;   // x of a column, y of a row
  double depth = 0.0;  // of the names, away from the arcs
};

struct ArcsFrame {
  WordLine queries;
  WordLine keys;
  bool upright = true;  // two columns, queries on the left; else two rows, queries above
  double first = 0.0;   // where the longer line begins
  double pitch = 0.0;   // from one word to the next

  std::size_t longest() const { return std::max(queries.names.size(), keys.names.size()); }
  /// The middle of a word along its line; the shorter line stands in the middle of the longer one.
  double along(const WordLine& words, std::size_t word) const {
    const double before = static_cast<double>(longest() - words.names.size()) / 2.0;
    return first + pitch * (before + static_cast<double>(word) + 0.5);
  }
  Position at(double line, double along) const {
    return upright ? Position{line, along} : Position{along, line};
  }
};

/// Two columns, the titles above them.
void set_columns(ArcsFrame& frame, const Arcs& arcs, const Sheet& sheet, const Box& area) {
  const Style& style = sheet.style();
  const double title = line_height(style.tick) + style.gap * 0.5;
  frame.first = area.y + title;
  frame.pitch = (area.height - title) / static_cast<double>(frame.longest());
  const auto depth = [&](const WordLine& words, const Text& name) {
    return std::max(widest(words.names, sheet, most_for_names * area.width), widest({name}, sheet, infinity));
  };
  frame.queries.depth = depth(frame.queries, arcs.query_title);
  frame.keys.depth = depth(frame.keys, arcs.key_title);
  frame.queries.line = area.x + frame.queries.depth + style.gap;
  frame.keys.line = area.right() - frame.keys.depth - style.gap;
}

LabelPlan plan_of(const WordLine& words, const Sheet& sheet, double pitch, double across) {
  return plan_labels(words.names, sheet, pitch, most_for_names * across, words.side);
}

/// Two rows, the titles on their left, clear of names that are turned.
void set_rows(ArcsFrame& frame, const Arcs& arcs, const Sheet& sheet, const Box& area) {
  const Style& style = sheet.style();
  const auto count = static_cast<double>(frame.longest());
  frame.first = area.x + widest({arcs.query_title, arcs.key_title}, sheet, infinity) + style.gap;
  frame.pitch = (area.right() - frame.first) / count;
  frame.first +=
      std::max(0.0, plan_of(frame.keys, sheet, frame.pitch, area.height).overhang - frame.pitch / 2.0);
  frame.pitch = (area.right() - frame.first) / count;
  frame.queries.depth = plan_of(frame.queries, sheet, frame.pitch, area.height).depth;
  frame.keys.depth = plan_of(frame.keys, sheet, frame.pitch, area.height).depth;
  frame.queries.line = area.y + frame.queries.depth + style.gap;
  frame.keys.line = area.bottom() - frame.keys.depth - style.gap;
}

ArcsFrame frame_of(const Arcs& arcs, const Sheet& sheet, const Box& area) {
  ArcsFrame frame{{arcs.queries, Side::above}, {arcs.keys, Side::below}};
  const double line = line_height(sheet.style().tick);
  const bool has_height = area.height >= line * (static_cast<double>(frame.longest()) + 1.5);
  frame.upright = has_height || area.height >= area.width;
  if (frame.upright)
    set_columns(frame, arcs, sheet, area);
  else
    set_rows(frame, arcs, sheet, area);
  return frame;
}

// --- Words

/// What a word of a query takes: on a page it is pointed at there.
Box place_of(const ArcsFrame& frame, const Style& style, std::size_t query) {
  const WordLine& words = frame.queries;
  const double along = frame.along(words, query) - frame.pitch / 2.0;
  const double across = words.line - 0.5 * style.gap - words.depth;
  const double depth = words.depth + 0.5 * style.gap;
  return frame.upright ? Box{across, along, depth, frame.pitch} : Box{along, across, frame.pitch, depth};
}

void draw_column(const WordLine& words, const ArcsFrame& frame, Sheet& sheet, const std::string& prefix) {
  const Style& style = sheet.style();
  const bool is_left = words.side == Side::above;
  const std::size_t step = step_between(words.names, sheet, frame.pitch);
  for (std::size_t i = 0; i < words.names.size(); i += step) {
    const std::string name =
        elide(words.names[i].in(sheet.language()), style.tick, Weight::regular, words.depth);
    sheet.add_words(indexed(prefix, i), sheet.words(name, style.tick),
                    {{words.line + (is_left ? -style.gap : style.gap), frame.along(words, i)},
                     is_left ? AlignX::right : AlignX::left,
                     AlignY::middle});
  }
}

void draw_row(const WordLine& words, const ArcsFrame& frame, Sheet& sheet, double across,
              const std::string& prefix) {
  const double gap = sheet.style().gap;
  draw_labels(words.names, plan_of(words, sheet, frame.pitch, across), sheet,
              {frame.along(words, 0), words.line + (words.side == Side::above ? -gap : gap)}, frame.pitch,
              prefix);
}

void draw_title(const Text& title, const WordLine& words, const ArcsFrame& frame, Sheet& sheet,
                const Box& area, const std::string& id) {
  const Style& style = sheet.style();
  Words muted = sheet.words(title, style.tick);
  muted.colour = style.muted;
  const bool is_first = words.side == Side::above;
  const double away = (is_first ? -1.0 : 1.0) * style.gap;
  if (frame.upright)
    sheet.add_words(id, muted,
                    {{words.line + away, area.y}, is_first ? AlignX::right : AlignX::left, AlignY::top});
  else
    sheet.add_words(id, muted,
                    {{area.x, words.line + away}, AlignX::left, is_first ? AlignY::bottom : AlignY::top});
}

void draw_words(const Arcs& arcs, const ArcsFrame& frame, Sheet& sheet, const Box& area,
                const std::string& prefix) {
  const Style& style = sheet.style();
  constexpr double paper = 0.8;  // in the tint
  for (std::size_t i = 0; i < arcs.queries.size(); ++i) {
    const Colour fill = arcs.query == i ? mixed(style.muted, style.paper, paper) : style.paper;
    sheet.add(indexed(arcs.id + ".query", i), FilledBox{place_of(frame, style, i), fill});
  }
  draw_title(arcs.query_title, frame.queries, frame, sheet, area, prefix + ".query.title");
  draw_title(arcs.key_title, frame.keys, frame, sheet, area, prefix + ".key.title");
  for (const auto& [words, name] : {std::pair{&frame.queries, ".query.text"}, {&frame.keys, ".key"}}) {
    if (frame.upright)
      draw_column(*words, frame, sheet, arcs.id + name);
    else
      draw_row(*words, frame, sheet, area.height, arcs.id + name);
  }
}

// --- Lines

bool has_line(double weight) { return weight >= least_arc && std::isfinite(weight); }

/// Side by side where heads draw the same arc; a weight of 1, or the largest above it, is as wide as there is
/// room between two words.
void draw_arcs(const Arcs& arcs, const ArcsFrame& frame, Sheet& sheet) {
  constexpr double strip = 0.8;  // of a word's place, for the lines of all heads
  constexpr double pale = 0.16;
  constexpr double faintest = 0.35;
  const Style& style = sheet.style();
  const auto heads = static_cast<double>(arcs.heads.size());
  double most = 1.0;
  for (const ArcsOfHead& head : arcs.heads)
    for (const double weight : head.weights.values) most = has_line(weight) ? std::max(most, weight) : most;
  const double widest_line = std::min(strip * frame.pitch / heads, 0.7 * style.body);
  for (std::size_t head = 0; head < arcs.heads.size(); ++head) {
    const Matrix& weights = arcs.heads[head].weights;
    const double aside = widest_line * (static_cast<double>(head) - (heads - 1.0) / 2.0);
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
      const double weight = weights.values[i];
      if (!has_line(weight)) continue;
      const std::size_t query = i / weights.columns;
      const std::size_t key = i % weights.columns;
      const bool stands_out = arcs.query.value_or(query) == query;
      const Ink ink = series_ink(head);
      Path line = Path::line({frame.at(frame.queries.line, frame.along(frame.queries, query) + aside),
                              frame.at(frame.keys.line, frame.along(frame.keys, key) + aside)},
                             style.colour(ink), widest_line * weight / most, series_dashes(style, ink));
      line.opacity = (faintest + (1.0 - faintest) * weight / most) * (stands_out ? 1.0 : pale);
      sheet.add(indexed(indexed(arcs.id, head), query, key), std::move(line));
    }
  }
}

}  // namespace

Box draw(const Arcs& arcs, Sheet& sheet, const Box& area, const std::string& prefix, const Surroundings&) {
  static const std::vector<double> no_points;
  std::vector<NamedSeries> legend;
  for (std::size_t head = 0; head < arcs.heads.size() && arcs.heads.size() > 1; ++head)
    legend.push_back({arcs.heads[head].name, series_ink(head), no_points, no_points, true});
  const double above = legend_height(legend, sheet, area.width, 0.0);
  const Box below{area.x, area.y + above, area.width, area.height - above};
  draw_legend(legend, sheet, below, 0.0, prefix);
  const ArcsFrame frame = frame_of(arcs, sheet, below);
  draw_words(arcs, frame, sheet, below, prefix);
  draw_arcs(arcs, frame, sheet);
  return area;
}

}  // namespace attnlab
