#include "plotting/pdf_catalog.hpp"

namespace attnlab {

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
