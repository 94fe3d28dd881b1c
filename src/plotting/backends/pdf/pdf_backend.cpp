// PDF: fonts embedded and subset by Cairo, text searchable, one page per figure.
#include <cairo-pdf.h>

#include <utility>

#include "plotting/backends/backends.hpp"
#include "plotting/backends/cairo_painter.hpp"

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
  // Later versions compress the objects that with_catalogue_entries looks for.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
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

// The catalogue is the last object: what is added to it moves nothing but the table of objects behind it,
// whose place the file's end tells.
std::string with_catalogue_entries(std::string pdf, const std::string& language, OutlinePane pane) {
  const std::string catalogue = "<< /Type /Catalog\n";
  const std::string end_of_catalogue = ">>\nendobj\nxref\n";
  const std::string start = "startxref\n";
  const std::size_t begin = pdf.rfind(catalogue);
  const std::size_t end = begin == std::string::npos ? begin : pdf.find("endobj", begin);
  const std::size_t told = pdf.rfind(start);
  if (end == std::string::npos || told == std::string::npos ||
      pdf.compare(end - 3, end_of_catalogue.size(), end_of_catalogue) != 0) {
    return pdf;
  }
  std::string entries = "   /Lang (" + language + ")\n   /ViewerPreferences << /DisplayDocTitle true >>\n";
  if (pane == OutlinePane::open) entries += "   /PageMode /UseOutlines\n";
  const std::size_t number = told + start.size();
  const std::size_t table = std::stoul(pdf.substr(number)) + entries.size();
  pdf.replace(number, pdf.find('\n', number) - number, std::to_string(table));
  pdf.insert(begin + catalogue.size(), entries);
  return pdf;
}

}  // namespace attnlab
