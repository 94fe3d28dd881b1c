// A page with sliders in a browser: it is moved as a reader moves it, and shows the numbers of the runs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "browser.hpp"
#include "cli/program.hpp"
#include "cli/shell.hpp"
#include "programs.hpp"
#include "reader.hpp"

namespace attnlab {
namespace {

/// What Chromium holds after the page's scripts, and what they said on its console.
struct Loaded {
  std::string document;
  std::string console;
};

Loaded load(const Workplace& place, const std::string& file, const std::string& hash = "") {
  Loaded loaded{
      printed_by(fmt::format(
          "timeout 120 chromium --headless --no-sandbox --disable-gpu --window-size=1600,1000 --enable-logging=stderr --virtual-time-budget=5000 --user-data-dir={} --dump-dom {} 2>{}",
          shell_path(place.path("profile")), shell_path("file://" + place.path(file).string() + hash),
          shell_path(place.path("log")))),
      ""};
  for (const std::string& line : lines_of(place.read("log"))) {
    if (contains(line, "CONSOLE")) loaded.console += line + "\n";
  }
  return loaded;
}

/// Adds a script that moves the page and writes what it finds, a line each, into <pre id="found">.
void add_moves(const Workplace& place, const std::string& file, const std::string& moves) {
  std::string page = place.read(file);
  const std::string script =
      "<pre id=\"found\"></pre><script>explored.then(async () => { const found = [];\n"
      "const say = (line) => { found.push(line); document.getElementById('found').textContent = found.join('\\n'); };\n"
      "const key = (key, target = document.body) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));\n"
      "const slide = (slider, place) => { const input = document.getElementById(`slider-${slider}`);\n"
      "  input.value = place; input.dispatchEvent(new Event('input', { bubbles: true })); };\n"
      "const answer = (mark) => { mark.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));\n"
      "  return document.getElementById('answer').firstElementChild.textContent; };\n"
      "const marks = () => [...document.querySelectorAll('svg.wide[lang=\"en\"] [data-at]')];\n" +
      moves + " });</script>\n</body>";
  page.replace(page.rfind("</body>"), 7, script);
  place.write(file, page);
}

std::vector<std::string> found_in(const std::string& document) {
  const std::string begin = "<pre id=\"found\">";
  const std::size_t at = document.find(begin) + begin.size();
  return lines_of(document.substr(at, document.find("</pre>", at) - at));
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// "0.2121" for every weight of the run.
std::vector<std::string> expected_answers(const Workplace& place, const std::string& angle,
                                          const std::string& count) {
  const Outcome outcome =
      place.run({"vectors", "--query-angle", angle, "--count", count, "--json", "--no-figure"});
  const auto weights = nlohmann::json::parse(outcome.out).at("arrays").at("weights").at("data");
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    answers.push_back(fmt::format("{:.4g}", weights[i].get<double>()));
  }
  return answers;
}

}  // namespace

TEST_CASE("A page shows the numbers of the run that its sliders choose, and says nothing on the console") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place
              .run({"vectors", "--slide", "query-angle=0:350:36", "--slide", "count=5,10", "-o", "page.html",
                    "--lang", "en", "--quiet"})
              .exit_code == 0);
  add_moves(
      place, "page.html",
      "for (const [angle, count] of [[0, 0], [13, 1], [35, 0]]) { slide(0, angle); slide(1, count);\n"
      "  for (const mark of marks()) if (mark.getAttribute('display') !== 'none' && mark.dataset.at.startsWith('0 ')) say(answer(mark).replace(/.*: /, '')); }");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  std::vector<std::string> expected;
  for (const auto& [angle, count] :
       std::vector<std::pair<std::string, std::string>>{{"0", "5"}, {"130", "10"}, {"350", "5"}}) {
    for (const std::string& answer : expected_answers(place, angle, count)) expected.push_back(answer);
  }
  CHECK(joined(found_in(loaded.document)) == joined(expected));
}

TEST_CASE("A word that is pointed at leaves its own lines, and a head that is chosen leaves its own") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"heads", "--figure", "arcs", "-o", "page.html", "--lang", "en", "--quiet"}).exit_code ==
          0);
  add_moves(
      place, "page.html",
      "const lines = () => marks().filter((mark) => !mark.dataset.at.startsWith('0 '));\n"
      "const left = () => lines().filter((mark) => !mark.classList.contains('away'));\n"
      "const rows = () => new Set(left().map((mark) => mark.dataset.at.split(' ')[1])).size;\n"
      "const grids = () => new Set(left().map((mark) => mark.dataset.at.split(' ')[0])).size;\n"
      "say(left().length === lines().length);\n"
      "const word = marks().find((mark) => mark.dataset.at === '0 0 2');\n"
      "say(answer(word)); say(rows()); say(left().every((mark) => mark.dataset.at.split(' ')[1] === '2'));\n"
      "document.getElementById('picture').dispatchEvent(new PointerEvent('pointerleave'));\n"
      "say(left().length === lines().length);\n"
      "const head = document.getElementById('head'); say(head.parentElement.hidden);\n"
      "head.value = '1'; head.dispatchEvent(new Event('change', { bubbles: true })); say(grids());\n"
      "word.focus(); key('ArrowDown', word); say(document.activeElement.dataset.at);");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  const std::vector<std::string> found = found_in(loaded.document);
  REQUIRE(found.size() == 8);
  CHECK(found[1].rfind("Query ", 0) == 0);
  CHECK(joined({found[0], found[2], found[3], found[4], found[5], found[6], found[7]}) ==
        "true\n1\ntrue\ntrue\nfalse\n1\n0 0 3");
}

TEST_CASE("A page is moved by keys, fixes what is clicked, and keeps its state in the address") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(
      place.run({"self-attention", "--slide", "scale=1,2,3,4", "-o", "page.html", "--lang", "en", "--quiet"})
          .exit_code == 0);
  add_moves(
      place, "page.html",
      "const shown = () => document.querySelector('output').textContent;\n"
      "key('Home'); key('ArrowRight'); say(shown()); key('End'); say(shown()); key('ArrowLeft'); say(shown());\n"
      "key('Home'); say(shown());\n"
      "marks()[5].dispatchEvent(new MouseEvent('click', { bubbles: true })); key('End');\n"
      "say(document.getElementById('answer').firstElementChild.textContent.slice(0, 47));\n"
      "say(String(document.querySelectorAll('.lights rect').length > 0));\n"
      "key(' '); say(document.getElementById('play').getAttribute('aria-pressed'));\n"
      "key(' '); say(document.getElementById('play').getAttribute('aria-pressed'));\n"
      "key('Escape'); marks()[0].focus(); key('ArrowDown', marks()[0]); key('ArrowRight', document.activeElement);\n"
      "say(document.activeElement.dataset.at); key('Enter', document.activeElement);\n"
      "say(document.activeElement.getAttribute('aria-pressed')); key('Escape');\n"
      "setTimeout(() => { say(location.hash); key('Enter', marks()[5]); document.getElementById('ja').click();\n"
      "  setTimeout(() => say(location.hash), 1000); }, 1000);");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  CHECK(joined(found_in(loaded.document)) ==
        joined({"2", "4", "3", "1", "Query position Token 1, Key position Token 1: 0", "true", "true",
                "false", "0 1 1", "true", "#scale=4&amp;lang=en", "#scale=4&amp;mark=0.1.1&amp;lang=ja"}));
}

TEST_CASE("The address chooses the frame, and what is not in the page is passed over") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"vectors", "-o", "page.html", "--lang", "en", "--quiet"}).exit_code == 0);
  const Loaded loaded = load(place, "page.html", "#query-angle=135&mark=0.0.4&lang=ja");
  CHECK(contains(loaded.document, ": " + expected_answers(place, "135", "10")[4] + "</p>"));
  CHECK(contains(loaded.document, "<html lang=\"ja\">"));
  const Loaded stray = load(place, "page.html", "#query-angle=x&mark=9.9.9&lang=%ff&&=&=");
  CHECK(stray.console == "");
  CHECK(contains(stray.document, "<html lang=\"en\">"));
}

TEST_CASE("A pixel of a map of many cells answers with its value") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  const std::vector<std::string> run{"self-attention", "--tokens", "200", "--lang", "en"};
  std::vector<std::string> paged = run;
  for (const char* word : {"--slide", "seed=42,43", "-o", "page.html", "--quiet"}) paged.emplace_back(word);
  REQUIRE(place.run(paged).exit_code == 0);
  add_moves(
      place, "page.html",
      "const image = document.querySelector('svg.wide[lang=\"en\"] image[data-grid]');\n"
      "const { left, top, width, height } = image.getBoundingClientRect();\n"
      "for (const [row, column] of [[0, 0], [50, 120], [199, 199]]) {\n"
      "  image.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: left + (column + 0.5) / 200 * width, clientY: top + (row + 0.5) / 200 * height }));\n"
      "  say(document.getElementById('answer').firstElementChild.textContent.replace(/.*: /, '')); }");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  std::vector<std::string> words = run;
  for (const char* word : {"--json", "--no-figure"}) words.emplace_back(word);
  const auto weights = nlohmann::json::parse(place.run(words).out).at("arrays").at("weights").at("data");
  std::vector<std::string> expected;
  for (const std::size_t at : {std::size_t{0}, std::size_t{50 * 200 + 120}, std::size_t{199 * 200 + 199}})
    expected.push_back(fmt::format("{:.4g}", weights[at].get<double>()));
  CHECK(joined(found_in(loaded.document)) == joined(expected));
}

TEST_CASE("An image and a curve are led by the keyboard, and say where they are") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place
              .run({"filters", "--figure", "inputs", "--slide", "noise=0,1", "-o", "curve.html", "--lang",
                    "en", "--quiet"})
              .exit_code == 0);
  REQUIRE(place
              .run({"self-attention", "--tokens", "40", "--slide", "seed=42,43", "-o", "map.html", "--lang",
                    "en", "--quiet"})
              .exit_code == 0);
  const std::string moves =
      "const surface = [...document.querySelectorAll('svg.wide[lang=\"en\"] [data-grid]')].find((one) => getComputedStyle(one).visibility !== 'hidden'); surface.focus();\n"
      "for (const name of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'Enter']) key(name, surface);\n"
      "say(document.getElementById('answer').firstElementChild.textContent.replace(/: .*/, ''));\n"
      "say(surface.getAttribute('aria-pressed')); say(surface.getAttribute('role'));\n"
      "say(String(surface.getAttribute('aria-label') === document.getElementById('answer').firstElementChild.textContent));";
  add_moves(place, "curve.html", moves);
  add_moves(place, "map.html", moves);
  const Loaded curve = load(place, "curve.html");
  const Loaded map = load(place, "map.html");
  CHECK(curve.console == "");
  CHECK(map.console == "");
  const std::vector<std::string> on_curve = found_in(curve.document);
  REQUIRE(on_curve.size() == 4);
  CHECK(contains(on_curve[0], " 1"));
  CHECK(on_curve[1] == "true");
  CHECK(on_curve[3] == "true");
  CHECK(joined(found_in(map.document)) ==
        joined({"Query position Token 1, Key position Token 1", "true", "button", "true"}));
}

TEST_CASE("A box of a diagram lights the boxes and arrows that lead to it, stage by stage") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place
              .run({"encoder", "--figure", "diagram", "--slide", "tokens=6,7", "-o", "page.html", "--lang",
                    "en", "--quiet"})
              .exit_code == 0);
  add_moves(
      place, "page.html",
      "const sums = marks().filter((mark) => answer(mark).startsWith('Y'));\n"
      "say(String(sums.length > 0)); answer(sums[0]);\n"
      "const lines = [...document.getElementById('answer').children].slice(1).map((one) => one.textContent);\n"
      "say(String(lines.length > 2 && lines[0].startsWith('Y ←'))); say(String(lines.at(-1).includes('← X')));\n"
      "say(String(document.querySelectorAll('.lights .source').length >= 2 * lines.length));");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  CHECK(joined(found_in(loaded.document)) == joined({"true", "true", "true", "true"}));
}

TEST_CASE("One panel is seen alone and one row is framed in all maps, as the address says") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"heads", "-o", "page.html", "--lang", "en", "--quiet"}).exit_code == 0);
  add_moves(
      place, "page.html",
      "const choose = (id, text) => { const select = document.getElementById(id); select.value = [...select.options].find((one) => one.text === text).value; select.dispatchEvent(new Event('change', { bubbles: true })); };\n"
      "const picture = document.querySelector('svg.wide[lang=\"en\"]'); const whole = picture.getAttribute('viewBox');\n"
      "choose('row', 'Query 2'); say(String(document.querySelectorAll('.lights .chosen').length));\n"
      "choose('panel', 'Head 1'); say(String(picture.getAttribute('viewBox') === whole));\n"
      "setTimeout(() => { say(location.hash.replace(/scale=[^&]*/, '')); choose('panel', 'all'); say(String(picture.getAttribute('viewBox') === whole)); }, 1000);");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  CHECK(joined(found_in(loaded.document)) ==
        joined({"4", "false", "#&amp;panel=1&amp;row=2&amp;lang=en", "true"}));
  const Loaded chosen = load(place, "page.html", "#panel=99&row=x");
  CHECK(chosen.console == "");
}

TEST_CASE("A patch of a picture that is pointed at becomes the reader, and a click keeps it") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"train", "shapes", "--grid", "2", "--steps", "2", "--no-figure", "--data", "s.npz"})
              .exit_code == 0);
  REQUIRE(place
              .run({"attend", "--query", "s.npz:query", "--key", "s.npz:key", "--value", "s.npz:value",
                    "--image", "s.npz:picture", "--lang", "en", "-o", "page.html"})
              .exit_code == 0);
  add_moves(place, "page.html", R"(
    const patch = (row, column) => marks().find((one) => one.dataset.at === `0 ${row} ${column}`);
    const reader = () => document.querySelector('output').textContent;
    say(reader());
    answer(patch(1, 0));
    say(reader());
    say(document.querySelector('svg.wide[lang="en"]').getAttribute('aria-label'));
    answer(marks().find((one) => one.dataset.at.startsWith('1 ')));
    say(reader());
    patch(0, 1).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    answer(patch(1, 1));
    say(reader());
  )");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console.empty());
  const std::vector<std::string> found = found_in(loaded.document);
  REQUIRE(found.size() == 5);
  CHECK(found[0] == "0");
  CHECK(found[1] == "3");
  CHECK(found[2].find("The patch in row 1, column 0 attends") == 0);
  CHECK(found[3] == "3");  // the other maps answer, and choose nothing
  CHECK(found[4] == "2");
}

TEST_CASE("A page fits a desk and a telephone, with letters of 12 pixels and more") {
  if (!is_installed("chromium") || !is_installed("node")) return;
  const Workplace place;
  for (const std::string name : {"vectors", "heads"}) {
    REQUIRE(place.run({name, "--slide", "scale=1,2", "-o", name + ".html", "--lang", "en", "--quiet"})
                .exit_code == 0);
    check_page(place, name + ".html", 390, "light");
    check_page(place, name + ".html", 1280, "dark");
  }
}

TEST_CASE("On a projector what a mark answers is seen with the picture, and a panel alone fits a telephone") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"mistakes", "--slide", "seed=0,1", "-o", "page.html", "--lang", "en", "--quiet"})
              .exit_code == 0);
  add_moves(
      place, "page.html",
      "globalThis.lowest = () => { answer(marks()[7]); const lines = [...document.getElementById('answer').children];\n"
      "  return lines.length > 2 && lines.at(-1).getBoundingClientRect().bottom <= innerHeight; };\n"
      "globalThis.share = () => { const svg = document.querySelector('svg.wide[lang=\"en\"]');\n"
      "  const select = document.getElementById('panel'); const width = () => parseFloat(getComputedStyle(svg).minWidth); const whole = width();\n"
      "  select.value = '0'; select.dispatchEvent(new Event('change', { bubbles: true })); return width() / whole; };");
  Browser browser(place.path("profile").string());
  browser.open("file://" + place.path("page.html").string());
  CHECK(browser.value_of("innerHeight").get<int>() <= 800);
  CHECK(browser.value_of("lowest()") == true);
  CHECK(browser.value_of("share()").get<double>() < 0.7);  // one of two panels
}

TEST_CASE("Labels with markup are shown as they were typed") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place
              .run({"self-attention", "--labels", "<b>a</b>,</script>,&amp;,\"'", "-o", "page.html", "--lang",
                    "en", "--quiet"})
              .exit_code == 0);
  add_moves(place, "page.html", "say(answer(marks()[1])); say(answer(marks()[11]));");
  const Loaded loaded = load(place, "page.html");
  CHECK(loaded.console == "");
  const std::vector<std::string> found = found_in(loaded.document);
  REQUIRE(found.size() == 2);
  CHECK(contains(found[0], "Query position &lt;b&gt;a&lt;/b&gt;, Key position &lt;/script&gt;: 0"));
  CHECK(contains(found[1], "Query position &amp;amp;, Key position \"': 0"));
}

}  // namespace attnlab
