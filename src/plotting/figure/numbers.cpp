// What is taken away from each kind of panel.
#include "plotting/figure/numbers.hpp"

#include <glib.h>

#include "core/pattern.hpp"
#include "core/utf8.hpp"
#include "plotting/layout/chart_frame.hpp"

namespace attnlab {
namespace {

using KnownTexts = std::vector<std::string>;  // texts whose numbers may stay

constexpr std::string_view gap_to_fill = "____";
constexpr double plain_edge = 0.25;  // the width of every arrow, whatever its weight was

// --- Words without numbers --------------------------------------------------------------------------------

/// Digits with points before or between them, perhaps an exponent, perhaps a percent sign behind it.
const Pattern& number_pattern() {
  static const Pattern pattern(R"(((?:[0-9]|\.(?=[0-9]))+)([eE][-+]?[0-9]+)?( ?%)?)");
  return pattern;
}

/// With one point, an exponent or a percent sign, a number is a result.
bool gives_away(const std::string& digits, bool has_exponent, bool is_percentage) {
  const auto points = std::count(digits.begin(), digits.end(), '.');
  return points == 1 || has_exponent || (points == 0 && is_percentage);
}

bool is_part_of_word(char letter) { return g_ascii_isalnum(letter) || letter == '_'; }

/// A temperature was chosen, not computed: "T=0.5", "T = 0.5".
bool names_parameter(std::string before) {
  before.erase(std::remove(before.begin(), before.end(), ' '), before.end());
  const std::size_t size = before.size();
  return size >= 2 && before.compare(size - 2, 2, "T=") == 0 &&
         (size == 2 || !is_part_of_word(before[size - 3]));
}

/// The right side of an equation whose left side computes: "2 × 3 + 1 = ".
bool ends_computation(const std::string& before) {
  constexpr std::string_view equals = "= ";
  if (before.size() < equals.size() || before.substr(before.size() - equals.size()) != equals) return false;
  std::string clause = before;
  for (const std::string_view end : {". ", ", ", "。", "、"}) {
    const std::size_t found = clause.rfind(end);
    if (found != std::string::npos) clause.erase(0, found + end.size());
  }
  return clause.find(" × ") != std::string::npos || clause.find(" + ") != std::string::npos;
}

/// Removes the sign that stands right before a number.
void drop_sign(std::string& text) {
  for (const std::string_view sign : {"−", "-", "+"}) {
    if (text.size() >= sign.size() && text.compare(text.size() - sign.size(), sign.size(), sign) == 0) {
      text.erase(text.size() - sign.size());
      return;
    }
  }
}

/// Whether the digits stand in the text as a number of their own.
bool holds_number(const std::string& text, std::string_view digits) {
  const auto continues = [](char letter) { return g_ascii_isdigit(letter) || letter == '.'; };
  for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
    const std::size_t end = at + digits.size();
    if ((at == 0 || !continues(text[at - 1])) && (end == text.size() || !continues(text[end]))) return true;
  }
  return false;
}

bool is_known(std::string_view digits, const KnownTexts& provided) {
  return std::any_of(provided.begin(), provided.end(),
                     [digits](const std::string& text) { return holds_number(text, digits); });
}

/// A whole number and nothing else.
bool is_number(const Text& text) {
  return !text.en().empty() && text.en().find_first_not_of("0123456789") == std::string::npos;
}

Text emptied(const Text& text, const KnownTexts& provided) {
  return {without_numbers(text.ja(), provided), without_numbers(text.en(), provided)};
}

std::vector<ShortText> emptied(const std::vector<ShortText>& texts, const KnownTexts& provided) {
  std::vector<ShortText> results;
  results.reserve(texts.size());
  for (const ShortText& text : texts) {
    results.emplace_back(emptied(Text{text.in(Language::ja), text.in(Language::en)}, provided));
  }
  return results;
}

/// The sentences, each with what ends it.
std::vector<std::string> sentences_of(std::string_view text, std::string_view end) {
  std::vector<std::string> sentences;
  while (!text.empty()) {
    const std::size_t found = text.find(end);
    const std::size_t length = found == std::string_view::npos ? text.size() : found + end.size();
    sentences.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return sentences;
}

/// Sentences without results, and without a word about colours and marks: there are none.
std::string without_results(const std::string& text, std::string_view end,
                            const std::vector<std::string>& marks, const KnownTexts& provided) {
  std::string kept;
  for (const std::string& sentence : sentences_of(text, end)) {
    const std::string lower = lower_case(sentence);
    const bool of_marks = std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
      return lower.find(mark) != std::string::npos;
    });
    if (without_numbers(sentence, provided) == sentence && !of_marks) kept += sentence;
  }
  kept.erase(kept.find_last_not_of(' ') + 1);
  return kept;
}

// --- Panels without numbers -------------------------------------------------------------------------------

HeatMap emptied(HeatMap map, const KnownTexts& provided) {
  map.row_labels = emptied(map.row_labels, provided);
  map.column_labels = emptied(map.column_labels, provided);
  map.fill = CellFill::outline;
  map.decimals = no_numbers;
  map.words.clear();
  map.marked.clear();
  return map;
}

MatrixEquation emptied(MatrixEquation equation, const KnownTexts& provided) {
  for (auto& term : equation.terms) {
    if (auto* matrix = std::get_if<MatrixTerm>(&term)) {
      matrix->map = emptied(std::move(matrix->map), provided);
      matrix->shape = matrix->shape.substr(0, matrix->shape.find(')') + 1);  // without the colours' range
    }
  }
  return equation;
}

Diagram emptied(Diagram diagram, const KnownTexts& provided) {
  for (Node& node : diagram.nodes) {
    node.value.reset();
    node.text = emptied(node.text, provided);
    node.note = emptied(node.note, provided);
  }
  for (Edge& edge : diagram.edges) {
    edge.weight = plain_edge;
    edge.label = is_number(edge.label) ? Text::same(std::string(gap_to_fill)) : emptied(edge.label, provided);
  }
  diagram.scale.reset();
  return diagram;
}

Arcs emptied(Arcs arcs, const KnownTexts& provided) {
  arcs.queries = emptied(arcs.queries, provided);
  arcs.keys = emptied(arcs.keys, provided);
  arcs.heads.clear();
  arcs.query.reset();
  return arcs;
}

void empty_layer(Points& points, const KnownTexts& provided) {
  points.name = emptied(points.name, provided);
  points.x.clear();
  points.y.clear();
}
void empty_layer(Curve& curve, const KnownTexts& provided) {
  curve.name = emptied(curve.name, provided);
  curve.x.clear();
  curve.y.clear();
}
void empty_layer(Bars& bars, const KnownTexts&) {
  bars.values.clear();
  bars.marked.reset();
  bars.scale.reset();
}
/// The arrow that is to be found.
bool is_answer(const Arrow& arrow) {
  return lower_case(arrow.label.en()).find("output") != std::string::npos;
}
void empty_layer(Arrows& arrows, const KnownTexts& provided) {
  arrows.arrows.erase(std::remove_if(arrows.arrows.begin(), arrows.arrows.end(), is_answer),
                      arrows.arrows.end());
  for (Arrow& arrow : arrows.arrows) {
    arrow.label = emptied(arrow.label, provided);
    if (arrow.value) arrow.ink = muted_ink;
    arrow.value.reset();
  }
  arrows.scale.reset();
}
void empty_layer(Rule& rule, const KnownTexts& provided) { rule.label = emptied(rule.label, provided); }
void empty_layer(Circle&, const KnownTexts&) {}
void empty_layer(Callout&, const KnownTexts&) {}

Chart emptied(Chart chart, const KnownTexts& provided) {
  chart.x.limits = x_limits(chart);
  chart.y.limits = y_limits(chart);
  const auto is_callout = [](const Layer& layer) { return std::holds_alternative<Callout>(layer); };
  chart.layers.erase(std::remove_if(chart.layers.begin(), chart.layers.end(), is_callout),
                     chart.layers.end());
  for (Layer& layer : chart.layers) {
    std::visit([&](auto& content) { empty_layer(content, provided); }, layer);
  }
  return chart;
}

Panel emptied(const Panel& panel, const KnownTexts& provided) {
  Panel result{emptied(panel.title, provided), panel.content};
  std::visit([&](const auto& content) { result.content = emptied(content, provided); }, panel.content);
  return result;
}

}  // namespace

std::string without_numbers(const std::string& text, const std::vector<std::string>& provided) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool inside_word = !result.empty() && is_part_of_word(result.back());
    const std::vector<std::string> found =
        inside_word ? std::vector<std::string>{} : number_pattern().match_at(text, at);
    if (found.empty()) {
      result += text[at++];
      continue;
    }
    const std::string number = found[1] + found[2];
    const bool chosen = names_parameter(result) || is_known(number, provided);
    if (ends_computation(result) || (gives_away(found[1], !found[2].empty(), !found[3].empty()) && !chosen)) {
      drop_sign(result);
      result += gap_to_fill;
    } else {
      result += number;
    }
    at += number.size();
  }
  return result;
}

Figure blank(const Figure& figure, const Text& title, const std::vector<std::string>& provided) {
  Figure result = figure;
  std::string english = title.en();
  if (!english.empty() && english[0] >= 'a' && english[0] <= 'z') english[0] += 'A' - 'a';
  result.title = {title.ja() + "\n氏名 ________________　日付 ____________",
                  english + "\nName ____________________  Date ____________"};
  result.description = {"数値を消した演習用の図：" + title.ja(),
                        "An exercise sheet without numbers: " + title.en()};
  result.caption = {
      without_results(figure.caption.ja(), "。",
                      {"色", "斜線：", "矢印：", "枠：", "点：", "三角は", "棒は途中を省"}, provided),
      without_results(figure.caption.en(), ". ",
                      {"colour", "hatched:", "grey:", "arrows:", "framed:", "points:", "dots:", "triangles",
                       "bars are broken"},
                      provided)};
  result.shared_scale.reset();
  for (std::vector<Panel>* panels : {&result.panels, &result.japanese_panels}) {
    for (Panel& panel : *panels) panel = emptied(panel, provided);
  }
  return result;
}

}  // namespace attnlab
