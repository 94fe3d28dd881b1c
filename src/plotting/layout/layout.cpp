// The page: title above, caption below, panels in a grid between, one colour bar where they share a scale.
#include "plotting/layout/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "plotting/layout/cells.hpp"
#include "plotting/layout/headings.hpp"
#include "plotting/layout/panel_grid.hpp"
#include "plotting/layout/panel_layout.hpp"
#include "plotting/layout/sheet.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {
Insets united(const Insets& one, const Insets& other) {
  return {std::max(one.left, other.left), std::max(one.top, other.top), std::max(one.right, other.right),
          std::max(one.bottom, other.bottom)};
}

Room united(const Room& one, const Room& other) {
  Room room{std::max(one.title_rows, other.title_rows),
            std::max(one.caption_rows, other.caption_rows),
            std::min(one.panel_titles, other.panel_titles),
            std::max(one.titles_end, other.titles_end),
            {},
            {}};
  if (one.in_column.size() != other.in_column.size() || one.in_row.size() != other.in_row.size()) return room;
  for (std::size_t i = 0; i < one.in_column.size(); ++i)
    room.in_column.push_back(united(one.in_column[i], other.in_column[i]));
  for (std::size_t i = 0; i < one.in_row.size(); ++i)
    room.in_row.push_back(united(one.in_row[i], other.in_row[i]));
  return room;
}

namespace {

constexpr double smallest_panel = 36.0;  // points; below, nothing can be read

// The figure's own page always has room: that is the remedy.
void require_room(const PanelGrid& grid, const PageSize& page, const PageSize& own) {
  if (grid.data.width >= smallest_panel && grid.data.height >= smallest_panel) return;
  const std::string size = fmt::format("{:.4g}x{:.4g}in", page.width, page.height);
  const std::string enough = fmt::format("{:.4g}x{:.4g}in", own.width, own.height);
  throw NoRoom(
      {"ページ " + size + " には図が入りません", "the page of " + size + " has no room for the figure"},
      {"--size " + enough + " なら入ります", "--size " + enough + " is enough"});
}

// What the rows and the columns of all panels are, said once for the whole figure.
struct SharedTitles {
  std::string row;
  std::string column;
};

// Takes the axis titles out of the panels where axes are shared and all say the same.
SharedTitles take_shared_titles(Figure& figure, Language language) {
  if (!figure.shared_axes || figure.panels.size() < 2) return {};
  std::vector<HeatMap*> maps;
  for (Panel& panel : figure.panels) {
    if (auto* map = std::get_if<HeatMap>(&panel.content)) maps.push_back(map);
  }
  if (maps.size() != figure.panels.size()) return {};
  SharedTitles titles{maps[0]->row_title.in(language), maps[0]->column_title.in(language)};
  const bool agree = std::all_of(maps.begin(), maps.end(), [&](const HeatMap* map) {
    return map->row_title.in(language) == titles.row && map->column_title.in(language) == titles.column;
  });
  if (!agree) return {};
  for (HeatMap* map : maps) map->row_title = map->column_title = Text::same("");
  return titles;
}

double shared_title_room(const std::string& title, const Style& style) {
  return title.empty() ? 0.0 : style.body * line_spacing + 2.0 * style.gap;
}

// The box that all pictures fill together, and where the names beside and below them end.
struct Drawing {
  Box pictures;
  double left = 0.0;
  double bottom = 0.0;
  double titles_end = 0.0;  // how far to the right panel titles reach
};

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

// Draws into `room`, but for the colour bar and the titles that all share.
Drawing draw_grid(const Figure& figure, Sheet& sheet, const Box& room, const Room& reserved,
                  const PanelGrid& grid) {
  const double gutter = sheet.style().body * 1.1;
  require_room(grid, {sheet.width() / points_per_inch, sheet.height() / points_per_inch}, figure.page);
  Box all;
  double rightmost_title = reserved.titles_end;
  double top = room.y;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    double left = room.x;
    for (std::size_t column = 0; column < grid.columns; ++column) {
      const std::size_t index = row * grid.columns + column;
      if (index >= figure.panels.size()) break;
      const Panel& panel = figure.panels[index];
      const Box area{left + grid.in_column[column].left, top + grid.in_row[row].top, grid.data.width,
                     grid.data.height * grid.share[row]};
      const std::string id = indexed("panel", index);
      const Surroundings around = around_panel(figure, index, grid);
      const Box filled = area_to_fill(figure, grid, panel, area);
      const Box used = std::visit(
          [&](const auto& content) { return draw(content, sheet, filled, id, around); }, panel.content);
      if (titles_beside(figure)) {
        draw_title_beside(panel, sheet, used, id);
      } else {
        const double end = draw_panel_title(panel, sheet, used, grid.title_size, area.width, id);
        rightmost_title = std::max(rightmost_title, end);
      }
      all = index == 0 ? used : united(all, used);
      left = area.x + area.width + grid.in_column[column].right + gutter;
    }
    top += grid.in_row[row].top + grid.data.height * grid.share[row] + grid.in_row[row].bottom + gutter;
  }
  all.width = std::max(all.width, rightmost_title - all.x);
  return {all, all.x - grid.in_column.front().left, all.bottom() + grid.in_row.back().bottom,
          rightmost_title};
}

// How many items the heat maps will take, and enough for what stands around them: a vector that grows once
// more holds everything twice.
std::size_t item_count(const Figure& figure) {
  std::size_t count = 1024;
  for (const Panel& panel : figure.panels) {
    const auto* map = std::get_if<HeatMap>(&panel.content);
    if (map != nullptr && map->values.values.size() <= most_boxes) count += map->values.values.size();
  }
  return count;
}

// What a grid costs in words: the warnings of numbers and labels left out. A page without room costs most.
std::size_t losses(const Figure& figure, const Sheet& sheet, const Box& room, const Room& reserved,
                   const PanelGrid& grid) {
  Sheet trial = sheet.trial();
  trial.reserve(item_count(figure));
  try {
    draw_grid(figure, trial, room, reserved, grid);
  } catch (const NoRoom&) {
    return std::numeric_limits<std::size_t>::max();
  }
  return trial.take_warnings().size();
}

// The grid with the largest pictures. One that the figure does not want must not cost words.
PanelGrid best_grid(const Figure& figure, Sheet& sheet, const Box& room, const Room& reserved) {
  const Extent extent{room.width, room.height};
  const std::size_t kept = reserved.in_column.size();
  const bool fills_kept = kept > 0 && (figure.panels.size() + kept - 1) / kept == reserved.in_row.size();
  const std::vector<std::size_t> choices =
      fills_kept ? std::vector<std::size_t>{kept} : column_choices(figure, sheet);
  PanelGrid best = grid_with(choices.front(), figure, sheet, extent, reserved);
  for (std::size_t i = 1; i < choices.size(); ++i) {
    const PanelGrid grid = grid_with(choices[i], figure, sheet, extent, reserved);
    if (merit(grid, figure, sheet) <= merit(best, figure, sheet)) continue;
    const bool costs_words = figure.columns > 0 && losses(figure, sheet, room, reserved, grid) >
                                                       losses(figure, sheet, room, reserved, best);
    if (!costs_words) best = grid;
  }
  return best;
}

// One colour bar right of all panels.
void draw_shared_bar(const Figure& figure, Sheet& sheet, const Box& pictures) {
  const bool is_chart = std::holds_alternative<Chart>(figure.panels.front().content);
  draw_colour_bar(*figure.shared_scale, is_chart ? Coloured::marks : Coloured::cells, sheet, pictures,
                  "figure");
}

// Returns what the panels keep around their data.
Room draw_panels(Figure figure, Sheet& sheet, const Box& room, const Room& reserved) {
  const Style& style = sheet.style();
  const SharedTitles titles = take_shared_titles(figure, sheet.language());
  const double bar = figure.shared_scale ? colour_bar_width(*figure.shared_scale, sheet, room.height) : 0.0;
  const double left = shared_title_room(titles.row, style);
  const Box grid_room{room.x + left, room.y, room.width - left - bar,
                      room.height - shared_title_room(titles.column, style)};
  const PanelGrid grid = best_grid(figure, sheet, grid_room, reserved);
  sheet.reserve(item_count(figure));  // now that the sheets of trials are gone
  const Drawing drawing = draw_grid(figure, sheet, grid_room, reserved, grid);
  draw_shared_titles(titles, sheet, drawing);
  if (figure.shared_scale) draw_shared_bar(figure, sheet, drawing.pictures);
  return {0, 0, grid.title_size, drawing.titles_end, grid.in_column, grid.in_row};
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

}  // namespace

Box fitted(const Box& box, double aspect) {
  if (aspect <= 0.0) return box;
  const double width = std::min(box.width, box.height * aspect);
  const double height = width / aspect;
  return {box.x + (box.width - width) / 2.0, box.y + (box.height - height) / 2.0, width, height};
}

Layout lay_out(const Figure& original, const LayoutOptions& options) {
  const auto [figure, colour_warnings] = recolour(original, options.colours, options.theme);
  const Measures measures = options.measures.value_or(measures_of(options.page));
  Sheet sheet(options.page, style_for(options.theme, measures, options.colours.series), options.language);
  const Style& style = sheet.style();
  for (const Text& warning : missing_fonts(options.language)) sheet.warn(warning);
  for (const Text& warning : colour_warnings) sheet.warn(warning);
  const double width = sheet.width() - 2.0 * style.margin;
  const std::string caption =
      options.captions == Captions::drawn ? figure.caption.in(options.language) : std::string();

  const Words title{"", style.title, style.ink, style.paper, Weight::bold, {}};
  const Words small{"", style.caption, style.muted, style.paper, Weight::regular, {}};
  const std::vector<std::string> title_rows =
      wrap(figure.title.in(options.language), title.size, title.weight, width);
  const std::vector<std::string> caption_rows =
      caption.empty() ? std::vector<std::string>{} : wrap(caption, small.size, small.weight, width);

  const std::size_t title_room = std::max(title_rows.size(), options.reserved.title_rows);
  const std::size_t caption_room = std::max(caption_rows.size(), options.reserved.caption_rows);
  const double first = style.margin * 0.8;
  draw_lines(sheet, title_rows, title, first, "title");
  double top = first + static_cast<double>(title_room) * title.size * line_spacing + style.body * 0.7;
  if (figure.slider) {
    draw_slider(*figure.slider, sheet, top);
    top += slider_height(style);
  }
  const double caption_height = static_cast<double>(caption_room) * small.size * line_spacing;
  const double bottom = sheet.height() - style.margin * 0.8 - caption_height;
  draw_lines(sheet, caption_rows, small, bottom, "caption");
  const double clear = caption_room == 0 ? 0.0 : style.body * 0.6;
  Room room = draw_panels(figure, sheet, {style.margin, top, width, bottom - clear - top}, options.reserved);
  room.title_rows = title_room;
  room.caption_rows = caption_room;

  return {sheet.take_list(), sheet.take_warnings(), std::move(room)};
}

}  // namespace attnlab
