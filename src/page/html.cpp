// The page as one file: style, pictures, data and script.
#include "page/gzip.hpp"
#include "page/live_controls.hpp"
#include "page/markup.hpp"
#include "page/page.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

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
std::size_t space_for_values(const std::vector<PageSlider>& sliders) {
  std::size_t space = 0;
  for (const PageSlider& slider : sliders) {
    for (const std::string& value : slider.values) space = std::max(space, value.size());
  }
  return space;
}

std::string slider_html(const PageSlider& slider, std::size_t number, std::size_t space) {
  const Text back = text("1 つ戻す：{}", "one step back: {}", slider.help);
  const Text forth = text("1 つ進める：{}", "one step forth: {}", slider.help);
  return fmt::format(
      "<div class=\"slider\">\n<label for=\"slider-{0}\"><b aria-hidden=\"true\">{1}</b> {2}</label>\n"
      "<button type=\"button\" class=\"step\" data-slider=\"{0}\" data-by=\"-1\">{3}<i aria-hidden=\"true\">‹</i></button>\n"
      "<input type=\"range\" id=\"slider-{0}\" min=\"0\" max=\"{4}\" value=\"{8}\" autocomplete=\"off\" aria-valuetext=\"{5}\">\n"
      "<button type=\"button\" class=\"step\" data-slider=\"{0}\" data-by=\"1\">{6}<i aria-hidden=\"true\">›</i></button>\n"
      "<output for=\"slider-{0}\" style=\"min-width:{7}ch\">{5}</output>\n</div>\n",
      number, escape(slider.name), span(slider.help), span(back), slider.values.size() - 1,
      escape(slider.values[slider.place]), span(forth), space, slider.place);
}

std::string controls(const ExplorablePage& page) {
  const std::vector<PageSlider>& sliders = page.sliders;
  if (sliders.empty()) return "";
  std::string html;
  for (const Text& note : page.notes) html += in_both("p", "class=\"hint\"", note) + "\n";
  html += "<div id=\"controls\" hidden>\n";
  for (std::size_t i = 0; i < sliders.size(); ++i)
    html += slider_html(sliders[i], i, space_for_values(sliders));
  html += fmt::format("<button type=\"button\" id=\"play\" aria-pressed=\"false\">{}</button>\n",
                      span({"再生", "Play"}));
  return html + "</div>\n" +
         fmt::format("<noscript>{}</noscript>\n",
                     in_both("p", "",
                             {"スライダーを動かすには JavaScript が要ります。図は初めの値のコマです。",
                              "The sliders need JavaScript. The picture is that of their first values."}));
}

struct NamedLayout {
  const char* name;
  const PageLayout& layout;
};

std::vector<NamedLayout> layouts_of(const ExplorablePage& page) {
  return {{"wide", page.wide}, {"narrow", page.narrow}};
}

/// "en", "en narrow"
std::string key_of(const NamedLayout& shown, Language language) {
  return code_of(language) + (shown.name == std::string("wide") ? "" : " narrow");
}

std::string picture_html(const ExplorablePage& page, const NamedLayout& shown, Language language,
                         const Answers& answers) {
  const PagePicture& picture = shown.layout.in(language);
  if (picture.frames() == 0) return "";
  return fmt::format(
      "<svg lang=\"{0}\" class=\"{7}\" data-key=\"{8}\" viewBox=\"0 0 {1} {2}\" style=\"background:{3};--w:{1};--h:{2};--least:{6:.4f}px\" stroke-linejoin=\"round\" role=\"group\" aria-label=\"{4}\" aria-describedby=\"description-{0}\">\n{5}</svg>\n",
      code_of(language), length_text(picture.width()), length_text(picture.height()), picture.paper(),
      escape(page.words[page.first_frame()].title.in(language)),
      standing_frame(picture, page.first_frame(), page.ink, answers.marks),
      picture.least_width() / picture.width(), shown.name, key_of(shown, language));
}

/// In all languages.
double least_width(const PageLayout& layout) {
  return std::ceil(std::max(layout.ja.least_width(), layout.en.least_width()));
}

/// Where the narrow picture takes the wide one's place.
std::string rule_of_layouts(const ExplorablePage& page) {
  if (least_width(page.wide) == 0.0 || least_width(page.narrow) == 0.0) return "";
  return fmt::format(
      "@media screen {{ @container (width < {}px) {{ #picture > svg.wide {{ display: none; }} #picture > svg.narrow {{ display: block; }} }} }}\n",
      least_width(page.wide));
}

std::string descriptions(const FrameWords& words) {
  std::string html;
  for (const Language language : {Language::ja, Language::en}) {
    html += fmt::format("<p id=\"description-{0}\" lang=\"{0}\">{1}</p>\n", code_of(language),
                        escape(words.description.in(language)));
  }
  return html;
}

std::string mark_hint(const Answers& answers) {
  if (answers.marks.empty()) return "";
  return in_both(
             "p", "class=\"hint\"",
             {"マス目・棒・点・曲線・矢印・箱・線・クエリの語にポインターを合わせると、値とその計算が表示されます。クリックすると固定されます。Tab と矢印キーでも選べます。",
              "Point at a cell, a bar, a point, a curve, an arrow, a box, a line or a query's word for its value and its arithmetic; a click fixes it. Tab and the arrow keys choose one, too."}) +
         "\n";
}

/// Shown where the picture scrolls.
std::string sideways_hint() {
  return in_both(
             "p", "class=\"hint sideways\"",
             {"図は画面より広いので、横に動かしてください。", "Wider than the screen: move it sideways."}) +
         "\n";
}

std::string key_hint(const std::vector<PageSlider>& sliders) {
  if (sliders.empty()) return "";
  return in_both("p", "class=\"hint keys\"",
                 {"キー操作：← → ↑ ↓、Home、End で値を動かし、スペースで再生・停止。",
                  "Keys: ← → ↑ ↓, Home and End for the values, space to play and stop."}) +
         "\n";
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

/// By picture, of every frame the names of the panels and their boxes: x, y, width, height.
Json panels_json(const ExplorablePage& page, SeriesTable& table) {
  Json json = Json::object();
  for (const NamedLayout& shown : layouts_of(page)) {
    for (const Language language : {Language::ja, Language::en}) {
      if (shown.layout.in(language).frames() == 0) continue;
      std::vector<Json> names;
      std::vector<Json> boxes;
      for (const std::vector<PanelView>& panels : shown.layout.panels) {
        names.push_back(Json::array());
        boxes.push_back(Json::array());
        for (const PanelView& panel : panels) {
          const Box& box = language == Language::ja ? panel.ja : panel.en;
          names.back().push_back(panel.name.in(language));
          boxes.back().push_back(fmt::format("{} {} {} {}", length_text(box.x), length_text(box.y),
                                             length_text(box.width), length_text(box.height)));
        }
      }
      if (!names.empty()) json[key_of(shown, language)] = {table.number_of(names), table.number_of(boxes)};
    }
  }
  return json;
}

Json changes_json(const ExplorablePage& page, SeriesTable& table) {
  Json json = Json::object();
  for (const NamedLayout& shown : layouts_of(page)) {
    for (const Language language : {Language::ja, Language::en})
      json[key_of(shown, language)] = changes_of(shown.layout.in(language), table);
  }
  return json;
}

Json page_json(const ExplorablePage& page, const Answers& answers, SeriesTable& table) {
  Json json{{"sliders", Json::array()}};
  for (const PageSlider& slider : page.sliders) {
    json["sliders"].push_back({{"name", slider.name}, {"values", slider.values}, {"place", slider.place}});
  }
  json["pictures"] = changes_json(page, table);
  json["words"] = words_json(page.words, table);
  json["panels"] = panels_json(page, table);
  json["letters"] = page.ink.letters.all();
  json["grids"] = answers.grids;
  json["stages"] = answers.stages;
  json["series"] = table.all();
  return json;
}

/// What the script replaces in a live page: the pictures, their letters and colours, and the data.
std::string frame_html(const ExplorablePage& page, const std::vector<Language>& languages,
                       const Answers& answers, SeriesTable& table) {
  std::string html = fmt::format(
      "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><style>\n{}{}</style><defs>\n{}</defs></svg>\n",
      colour_rules(page.ink.colours), rule_of_layouts(page), page.ink.definitions.written());
  for (const NamedLayout& shown : layouts_of(page)) {
    for (const Language language : languages) html += picture_html(page, shown, language, answers);
  }
  return html + fmt::format("<script type=\"text/plain\" id=\"page\">{}</script>\n",
                            base64(gzip(page_json(page, answers, table).dump())));
}

const std::vector<Language> both_languages{Language::ja, Language::en};

/// A panel to be seen alone, a row that is lit in all maps or a query whose lines are left, a head likewise;
/// the script fills them, where there is something to choose.
std::string choices_html() {
  const auto choice = [](const char* id, const Text& name) {
    return fmt::format("<label hidden>{} <select id=\"{}\" autocomplete=\"off\"></select></label>\n",
                       span(name), id);
  };
  return "<div id=\"choices\">\n" + choice("panel", {"大きく見るパネル", "Panel to see alone"}) +
         choice("row", {"注目する行（クエリ）", "Row (query) to look at"}) +
         choice("head", {"線を描くヘッド", "Head whose lines are shown"}) + "</div>\n";
}

/// The picture, and what it answers, in a place that says how to ask as long as nobody does.
std::string figure_html(const ExplorablePage& page, const std::string& frame, const Answers& answers) {
  return "<figure>\n" + choices_html() + "<div id=\"picture\">\n" + frame + "</div>\n" + sideways_hint() +
         "<div class=\"answers\">\n<div id=\"answer\" role=\"status\"></div>\n" + mark_hint(answers) +
         "</div>\n<figcaption>\n" + descriptions(page.words[page.first_frame()]) + key_hint(page.sliders) +
         fmt::format("<p><code id=\"command\">{}</code></p>\n</figcaption>\n</figure>\n",
                     escape(page.command));
}

/// A picture that is not much wider than high, and needs no more than the rest of a desk's window, leaves
/// room beside it for what it answers.
const char* layout_of(const ExplorablePage& page) {
  constexpr double much = 2.2;
  constexpr double rest = 856.0;
  const PagePicture& picture = page.wide.in(page.language);
  return picture.width() < much * picture.height() && least_width(page.wide) <= rest ? "beside" : "below";
}

/// What stands around the picture.
struct Surroundings {
  std::string layout;  // a class
  std::string controls;
  std::string style;
  std::string script;
  std::string nonce;  // " nonce=...", or ""
};

std::string document(const ExplorablePage& page, const std::string& frame, const Answers& answers,
                     const Surroundings& around) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"attnlab\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n",
      code_of(page.language), escape(page.title.in(page.language)), around.style);
  html += language_switch(page.language) + fmt::format("<main class=\"{}\">\n<header>\n", around.layout) +
          in_both("h1", "", page.title) + "\n" + in_both("p", "class=\"source\"", page.source) +
          "\n</header>\n" + around.controls + figure_html(page, frame, answers);
  return html +
         fmt::format("</main>\n<script{}>\n{}</script>\n</body>\n</html>\n", around.nonce, around.script);
}

Text without_arithmetic() {
  return {"数値が多すぎるので、このページには計算を書き出しません",
          "there are too many numbers for the page to write out the arithmetic"};
}

}  // namespace

std::size_t ExplorablePage::first_frame() const {
  std::size_t frame = 0;
  std::size_t stride = 1;
  for (const PageSlider& slider : sliders) {
    frame += stride * slider.place;
    stride *= slider.values.size();
  }
  return frame;
}

WrittenPage page_html(const ExplorablePage& page) {
  SeriesTable table;
  const Answers answers = answers_of(page.answering, table);
  const Surroundings around{layout_of(page), controls(page), page_asset("page.css"), page_asset("page.js"),
                            ""};
  WrittenPage written{document(page, frame_html(page, both_languages, answers, table), answers, around), {}};
  if (!page.has_space_for_stages) written.warnings.push_back(without_arithmetic());
  return written;
}

WrittenPage page_fragment(const ExplorablePage& page) {
  SeriesTable table;
  const Answers answers = answers_of(page.answering, table);
  constexpr double border = 2.0;
  WrittenPage written{
      fmt::format(
          "<div class=\"explorable out\" style=\"--least:{:.0f}px\"><template shadowrootmode=\"open\">\n<style>\n{}</style>\n"
          "<div hidden>{}</div>\n<div class=\"{}\">\n{}{}</div>\n</template></div>\n",
          least_width(page.wide) + border, page_asset("page.css"), language_switch(page.language),
          code_of(page.language), controls(page),
          figure_html(page, frame_html(page, {page.language}, answers, table), answers)),
      {}};
  if (!page.has_space_for_stages) written.warnings.push_back(without_arithmetic());
  return written;
}

std::string page_script() { return page_asset("page.js"); }

std::string live_frame_html(const ExplorablePage& page) {
  SeriesTable table;
  return frame_html(page, {page.language}, answers_of(page.answering, table), table);
}

std::string live_page_html(const ExplorablePage& page, const LiveControls& live) {
  SeriesTable table;
  const Answers answers = answers_of(page.answering, table);
  const Surroundings around{"live", live_controls(live), page_asset("page.css") + page_asset("page.live.css"),
                            page_asset("page.js") + page_asset("page.live.js"),
                            fmt::format(" nonce=\"{}\"", escape(live.nonce))};
  return document(page, frame_html(page, {page.language}, answers, table), answers, around);
}

}  // namespace attnlab
