// Through Cairo: pixels; and PDF, its fonts embedded and subset, its text searchable, one page per figure.
#include <cairo-pdf.h>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/colour/palette.hpp"
#include "plotting/text/kept_fonts.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

/// Throws Error (failed) when Cairo reports anything but success.
void require_success(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  const std::string reason = cairo_status_to_string(status);
  refuse_failed({"図を描けません（Cairo: " + reason + "）", "cannot draw the figure (Cairo: " + reason + ")"},
                {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

/// Paints the shape of one item.
class CairoPainter {
 public:
  explicit CairoPainter(cairo_t* context) : context_(context) {}

  void operator()(const FilledBox& filled) const {
    cairo_set_source_rgba(context_, filled.fill.red, filled.fill.green, filled.fill.blue, filled.opacity);
    cairo_rectangle(context_, filled.box.x, filled.box.y, filled.box.width, filled.box.height);
    cairo_fill(context_);
  }

  void operator()(const Path& path) const {
    cairo_save(context_);
    if (path.clip) {
      cairo_rectangle(context_, path.clip->x, path.clip->y, path.clip->width, path.clip->height);
      cairo_clip(context_);
    }
    for (const Position& point : path.points) cairo_line_to(context_, point.x, point.y);
    if (path.closed) cairo_close_path(context_);
    cairo_set_dash(context_, path.dashes.data(), static_cast<int>(path.dashes.size()), 0.0);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    fill_and_stroke(path.fill, path.stroke, path.width, path.opacity);
    cairo_restore(context_);
  }

  void operator()(const Disc& disc) const {
    cairo_new_sub_path(context_);
    cairo_arc(context_, disc.centre.x, disc.centre.y, disc.radius, 0.0, 2.0 * pi);
    fill_and_stroke(disc.fill, disc.stroke, disc.width);
  }

  void operator()(const Raster& raster) const {
    const int width = static_cast<int>(raster.columns);
    const int height = static_cast<int>(raster.rows);
    const CairoSurface image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    require_success(cairo_surface_status(image.get()));
    unsigned char* bytes = cairo_image_surface_get_data(image.get());
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image.get()));
    for (std::size_t row = 0; row < raster.rows; ++row) {
      for (std::size_t column = 0; column < raster.columns; ++column) {
        const std::uint32_t pixel = to_hex(raster.pixels[row * raster.columns + column]);
        std::memcpy(bytes + row * stride + column * sizeof pixel, &pixel, sizeof pixel);
      }
    }
    cairo_surface_mark_dirty(image.get());
    cairo_save(context_);
    cairo_translate(context_, raster.box.x, raster.box.y);
    cairo_scale(context_, raster.box.width / width, raster.box.height / height);
    cairo_set_source_surface(context_, image.get(), 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
    cairo_rectangle(context_, 0.0, 0.0, width, height);
    cairo_fill(context_);
    cairo_restore(context_);
  }

  void operator()(const Label& label) const {
    const Typeset text = typeset(label.markup, label.size, label.weight);
    cairo_save(context_);
    cairo_translate(context_, label.position.x, label.position.y);
    cairo_rotate(context_, label.angle * pi / 180.0);
    cairo_scale(context_, scale_to(label.size), scale_to(label.size));
    const auto add_bars = [&] {
      for (const RootBar& bar : text.bars)
        cairo_rectangle(context_, bar.box.x, bar.box.y, bar.box.width, bar.box.height);
    };
    cairo_move_to(context_, 0.0, -text.lift);
    if (label.halo) {
      pango_cairo_layout_path(context_, text.layout.get());
      add_bars();
      cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
      fill_and_stroke({}, label.halo, reference_size * halo_width);
    }
    use(label.colour);
    cairo_move_to(context_, 0.0, -text.lift);
    keep_drawn_fonts(context_, text.layout.get());
    pango_cairo_show_layout(context_, text.layout.get());
    cairo_new_path(context_);
    add_bars();
    cairo_fill(context_);
    cairo_restore(context_);
  }

  void use(const Colour& colour, double opacity = 1.0) const {
    cairo_set_source_rgba(context_, colour.red, colour.green, colour.blue, opacity);
  }

 private:
  void fill_and_stroke(const std::optional<Colour>& fill, const std::optional<Colour>& stroke, double width,
                       double opacity = 1.0) const {
    if (fill) {
      use(*fill);
      cairo_fill_preserve(context_);
    }
    if (stroke) {
      use(*stroke, opacity);
      cairo_set_line_width(context_, width);
      cairo_stroke_preserve(context_);
    }
    cairo_new_path(context_);
  }

  cairo_t* context_;
};

/// In points: the caller has scaled the context to its device.
void paint(const DisplayList& list, cairo_t* context) {
  const CairoPainter painter(context);
  painter.use(list.background);
  cairo_paint(context);
  for (const Item& item : list.items) std::visit(painter, item.shape);
  require_success(cairo_status(context));
}

// --- PDF --------------------------------------------------------------------------------------------------

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int count) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), count);
  return CAIRO_STATUS_SUCCESS;
}

// Cairo would write the time of day: the same figure must give the same bytes.
constexpr const char* fixed_date = "2000-01-01T00:00:00Z";

void set_metadata(cairo_surface_t* surface, const Metadata& metadata) {
  const auto set = [surface](cairo_pdf_metadata_t field, const std::string& value) {
    cairo_pdf_surface_set_metadata(surface, field, value.c_str());
  };
  set(CAIRO_PDF_METADATA_TITLE, metadata.title);
  set(CAIRO_PDF_METADATA_SUBJECT, metadata.description);
  set(CAIRO_PDF_METADATA_CREATOR, metadata.command);
  set(CAIRO_PDF_METADATA_CREATE_DATE, fixed_date);
}

/// An entry of the outline that leads to a page, below another or at the outermost level. Returns its number.
int add_entry(cairo_surface_t* surface, int parent, const std::string& title, std::size_t page) {
  return cairo_pdf_surface_add_outline(surface, parent, title.c_str(),
                                       ("page=" + std::to_string(page)).c_str(), CAIRO_PDF_OUTLINE_FLAG_OPEN);
}

void paint_pages(const std::vector<Chapter>& chapters, cairo_surface_t* surface) {
  const CairoContext context(cairo_create(surface));
  std::size_t number = 1;
  for (const Chapter& chapter : chapters) {
    const int parent = chapter.title.empty()
                           ? CAIRO_PDF_OUTLINE_ROOT
                           : add_entry(surface, CAIRO_PDF_OUTLINE_ROOT, chapter.title, number);
    for (const Page* page : chapter.pages) {
      cairo_pdf_surface_set_size(surface, page->list.width, page->list.height);
      add_entry(surface, parent, page->metadata.title, number++);
      paint(page->list, context.get());
      cairo_show_page(context.get());
    }
  }
}

}  // namespace

Pixels paint_pixels(const Page& page, double dpi) {
  constexpr std::uint32_t colour_bits = 0xFFFFFF;  // Cairo leaves the upper byte undefined
  const double scale = dpi / points_per_inch;
  const int width = static_cast<int>(std::lround(page.list.width * scale));
  const int height = static_cast<int>(std::lround(page.list.height * scale));
  const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  require_success(cairo_surface_status(surface.get()));
  const CairoContext context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  paint(page.list, context.get());
  cairo_surface_flush(surface.get());

  Pixels pixels{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  pixels.values.resize(pixels.width * pixels.height);
  const unsigned char* rows = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  for (std::size_t row = 0; row < pixels.height; ++row) {
    std::memcpy(&pixels.values[row * pixels.width], rows + row * stride,
                pixels.width * sizeof(std::uint32_t));
  }
  for (std::uint32_t& value : pixels.values) value &= colour_bits;
  return pixels;
}

std::string paint_pdf(const std::vector<Chapter>& chapters, const Metadata& about) {
  std::string bytes;
  const DisplayList& first = chapters.front().pages.front()->list;
  const CairoSurface surface(cairo_pdf_surface_create_for_stream(append, &bytes, first.width, first.height));
  require_success(cairo_surface_status(surface.get()));
  // Later versions compress the objects that with_catalogue_entries looks for.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  set_metadata(surface.get(), about);
  paint_pages(chapters, surface.get());
  cairo_surface_finish(surface.get());
  require_success(cairo_surface_status(surface.get()));
  const OutlinePane pane = chapters.size() > 1 ? OutlinePane::open : OutlinePane::closed;
  return with_catalogue_entries(std::move(bytes), about.language, pane);
}

std::string paint_pdf(const Page& page) { return paint_pdf({{"", {&page}}}, page.metadata); }

// The catalogue is the last object: what is added to it moves nothing but the table of objects behind it,
// whose place the file's end tells.
std::string with_catalogue_entries(std::string pdf, const std::string& language, OutlinePane pane) {
  const std::string catalogue = "<< /Type /Catalog\n";
  const std::string end_of_catalogue = ">>\nendobj\nxref\n";
  const std::string start = "startxref\n";
  const std::size_t begin = pdf.rfind(catalogue);
  const std::size_t end = begin == std::string::npos ? begin : pdf.find("endobj", begin);
  const std::size_t recorded = pdf.rfind(start);
  if (end == std::string::npos || recorded == std::string::npos ||
      pdf.compare(end - 3, end_of_catalogue.size(), end_of_catalogue) != 0) {
    return pdf;
  }
  std::string entries = "   /Lang (" + language + ")\n   /ViewerPreferences << /DisplayDocTitle true >>\n";
  if (pane == OutlinePane::open) entries += "   /PageMode /UseOutlines\n";
  const std::size_t number = recorded + start.size();
  const std::size_t table = std::stoul(pdf.substr(number)) + entries.size();
  pdf.replace(number, pdf.find('\n', number) - number, std::to_string(table));
  pdf.insert(begin + catalogue.size(), entries);
  return pdf;
}

}  // namespace attnlab
