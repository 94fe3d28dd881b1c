// A figure as plain values: it says what is shown, never where ink goes nor how large a letter is.
#pragma once

#include "core/formula.hpp"
#include "core/image.hpp"
#include "core/one_of.hpp"
#include "core/text.hpp"

namespace attnlab {

/// What a named setter gives on: the whole with one field changed.
template <class Whole, class Field, class Value>
Whole&& with(Whole& whole, Field& field, Value&& value) {
  field = std::forward<Value>(value);
  return std::move(whole);
}

// --- Colour

/// From nothing to much: blues, and viridis where order alone counts. Around zero: rdbu. The others are a
/// reader's choice (palette.hpp).
enum class Palette { blues, viridis, cividis, greys, bands, rdbu, puor, signed_greys };

/// The map from numbers to colours; its range is always printed beside the colour bar.
struct ColourScale {
  enum class Spacing { linear, logarithmic };  // logarithmic: low must be positive

  Palette palette = Palette::blues;
  double low = 0.0;
  double high = 1.0;
  Text label = Text::none();
  Spacing spacing = Spacing::linear;
  bool counts = false;  // heads, tokens: only whole numbers are written beside the bar
};

/// Weights, 0 to 1 unless said otherwise.
inline ColourScale weight_colours(double low = 0.0, double high = 1.0) {
  return {Palette::blues, low, high, {"注意度", "Weight"}};
}

/// A role, not a colour: the theme decides. `series` picks from the colour-blind-safe qualitative set (0..6).
struct Ink {
  enum class Role { series, foreground, muted };
  Role role = Role::series;
  std::size_t series = 0;
};
constexpr Ink series_ink(std::size_t index) { return {Ink::Role::series, index}; }
constexpr Ink foreground_ink{Ink::Role::foreground, 0};
constexpr Ink muted_ink{Ink::Role::muted, 0};

// One colour for each part of attention and of a layer, in every diagram and equation.
constexpr Ink query_ink = series_ink(0);
constexpr Ink key_ink = series_ink(1);
constexpr Ink value_ink = series_ink(2);
constexpr Ink attention_ink = series_ink(4);
constexpr Ink mlp_ink = series_ink(3);
constexpr Ink stream_ink = series_ink(5);  // the tokens on their way: embedding, sums, output

/// Which part of the run the values of marks are: rows of a stage, from `row` on, its axes before the last
/// counted as one. Without a name: of the stage that is called as the marks are, if there is one.
struct StageRows {
  std::string stage = {};
  std::size_t row = 0;
};

// --- Heat maps

/// Row-major; NaN and infinities are drawn as marked cells.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

constexpr int no_numbers = -1;
/// In the place of digits: as on a blackboard, −2, 0.8, 1/3; two digits where that would be long.
constexpr int exact_numbers = -2;

/// Cells in the colours of their values, or empty ones to be filled in by hand (then without a colour bar).
enum class CellFill { coloured, outline };

/// What the rows or columns of a map count: begin, ..., end - 1, shared evenly where a cell stands for
/// several.
struct Numbering {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Item ids are `id[row,column]`. Empty label lists mean numbered ticks, counting from 0 unless said
/// otherwise.
///   HeatMap{"weights", matrix}.rows({"クエリ", "Query"}).columns({"キー", "Key"}).coloured(weight_colours())
struct HeatMap {
  std::string id;
  Matrix values = {};
  std::vector<ShortText> row_labels = {};
  std::vector<ShortText> column_labels = {};
  Text row_title = Text::none();
  Text column_title = Text::none();
  ColourScale scale = {};
  int decimals = no_numbers;  // digits of the number in each cell
  // Cells that a mask hides, row-major, or empty: struck out while their value is 0, or a score of minus
  // infinity, framed when a value stands there all the same.
  std::vector<bool> hidden = {};
  CellFill fill = CellFill::coloured;
  std::optional<Numbering> row_numbers = {};
  std::optional<Numbering> column_numbers = {};
  std::vector<bool> marked = {};  // cells that the title speaks of, row-major, or empty: they are framed
  // In the place of the cells' numbers, row-major, or empty. They need no colour bar.
  std::vector<std::string> words = {};
  // Behind the cells, which then veil it: the smaller a value, the less of the picture is to be seen. There
  // is no colour bar.
  std::shared_ptr<const Image> picture = {};
  std::string chooses = {};  // on a page: the parameter that a cell under the pointer sets to its value
  StageRows shows = {};

  bool has_colour_bar() const { return fill == CellFill::coloured && picture == nullptr && words.empty(); }

  HeatMap&& rows(Text title, std::vector<ShortText> labels = {}) && {
    row_title = std::move(title);
    return with(*this, row_labels, std::move(labels));
  }
  HeatMap&& columns(Text title, std::vector<ShortText> labels = {}) && {
    column_title = std::move(title);
    return with(*this, column_labels, std::move(labels));
  }
  HeatMap&& coloured(ColourScale colours) && { return with(*this, scale, std::move(colours)); }
  HeatMap&& with_numbers(int digits) && { return with(*this, decimals, digits); }
  HeatMap&& hiding(std::vector<bool> cells) && { return with(*this, hidden, std::move(cells)); }
  HeatMap&& marking(std::vector<bool> cells) && { return with(*this, marked, std::move(cells)); }
  HeatMap&& veiling(std::shared_ptr<const Image> image) && { return with(*this, picture, std::move(image)); }
  HeatMap&& choosing(std::string parameter) && { return with(*this, chooses, std::move(parameter)); }
  HeatMap&& showing(StageRows rows) && { return with(*this, shows, std::move(rows)); }
};

// --- Charts

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

/// Axis{{"キー", "Key"}}.within(0.0, 1.0); logarithmic: Axis{label, Axis::Scale::log10}.
struct Axis {
  enum class Scale { linear, log10 };
  Text label;
  Scale scale = Scale::linear;
  std::optional<Interval> limits = {};     // default: from the data, with a margin
  std::vector<ShortText> categories = {};  // for bars: the name at position 0, 1, ...

  Axis&& within(double low, double high) && { return with(*this, limits, Interval{low, high}); }
  Axis&& named(std::vector<ShortText> names) && { return with(*this, categories, std::move(names)); }
};

/// A mark outside the axis limits is drawn as a triangle at the edge, with its value.
/// `name` enters the legend unless it is empty.
struct Points {
  std::string id;
  std::vector<double> x;
  std::vector<double> y;
  Ink ink = {};
  Text name = Text::none();
  StageRows shows = {};
};
struct Curve {
  std::string id;
  std::vector<double> x;
  std::vector<double> y;
  Ink ink = {};
  Text name = Text::none();
  bool dashed = false;
  bool filled = false;  // the area that it encloses is tinted
  StageRows shows = {};
};
/// Bars at positions 0, 1, ...; with a scale each bar takes its value's colour. Values are printed at the
/// bars, unless decimals is no_numbers.
struct Bars {
  std::string id;
  std::vector<double> values;
  Ink ink = {};
  std::optional<ColourScale> scale = {};
  int decimals = 3;
  std::optional<std::size_t> marked = {};  // the bar that the title speaks of; the others turn muted
  StageRows shows = {};

  Bars&& coloured(ColourScale colours) && { return with(*this, scale, std::move(colours)); }
  Bars&& with_numbers(int digits) && { return with(*this, decimals, digits); }
};
/// An arrow from the origin to (x, y), labelled at its tip. With a value it takes that value's colour.
struct Arrow {
  double x = 0.0;
  double y = 0.0;
  Text label = Text::none();
  std::optional<double> value = {};
  Ink ink = {};
  bool dashed = false;
};
struct Arrows {
  enum class Key { colour_bar, labels };  // what says the values
  std::string id;
  std::vector<Arrow> arrows = {};
  std::optional<ColourScale> scale = {};  // needed where arrows carry values
  Key key = Key::colour_bar;
  StageRows shows = {};
};
/// A straight guide across the panel at one x (vertical) or one y (horizontal).
struct Rule {
  enum class Direction { horizontal, vertical };
  std::string id;
  Direction direction = Direction::horizontal;
  double at = 0.0;
  Text label = Text::none();
  Ink ink = muted_ink;
};
/// A circle around the origin as a guide to the eye (charts with equal units only).
struct Circle {
  std::string id;
  double radius = 1.0;
};
/// A few words at a data point; the layout finds a free place beside it.
struct Callout {
  std::string id;
  double x = 0.0;
  double y = 0.0;
  Text text;
};
using Layer = OneOf<Points, Curve, Bars, Arrows, Rule, Circle, Callout>;

struct Chart {
  Axis x;
  Axis y;
  std::vector<Layer> layers = {};
  bool equal_units = false;  // one unit is as long in x as in y: for vectors in the plane
};

// --- Matrix equations and diagrams

/// A matrix drawn as cells, with its name above and its shape below. Its map has neither titles nor a colour
/// bar.
struct MatrixTerm {
  HeatMap map;
  Formula name = {};
  std::string shape = {};       // "(10, 2)"
  std::optional<Ink> ink = {};  // of its role: a bar along its upper edge
};
/// What stands between two matrices: ×, =, or an arrow with a word above it.
struct OperatorTerm {
  Formula symbol;
};
/// Terms in reading order, all cells of one size.
struct MatrixEquation {
  std::vector<OneOf<MatrixTerm, OperatorTerm>> terms;
};

/// A box with text. `x` and `y` place its centre, as fractions of the panel from its upper left corner.
struct Node {
  std::string id;
  Text text;
  double x = 0.0;
  double y = 0.0;
  std::optional<double> value = {};  // fills the box by the diagram's scale
  bool framed = true;                // false: bare text, such as a plus sign
  Text note = Text::none();          // a few small words, such as a shape: below the box, or in it where that
                                     // leaves more room
  std::optional<Ink> ink = {};  // tints the box, which has its note inside; all such boxes are equally wide
};
/// The line, a fraction of the panel, along which an edge runs: around what stands between its ends, or as an
/// elbow between them.
struct Detour {
  enum class Direction { horizontal, vertical };
  Direction direction = Direction::vertical;
  double at = 0.0;
};
/// An arrow between two nodes (their indices); its width grows with `weight` in 0..1.
struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  double weight = 0.0;
  Text label = Text::none();
  std::optional<Detour> detour = {};
  std::optional<Ink> ink = {};
  double aside = 0.0;  // of a straight one: how far it stands beside the middle, as a fraction of the panel
};
/// How boxes and arrows are read. placed: every box where its fractions say. rightwards: boxes of equal x are
/// a column, and columns are equally far apart. upwards: from below; on a wide page laid down and read to
/// the right.
enum class Flow { placed, rightwards, upwards };
/// A dashed outline around some nodes (their indices), such as a layer that is repeated.
struct Enclosure {
  std::string id;
  std::vector<std::size_t> nodes;
};
struct Diagram {
  std::vector<Node> nodes = {};
  std::vector<Edge> edges = {};
  std::optional<ColourScale> scale = {};
  Flow flow = Flow::placed;
  std::vector<Enclosure> enclosures = {};
};

// --- Words that attend to words

/// The weights of a head (queries, keys), and which rows of a stage they are.
struct ArcsOfHead {
  Text name = Text::none();  // in the legend, where there are several
  Matrix weights = {};
  StageRows shows = {};
};
/// Queries on one side, keys on the other, and lines between them: as wide as the weights, one colour a head.
/// Ids of lines are `id[head][query,key]`, of words `id.query[query]` and `id.key[key]`.
struct Arcs {
  std::string id;
  std::vector<ShortText> queries;
  std::vector<ShortText> keys;
  std::vector<ArcsOfHead> heads;
  Text query_title = {"クエリ", "Query"};
  Text key_title = {"キー", "Key"};
  std::optional<std::size_t> query = {};  // stands out: the lines of the others are pale
};
/// A smaller weight has no line.
constexpr double least_arc = 0.02;

// --- The figure

using Content = OneOf<HeatMap, Chart, MatrixEquation, Diagram, Arcs>;
struct Panel {
  Text title;
  Content content;
};

/// Width and height in inches.
struct PageSize {
  double width = 10.0;
  double height = 6.25;
};

/// Which of the values of a swept parameter a frame of a film shows. Texts are as the user would type them.
struct Slider {
  std::string name;                 // "high-dim"
  std::vector<std::string> values;  // of all frames
  std::vector<double> places;       // of the values on the track, 0 to 1
  std::size_t frame = 0;
};

///   Figure{"weights", {"題", "Message"}}.described(...).captioned(...).panel(map).on_page(8.0, 6.5)
struct Figure {
  std::string name;                 // "weights": what --figure takes, and the file's suffix
  Text title = Text::none();        // the message
  Text description = Text::none();  // the alternative text for those who cannot see it
  Text caption = Text::none();      // under the panels: ranges, seed, what the labels mean; may be empty
  std::vector<Panel> panels = {};
  std::size_t columns = 0;                       // 0: the layout chooses what suits the page
  std::optional<ColourScale> shared_scale = {};  // one colour bar for all panels instead of one each
  PageSize page = {};
  // Panels have the same axes: names and ticks are written once per row and column of panels.
  bool shared_axes = false;
  std::optional<Slider> slider = {};  // of a film's frame
  // In Japanese in the place of `panels`, with ids of their own: where each language has its own words.
  std::vector<Panel> japanese_panels = {};
  bool is_recorded = false;  // what it shows was not computed by the run, and no parameter changes it

  Figure&& described(Text text) && { return with(*this, description, std::move(text)); }
  Figure&& captioned(Text text) && { return with(*this, caption, std::move(text)); }
  Figure&& panel(Text heading, Content content) &&;
  Figure&& panel(Content content) && { return std::move(*this).panel(Text::none(), std::move(content)); }
  Figure&& panel(Panel ready) &&;
  Figure&& all_panels(std::vector<Panel> ready) && { return with(*this, panels, std::move(ready)); }
  Figure&& in_columns(std::size_t count) && { return with(*this, columns, count); }
  Figure&& sharing_scale(ColourScale scale) && { return with(*this, shared_scale, std::move(scale)); }
  Figure&& sharing_axes() && { return with(*this, shared_axes, true); }
  Figure&& on_page(double width, double height) && {
    return with(*this, page, PageSize{width, height});
  }  // inches
};

// Every source that draws holds these: figure.cpp compiles what they have in common.
extern template struct OneOf<Points, Curve, Bars, Arrows, Rule, Circle, Callout>;
extern template struct OneOf<MatrixTerm, OperatorTerm>;
extern template struct OneOf<HeatMap, Chart, MatrixEquation, Diagram, Arcs>;

/// One figure of two, of which each is shown in its language.
Figure in_both_languages(Figure japanese, Figure english);

/// Leaves those that the run has computed.
void drop_recorded(std::vector<Figure>& figures);

/// The figure as it is shown in that language, with one set of panels.
Figure in_language(Figure figure, Language language);

/// The sentence behind the others; nothing for an empty one.
void add_to_caption(Figure& figure, const Text& sentence);

}  // namespace attnlab

extern template class std::vector<attnlab::Layer>;
extern template class std::vector<attnlab::Figure>;
