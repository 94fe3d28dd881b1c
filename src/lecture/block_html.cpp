#include "lecture/block_html.hpp"

#include "core/json.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

std::string in_language(Language language, const char* ja, const char* en) {
  return language == Language::ja ? ja : en;
}

/// As it stands, line by line.
std::string escape_lines(const std::string& program) {
  std::string escaped;
  for (std::size_t begin = 0; begin < program.size();) {
    const std::size_t end = std::min(program.find('\n', begin), program.size());
    escaped += escape(program.substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return escaped;
}

std::string scrolling(const std::string& inside) {
  return "<div class=\"scroll\" tabindex=\"0\">" + inside + "</div>\n";
}

// --- Reports

/// "W_O" with its subscript, as the figures have it.
std::string with_subscripts(const std::string& plain) {
  std::string html;
  for (const auto& [text, subscript] : sentence_parts(plain))
    html += escape(text) + (subscript.empty() ? "" : "<sub>" + subscript + "</sub>");
  return html;
}

/// What stands between backticks is code.
std::string sentence_html(const std::string& plain) {
  std::string html;
  std::size_t done = 0;
  for (std::size_t begin = plain.find('`'); begin != std::string::npos; begin = plain.find('`', done)) {
    const std::size_t end = plain.find('`', begin + 1);
    if (end == std::string::npos) break;
    html += with_subscripts(plain.substr(done, begin - done)) + "<code>" +
            escape(plain.substr(begin + 1, end - begin - 1)) + "</code>";
    done = end + 1;
  }
  return html + with_subscripts(plain.substr(done));
}

std::string block_html(const Paragraph& paragraph, Language language) {
  const std::string text = sentence_html(paragraph.text.in(language));
  const auto callout = [&](const char* kind, const std::string& label) {
    return fmt::format("<div class=\"callout {}\"><b>{}</b><p>{}</p></div>\n", kind, label, text);
  };
  switch (paragraph.role) {
    case Role::heading: return "<h3>" + text + "</h3>\n";
    case Role::text: return "<p>" + text + "</p>\n";
    case Role::say: return callout("say", in_language(language, "要点", "Key point"));
    case Role::misunderstanding:
      return callout("misunderstanding", in_language(language, "よくある誤解", "Common misunderstanding"));
    case Role::note: return callout("note", in_language(language, "注", "Note"));
  }
  return {};
}

std::string block_html(const Values& values, Language language) {
  return fmt::format("<p>{}</p>\n<pre tabindex=\"0\"><code>{}</code></pre>\n",
                     escape(values.label.in(language)), escape_lines(numpy_text(values.array)));
}

std::string block_html(const Equation& equation, Language language) {
  return html_of(BuiltEquation{equation.formula}, language);
}

bool is_number_cell(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,+-−e%×infa ") == std::string::npos;
}

std::string block_html(const Table& table, Language language) {
  std::string html = "<table>\n<thead><tr>";
  for (const Text& header : table.header)
    html += "<th scope=\"col\">" + escape(header.in(language)) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<ShortText>& row : table.rows) {
    html += "<tr>";
    for (const ShortText& cell : row) {
      const std::string& text = cell.in(language);
      html += (is_number_cell(text) ? "<td class=\"number\">" : "<td>") + escape(text) + "</td>";
    }
    html += "</tr>\n";
  }
  return scrolling(html + "</tbody></table>");
}

// --- Questions

/// What lecture.guess.js compares a guess with.
Json guess_json(const BuiltGuess& guess) {
  Json mistakes = Json::array();
  for (const BuiltGuess::Mistaken& mistaken : guess.mistakes)
    mistakes.push_back({mistaken.answer, mistaken.what});
  Json json{{"answer", guess.answer}, {"mistakes", std::move(mistakes)}};
  if (guess.range) json["range"] = {guess.range->first, guess.range->second};
  return json;
}

// --- An explanation, step by step

Formula line_of(const Chain& chain) {
  std::vector<Formula> parts{chain.left};
  for (const Chain::Link& link : chain.links) {
    parts.push_back(formula::sym(link.relation));
    parts.push_back(link.right);
  }
  return formula::row(std::move(parts));
}

std::string line_html(const std::variant<Text, Chain>& line, Language language) {
  if (const auto* text = std::get_if<Text>(&line)) return "<p>" + escape(text->in(language)) + "</p>\n";
  constexpr std::size_t piece = 24;  // in digits: lines break between pieces
  std::string pieces;
  for (const Formula& part : broken(line_of(std::get<Chain>(line)), piece))
    pieces += to_mathml(part, MathPlace::inline_text) + " ";
  return "<p class=\"chain\">" + pieces + "</p>\n";
}

std::string explanation_html(const Explanation& explanation, Language language) {
  std::string html =
      fmt::format("<details>\n<summary>{}</summary>\n<p>{}</p>\n<ol>\n",
                  in_language(language, "計算を 1 段階ずつ見る", "The computation, step by step"),
                  escape(explanation.introduction.in(language)));
  for (const ExplanationStep& step : explanation.steps) {
    html += "<li><p>" + escape(step.title.in(language)) + "</p>\n";
    for (const auto& line : step.lines) html += line_html(line, language);
    html += "</li>\n";
  }
  return html + "</ol>\n</details>\n";
}

}  // namespace

std::string title_html(const std::string& title, const std::string& caption) {
  const std::string below = caption.empty() ? "" : "<p>" + sentence_html(caption) + "</p>\n";
  return "<p class=\"title\">" + sentence_html(title) + "</p>\n" + below;
}

std::string html_of(const BuiltText& text, Language /*language*/) {
  return fmt::format("<div class=\"text{}\">\n{}</div>\n", text.on_slide ? " slide" : "", text.html);
}

std::string html_of(const BuiltNotes& notes, Language /*language*/) {
  std::string html = "<ol class=\"notes\">\n";
  for (std::size_t i = 0; i < notes.notes.size(); ++i)
    html += fmt::format("<li id=\"note.{}\">{}</li>\n", i + 1, notes.notes[i]);
  return html + "</ol>\n";
}

std::string html_of(const BuiltEquation& equation, Language /*language*/) {
  constexpr std::size_t line = 40;  // in digits: what a telephone shows
  const std::string sign = "<mo>";
  std::string html;
  for (const Formula& piece : broken(equation.formula, line)) {
    std::string math = to_mathml(piece, MathPlace::displayed);
    const std::size_t first = html.empty() ? std::string::npos : math.find(sign);  // stands between two sides
    if (first != std::string::npos) math.replace(first, sign.size(), "<mo form=\"infix\">");
    html += (html.empty() ? "" : " ") + math;
  }
  return "<div class=\"equation\" tabindex=\"0\">" + html + "</div>\n";
}

std::string html_of(const BuiltReport& report, Language language) {
  std::string html;
  for (const Block& block : report.blocks)
    html += std::visit([&](const auto& one) { return block_html(one, language); }, block);
  if (report.explanation) html += explanation_html(*report.explanation, language);
  return "<div class=\"report\">\n" + html + "</div>\n";
}

/// The numbers that a program is checked with are in a place of their own, which a print leaves out.
std::string program_html(const std::string& program) {
  const std::size_t first = program.find("\nassert ");
  const std::size_t begin = first == std::string::npos ? first : program.rfind("# ---", first);
  if (begin == std::string::npos) return escape_lines(program);
  const std::size_t end = std::min(program.find("\nprint(", first), program.size() - 1) + 1;
  return escape_lines(program.substr(0, begin)) + "<span class=\"checks\">" +
         escape_lines(program.substr(begin, end - begin)) + "</span>" + escape_lines(program.substr(end));
}

std::string html_of(const BuiltCode& code, Language language) {
  const std::string hint =
      in_language(language, "クリックすると全体が選択されるので、そのままコピーできます。",
                  "A click selects the whole program, to be copied.");
  return fmt::format(
      "<div class=\"program\">\n<pre tabindex=\"0\"><code>{}</code></pre>\n"
      "<p class=\"files\">{} <code>{}</code></p>\n</div>\n",
      program_html(code.program), hint, escape(code.command));
}

std::string html_of(const BuiltClaim& claim, Language language) {
  const std::string quote = in_language(language, "「{}」", "“{}”");
  const std::string corrected =
      claim.corrected.empty() ? "" : "<p>→ " + sentence_html(claim.corrected) + "</p>\n";
  return fmt::format(
      "<div class=\"claim {}\">\n<p class=\"verdict\">{}<span class=\"place\">{}</span></p>\n<p>{}</p>\n"
      "<p>{} {}</p>\n{}</div>\n",
      claim.kind, escape(claim.verdict), escape(claim.place),
      fmt::format(fmt::runtime(quote), with_subscripts(claim.quote)),
      in_language(language, "実行すると：", "Running it shows:"), sentence_html(claim.evidence), corrected);
}

std::string html_of(const BuiltSliders& sliders, Language /*language*/) {
  return fmt::format("<section class=\"moving\" id=\"{}\" aria-label=\"{}\">\n{}{}</section>\n", sliders.name,
                     escape(sliders.title), title_html(sliders.title, sliders.caption), sliders.html);
}

std::string html_of(const BuiltFilm& film, Language /*language*/) {
  const auto image = [&](const char* kind, const char* type, std::string FilmPictures::*bytes) {
    const auto data = [&](const FilmPictures& pictures) {
      return fmt::format("data:image/{};base64,{}", type, base64(pictures.*bytes));
    };
    const std::string dark =
        film.dark ? fmt::format("<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"{}\">\n",
                                data(*film.dark))
                  : "";
    return fmt::format(
        "<picture>\n{}<img class=\"{}\" src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\">\n</picture>\n",
        dark, kind, data(film.pictures), film.width, film.height, escape(film.description));
  };
  return fmt::format(
      "<figure id=\"{}\" class=\"moving film\">\n{}{}<figcaption>\n{}<p class=\"files\"><code>{}</code></p>\n</figcaption>\n</figure>\n",
      film.name, image("runs", "gif", &FilmPictures::gif), image("stands", "png", &FilmPictures::last_frame),
      title_html(film.title, film.caption), escape(film.command));
}

std::string html_of(const BuiltBreak& /*end*/, Language /*language*/) {
  return "<div class=\"break\"></div>\n";
}

std::string html_of(const BuiltHtml& block, Language /*language*/) { return block.html; }

std::string question_html(const BuiltQuestion& question, std::size_t number, const std::string& picture,
                          Language language) {
  const std::optional<BuiltGuess>& guess = question.guess;
  return fmt::format(
      "<div class=\"question\"{}>\n<div class=\"asks\"><b>{} {}</b>\n{}</div>\n{}<details>\n<summary>{}</summary>\n"
      "<div class=\"answer\">\n{}{}</div>\n</details>\n</div>\n",
      guess ? fmt::format(" data-guess=\"{}\"", escape(guess_json(*guess).dump())) : "",
      in_language(language, "問", "Question"), number, question.question, picture,
      in_language(language, "答えを見る", "Show the answer"), question.answer,
      guess ? fmt::format("<p class=\"files\"><code>{}</code></p>\n", escape(guess->open.command)) : "");
}

std::string answer_html(const BuiltQuestion& question, std::size_t number) {
  return fmt::format("<li value=\"{}\">{}</li>\n", number, question.answer);
}

}  // namespace attnlab
