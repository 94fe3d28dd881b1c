#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "page/page.hpp"

namespace attnlab {
namespace {

const std::string hostile = "</script><script>alert(\"&amp;\")</script><!--";

ExplorablePage page_of(const std::string& words) {
  ExplorablePage page;
  page.title = Text::same(words);
  page.source = Text::same(words);
  page.command = "attnlab x --labels " + words;
  page.sliders = {{words, Text::same(words), {"1", words}}};
  page.notes = {Text::same(words)};
  page.words = {{Text::same(words), Text::same(words)}, {Text::same("b"), Text::same("c")}};
  const Colour black;
  const DisplayList list{120.0, 50.0, black, {{"cell[0,0]", FilledBox{{0.0, 0.0, 9.0, 9.0}, black}}}};
  for (int frame = 0; frame < 2; ++frame) {
    page.wide.ja.add(list, list, page.ink);
    page.wide.en.add(list, list, page.ink);
    page.answering.push_back({{{"cell", 1, 1, {0.5}, {Text::same(words)}, {Text::same(words)}}}, {}});
  }
  return page;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("Words in a page are text, never markup") {
  const std::string page = page_html(page_of(hostile)).html;
  CHECK(count(page, "alert(\"") == 0);
  CHECK(count(page, "<script") == 2);
  CHECK(count(page, "</script") == 2);
  CHECK(count(page, "<!--") == 0);
}

TEST_CASE("A page says when the stages that its marks would answer from had no room") {
  ExplorablePage page = page_of("w");
  CHECK(page_html(page).warnings.empty());
  page.has_space_for_stages = false;
  CHECK(page_html(page).warnings.size() == 1);
}

TEST_CASE("Words in the controls of a live page are text, never markup") {
  ExplorablePage page = page_of(hostile);
  page.sliders.clear();
  PageControl typed;
  typed.name = typed.value = typed.default_text = typed.form = hostile;
  typed.help = Text::same(hostile);
  typed.words = {hostile};
  PageControl chosen = typed;
  chosen.kind = PageControl::Kind::chosen;
  const std::string html = live_page_html(page, {{typed, chosen}, {hostile}, hostile, "abc"});
  CHECK(count(html, "alert(\"") == 0);
  CHECK(count(html, "<script") == 2);
  CHECK(count(html, "<script nonce=\"abc\">") == 1);
  CHECK(count(html, "<!--") == 0);
  CHECK(count(live_frame_html(page), "alert(\"") == 0);
}

TEST_CASE("A page asks for no other file") {
  const std::string page = page_html(page_of("x")).html;
  for (const char* request : {"src=", "@import", "fetch(", "http:", "https:", "url(h"}) {
    CAPTURE(request);
    const std::size_t at = page.find(request);
    CHECK((at == std::string::npos || page.compare(at, 26, "http://www.w3.org/2000/svg") == 0));
  }
}

TEST_CASE("The first frame is in the page in both languages, and the chosen one is shown") {
  ExplorablePage page = page_of("x");
  page.language = Language::ja;
  const std::string html = page_html(page).html;
  CHECK(count(html, "<html lang=\"ja\">") == 1);
  CHECK(count(html, "id=\"ja\" checked") == 1);
  CHECK(count(html, "<path data-at=\"0 0 0\"") == 2);
  CHECK(count(html, "<noscript>") == 1);
}

TEST_CASE("Where letters of the wide picture would be too small the narrow one is shown, if there is one") {
  Label letters;
  letters.markup = "a";
  letters.size = 6.0;
  const DisplayList wide{240.0, 50.0, Colour{}, {{"title", letters}}};
  const DisplayList narrow{120.0, 90.0, Colour{}, {{"title", letters}}};
  ExplorablePage page = page_of("x");
  CHECK(count(page_html(page).html, "@container") == 0);
  for (int frame = 0; frame < 2; ++frame) {
    page.wide.en.add(wide, wide, page.ink);
    page.narrow.en.add(narrow, narrow, page.ink);
  }
  const std::string html = page_html(page).html;
  CHECK(count(html, "@container (width < 480px)") == 1);  // there letters of 6 points have 12 pixels
  CHECK(count(html, "<svg lang=\"en\" class=\"narrow\"") == 1);
  CHECK(count(html, "<svg lang=\"ja\" class=\"narrow\"") == 0);
}

TEST_CASE("A slider is called by its help, not by its option") {
  ExplorablePage page = page_of("x");
  page.sliders = {{"query-angle", {"クエリの角度", "angle of the query"}, {"1", "2"}}};
  const std::string html = page_html(page).html;
  CHECK(count(html, "<b aria-hidden=\"true\">query-angle</b>") == 1);
  CHECK(count(html, "one step forth: angle of the query") == 1);
  CHECK(count(html, "query-angle") == 1);  // all else is compressed
}

TEST_CASE("What a picture answers stands beside it, unless the picture is much wider than high") {
  ExplorablePage page = page_of("x");
  CHECK(count(page_html(page).html, "<main class=\"below\">") == 1);
  const DisplayList square{100.0, 100.0, Colour{}, {}};
  page.wide.en.add(square, square, page.ink);
  CHECK(count(page_html(page).html, "<main class=\"beside\">") == 1);
}

TEST_CASE("The same page has the same bytes") {
  CHECK(page_html(page_of("x")).html == page_html(page_of("x")).html);
}

}  // namespace attnlab
