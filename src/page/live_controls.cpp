#include "page/live_controls.hpp"

#include "page/markup.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

std::string options(const std::vector<std::string>& words, const std::string& chosen) {
  std::string html;
  for (const std::string& word : words) {
    html += fmt::format("<option{}>{}</option>", word == chosen ? " selected" : "", escape(word));
  }
  return html;
}

std::string id_of(const PageControl& control) { return "parameter-" + escape(control.name); }

/// The name, what it goes by in the request, and the default, of which nothing need be said.
std::string naming(const PageControl& control) {
  return fmt::format("id=\"{}\" name=\"{}\" data-default=\"{}\"", id_of(control), escape(control.name),
                     escape(control.default_text));
}

std::string track_html(const PageControl& control) {
  if (!control.track) return "";
  return fmt::format(
      "<input type=\"range\" data-of=\"{}\" min=\"{:.12g}\" max=\"{:.12g}\" step=\"{:.12g}\" value=\"{}\" aria-labelledby=\"slider-word {}-label\">\n",
      id_of(control), control.track->low, control.track->high, control.track->step, escape(control.value),
      id_of(control));
}

std::string typed_html(const PageControl& control) {
  const std::string placeholder = control.default_text.empty() ? control.form : control.default_text;
  std::string html = track_html(control);
  html += fmt::format("<input type=\"text\" {} value=\"{}\" placeholder=\"{}\" spellcheck=\"false\"",
                      naming(control), escape(control.value), escape(placeholder));
  if (control.step > 0.0) html += fmt::format(" inputmode=\"decimal\" data-step=\"{:.12g}\"", control.step);
  if (!control.words.empty()) html += fmt::format(" list=\"{}-words\"", id_of(control));
  html += ">\n";
  if (!control.words.empty()) {
    html +=
        fmt::format("<datalist id=\"{}-words\">{}</datalist>\n", id_of(control), options(control.words, ""));
  }
  return html;
}

std::string chosen_html(const PageControl& control) {
  std::string none;  // of a choice that need not be made
  if (control.default_text.empty()) none = "<option value=\"\">–</option>";
  return fmt::format("<select {}>{}{}</select>\n", naming(control), none,
                     options(control.words, control.value));
}

std::string switched_html(const PageControl& control) {
  return fmt::format("<input type=\"checkbox\" {}{}>\n", naming(control),
                     control.value == "on" ? " checked" : "");
}

std::string control_html(const PageControl& control) {
  std::string form;
  if (!control.form.empty() && control.kind == PageControl::Kind::typed)
    form = fmt::format(" <small aria-hidden=\"true\">{}</small>", escape(control.form));
  const std::string label =
      fmt::format("<label for=\"{0}\" id=\"{0}-label\"><b aria-hidden=\"true\">{1}</b> {2}{3}</label>\n",
                  id_of(control), escape(control.name), span(control.help), form);
  const auto field = [&] {
    switch (control.kind) {
      case PageControl::Kind::chosen: return chosen_html(control);
      case PageControl::Kind::switched: return switched_html(control);
      case PageControl::Kind::typed: break;
    }
    return typed_html(control);
  };
  const bool is_switch = control.kind == PageControl::Kind::switched;
  return fmt::format("<div class=\"parameter{}\">\n{}</div>\n", is_switch ? " switch" : "",
                     is_switch ? field() + label : label + field());
}

std::string controls_html(const std::vector<PageControl>& controls, bool are_seldom) {
  std::string html;
  for (const PageControl& control : controls)
    if (control.is_seldom == are_seldom) html += control_html(control);
  return html;
}

}  // namespace

std::string live_controls(const LiveControls& live) {
  std::string html =
      "<form id=\"parameters\" autocomplete=\"off\">\n<div id=\"refusal\" role=\"alert\"></div>\n"
      "<div id=\"remarks\" role=\"status\"></div>\n<i class=\"unseen\" id=\"slider-word\">" +
      span({"スライダー：", "slider: "}) + "</i>\n";
  html += fmt::format(
      "<div class=\"parameter\">\n<label for=\"figure\">{}</label>\n<select id=\"figure\">{}</select>\n</div>\n",
      span({"図", "Figure"}), options(live.figures, live.figure));
  html += controls_html(live.controls, false);
  const std::string seldom = controls_html(live.controls, true);
  const bool is_open = std::any_of(
      live.controls.begin(), live.controls.end(),
      [](const PageControl& control) { return control.is_seldom && control.value != control.default_text; });
  if (!seldom.empty()) {
    html += fmt::format("<details{}>\n<summary>{}</summary>\n{}</details>\n", is_open ? " open" : "",
                        span({"ほかの設定", "More"}), seldom);
  }
  html += "<p class=\"buttons\">";
  const bool has_track = std::any_of(live.controls.begin(), live.controls.end(),
                                     [](const PageControl& control) { return control.track.has_value(); });
  if (has_track) {
    html += fmt::format("<button type=\"button\" id=\"play\" aria-pressed=\"false\">{}</button> ",
                        span({"再生", "Play"}));
  }
  html +=
      fmt::format("<button type=\"reset\">{}</button> <button type=\"button\" id=\"save\">{}</button></p>\n",
                  span({"初めの値に戻す", "Start again"}), span({"このページを保存", "Save this page"}));
  return html +
         fmt::format(
             "</form>\n<noscript>{}</noscript>\n",
             in_both("p", "", {"値を変えるには JavaScript が要ります。", "The controls need JavaScript."}));
}

}  // namespace attnlab
