// What a section holds besides figures, as it stands in a page.
#include <doctest/doctest.h>

#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "lecture/built_lecture.hpp"
#include "lecture/markdown.hpp"
#include "plotting/layout/chart_frame.hpp"

namespace attnlab {
namespace {

bool holds_words(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The page of a lecture with one section of these blocks.
std::string page_with(std::vector<BuiltBlock> blocks, Language language = Language::en) {
  return lecture_html({language, "T", "", {{"S", std::move(blocks)}}, ""});
}

}  // namespace

TEST_CASE("Q, K and V have in formulas the colours of their words in figures, on pages and in LaTeX") {
  const std::string css(lecture_files().front().text);
  const std::string lua(find_file(extra_files(), "attnlab.lua")->text);
  for (const auto& [name, letter, ink] :
       {std::tuple{"query", "Q", query_ink}, {"key", "K", key_ink}, {"value", "V", value_ink}}) {
    const auto colour = [&ink = ink](Theme theme) {
      const Style style = style_for(theme, measures_of({}));
      return to_hex(letters_in(style.colour(ink), style));
    };
    const std::string declared = fmt::format("--{}: #", name);
    const std::size_t light = css.find(declared + fmt::format("{:06x};", colour(Theme::light)));
    const std::size_t dark = css.find(declared + fmt::format("{:06x};", colour(Theme::dark)));
    CHECK(light < css.find("prefers-color-scheme: dark"));
    CHECK(dark > css.find("prefers-color-scheme: dark"));
    CHECK(dark != std::string::npos);
    CHECK(css.find(fmt::format(".{} {{ color: var(--{}); }}", letter, name)) != std::string::npos);
    CHECK(lua.find(fmt::format("{} = \"{:06X}\"", letter, colour(Theme::light))) != std::string::npos);
  }
}

TEST_CASE("Markdown becomes paragraphs, lists, emphasis, code and formulas") {
  CHECK(markdown_html("a **b** *c* `d < e`") ==
        "<p>a <strong>b</strong> <em>c</em> <code>d &lt; e</code></p>\n");
  CHECK(markdown_html("- a\n- b") == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
  CHECK(markdown_html("## A") == "<h3>A</h3>\n");  // below the section's own
}

TEST_CASE("A formula stands between dollars, and an amount is none, as pandoc reads them") {
  const std::string d_k = "<math><msub><mrow><mi>d</mi></mrow><mrow><mi>k</mi></mrow></msub></math>";
  CHECK(markdown_html("width $d_k$.") == "<p>width " + d_k + ".</p>\n");
  CHECK(markdown_html("**$d_k$**") == "<p><strong>" + d_k + "</strong></p>\n");
  CHECK(holds_words(markdown_html("so $$d_k$$ is"), "<math display=\"block\">"));
  CHECK(holds_words(markdown_html("$a_1 * b_1$ and $a_2 * b_2$"), "<mi>a</mi>"));  // no emphasis inside
  CHECK_FALSE(holds_words(markdown_html("$a_1 * b_1$ and $a_2 * b_2$"), "<em>"));
  for (const char* plain : {"$5, not $6", "costs 3 $ and 4 $ more", "5\\$ and $x", "`$d_k$`", "``a ` $d_k$``",
                            "    $d_k$", "~~~\n$d_k$\n~~~", "$a\n\nb$", "US$20,000 and US$30,000"}) {
    CAPTURE(plain);
    CHECK_FALSE(holds_words(markdown_html(plain), "<math"));
    CHECK(holds_words(markdown_html(plain), "$"));
    CHECK_FALSE(holds_words(markdown_html(plain), "\xEE\x80\x80"));
  }
  CHECK(markdown_html("[a]($d$ \"$d$\")") == "<p><a href=\"$d$\" title=\"$d$\">a</a></p>\n");
  CHECK(markdown_html("a \xEE\x80\x80"
                      "7\xEE\x80\x81 b") == "<p>a 7\xEE\x80\x81 b</p>\n");
}

TEST_CASE("Tables, strikes and tasks are pandoc's; a single tilde is itself") {
  const std::string table = markdown_html("| a | b |\n|:--|--:|\n| $d$ | **c** |\n| d |\n");
  CHECK(holds_words(table, "<th scope=\"col\" style=\"text-align:left\">a</th>"));
  CHECK(holds_words(table, "<td style=\"text-align:right\"><strong>c</strong></td>"));
  CHECK(holds_words(table, "<mi>d</mi></mrow></math></td>"));
  CHECK(markdown_html("~~a~~ b~2~ `c~3~`") == "<p><del>a</del> b~2~ <code>c~3~</code></p>\n");
  CHECK(holds_words(markdown_html("- [x] a\n- [ ] b"), "<input type=\"checkbox\" checked disabled> a</li>"));
  CHECK(holds_words(markdown_html("3. a\n4. b"), "<ol start=\"3\">"));
}

TEST_CASE("Japanese is emphasised beside any punctuation, and its lines end without a space, as in pandoc") {
  CHECK(
      markdown_html("これは**「強調」**と**注意（重要）**の**`a`**。") ==
      "<p>これは<strong>「強調」</strong>と<strong>注意（重要）</strong>の<strong><code>a</code></strong>。</p>\n");
  CHECK(markdown_html("*（斜体）*は `**「a」**は` と\\*「b」\\*") ==
        "<p><em>（斜体）</em>は <code>**「a」**は</code> と*「b」*</p>\n");
  CHECK(markdown_html("です。\n次の\n**「行」**\nabc\ndef\n行") ==
        "<p>です。次の<strong>「行」</strong>\nabc\ndef\n行</p>\n");
}

TEST_CASE("A heading's attributes are its name, and braces that are none stay") {
  CHECK(markdown_html("## A *b* {#low .unnumbered}") == "<h3 id=\"low\">A <em>b</em></h3>\n");
  CHECK(markdown_html("## A {-}") == "<h3>A</h3>\n");
  CHECK(markdown_html("## The set {a, b}") == "<h3>The set {a, b}</h3>\n");
}

TEST_CASE("References to footnotes are links to those that there are") {
  MarkdownContext context;
  context.notes = {"one", "2"};
  CHECK(
      markdown_html("a[^2], b[^one] and `[^one]` or [^three]", context) ==
      "<p>a<sup><a href=\"#note.2\">2</a></sup>, b<sup><a href=\"#note.1\">1</a></sup> and <code>[^one]</code> or "
      "[^three]</p>\n");
}

TEST_CASE("Pictures have their size, and by themselves are figures with their text below") {
  MarkdownContext context;
  context.picture = [](const std::string& target) { return "data:" + target; };
  CHECK(markdown_html("a ![*c* & d](x.png \"t\") b", context) ==
        "<p>a <img src=\"data:x.png\" alt=\"c &amp; d\" title=\"t\"> b</p>\n");
  CHECK(
      markdown_html("![c](x.png){width=60% height=20}", context) ==
      "<figure><img src=\"data:x.png\" alt=\"c\" style=\"height:20px;width:60%;\"><figcaption>c</figcaption></figure>\n");
  CHECK(markdown_html("行\n![行\nc\n](x.png)\n行", context) ==
        "<p>行\n<img src=\"data:x.png\" alt=\"行\nc\">\n行</p>\n");
  CHECK(markdown_html("![c](x.png) {a}", context) == "<p><img src=\"data:x.png\" alt=\"c\"> {a}</p>\n");
  for (const char* attributes : {"{onload=alert(1)}", "{width=\"1;background:url(x)\"}"})
    CHECK_THROWS_AS(markdown_html(std::string("![c](x.png)") + attributes, context), Error);
}

TEST_CASE("What is wrong is told with its own line, behind formulas of several lines, too") {
  MarkdownContext context;
  context.place = [](std::size_t line) { return fmt::format("line {}", line); };
  const auto reported = [&](const std::string& markdown) -> std::string {
    try {
      markdown_html(markdown, context);
    } catch (const Error& error) {
      return error.message(Language::en);
    }
    return "";
  };
  CHECK(holds_words(reported("a\nb\n[c](javascript:x)"), "line 2"));
  CHECK(holds_words(reported("a $$b\n+ c$$\nd\n- e ![f](g.png)"), "line 3"));
  CHECK(holds_words(reported("a\n$\\unknown$"), "line 1"));
  CHECK(holds_words(reported("| a |\n|---|\n| b |\n| [c](file:x) |"), "line 3"));
}

TEST_CASE("What does not close is no formula and no code, however often it opens") {
  const auto many = [](const std::string& words) {
    std::string all;
    for (int i = 0; i < 100000; ++i) all += words;
    return all;
  };
  for (const char* opening : {"$x ", "x$ ", "`` a ", "\xEE\x80\x80"})
    CHECK_FALSE(holds_words(markdown_html(many(opening)), "<math"));
  CHECK(holds_words(markdown_html("a $b\n\n$c$"), "<math>"));  // a search ends with its paragraph
  CHECK(holds_words(markdown_html("a `` b ` $c$ ` d"), "<code>$c$</code>"));
  CHECK(holds_words(markdown_html("a `` b\n\n$c$"), "<math>"));
}

TEST_CASE("An equation that is wider than a telephone may break before a relation, which keeps its spaces") {
  const auto pieces = [](const char* tex) {
    const std::string page = page_with({BuiltEquation{formula::read_tex(tex)}});
    std::size_t count = 0;
    for (std::size_t at = page.find("<math display"); at != std::string::npos;
         at = page.find("<math display", at + 1))
      ++count;
    CHECK(holds_words(page, "<mo form=\"infix\">=</mo>") == (count > 1));
    return count;
  };
  CHECK(pieces("a = b + c") == 1);
  CHECK(pieces("\\mathrm{MultiHead}(Q, K, V) = \\mathrm{Concat}(h_1, h_2, h_3, \\ldots, h_n) W_O") == 2);
}

TEST_CASE("HTML in Markdown is text, and nothing runs or loads") {
  CHECK(markdown_html("a <script>alert(1)</script> b") ==
        "<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n");
  CHECK(holds_words(markdown_html("<div onclick=\"x()\">\nhello\n</div>"), "&lt;div onclick="));
  for (const char* link :
       {"[a](javascript:alert(1))", "[a](data:text/html,x)", "<javascript:alert(1)>",
        "[a]( JavaScript:alert(1))", "[a](java&#9;script:x)", "[a](&#106;avascript:x)",
        "[a][b]\n\n[b]: vbscript:x", "[a](file:///etc/passwd)", "[a](<\x01javascript:x>)"}) {
    CAPTURE(link);
    CHECK_THROWS_AS(markdown_html(link), Error);
  }
  for (const char* link :
       {"[a](#b)", "[a](b.html?x=a:b)", "<mailto:a@b.example>", "[a](http://b.example:80/)"})
    CHECK(holds_words(markdown_html(link), "href=\""));
  CHECK(holds_words(markdown_html("[a](https://example.org/?a=1&b=\"2\")"),
                    "href=\"https://example.org/?a=1&amp;b="));
  CHECK_THROWS_AS(markdown_html("![cat](https://example.org/cat.png)"), Error);
  CHECK_THROWS_AS(markdown_html("$\\unknown$"), Error);
  CHECK_FALSE(holds_words(markdown_html("$\\mathrm{<b>}$"), "<b>"));
}

TEST_CASE("A question's answer opens on the page, and stands under its number at the end of a print") {
  const std::string page = page_with({BuiltQuestion{markdown_html("One?"), markdown_html("First.")},
                                      BuiltQuestion{markdown_html("Two?"), markdown_html("Second.")}});
  CHECK(holds_words(page, "<b>Question 2</b>\n<p>Two?</p>"));
  CHECK(holds_words(page, "<summary>Show the answer</summary>\n<div class=\"answer\">\n<p>Second.</p>"));
  CHECK(holds_words(page, "<li value=\"2\"><p>Second.</p>"));
  CHECK(holds_words(page_with({BuiltQuestion{"何か", "これ"}}, Language::ja), "<b>問 1</b>"));
}

TEST_CASE("Covers stand over the marks asked for, and those of bars are as high as the grid") {
  const auto box = [](const char* id, double x, double y, double width, double height) {
    return Item{id, FilledBox{{x, y, width, height}, {}}};
  };
  const auto covers_of = [](const DisplayList& list) {
    std::vector<Box> covers;
    for (const Item& item : list.items) {
      const auto* filled = std::get_if<FilledBox>(&item.shape);
      if (item.id.rfind(cover_id, 0) == 0 && filled != nullptr) covers.push_back(filled->box);
    }
    return covers;
  };
  const DisplayList bars{100.0,
                         100.0,
                         {1.0, 1.0, 1.0},
                         {{"panel[0].grid.y[0]", Path::line({{0.0, 10.0}, {100.0, 10.0}}, {}, 0.0)},
                          {"panel[0].grid.y[1]", Path::line({{0.0, 90.0}, {100.0, 90.0}}, {}, 0.0)},
                          box("a[0]", 10.0, 50.0, 20.0, 40.0),
                          box("a[1]", 40.0, 20.0, 20.0, 70.0)}};
  DisplayList both = bars;
  REQUIRE(cover(both, {"a[0]", "a[1]"}, {"a[0]", "a[1]"}));
  REQUIRE(covers_of(both).size() == 2);
  for (const Box& covered : covers_of(both)) {
    CHECK(covered.y == doctest::Approx(10.0));
    CHECK(covered.height == doctest::Approx(80.0));
    CHECK(covered.width == doctest::Approx(30.0));
  }
  DisplayList one = bars;
  REQUIRE(cover(one, {"a[1]"}, {"a[0]", "a[1]"}));
  REQUIRE(covers_of(one).size() == 1);
  CHECK(covers_of(one)[0].x == doctest::Approx(35.0));
  DisplayList nothing = bars;
  CHECK_FALSE(cover(nothing, {"a[0]", "a[2]"}, {"a[0]", "a[2]"}));  // not shown
  nothing.items.push_back(box("a[2]", 45.0, 0.0, 20.0, 10.0));
  CHECK_FALSE(cover(nothing, {"a[0]", "a[1]", "a[2]"}, {"a[0]", "a[1]", "a[2]"}));  // not side by side
  CHECK(covers_of(nothing).empty());
}

TEST_CASE("Claims, tables, programs and films are escaped, and say what they are") {
  const std::string hostile = "<img src=x onerror=alert(1)>&\"'";
  Report report;
  const Table table{{Text::same(hostile), Text::same("n")}, {{hostile, "-1.5"}}};
  const std::string page =
      page_with({BuiltClaim{"fails", hostile, hostile, hostile, hostile, hostile},
                 BuiltReport{{table, Paragraph{Role::say, Text::same(hostile)}}, {}},
                 BuiltCode{hostile, "a = '<b>'\n\nb = 2\n"},
                 BuiltFilm{"f", hostile, hostile, hostile, hostile, {"gif", "png"}, {}, 3, 2, {}},
                 BuiltSliders{"s", hostile, hostile, "<p>fragment</p>", {}}});
  CHECK_FALSE(holds_words(page, "<img src=x"));
  CHECK(holds_words(page, "&lt;img src=x onerror=alert(1)&gt;"));
  CHECK(holds_words(page, "<code>a = &apos;&lt;b&gt;&apos;\n\nb = 2\n</code>"));
  CHECK(holds_words(page, "<td class=\"number\">-1.5</td>"));
  CHECK(holds_words(page, "<div class=\"claim fails\">"));
  CHECK(holds_words(page, "class=\"stands\" src=\"data:image/png;base64,cG5n\""));
  CHECK(holds_words(page, "class=\"runs\" src=\"data:image/gif;base64,Z2lm\""));
  CHECK(holds_words(page, "<p>fragment</p>"));
}

TEST_CASE("What a program is checked with has a place of its own, which a print leaves out") {
  const std::string page = page_with(
      {BuiltCode{"c", "a = 1\n\n# --- What attnlab gave\n\nassert agrees(a, [\n    1,\n])\nprint(a)\n"}});
  CHECK(holds_words(
      page,
      "a = 1\n\n<span class=\"checks\"># --- What attnlab gave\n\nassert agrees(a, [\n    1,\n])\n</span>print(a)\n</code>"));
  CHECK_FALSE(holds_words(page_with({BuiltCode{"c", "a = 1\n"}}), "\"checks\""));
}

TEST_CASE("What a report puts between backticks is code") {
  const std::string page =
      page_with({BuiltReport{{Paragraph::note("`a<b` と ` だけ", "type `a<b` and ` alone")}, {}}});
  CHECK(holds_words(page, "<p>type <code>a&lt;b</code> and ` alone</p>"));
}

TEST_CASE("Letters of a sentence have their subscripts, names and code do not") {
  const std::string page = page_with(
      {BuiltReport{{Paragraph::note("W_O", "times W_O & d_model, in_proj_weight, layer_3, `x_1`")}, {}}});
  CHECK(holds_words(
      page, "<p>times W<sub>O</sub> &amp; d<sub>model</sub>, in_proj_weight, layer_3, <code>x_1</code></p>"));
}

TEST_CASE("One script serves all sliders of a page, and a page without sliders has that of the talk alone") {
  const std::string two = page_with({BuiltSliders{"a", "A", "", "", {}}, BuiltSliders{"b", "B", "", "", {}}});
  const auto scripts = [](const std::string& page) {
    std::size_t count = 0;
    for (std::size_t at = page.find("<script>"); at != std::string::npos; at = page.find("<script>", at + 1))
      ++count;
    return count;
  };
  CHECK(scripts(two) == 2);
  CHECK(scripts(page_with({BuiltText{"a"}})) == 1);
}

}  // namespace attnlab
