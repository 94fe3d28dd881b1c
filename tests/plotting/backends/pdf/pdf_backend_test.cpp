// What a PDF says about itself beyond its pages.
#include <doctest/doctest.h>

#include <string>

#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

Page page_called(const std::string& title) {
  Page page;
  page.list.width = 72.0;
  page.list.height = 72.0;
  page.metadata = {title, "about", "ja", "attnlab test"};
  return page;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// The place of the table of objects as the end of the file tells it.
std::size_t told_place(const std::string& pdf) {
  const std::string start = "startxref\n";
  return std::stoul(pdf.substr(pdf.rfind(start) + start.size()));
}

}  // namespace

TEST_CASE("A PDF names its language and shows its title, and its table of objects is where it says") {
  const std::string pdf = paint_pdf(page_called("title"));
  CHECK(count(pdf, "/Lang (ja)") == 1);
  CHECK(count(pdf, "/DisplayDocTitle true") == 1);
  CHECK(pdf.compare(told_place(pdf), 5, "xref\n") == 0);
}

TEST_CASE("A PDF of another make is left as it is") {
  const std::string other = "%PDF-1.7\n1 0 obj\n<< /Type /ObjStm >>\nstream\n";
  CHECK(with_catalogue_entries(other, "ja", OutlinePane::open) == other);
}

TEST_CASE("Chapters are headings in the outline, with their pages below") {
  const Page first = page_called("first");
  const Page second = page_called("second");
  const Page third = page_called("third");
  const std::string pdf =
      paint_pdf({{"one", {&first, &second}}, {"two", {&third}}}, {"whole", "about", "en", "attnlab all"});
  for (const char* title : {"one", "two", "first", "second", "third"})
    CHECK(count(pdf, "/Title (" + std::string(title) + ")") == 1);
  CHECK(count(pdf, "/Title (whole)") == 1);
  CHECK(count(pdf, "/PageMode /UseOutlines") == 1);
  CHECK(count(paint_pdf(first), "/PageMode") == 0);
}

}  // namespace attnlab
