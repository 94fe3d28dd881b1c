// PDF: fonts embedded and subset by Cairo, text searchable, one page per figure.
#include <cairo-pdf.h>

#include <string>

#include "plotting/backends.hpp"
#include "plotting/cairo_painter.hpp"

namespace attnlab {
namespace {

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

}  // namespace

std::string paint_pdf(const std::vector<const Page*>& pages) {
  std::string bytes;
  const DisplayList& first = pages.front()->list;
  const CairoSurface surface(cairo_pdf_surface_create_for_stream(append, &bytes, first.width, first.height));
  require_success(cairo_surface_status(surface.get()));
  set_metadata(surface.get(), pages.front()->metadata);
  {
    const CairoContext context(cairo_create(surface.get()));
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const Page& page = *pages[i];
      cairo_pdf_surface_set_size(surface.get(), page.list.width, page.list.height);
      cairo_pdf_surface_add_outline(surface.get(), CAIRO_PDF_OUTLINE_ROOT, page.metadata.title.c_str(),
                                    ("page=" + std::to_string(i + 1)).c_str(), CAIRO_PDF_OUTLINE_FLAG_OPEN);
      paint(page.list, context.get());
      cairo_show_page(context.get());
    }
  }
  cairo_surface_finish(surface.get());
  require_success(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace attnlab
