// Every figure on a page, at the widths of a telephone, a tablet, a desk and a projector: nothing is cut,
// nothing moves sideways, and every letter can be read. And what a screen reader says of the controls.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "browser.hpp"
#include "cli/program.hpp"
#include "cli/served.hpp"
#include "cli/shell.hpp"
#include "programs.hpp"

namespace attnlab {
namespace {

/// Measured in the page, once its style stands: what is cut or too small.
const std::string faults = R"((() => {
  const everything = (root) => [...root.querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? [one, ...everything(one.shadowRoot)] : [one]));
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  const isText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  const all = everything(document).filter((one) => !one.closest('.definitions, script, style, template, title, desc, datalist') && isShown(one));
  const least = 11;
  const width = document.documentElement.clientWidth;
  const faults = [];
  if (document.scrollingElement.scrollWidth > width) faults.push(`scrolls to ${document.scrollingElement.scrollWidth}`);
  const pictures = all.filter((one) => one.matches('svg[viewBox]'));
  for (const svg of pictures) {
    const { left, right } = svg.getBoundingClientRect();
    const name = svg.getAttribute('aria-label');
    const { scrollWidth, clientWidth } = svg.parentElement;
    if (left < -0.5 || right > width + 0.5 || scrollWidth > clientWidth + 1) faults.push(`cut: ${name}`);
    // Letters stand in outlines of 1000 units an em.
    for (const letters of svg.querySelectorAll('g[transform*="scale"]')) {
      const { a, b } = letters.getScreenCTM();
      if (isShown(letters) && Math.hypot(a, b) * 1000 < least) { faults.push(`small letters: ${name}`); break; }
    }
  }
  for (const one of all) {
    if (isText(one) && !one.closest('svg') && parseFloat(getComputedStyle(one).fontSize) < least) faults.push(`small: ${one.textContent}`);
  }
  return { faults, pictures: pictures.length };
})())";

const std::string settled =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))";

/// The pages in one browser, each at all widths.
void check_widths(const Workplace& place, const std::vector<std::string>& pages) {
  Browser browser(place.path("profile").string());
  int pictures = 0;
  for (const std::string& page : pages) {
    browser.show_in(390);
    browser.open("file://" + place.path(page).string());
    for (const int width : {390, 768, 1280, 1920}) {
      browser.show_in(width);
      browser.value_of(settled);
      const nlohmann::json measured = browser.value_of(faults);
      CHECK_MESSAGE(measured.at("faults").empty(), page, " at ", width, ": ", measured.at("faults").dump());
      pictures += measured.at("pictures").get<int>();
    }
  }
  CHECK(pictures >= static_cast<int>(pages.size()));
}

/// "weights", "arcs": what `--figure` takes, as the refusal of another name says.
std::vector<std::string> figures_of(const Workplace& place, std::vector<std::string> command) {
  for (const char* word : {"--figure", "?", "--lang", "en", "-o", "x.html"}) command.emplace_back(word);
  const std::string refusal = place.run(command).err;
  const std::string begin = "choose from ";
  REQUIRE(contains(refusal, begin));
  std::istringstream words(refusal.substr(refusal.find(begin) + begin.size()));
  std::vector<std::string> names;
  for (std::string name; words >> name;) {
    if (name.back() == ',') name.pop_back();
    if (name != "all") names.push_back(name);
  }
  return names;
}

/// A page for every figure of the command, in one language or the other.
std::vector<std::string> pages_of(const Workplace& place, const std::vector<std::string>& command) {
  std::vector<std::string> pages;
  for (const std::string& figure : figures_of(place, command)) {
    pages.push_back(fmt::format("{}-{}.html", fmt::join(command, "-"), figure));
    std::vector<std::string> words = command;
    for (const std::string& word :
         {std::string("--figure"), figure, std::string("-o"), pages.back(), std::string("--quiet")})
      words.push_back(word);
    const Outcome outcome = place.run(words);
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
  }
  return pages;
}

std::vector<std::string> experiments(const Workplace& place) {
  std::vector<std::string> names;
  for (const std::string& line : lines_of(place.run({"list", "--lang", "en"}).out))
    names.push_back(line.substr(0, line.find(' ')));
  return names;
}

/// Of a page, those that are seen, marks left aside; each root by itself.
const std::string controls =
    "[...(globalThis.root ?? document).querySelectorAll('input, select, button, summary, textarea')].filter((one) => one.checkVisibility())";

void check_names(Browser& browser, const std::string& what) {
  const nlohmann::json names = browser.names_of(controls);
  CHECK(names.size() > 0);
  std::set<std::string> known;
  for (const nlohmann::json& one : names) {
    const std::string name = one[0];
    CHECK_MESSAGE(!name.empty(), what, ": ", one.dump());
    CHECK_MESSAGE(known.insert(name).second, what, " has twice: ", name);
  }
}

}  // namespace

TEST_CASE("No figure of an experiment is cut on its page, at four widths") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  std::vector<std::string> pages;
  for (const std::string& name : experiments(place)) {
    for (const std::string& page : pages_of(place, {name})) pages.push_back(page);
  }
  check_widths(place, pages);
}

TEST_CASE("No figure of a model or a task is cut on its page, at four widths") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  std::vector<std::string> pages;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"model", "text", "Alice was beginning to"},
        std::vector<std::string>{"model", "world", "the books above the tree"}}) {
    for (const std::string& page : pages_of(place, command)) pages.push_back(page);
  }
  // Of a task that is not trained anew.
  for (const auto& [task, figure] : std::vector<std::pair<std::string, std::string>>{{"reverse", "weights"},
                                                                                     {"reverse", "arcs"},
                                                                                     {"world", "weights"},
                                                                                     {"world", "arcs"},
                                                                                     {"world", "next"}}) {
    pages.push_back(task + "-" + figure + ".html");
    REQUIRE(place.run({"train", task, "--model", task, "--figure", figure, "-o", pages.back(), "--quiet"})
                .exit_code == 0);
  }
  check_widths(place, pages);
}

TEST_CASE("No figure of a site's pages and lectures is cut, at four widths") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"site", "pages", "--quiet"}).exit_code == 0);
  std::vector<std::string> pages;
  for (const std::string& file : place.files()) {
    if (std::filesystem::path(file).extension() == ".html") pages.push_back(file);
  }
  check_widths(place, pages);
}

TEST_CASE("What is cut or too small is found") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  place.write(
      "bad.html",
      "<meta name='viewport' content='width=device-width'><h1>x</h1><p style='font-size:10px'>small</p><p style='width:300px;overflow:auto'><svg aria-label='wide' style='width:340px' viewBox='0 0 100 100'><g transform='scale(.003)'><path d='M0 0h900v900z'/></g></svg></p><p style='width:500px'>wide</p>");
  Browser browser(place.path("profile").string());
  browser.show_in(390);
  browser.open("file://" + place.path("bad.html").string());
  const std::string found = browser.value_of(faults).at("faults").dump();
  for (const char* fault : {"scrolls to", "cut: wide", "small letters: wide", "small: small"})
    CHECK_MESSAGE(contains(found, fault), found);
}

TEST_CASE("Every control has a name of its own that a person would say, in both languages") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  Browser browser(place.path("profile").string());
  for (const std::string language : {"en", "ja"}) {
    for (const std::string& name : experiments(place)) {
      const std::string page = name + "." + language + ".html";
      REQUIRE(place.run({name, "-o", page, "--lang", language, "--quiet"}).exit_code == 0);
      browser.open("file://" + place.path(page).string());
      browser.value_of("explored");
      check_names(browser, page);
    }
    place.write("m." + language + ".md",
                "---\nlang: " + language + "\n---\n``` {.attnlab .sliders}\nvectors\n```\n");
    REQUIRE(
        place.run({"build", "m." + language + ".md", "-o", language, "--to", "html", "--quiet"}).exit_code ==
        0);
    browser.open("file://" + place.path(language + "/index.html").string());
    browser.value_of(
        "explored.then(() => { globalThis.root = document.querySelector('.explorable').shadowRoot; })");
    check_names(browser, "a lecture in " + language);
    for (const std::string name : {"vectors", "self-attention"}) {
      const Served served({name, "--lang", language});
      browser.open(served.address());
      check_names(browser, "explore " + name + " in " + language);
    }
  }
  REQUIRE(place.run({"vectors", "-o", "v.html", "--lang", "en", "--quiet"}).exit_code == 0);
  browser.open("file://" + place.path("v.html").string());
  CHECK(browser.names_of("[document.querySelector('input[type=range]')]")[0][0] ==
        "angle of the query in degrees");
}

TEST_CASE("Nothing moves by itself for a reader who wants that") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  REQUIRE(place.run({"vectors", "-o", "v.html", "--lang", "en", "--quiet"}).exit_code == 0);
  Browser browser(place.path("profile").string());
  browser.show_without_motion();
  browser.open("file://" + place.path("v.html").string());
  browser.value_of("explored");
  CHECK(browser.value_of("document.getElementById('play').checkVisibility()") == false);
  const std::string place_after =
      "(async () => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));\n"
      "  await new Promise((done) => setTimeout(done, 600)); return Number(document.getElementById('slider-0').value); })()";
  const int before = browser.value_of("Number(document.getElementById('slider-0').value)").get<int>();
  CHECK(browser.value_of(place_after) == before + 1);  // a step, and no more
}

TEST_CASE("A live page is laid out for the width that its window has, and anew when that changes") {
  if (!is_installed("chromium")) return;
  const Workplace place;
  const Served served({"heads", "--lang", "en"});
  Browser browser(place.path("profile").string());
  browser.show_in(390);
  browser.open(served.address());
  const std::string shows =
      "(async () => {{ const seen = () => document.querySelector('#picture > svg.{}')?.checkVisibility();\n"
      "  for (let i = 0; i < 100 && !seen(); ++i) await new Promise((done) => setTimeout(done, 50));\n"
      "  return document.querySelectorAll('#picture > svg[lang]').length === 1 && seen(); }})()";
  CHECK(browser.value_of(fmt::format(fmt::runtime(shows), "narrow")) == true);
  CHECK(browser.value_of(faults).at("faults").dump() == "[]");
  browser.show_in(1280);
  CHECK(browser.value_of(fmt::format(fmt::runtime(shows), "wide")) == true);
  CHECK(browser.value_of(faults).at("faults").dump() == "[]");
  browser.show_in(768);
  browser.value_of("new Promise((done) => setTimeout(done, 1000))");
  CHECK(browser.value_of(faults).at("faults").dump() == "[]");
  CHECK(browser.console() == "");
}

}  // namespace attnlab
