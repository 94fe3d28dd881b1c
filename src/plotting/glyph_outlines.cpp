#include "plotting/glyph_outlines.hpp"

#include <cairo.h>
#include <fmt/format.h>
#include <pango/pangocairo.h>

#include <map>
#include <utility>

#include "plotting/cairo_painter.hpp"
#include "plotting/typesetting.hpp"

namespace attnlab {
namespace {

struct PathRelease {
  void operator()(cairo_path_t* path) const { cairo_path_destroy(path); }
};
struct IteratorRelease {
  void operator()(PangoLayoutIter* iterator) const { pango_layout_iter_free(iterator); }
};

double points(int pango_units) {
  return static_cast<double>(pango_units) / PANGO_SCALE;
}

std::string path_data(const cairo_path_t& path) {
  std::string data;
  for (int i = 0; i < path.num_data; i += path.data[i].header.length) {
    const cairo_path_data_t* step = &path.data[i];
    switch (step->header.type) {
      case CAIRO_PATH_MOVE_TO:
        data += fmt::format("M{:.4g} {:.4g}", step[1].point.x, step[1].point.y);
        break;
      case CAIRO_PATH_LINE_TO:
        data += fmt::format("L{:.4g} {:.4g}", step[1].point.x, step[1].point.y);
        break;
      case CAIRO_PATH_CURVE_TO:
        data += fmt::format("C{:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g}", step[1].point.x, step[1].point.y,
                            step[2].point.x, step[2].point.y, step[3].point.x, step[3].point.y);
        break;
      case CAIRO_PATH_CLOSE_PATH:
        data += "Z";
        break;
    }
  }
  return data;
}

// Draws glyphs onto a surface that keeps nothing, only to ask for their curves.
class Outliner {
 public:
  Outliner()
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)), context_(cairo_create(surface_.get())) {
    cairo_set_tolerance(context_.get(), 0.01);
  }

  const std::string& outline(PangoFont* font, PangoGlyph glyph) {
    const auto key = std::make_pair(font, glyph);
    if (const auto known = outlines_.find(key); known != outlines_.end()) return known->second;
    cairo_scaled_font_t* scaled = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font));
    cairo_set_scaled_font(context_.get(), scaled);
    const cairo_glyph_t at_origin{glyph, 0.0, 0.0};
    cairo_new_path(context_.get());
    cairo_glyph_path(context_.get(), &at_origin, 1);
    const std::unique_ptr<cairo_path_t, PathRelease> path(cairo_copy_path(context_.get()));
    return outlines_[key] = path_data(*path);
  }

 private:
  CairoSurface surface_;
  CairoContext context_;
  std::map<std::pair<PangoFont*, PangoGlyph>, std::string> outlines_;
};

}  // namespace

std::vector<PlacedGlyph> glyphs_of(const Label& label) {
  const Typeset text = typeset(label.markup, label.size, label.weight);
  const std::unique_ptr<PangoLayoutIter, IteratorRelease> iterator(pango_layout_get_iter(text.layout.get()));
  Outliner outliner;
  std::vector<PlacedGlyph> glyphs;
  do {
    const PangoLayoutRun* run = pango_layout_iter_get_run_readonly(iterator.get());
    if (run == nullptr) continue;  // the end of a line
    PangoRectangle logical;
    pango_layout_iter_get_run_extents(iterator.get(), nullptr, &logical);
    const int baseline = pango_layout_iter_get_run_baseline(iterator.get());
    int x = logical.x;
    for (int i = 0; i < run->glyphs->num_glyphs; ++i) {
      const PangoGlyphInfo& info = run->glyphs->glyphs[i];
      if (info.glyph != PANGO_GLYPH_EMPTY && (info.glyph & PANGO_GLYPH_UNKNOWN_FLAG) == 0) {
        glyphs.push_back({outliner.outline(run->item->analysis.font, info.glyph),
                          points(x + info.geometry.x_offset),
                          points(baseline + info.geometry.y_offset) - text.lift});
      }
      x += info.geometry.width;
    }
  } while (pango_layout_iter_next_run(iterator.get()) != FALSE);
  for (const Box& bar : text.bars) {
    glyphs.push_back({fmt::format("M0 0H{:.4g}V{:.4g}H0Z", bar.width, bar.height), bar.x, bar.y});
  }
  return glyphs;
}

}  // namespace attnlab
