#include "plotting/text/text_runs.hpp"

#include "core/constants.hpp"
#include "plotting/text/kept_fonts.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

/// The bar over a run that stands under a root, from the tip of the sign where it is the first.
std::optional<Box> bar_over(const PangoItem& item, const TextRun& run, const Typeset& text, double scale) {
  for (const RootBar& bar : text.bars) {
    if (item.offset < bar.begin || item.offset >= bar.end) continue;
    const double left = item.offset == bar.begin ? bar.box.x * scale : run.x;
    return Box{left, bar.box.y * scale, run.x + run.width - left, bar.box.height * scale};
  }
  return std::nullopt;
}

/// Spaces at the ends of a run become runs of their own: a font may have others than the run's letters are
/// set in.
void add_without_spaces(const TextRun& run, const std::vector<double>& advances, std::vector<TextRun>& runs) {
  const std::size_t first = std::min(run.text.find_first_not_of(' '), run.text.size());
  const std::size_t after = run.text.size() - std::min(run.text.find_last_not_of(' ') + 1, run.text.size());
  const auto add = [&](const std::string& text, std::size_t begin, std::size_t end) {
    if (text.empty()) return;
    TextRun part = run;
    part.text = text;
    const auto at = [&advances](std::size_t i) { return advances.begin() + static_cast<std::ptrdiff_t>(i); };
    part.x += std::accumulate(at(0), at(begin), 0.0);
    part.width = std::accumulate(at(begin), at(end), 0.0);
    if (part.bar) {
      const double left = begin == 0 ? run.bar->x : part.x;
      part.bar = Box{left, run.bar->y, part.x + part.width - left, run.bar->height};
    }
    runs.push_back(part);
  };
  const std::size_t count = advances.size();
  add(run.text.substr(0, first), 0, first);
  if (first == run.text.size()) return;
  add(run.text.substr(first, run.text.size() - after - first), first, count - after);
  add(run.text.substr(run.text.size() - after), count - after, count);
}

/// The advance of each character.
std::vector<double> advances_of(const LayoutRun& at, PangoLayout* layout, double scale) {
  std::vector<int> widths(static_cast<std::size_t>(at.run->item->num_chars));
  pango_glyph_item_get_logical_widths(at.run, pango_layout_get_text(layout), widths.data());
  std::vector<double> advances;
  advances.reserve(widths.size());
  for (const int width : widths) advances.push_back(pango_units_to_double(width) * scale);
  return advances;
}

/// The control point of the quadratic curve that a cubic one with these ends and controls may be, seen from
/// one end: c = p + 2/3 (q - p).
Position quadratic_control(Position end, Position control) {
  return {(3.0 * control.x - end.x) / 2.0, (3.0 * control.y - end.y) / 2.0};
}

bool same(Position one, Position other) {
  constexpr double below_rounding = 0.3;
  return std::abs(one.x - other.x) < below_rounding && std::abs(one.y - other.y) < below_rounding;
}

std::string path_data(const cairo_path_t& path) {
  OutlinePath outline;
  const auto position = [](const cairo_path_data_t& data) { return Position{data.point.x, data.point.y}; };
  for (int i = 0; i < path.num_data; i += path.data[i].header.length) {
    const cairo_path_data_t* step = &path.data[i];
    switch (step->header.type) {
      case CAIRO_PATH_MOVE_TO: outline.move_to(position(step[1])); break;
      case CAIRO_PATH_LINE_TO: outline.line_to(position(step[1])); break;
      case CAIRO_PATH_CURVE_TO:
        outline.curve_to(position(step[1]), position(step[2]), position(step[3]));
        break;
      case CAIRO_PATH_CLOSE_PATH: outline.close(); break;
    }
  }
  return outline.data();
}

/// The curves of a glyph at units_per_size, whatever the size of `font`: drawn onto a surface that keeps
/// nothing.
std::string curves(PangoFont* font, PangoGlyph glyph) {
  const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  const CairoContext context(cairo_create(surface.get()));
  cairo_scaled_font_t* scaled = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_scaled_font_get_font_options(scaled, options);
  cairo_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  cairo_set_font_face(context.get(), cairo_scaled_font_get_font_face(scaled));
  cairo_set_font_size(context.get(), units_per_size);
  keep(cairo_get_scaled_font(context.get()));
  const cairo_glyph_t at_origin{glyph, 0.0, 0.0};
  cairo_glyph_path(context.get(), &at_origin, 1);
  const Owned<cairo_path_t, cairo_path_destroy> path(cairo_copy_path(context.get()));
  return path_data(*path);
}

}  // namespace

RunsOfLabel runs_of(const Label& label) {
  const Typeset typeset_label = typeset(label.markup, label.size, label.weight);
  const std::shared_ptr<PangoLayout>& layout = typeset_label.layout;
  const double scale = scale_to(label.size);
  const auto points = [scale](int units) { return pango_units_to_double(units) * scale; };
  PangoRectangle whole;
  pango_layout_get_extents(layout.get(), nullptr, &whole);
  const double lift = typeset_label.lift * scale;
  RunsOfLabel result{points(whole.width), points(pango_layout_get_baseline(layout.get())) - lift, {}};
  for_each_run(layout.get(), [&](const LayoutRun& at) {
    const PangoItem& item = *at.run->item;
    const char* text = pango_layout_get_text(layout.get()) + item.offset;
    TextRun run{std::string(text, static_cast<std::size_t>(item.length)),
                size_of(item.analysis.font) * scale,
                points(at.logical.x),
                points(at.baseline) - lift,
                points(at.logical.width),
                points(rise_of(item)),
                {}};
    run.bar = bar_over(item, run, typeset_label, scale);
    add_without_spaces(run, advances_of(at, layout.get(), scale), result.runs);
  });
  return result;
}

Position on_baseline(const Label& label, const RunsOfLabel& runs, double share) {
  const double turn = label.angle * pi / 180.0;
  const double along = share * runs.width;
  return {label.position.x + along * std::cos(turn) - runs.baseline * std::sin(turn),
          label.position.y + along * std::sin(turn) + runs.baseline * std::cos(turn)};
}

void OutlinePath::move_to(Position to) {
  start_ = rounded(to);
  exact_ = to;
  begun_ = false;  // nothing may follow: Cairo ends every contour with a move
}

void OutlinePath::line_to(Position to) {
  begin();
  exact_ = to;
  const Point end = rounded(to);
  const long x = end.x - at_.x;
  const long y = end.y - at_.y;
  at_ = end;
  if (x == 0 && y == 0) return;
  if (y == 0) {
    write('h', {x});
  } else if (x == 0) {
    write('v', {y});
  } else {
    write('l', {x, y});
  }
}

void OutlinePath::curve_to(Position first, Position second, Position to) {
  begin();
  const Position quadratic = quadratic_control(exact_, first);
  const Point end = rounded(to);
  if (same(quadratic, quadratic_control(to, second))) {
    const Point control = rounded(quadratic);
    write('q', {control.x - at_.x, control.y - at_.y, end.x - at_.x, end.y - at_.y});
  } else {
    const Point one = rounded(first);
    const Point two = rounded(second);
    write('c', {one.x - at_.x, one.y - at_.y, two.x - at_.x, two.y - at_.y, end.x - at_.x, end.y - at_.y});
  }
  at_ = end;
  exact_ = to;
}

void OutlinePath::close() {
  if (!begun_) return;
  data_ += 'z';
  last_ = 'z';
  at_ = start_;
}

void OutlinePath::begin() {
  if (begun_) return;
  begun_ = true;
  write('m', {start_.x - at_.x, start_.y - at_.y});
  at_ = start_;
}

void OutlinePath::write(char command, const std::vector<long>& numbers) {
  if (command != last_) data_ += command;
  bool separated = command != last_;
  for (const long number : numbers) {
    if (!separated && number >= 0) data_ += ' ';
    data_ += std::to_string(number);
    separated = false;
  }
  last_ = command;
}

const std::string& GlyphOutlines::outline(PangoFont* font, PangoGlyph glyph) {
  const auto [known, is_new] = outlines_.try_emplace({pango_font_get_face(font), glyph});
  if (is_new) known->second = curves(font, glyph);
  return known->second;
}

std::vector<PlacedGlyph> GlyphOutlines::glyphs_of(const Label& label) {
  const Typeset text = typeset(label.markup, label.size, label.weight);
  const std::shared_ptr<PangoLayout>& layout = text.layout;
  const int label_baseline = pango_layout_get_baseline(layout.get());
  const auto units = [](int pango_units) {
    return pango_units_to_double(pango_units) * units_per_size / reference_size;
  };
  std::vector<PlacedGlyph> glyphs;
  for_each_run(layout.get(), [&](const LayoutRun& at) {
    PangoFont* font = at.run->item->analysis.font;
    const double scale = size_of(font) / reference_size;
    int x = at.logical.x;
    for (int i = 0; i < at.run->glyphs->num_glyphs; ++i) {
      const PangoGlyphInfo& info = at.run->glyphs->glyphs[i];
      if (info.glyph != PANGO_GLYPH_EMPTY && (info.glyph & PANGO_GLYPH_UNKNOWN_FLAG) == 0) {
        glyphs.push_back({outline(font, info.glyph), units(x + info.geometry.x_offset),
                          units(at.baseline - label_baseline + info.geometry.y_offset), scale});
      }
      x += info.geometry.width;
    }
  });
  return glyphs;
}

}  // namespace attnlab
