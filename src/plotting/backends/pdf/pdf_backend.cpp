// PDF: fonts embedded and subset by Cairo, text searchable, one page per figure.
#include <cairo-pdf.h>

#include <string>
#include <utility>

#include "plotting/backends/backends.hpp"
#include "plotting/backends/cairo_painter.hpp"
#include "plotting/pdf_catalog.hpp"

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

std::string paint_pdf(const std::vector<Chapter>& chapters, const Metadata& about) {
  std::string bytes;
  const DisplayList& first = chapters.front().pages.front()->list;
  const CairoSurface surface(cairo_pdf_surface_create_for_stream(append, &bytes, first.width, first.height));
  require_success(cairo_surface_status(surface.get()));
  set_metadata(surface.get(), about);
  paint_pages(chapters, surface.get());
  cairo_surface_finish(surface.get());
  require_success(cairo_surface_status(surface.get()));
  const OutlinePane pane = chapters.size() > 1 ? OutlinePane::open : OutlinePane::closed;
  return with_catalogue_entries(std::move(bytes), about.language, pane);
}

std::string paint_pdf(const Page& page) {
  return paint_pdf({{"", {&page}}}, page.metadata);
}

}  // namespace attnlab
