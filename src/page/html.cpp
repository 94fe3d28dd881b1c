// The page as one file: style, pictures, data and script.
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "page/page.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

std::string asset(std::string_view name) {
  for (const EmbeddedFile& file : page_files()) {
    if (file.path == name) return std::string(file.text);
  }
  throw std::out_of_range("no asset " + std::string(name));
}

/// `<p class="source" lang="ja">...</p>` and the same in English.
std::string in_both(const std::string& element, const std::string& attributes, const Text& text) {
  std::string both;
  for (const Language language : {Language::ja, Language::en}) {
    both += fmt::format("<{0}{1} lang=\"{2}\">{3}</{0}>", element, attributes.empty() ? "" : " " + attributes,
                        code_of(language), escape(text.in(language)));
  }
  return both;
}

std::string span(const Text& text) {
  return in_both("span", "", text);
}

std::string language_switch(Language chosen) {
  std::string radios;
  for (const Language language : {Language::ja, Language::en}) {
    radios += fmt::format(
        "<input type=\"radio\" name=\"language\" id=\"{0}\"{1}><label for=\"{0}\" lang=\"{0}\">{2}</label>\n",
        code_of(language), language == chosen ? " checked" : "",
        language == Language::ja ? "日本語" : "English");
  }
  return radios;
}

/// Room for the values of all sliders, in digits, so that no slider changes its length.
std::size_t room_for_values(const std::vector<PageSlider>& sliders) {
  std::size_t room = 0;
  for (const PageSlider& slider : sliders) {
    for (const std::string& value : slider.values) room = std::max(room, value.size());
  }
  return room;
}

std::string slider_html(const PageSlider& slider, std::size_t number, std::size_t room) {
  const Text back = text("{} を 1 つ戻す", "{}: one step back", slider.name);
  const Text forth = text("{} を 1 つ進める", "{}: one step forth", slider.name);
  return fmt::format(
      "<div class=\"slider\">\n<label for=\"slider-{0}\"><b>{1}</b> {2}</label>\n"
      "<button type=\"button\" class=\"step\" data-slider=\"{0}\" data-by=\"-1\">{3}<i "
      "aria-hidden=\"true\">‹</i></button>\n"
      "<input type=\"range\" id=\"slider-{0}\" min=\"0\" max=\"{4}\" value=\"0\" autocomplete=\"off\" "
      "aria-valuetext=\"{5}\">\n"
      "<button type=\"button\" class=\"step\" data-slider=\"{0}\" data-by=\"1\">{6}<i "
      "aria-hidden=\"true\">›</i></button>\n"
      "<output for=\"slider-{0}\" style=\"min-width:{7}ch\">{5}</output>\n</div>\n",
      number, escape(slider.name), span(slider.help), span(back), slider.values.size() - 1,
      escape(slider.values.front()), span(forth), room);
}

std::string controls(const std::vector<PageSlider>& sliders) {
  std::string html = "<div id=\"controls\" hidden>\n";
  for (std::size_t i = 0; i < sliders.size(); ++i)
    html += slider_html(sliders[i], i, room_for_values(sliders));
  html += fmt::format("<button type=\"button\" id=\"play\" aria-pressed=\"false\">{}</button>\n",
                      span({"再生", "Play"}));
  return html + "</div>\n" +
         fmt::format("<noscript>{}</noscript>\n",
                     in_both("p", "",
                             {"スライダーを動かすには JavaScript が要ります。図は最初のコマです。",
                              "The sliders need JavaScript. The picture is the first frame."}));
}

std::string picture_html(const ExplorablePage& page, Language language, const Answers& answers) {
  const PagePicture& picture = language == Language::ja ? page.ja : page.en;
  const std::string code = code_of(language);
  return fmt::format(
      "<svg lang=\"{0}\" viewBox=\"0 0 {1} {2}\" style=\"background:{3}\" stroke-linejoin=\"round\" "
      "role=\"group\" aria-label=\"{4}\" aria-describedby=\"description-{0}\">\n{5}</svg>\n",
      code, length_text(picture.width()), length_text(picture.height()), picture.paper(),
      escape(page.words.front().title.in(language)), first_frame(picture, page.ink, answers.marks));
}

std::string descriptions(const FrameWords& words) {
  std::string html;
  for (const Language language : {Language::ja, Language::en}) {
    html += fmt::format("<p id=\"description-{0}\" lang=\"{0}\">{1}</p>\n", code_of(language),
                        escape(words.description.in(language)));
  }
  return html;
}

std::string hints(const Answers& answers) {
  const std::string marks = in_both(
      "p", "class=\"hint\"",
      {"マス目・棒・点・矢印にポインターを合わせると、値とその計算が表示されます。クリックすると固定されます"
       "。",
       "Point at a cell, a bar, a point or an arrow for its value and its arithmetic; a click fixes it."});
  const std::string keys = in_both("p", "class=\"hint\"",
                                   {"キー操作：← → ↑ ↓、Home、End で値を動かし、スペースで再生・停止。",
                                    "Keys: ← → ↑ ↓, Home and End for the values, space to play and stop."});
  return (answers.marks.empty() ? "" : marks + "\n") + keys + "\n";
}

/// One series per language and kind of words.
Json words_json(const std::vector<FrameWords>& words, SeriesTable& table) {
  Json json;
  for (const Language language : {Language::ja, Language::en}) {
    std::vector<Json> titles;
    std::vector<Json> texts;
    for (const FrameWords& frame : words) {
      titles.emplace_back(frame.title.in(language));
      texts.emplace_back(frame.description.in(language));
    }
    json[code_of(language)] = {table.number_of(titles), table.number_of(texts)};
  }
  return json;
}

/// JSON inside a page: no `<` can end the script or begin a comment.
std::string inside_page(const Json& json) {
  std::string text;
  for (const char letter : json.dump()) text += letter == '<' ? "\\u003c" : std::string(1, letter);
  return text;
}

Json page_json(const ExplorablePage& page, const Answers& answers, SeriesTable& table) {
  Json json;
  for (const PageSlider& slider : page.sliders) {
    json["sliders"].push_back({{"name", slider.name}, {"values", slider.values}});
  }
  json["pictures"] = {{"ja", changes_of(page.ja, table)}, {"en", changes_of(page.en, table)}};
  json["words"] = words_json(page.words, table);
  json["letters"] = page.ink.letters.all();
  json["grids"] = answers.grids;
  json["stages"] = answers.stages;
  json["series"] = table.all();
  return json;
}

}  // namespace

namespace {

std::string style_of(const ExplorablePage& page) {
  return fmt::format("<style>\n{}{}</style>\n", colour_rules(page.ink.colours), asset("page.css"));
}

/// The picture in these languages, and below it what it answers.
std::string figure_html(const ExplorablePage& page, const std::vector<Language>& languages,
                        const Answers& answers) {
  std::string html =
      "<figure>\n<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n" +
      page.ink.definitions.written() + "</defs></svg>\n";
  for (const Language language : languages) html += picture_html(page, language, answers);
  html += "<div id=\"answer\" role=\"status\"></div>\n";
  return html + "<figcaption>\n" + descriptions(page.words.front()) + hints(answers) +
         fmt::format("<p><code>{}</code></p>\n</figcaption>\n</figure>\n", escape(page.command));
}

std::string data_html(const ExplorablePage& page, const Answers& answers, SeriesTable& table) {
  return "<script type=\"application/json\" id=\"page\">" + inside_page(page_json(page, answers, table)) +
         "</script>\n";
}

WrittenPage with_warnings(std::string html, const Answers& answers) {
  WrittenPage written{std::move(html), {}};
  if (!answers.is_complete) {
    written.warnings.emplace_back("数値が多すぎるので、このページには計算を書き出しません",
                                  "there are too many numbers for the page to write out the arithmetic");
  }
  return written;
}

}  // namespace

WrittenPage page_html(const ExplorablePage& page) {
  SeriesTable table(page.sliders.front().values.size());
  const Answers answers = answers_of(page.answering, table);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
      "dark\">\n"
      "<meta name=\"generator\" content=\"attnlab\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{}</title>\n{}</head>\n<body>\n",
      code_of(page.language), escape(page.title.in(page.language)), style_of(page));
  html += language_switch(page.language) + "<main>\n" + in_both("h1", "", page.title) + "\n" +
          in_both("p", "class=\"source\"", page.source) + "\n" + controls(page.sliders) +
          figure_html(page, {Language::ja, Language::en}, answers);
  html += "</main>\n" + data_html(page, answers, table) + page_script() + "</body>\n</html>\n";
  return with_warnings(std::move(html), answers);
}

WrittenPage page_fragment(const ExplorablePage& page) {
  const PagePicture& picture = page.language == Language::ja ? page.ja : page.en;
  // A point is never less than a pixel; on paper a picture leaves room for others.
  const std::string sizes = fmt::format(
      "<style>figure {{ overflow-x: auto; }} figure > svg[viewBox] {{ min-width: {:.0f}px; }}\n@media print "
      "{{ "
      "figure > svg[viewBox] {{ min-width: 0; max-height: 88mm; }} }}</style>\n",
      picture.width());
  SeriesTable table(page.sliders.front().values.size());
  const Answers answers = answers_of(page.answering, table);
  std::string html = fmt::format(
      "<div class=\"explorable\"><template shadowrootmode=\"open\">\n{}<div hidden>{}</div>\n<div "
      "class=\"{}\">\n{}{}</div>\n{}",
      style_of(page) + sizes, language_switch(page.language), code_of(page.language), controls(page.sliders),
      figure_html(page, {page.language}, answers), data_html(page, answers, table));
  return with_warnings(html + "</template></div>\n", answers);
}

std::string page_script() {
  return "<script>\n" + asset("page.js") + "</script>\n";
}

}  // namespace attnlab
