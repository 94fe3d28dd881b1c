// The page: title above, caption below, panels in a grid between, one colour bar where they share a scale.
#include "plotting/layout/layout.hpp"

#include "core/constants.hpp"
#include "plotting/layout/cells.hpp"
#include "plotting/layout/grid_search.hpp"

namespace attnlab {

Insets united(const Insets& one, const Insets& other) {
  return {std::max(one.left, other.left), std::max(one.top, other.top), std::max(one.right, other.right),
          std::max(one.bottom, other.bottom)};
}

Space united(const Space& one, const Space& other) {
  Space space{std::max(one.title_rows, other.title_rows),
              std::max(one.caption_rows, other.caption_rows),
              std::min(one.panel_titles, other.panel_titles),
              std::max(one.titles_end, other.titles_end),
              one.titles,
              one.bar,
              {},
              {}};
  if (one.titles != other.titles || one.bar != other.bar) return space;
  if (one.in_column.size() != other.in_column.size() || one.in_row.size() != other.in_row.size())
    return space;
  for (std::size_t i = 0; i < one.in_column.size(); ++i)
    space.in_column.push_back(united(one.in_column[i], other.in_column[i]));
  for (std::size_t i = 0; i < one.in_row.size(); ++i)
    space.in_row.push_back(united(one.in_row[i], other.in_row[i]));
  return space;
}

namespace {

// What the rows and the columns of all panels are, said once for the whole figure.
struct SharedTitles {
  std::string row;
  std::string column;
};

// The title that all say, taken out of them; "" where they differ.
std::string take_common(const std::vector<Text*>& titles, Language language) {
  std::string common = titles.front()->in(language);
  const bool agree = std::all_of(titles.begin(), titles.end(),
                                 [&](const Text* title) { return title->in(language) == common; });
  if (!agree) return "";
  for (Text* title : titles) *title = Text::same("");
  return common;
}

// Takes the axis titles that all panels repeat out of them: of heat maps that share their axes, and of charts
// where letters are large, so that more of the page is left for their data.
SharedTitles take_shared_titles(Figure& figure, const Sheet& sheet) {
  if (figure.panels.size() < 2) return {};
  std::vector<Text*> rows;
  std::vector<Text*> columns;
  for (Panel& panel : figure.panels) {
    if (auto* map = std::get_if<HeatMap>(&panel.content); map != nullptr && figure.shared_axes) {
      rows.push_back(&map->row_title);
      columns.push_back(&map->column_title);
    }
    if (auto* chart = std::get_if<Chart>(&panel.content); chart != nullptr && has_large_letters(sheet)) {
      rows.push_back(&chart->y.label);
      columns.push_back(&chart->x.label);
    }
  }
  if (rows.size() != figure.panels.size()) return {};
  return {take_common(rows, sheet.language()), take_common(columns, sheet.language())};
}

double shared_title_space(const std::string& title, const Style& style) {
  return title.empty() ? 0.0 : style.body * line_spacing + 2.0 * style.gap;
}

// Left of all panels and below them, in the middle.
void draw_shared_titles(const SharedTitles& titles, Sheet& sheet, const Drawing& drawing) {
  const Style& style = sheet.style();
  const Box& pictures = drawing.pictures;
  if (!titles.row.empty()) {
    sheet.add_words("figure.row.title", sheet.words(titles.row, style.body),
                    {{drawing.left - style.gap, pictures.y + pictures.height / 2.0},
                     AlignX::centre,
                     AlignY::bottom,
                     -90.0});
  }
  if (!titles.column.empty()) {
    sheet.add_words(
        "figure.column.title", sheet.words(titles.column, style.body),
        {{pictures.x + pictures.width / 2.0, drawing.bottom + style.gap}, AlignX::centre, AlignY::top});
  }
}

// Returns what the panels keep around their data.
Space draw_panels(Figure figure, Sheet& sheet, const Box& space, const Space& reserved) {
  const Style& style = sheet.style();
  const SharedTitles titles = take_shared_titles(figure, sheet);
  const auto* map = std::get_if<HeatMap>(&figure.panels.front().content);
  const bool is_single_map = figure.panels.size() == 1 && map != nullptr && map->has_colour_bar();
  if (is_single_map) figure.shared_scale = map->scale;
  const double left = shared_title_space(titles.row, style);
  const double below = shared_title_space(titles.column, style);
  const PanelArrangement arrangement = best_arrangement(
      figure, sheet, {space.x + left, space.y, space.width - left, space.height - below}, reserved);
  const PanelGrid& grid = arrangement.grid;
  const Drawing drawing = draw_grid(figure, sheet, arrangement.space, reserved, grid);
  draw_shared_titles(titles, sheet, drawing);
  if (figure.shared_scale) {
    const Coloured what = has_only<Chart>(figure) ? Coloured::marks : Coloured::cells;
    Box pictures = drawing.pictures;
    if (arrangement.bar == BarPlace::below) pictures.height = drawing.bottom + below - pictures.y;
    draw_colour_bar(*figure.shared_scale, what, sheet, pictures, is_single_map ? "panel[0]" : "figure",
                    arrangement.bar);
  }
  return {0,          0, grid.title_size, drawing.titles_end, grid.titles, arrangement.bar, grid.in_column,
          grid.in_row};
}

// Lines of text from `top` downwards.
void draw_lines(Sheet& sheet, const std::vector<std::string>& lines, const Words& like, double top,
                const std::string& id) {
  const double margin = sheet.style().margin;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Words words = sheet.sentence(lines[i], like.size, like.weight);
    words.colour = like.colour;
    sheet.add_words(indexed(id, i), words, {{margin, top}, AlignX::left, AlignY::top});
    top += like.size * line_spacing;
  }
}

/// Whether its cells have their numbers on the page that the figure was made for: elsewhere they are missed.
bool has_numbers_at_home(const Figure& figure, const LayoutOptions& options) {
  const PageSize& own = figure.page;
  if (!options.measures && options.page.width >= own.width && options.page.height >= own.height) return false;
  return !lay_out(figure, {options.language, options.theme, own}).misses_numbers;
}

}  // namespace

Box fitted(const Box& box, double aspect) {
  if (aspect <= 0.0) return box;
  const double width = std::min(box.width, box.height * aspect);
  const double height = width / aspect;
  return {box.x + (box.width - width) / 2.0, box.y + (box.height - height) / 2.0, width, height};
}

Layout lay_out(const Figure& original, const LayoutOptions& options) {
  const auto [figure, colour_warnings] =
      recolour(in_language(original, options.language), options.colours, options.theme);
  const Measures measures = options.measures.value_or(measures_of(options.page));
  Sheet sheet(options.page, style_for(options.theme, measures, options.colours.series), options.language);
  const Style& style = sheet.style();
  for (const Text& warning : missing_fonts(options.language)) sheet.warn(warning);
  for (const Text& warning : colour_warnings) sheet.warn(warning);
  const double width = sheet.width() - 2.0 * style.margin;
  const auto rows_of = [&](Wording wording, const Text& text, const Words& like) {
    const std::string& words = text.in(options.language);
    if (wording == Wording::left_to_text || words.empty()) return std::vector<std::string>{};
    return wrap(words, like.size, like.weight, width);
  };

  const Words title{"", style.title, style.ink, style.paper, Weight::bold, {}};
  const Words small{"", style.caption, style.muted, style.paper, Weight::regular, {}};
  const std::vector<std::string> title_rows = rows_of(options.title, figure.title, title);
  const std::vector<std::string> caption_rows = rows_of(options.caption, figure.caption, small);

  const std::size_t title_space = std::max(title_rows.size(), options.reserved.title_rows);
  const std::size_t caption_space = std::max(caption_rows.size(), options.reserved.caption_rows);
  const double first = style.margin * 0.8;
  draw_lines(sheet, title_rows, title, first, "title");
  double top = first + static_cast<double>(title_space) * title.size * line_spacing + style.body * 0.7;
  if (figure.slider) {
    draw_slider(*figure.slider, sheet, top);
    top += slider_height(style);
  }
  const double caption_height = static_cast<double>(caption_space) * small.size * line_spacing;
  const double bottom = sheet.height() - style.margin * 0.8 - caption_height;
  draw_lines(sheet, caption_rows, small, bottom, "caption");
  const double clear = caption_space == 0 ? 0.0 : style.body * 0.6;
  Space space =
      draw_panels(figure, sheet, {style.margin, top, width, bottom - clear - top}, options.reserved);
  space.title_rows = title_space;
  space.caption_rows = caption_space;

  if (sheet.misses_numbers() && has_numbers_at_home(original, options))
    sheet.warn({"セルが小さいため数値を省きました。--size でページを大きくしてください",
                "the numbers are left out because the cells are too small; give the page a larger --size"});
  return {sheet.take_list(), sheet.take_warnings(), sheet.misses_numbers(), std::move(space)};
}

}  // namespace attnlab
