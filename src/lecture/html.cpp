// The lecture as one page: every figure inside it, readable from a USB stick in any browser.
#include "core/embedded_file.hpp"
#include "lecture/block_html.hpp"
#include "page/page.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

/// Writes the parts of the page; pictures share their outlines and colours.
class PageWriter {
 public:
  explicit PageWriter(const BuiltLecture& lecture) : lecture_(lecture) {}

  std::string body() {
    std::string html;
    for (std::size_t i = 0; i < lecture_.sections.size(); ++i) html += section(lecture_.sections[i], i + 1);
    return html + answers();
  }

  const PageInk& ink() const { return ink_; }
  /// Where narrow pictures take the place of wide ones.
  std::string rules_of_pictures() const {
    std::string rules;
    for (const std::size_t least : least_) {
      rules += fmt::format(
          "@media screen {{ @container (width < {0}px) {{ .least-{0} .wide {{ display: none; }} .least-{0} .narrow {{ display: block; }} }} }}\n",
          least);
    }
    return rules;
  }
  bool has_sliders() const { return has_sliders_; }
  bool has_guesses() const {
    return std::any_of(questions_.begin(), questions_.end(),
                       [](const BuiltQuestion* question) { return question->guess.has_value(); });
  }

 private:
  std::string in_language(const char* ja, const char* en) const {
    return lecture_.language == Language::ja ? ja : en;
  }

  std::string section(const BuiltSection& section, std::size_t number) {
    const std::string heading = fmt::format("<h2 id=\"section.{}\">{}</h2>\n", number, escape(section.title));
    const std::string name = section.name.empty() ? "" : " id=\"" + escape(section.name) + "\"";
    std::string html = section.title.empty() ? "<section>\n"
                                             : fmt::format("<section{} aria-labelledby=\"section.{}\">\n{}",
                                                           name, number, heading);
    for (const BuiltBlock& block : section.blocks) {
      html += std::visit([this](const auto& one) { return this->block_of(one); }, block);
    }
    return html + "</section>\n";
  }

  template <class Plain>
  std::string block_of(const Plain& block) {
    return html_of(block, lecture_.language);
  }

  std::string block_of(const BuiltSliders& sliders) {
    has_sliders_ = true;
    return html_of(sliders, lecture_.language);
  }

  std::string block_of(const BuiltFigures& figures) {
    std::string html;
    for (const BuiltFigure& one : figures.figures) html += figure(one);
    return html;
  }

  /// Radio buttons choose one of the figures without a script; in print all are shown.
  std::string block_of(const BuiltSteps& steps) {
    ++steps_;
    constexpr std::size_t frame = 36;  // beside them
    std::size_t least = 0;
    for (const BuiltFigure& one : steps.figures) least = std::max(least, needed(one) + frame);
    std::string html =
        fmt::format("<fieldset class=\"steps out\" style=\"--least:{}px\">\n<legend>{}</legend>\n", least,
                    in_language("順に見る", "Step by step"));
    for (std::size_t i = 0; i < steps.figures.size(); ++i) {
      html += fmt::format(
          "<input type=\"radio\" name=\"steps.{0}\" id=\"steps.{0}.{1}\"{2} autocomplete=\"off\" aria-label=\"{1}: {3}\"><label for=\"steps.{0}.{1}\" title=\"{3}\">{1}</label>\n",
          steps_, i + 1, i == 0 ? " checked" : "", escape(steps.figures[i].title));
    }
    html += "<div class=\"stack\">\n";
    for (const BuiltFigure& one : steps.figures) html += figure(one);
    return html + "</div>\n</fieldset>\n";
  }

  std::string block_of(const BuiltQuestion& question) {
    questions_.push_back(&question);
    const std::string picture = question.guess ? covered(*question.guess) : "";
    return question_html(question, questions_.size(), picture, lecture_.language);
  }

  /// Covers are touched, and what is under them shows with the answer.
  std::string covered(const BuiltGuess& guess) {
    const BuiltFigure& figure = guess.covered;
    std::map<std::string, std::string> attributes;
    for (std::size_t i = 0; i < guess.choices.size(); ++i) {
      const std::string id = indexed(cover_id, i);
      attributes[id] =
          fmt::format(" class=\"cover\" data-choice=\"{}\" tabindex=\"0\" role=\"button\" aria-label=\"{}\"",
                      i, escape(guess.choices[i]));
      attributes[id + ".text"] = " class=\"cover\"";
      attributes[guess.marks[i] + ".text"] = " class=\"covered\"";
    }
    return pictures(figure, attributes);
  }

  /// Both pictures of a figure: the narrow one where letters of the wide one would be too small. Fingers do
  /// not hover: it goes without.
  std::string pictures(const BuiltFigure& figure, const std::map<std::string, std::string>& attributes = {}) {
    PagePicture wide;
    PagePicture narrow;
    wide.add(figure.wide.light, figure.wide.dark, ink_);
    narrow.add(figure.narrow.light, figure.narrow.dark, ink_);
    const std::size_t least = needed(figure);
    least_.insert(least);
    return fmt::format("<div class=\"shapes out least-{0}\" style=\"--least:{0}px\">\n{1}{2}</div>\n", least,
                       picture(wide, "wide", figure, figure.hovers, attributes),
                       picture(narrow, "narrow", figure, {}, attributes));
  }

  std::string picture(const PagePicture& picture, const char* kind, const BuiltFigure& figure,
                      const std::map<std::string, std::string>& hovers,
                      const std::map<std::string, std::string>& attributes) {
    constexpr double telephone = 362.0;
    const bool scrolls = kind == std::string("narrow") && picture.least_width() > telephone;
    return fmt::format(
        "{9}<div class=\"picture {1} scroll\"><svg viewBox=\"0 0 {2} {3}\" style=\"min-width:{4:.0f}px\" stroke-linejoin=\"round\" role=\"img\" aria-label=\"{5}\">\n<desc>{6}</desc>\n{7}</svg></div>{10}\n{8}",
        figure.name, kind, length_text(picture.width()), length_text(picture.height()), picture.least_width(),
        escape(figure.title), escape(figure.description), still_frame(picture, ink_, hovers, attributes),
        scrolls ? fmt::format("<p class=\"{} files\">{}</p>\n", kind,
                              in_language("図は画面より広いので、横に動かしてください。",
                                          "Wider than the screen: move it sideways."))
                : "",
        attributes.empty() ? fmt::format("<a class=\"zoom\" href=\"#{}\">", figure.name) : "",
        attributes.empty() ? "</a>" : "");
  }

  std::string figure(const BuiltFigure& figure) {
    const std::string close = in_language("閉じる", "Close");
    return fmt::format(
        "<div id=\"list.{0}\"></div>\n<figure id=\"{0}\"{7}>\n{1}<a class=\"close\" href=\"#list.{0}\" aria-label=\"{2}\" title=\"{2}\">×</a>\n"
        "<figcaption>\n{3}<details class=\"files\"><summary>{6}</summary><p><code>{4}</code> {5}</p></details>\n</figcaption>\n</figure>\n",
        figure.name, pictures(figure), close, title_html(figure.title, figure.caption),
        escape(figure.command), files_of(figure), in_language("コマンドとファイル", "Command and files"),
        figure.on_slide ? "" : " class=\"page\"");
  }

  std::string files_of(const BuiltFigure& figure) const {
    std::string links;
    const auto add = [&](const std::string& file) {
      links += fmt::format(" <a href=\"{}\">{}</a>", escape(file), file.substr(file.rfind('.') + 1));
    };
    for (const std::string& file : figure.files) add(file);
    for (const std::string& file : figure.data) add(file);
    return links.empty() ? "" : in_language("ファイル：", "Files:") + links;
  }

  std::string answers() const {
    if (questions_.empty()) return "";
    std::string list;
    for (std::size_t i = 0; i < questions_.size(); ++i) list += answer_html(*questions_[i], i + 1);
    return fmt::format("<section class=\"answers\">\n<h2>{}</h2>\n<ol>\n{}</ol>\n</section>\n",
                       in_language("問の答え", "Answers"), list);
  }

  /// How wide the window must be for its wide picture, and a frame around it.
  static std::size_t needed(const BuiltFigure& figure) {
    constexpr double frame = 2.0;
    return static_cast<std::size_t>(std::ceil(least_width(figure.wide.light) + frame));
  }

  const BuiltLecture& lecture_;
  PageInk ink_;
  std::set<std::size_t> least_;  // of all figures
  bool has_sliders_ = false;
  std::size_t steps_ = 0;
  std::vector<const BuiltQuestion*> questions_;
};

/// Those that stand still; nullptr where there are none.
const std::vector<BuiltFigure>* figures_of(const BuiltBlock& block) {
  if (const auto* figures = std::get_if<BuiltFigures>(&block)) return &figures->figures;
  const auto* steps = std::get_if<BuiltSteps>(&block);
  return steps == nullptr ? nullptr : &steps->figures;
}

/// The sections, and the figures of each in a list that opens.
std::string contents(const BuiltLecture& lecture) {
  std::string list;
  std::string figures;
  for (std::size_t i = 0; i < lecture.sections.size(); ++i) {
    const BuiltSection& section = lecture.sections[i];
    if (!section.title.empty())
      list += fmt::format("<li><a href=\"#section.{}\">{}</a></li>\n", i + 1, escape(section.title));
    for (const BuiltBlock& block : section.blocks) {
      const std::vector<BuiltFigure>* shown = figures_of(block);
      if (shown == nullptr) continue;
      for (const BuiltFigure& figure : *shown)
        figures += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", figure.name, escape(figure.title));
    }
  }
  const bool is_japanese = lecture.language == Language::ja;
  if (!figures.empty()) {
    figures = fmt::format("<details><summary>{}</summary>\n<ul>\n{}</ul>\n</details>\n",
                          is_japanese ? "図の一覧" : "All figures", figures);
  }
  return fmt::format("<nav aria-label=\"{}\">\n<ol>\n{}</ol>\n{}</nav>\n", is_japanese ? "目次" : "Contents",
                     list, figures);
}

std::string author_of(const BuiltLecture& lecture) {
  return lecture.author.empty() ? "" : "<p class=\"author\">" + escape(lecture.author) + "</p>\n";
}

std::string other_language(const BuiltLecture& lecture) {
  if (lecture.other_page.empty()) return "";
  const bool to_english = lecture.language == Language::ja;
  return fmt::format("<p class=\"other\"><a href=\"{0}\" hreflang=\"{1}\" lang=\"{1}\">{2}</a></p>\n",
                     lecture.other_page, to_english ? "en" : "ja", to_english ? "English" : "日本語");
}

/// Which figure the chosen one of several radio buttons shows.
std::string rules_of_steps(const BuiltLecture& lecture) {
  std::size_t most = 0;
  for (const BuiltSection& section : lecture.sections) {
    for (const BuiltBlock& block : section.blocks) {
      if (const auto* steps = std::get_if<BuiltSteps>(&block)) most = std::max(most, steps->figures.size());
    }
  }
  if (most == 0) return "";
  std::string rules = "@media screen { .stack > figure { visibility: hidden; }\n";
  for (std::size_t i = 1; i <= most; ++i) {
    rules += fmt::format(
        ".steps > input:nth-of-type({0}):checked ~ .stack > figure:nth-of-type({0}) {{ visibility: visible; }}\n",
        i);
  }
  return rules + "}\n";
}

}  // namespace

std::string lecture_html(const BuiltLecture& lecture) {
  PageWriter writer(lecture);
  const std::string body = writer.body();
  const std::string page_rules =
      colour_rules(writer.ink().colours) + writer.rules_of_pictures() + rules_of_steps(lecture);
  const std::string moving =
      writer.has_sliders() ? "<script>\n" + page_script() + "</script>\n" : std::string();
  const std::string scripts = (writer.has_guesses() ? std::string(lecture_files()[1].text) : "") +
                              std::string(lecture_files().back().text);
  const bool is_alone = lecture.shared.empty();
  const std::string style =
      is_alone ? fmt::format("<style>{}{}</style>", lecture_files().front().text, page_rules)
               : fmt::format("<link rel=\"stylesheet\" href=\"{}pages.css\">\n<style>{}</style>",
                             lecture.shared, page_rules);
  const std::string script = is_alone ? fmt::format("{}<script>\n{}</script>", moving, scripts)
                                      : fmt::format("<script src=\"{}pages.js\"></script>", lecture.shared);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"attnlab\">\n<title>{}</title>\n{}\n</head>\n<body>\n"
      "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n{}</defs></svg>\n"
      "{}<h1>{}</h1>\n{}{}{}<main>\n{}</main>\n{}\n</body>\n</html>\n",
      code_of(lecture.language), escape(lecture.title), style, writer.ink().definitions.written(),
      lecture.trail, escape(lecture.title), author_of(lecture), other_language(lecture), contents(lecture),
      body, script);
}

std::map<std::string, std::string> shared_files() {
  return {{"pages.css", std::string(lecture_files().front().text)},
          {"pages.js",
           page_script() + std::string(lecture_files()[1].text) + std::string(lecture_files().back().text)}};
}

}  // namespace attnlab
