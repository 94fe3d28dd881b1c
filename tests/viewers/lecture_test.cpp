// The lectures that come along in a browser: at a desk and on a telephone, in light and in dark, and on
// paper.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "browser.hpp"
#include "cli/program.hpp"
#include "cli/shell.hpp"
#include "programs.hpp"
#include "reader.hpp"

namespace attnlab {

TEST_CASE("The lectures fit a desk and a telephone in both languages, with letters of 12 pixels and more") {
  if (!is_installed("chromium") || !is_installed("node")) return;
  const Workplace place;
  for (const std::string name : {"book", "slides", "article", "course"}) {
    REQUIRE(place.run({"build", name, "-o", name, "--quiet"}).exit_code == 0);
    for (const std::string page : {"/index.html", "/index.en.html"}) {
      check_page(place, name + page, 390, "light");
      check_page(place, name + page, 1280, "dark");
    }
  }
}

TEST_CASE("Every page of a site fits a desk and a telephone") {
  if (!is_installed("chromium") || !is_installed("node")) return;
  const Workplace place;
  REQUIRE(place.run({"site", "pages", "--quiet"}).exit_code == 0);
  for (const std::string& file : place.files()) {
    if (std::filesystem::path(file).extension() != ".html" || file == "pages/index.html") continue;
    const bool is_japanese = file.rfind("pages/ja/", 0) == 0;
    check_page(place, file, is_japanese ? 390 : 1280, is_japanese ? "light" : "dark", "pages");
  }
  check_page(place, "pages/en/gallery.html", 390, "dark", "pages");
}

TEST_CASE("On a telephone every label stands nearest to its own arrow, wherever the query points") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  const std::string block = "``` {.attnlab}\nvectors --figure arrows --slide query-angle=0:350:36\n```\n";
  place.write("m.ja.md", "---\nlang: ja\n---\n" + block);
  place.write("m.en.md", "---\nlang: en\n---\n" + block);
  REQUIRE(place.run({"build", "m.ja.md", "m.en.md", "-o", "out", "--to", "html", "--quiet"}).exit_code == 0);
  for (const std::string name : {"out/index.html", "out/index.en.html"}) {
    CAPTURE(name);
    std::string page = place.read(name);
    // Heads are triangles in the order of the keys, then the query's and the output's; their labels follow in
    // that order. A thin line is a leader.
    page.replace(
        page.rfind("</body>"), 7,
        "<script>globalThis.strays = async (frame) => { await explored; const root = document.querySelector('.explorable').shadowRoot;\n"
        "const input = root.getElementById('slider-0'); input.value = frame; input.dispatchEvent(new Event('input', { bubbles: true }));\n"
        "const shown = [...root.querySelector('svg.narrow').children].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getAttribute('display') !== 'none');\n"
        "const tips = shown.filter((one) => one.localName === 'path' && one.dataset.at && /^M[^L]*L[^L]*L[^L]*[zZ]$/.test(one.getAttribute('d'))).map((one) => { const [x, y] = one.getAttribute('d').slice(1).split(/[ L]/).map(Number); return new DOMPoint(x, y).matrixTransform(one.getScreenCTM()); });\n"
        "const labels = shown.filter((one) => /scale/.test(one.getAttribute('transform')) && shown.indexOf(one) > shown.findLastIndex((other) => other.dataset.at)).map((one) => one.getBoundingClientRect());\n"
        "const away = (box, { x, y }) => Math.hypot(x - Math.min(Math.max(x, box.left), box.right), y - Math.min(Math.max(y, box.top), box.bottom));\n"
        "if (tips.length !== 12 || labels.length < 11) return [`${tips.length} tips, ${labels.length} labels`];\n"
        "return labels.slice(0, 10).flatMap((box, i) => (tips.slice(0, 10).every((tip, j) => i === j || away(box, tips[i]) < away(box, tip)) ? [] : [`label ${i} in frame ${frame}`])); };</script></body>");
    place.write(name, page);
    Browser browser(place.path("profile-" + name.substr(4)).string());
    browser.show_on_telephone();
    browser.open("file://" + place.path(name).string());
    for (int frame = 0; frame < 36; ++frame) {
      const nlohmann::json strays = browser.value_of(fmt::format("strays({})", frame));
      CHECK_MESSAGE(strays.empty(), frame, " ", strays.dump());
    }
  }
}

TEST_CASE("What the reader looks for is found where it is") {
  if (!is_installed("chromium") || !is_installed("node")) return;
  const Workplace place;
  place.write(
      "bad.html",
      "<meta name='viewport' content='width=device-width'><p style='font-size:9px'>small</p><p id='a' style='width:900px'>wide</p><i id='a'></i><button></button><p style='width:300px;overflow:auto'><svg style='min-width:340px' viewBox='0 0 1 1'></svg></p><script>console.log('said')</script><img src='https://example.invalid/x.png'><svg width='100' viewBox='0 0 100 100'><g transform='scale(.005)'><path d='M0 0h900v900z'/></g><g transform='scale(.005)'><path d='M9 9h900v900z'/></g><g transform='translate(98 0) scale(.005)'><path d='M0 0h900v900z'/></g></svg><div class='explorable' style='width:300px'><template shadowrootmode='open'><p><svg lang='en' data-key='en' width='300' viewBox='0 0 300 300'></svg></p><script type='text/plain' id='page'>H4sIAAAAAAACA6tWKkjMS80pVrKqVkrNU7KKNtAxiK3VUSpOLcpMBYpGR0crGSgYKBgZGCiYGijFxsbWAgAv2HCZMwAAAA==</script></template></div>");
  const nlohmann::json faults = faults_of(place, "bad.html", 390, "light");
  CHECK(faults.at("overflow").get<int>() > 0);
  for (const char* kind : {"wide", "small", "smallLetters", "cut", "unsaid", "colliding", "outside", "tiny",
                           "twins", "unnamed", "console", "requests"}) {
    CHECK_MESSAGE(!faults.at(kind).empty(), kind);
  }
}

TEST_CASE("Two sliders of one page move apart, and say the numbers of their runs") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  const auto sliders = [](const std::string& name) {
    return "``` {.attnlab #" + name + "}\nvectors --figure bars --slide count=3,5,10\n```\n";
  };
  place.write("m.md", "---\ntitle: <b>T</b>\n---\n" + sliders("one") + sliders("two"));
  REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "html", "--quiet"}).exit_code == 0);
  std::string page = place.read("out/index.html");
  page.replace(
      page.rfind("</body>"), 7,
      "<pre id=\"found\"></pre><script>explored.then(() => { const [one, two] = [...document.querySelectorAll('.explorable')].map((host) => host.shadowRoot);\n"
      "const move = (root, place) => { const input = root.getElementById('slider-0'); input.value = place;\n"
      "  input.dispatchEvent(new Event('input', { bubbles: true })); };\n"
      "move(two, 0); const answer = (root) => { const mark = root.querySelector('svg [data-at]');\n"
      "  mark.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));\n"
      "  return root.getElementById('answer').firstElementChild.textContent; };\n"
      "document.getElementById('found').textContent = [one, two].map((root) => `${root.querySelector('output').textContent} ${answer(root)}`).join('|') + location.hash; });</script></body>");
  place.write("out/index.html", page);
  const std::string document = printed_by(fmt::format(
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --user-data-dir={} --dump-dom {} 2>/dev/null",
      shell_path(place.path("profile")), shell_path("file://" + place.path("out/index.html").string())));
  const auto weight = [&](const std::string& count) {
    const Outcome outcome = place.run({"vectors", "--count", count, "--json", "--no-figure"});
    return fmt::format(
        "{:.4g}", nlohmann::json::parse(outcome.out).at("arrays").at("weights").at("data")[0].get<double>());
  };
  const std::size_t begin = document.find("<pre id=\"found\">");
  REQUIRE(begin != std::string::npos);
  const std::string found = document.substr(begin, document.find("</pre>", begin) - begin);
  CHECK_MESSAGE(contains(found, ">10 "), found);
  CHECK_MESSAGE(contains(found, ": " + weight("10") + "|3 "), found);
  CHECK_MESSAGE(contains(found, ": " + weight("3")), found);
}

TEST_CASE("A guess is answered, kept, hidden while the class guesses, and made again") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  place.write(
      "m.md",
      "::: question\nWhich?\n\n``` {.attnlab stage=\"weights[0,1]\"}\nby-hand --figure weights\n```\n\n"
      "::: answer\nThis.\n:::\n:::\n");
  REQUIRE(place.run({"build", "m.md", "-o", "out", "--to", "html", "--lang", "en", "--quiet"}).exit_code ==
          0);
  Browser browser(place.path("profile").string());
  const std::string url = "file://" + place.path("out/index.html").string();
  const std::string touch =
      "document.querySelectorAll('.wide .cover[data-choice]')[{}].dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))";
  const auto verdict = [&] {
    return browser.value_of("document.querySelector('.verdict').textContent").get<std::string>();
  };
  const auto is_open = [&] { return browser.value_of("document.querySelector('details').open").get<bool>(); };
  const std::string hide =
      "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'h', bubbles: true }))";
  browser.open(url);
  CHECK(verdict().empty());
  browser.value_of(fmt::format(fmt::runtime(touch), 2));
  CHECK_MESSAGE(contains(verdict(), "usual mistake"), verdict());
  CHECK(is_open());
  browser.open(url);  // kept
  CHECK(contains(verdict(), "usual mistake"));
  browser.value_of("document.querySelector('.verdict button').click()");
  CHECK(verdict().empty());
  CHECK_FALSE(is_open());
  browser.value_of(hide);
  browser.value_of(fmt::format(fmt::runtime(touch), 0));
  CHECK_MESSAGE(contains(verdict(), "Guessed."), verdict());
  CHECK_FALSE(is_open());
  browser.value_of(hide);
  CHECK(contains(verdict(), "Right."));
  CHECK(is_open());
}

TEST_CASE("In print every answer and every step is there, and nothing to be clicked") {
  if (!is_installed("chromium") || !is_installed("pdftotext")) return;
  const Workplace place;
  REQUIRE(place.run({"build", "book", "-o", "book", "--quiet"}).exit_code == 0);
  REQUIRE(
      run_program(fmt::format(
          "chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir={} --print-to-pdf={} {}",
          shell_path(place.path("profile")), shell_path(place.path("book.pdf")),
          shell_path("file://" + place.path("book/index.en.html").string()))) == 0);
  const std::string text = printed_by("pdftotext " + shell_path(place.path("book.pdf")) + " -");
  CHECK(contains(text, "\fAnswers"));            // on a page of their own
  CHECK(contains(text, "Only 0.212"));           // the first answer
  CHECK(contains(text, "to its third number"));  // the last step
  CHECK_FALSE(contains(text, "Show the answer"));
  CHECK_FALSE(contains(text, "Guess the covered number"));
  CHECK_FALSE(contains(text, "assert agrees"));
  CHECK_FALSE(contains(text, "Play"));
}

}  // namespace attnlab
