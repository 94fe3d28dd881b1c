// Questions whose answer is a number of a figure: which of a row is the greatest, or how great one is.
#include "catalogue/input_files.hpp"
#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"
#include "products/lecture/block_building.hpp"
#include "results/check/check.hpp"

namespace attnlab {
namespace {

/// "weights[0,1]"
struct RequestedStage {
  std::string name;
  std::vector<std::size_t> indices;
};

RequestedStage requested_stage(const std::string& written) {
  const std::size_t open = written.find('[');
  RequestedStage requested{written.substr(0, open), {}};
  if (open == std::string::npos) return requested;
  const bool is_closed = written.back() == ']';
  const std::string inside = is_closed ? written.substr(open + 1, written.size() - open - 2) : "";
  for (const std::string& index : split(inside, ",")) {
    const std::optional<std::size_t> number = number_from<std::size_t>(trimmed(index, " "));
    if (!number)
      refuse_usage(text("stage={} が読めません", "stage={} cannot be read", quotation(written)),
                   {"例：stage=\"weights[0,1]\"", "for example: stage=\"weights[0,1]\""});
    requested.indices.push_back(*number);
  }
  return requested;
}

/// Numbers of a stage that stand side by side, and which of them are asked for: all, or one.
struct RequestedRow {
  std::size_t stage = 0;
  std::vector<std::size_t> indices;  // of the row
  std::size_t begin = 0;             // flat, in the array
  std::size_t size = 0;
  std::optional<std::size_t> one;  // of the row
};

RequestedRow requested_row(const Report& report, const std::string& written) {
  RequestedStage requested = requested_stage(written);
  const Stage* stage = find_named(report.stages, requested.name);
  if (stage == nullptr) refuse_name({"段階", "stage"}, requested.name, names_of(report.stages));
  const std::vector<std::size_t>& shape = stage->array.shape;
  const bool is_row = requested.indices.size() + 1 == shape.size();
  bool is_inside = is_row || (!shape.empty() && requested.indices.size() == shape.size());
  for (std::size_t i = 0; is_inside && i < requested.indices.size(); ++i)
    is_inside = requested.indices[i] < shape[i];
  if (!is_inside)
    refuse_usage(
        text("{} は形状 {} の中にありません", "{} is not inside the shape {}", quotation(written),
             shape_text(shape)),
        {"行か 1 つの数を 0 から数えた番号で選んでください", "choose a row or one number, counting from 0"});
  RequestedRow row;
  row.stage = index_of(report.stages, requested.name);
  if (!is_row) {
    row.one = requested.indices.back();
    requested.indices.pop_back();
  }
  row.indices = std::move(requested.indices);
  row.size = shape.back();
  for (std::size_t i = 0; i < row.indices.size(); ++i) row.begin = row.begin * shape[i] + row.indices[i];
  row.begin *= row.size;
  return row;
}

/// The ids under which a figure may show a number: "weights[0][1,2]", "weights[1,2]", "weights[2]".
std::vector<std::string> ids_of(const std::string& stage, const std::vector<std::size_t>& indices) {
  std::vector<std::string> ids;
  for (std::size_t first = 0; first < indices.size(); ++first) {
    const std::size_t left = indices.size() - first;
    std::string id = stage;
    for (std::size_t i = first; i + 2 < indices.size(); ++i) id = indexed(id, indices[i]);
    ids.push_back(left == 1 ? indexed(id, indices.back())
                            : indexed(id, indices[indices.size() - 2], indices.back()));
  }
  return ids;
}

/// The marks of the row in the picture; none where it does not show them.
std::vector<std::string> marks_of(const RequestedRow& row, const std::string& stage,
                                  const DisplayList& list) {
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < row.size; ++i) {
    std::vector<std::size_t> indices = row.indices;
    indices.push_back(i);
    const std::vector<std::string> ids = ids_of(stage, indices);
    const auto is_there = [&](const std::string& id) {
      return std::any_of(list.items.begin(), list.items.end(),
                         [&](const Item& item) { return item.id == id; });
    };
    const auto found = std::find_if(ids.begin(), ids.end(), is_there);
    if (found == ids.end()) return {};
    marks.push_back(*found);
  }
  return marks;
}

/// The number asked for; or the places in the row of all that are the greatest.
std::vector<double> answers_in(const Array& array, const RequestedRow& row) {
  if (row.one) return {array.data[row.begin + *row.one]};
  constexpr double same = 1e-9;
  const double* begin = array.data.data() + row.begin;
  const double most = *std::max_element(begin, begin + row.size);
  std::vector<double> places;
  for (std::size_t i = 0; i < row.size; ++i) {
    if (most - begin[i] <= same * std::abs(most)) places.push_back(static_cast<double>(i));
  }
  return places;
}

/// About twice as wide as what the array spans, in round numbers, and the answer not at its end; shares of 1
/// are from 0 to at most 1.
std::pair<double, double> range_of(const Array& array, const RequestedRow& row) {
  constexpr double tenth = 0.1;
  double least = 0.0;
  double most = tenth;
  for (const double value : array.data) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  std::pair<double, double> range{std::floor(2.0 * least / tenth) * tenth,
                                  std::ceil(2.0 * most / tenth) * tenth};
  const auto begin = array.data.begin() + static_cast<std::ptrdiff_t>(row.begin);
  const double sum = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(row.size), 0.0);
  if (least == 0.0 && std::abs(sum - 1.0) < 1e-9) return {0.0, std::min(1.0, range.second)};
  const double answer = array.data[row.begin + *row.one];
  const double width = range.second - range.first;
  if (answer < range.first + tenth * width) range.first -= width;
  if (answer > range.second - tenth * width) range.second += width;
  return range;
}

/// Of several that give the same answer the first is kept, and none that gives the right one.
void add_mistaken(BuiltGuess& guess, double answer, const std::string& what) {
  constexpr double same = 1e-6;
  const auto is_known = [answer](double other) { return std::abs(answer - other) < same; };
  const auto is_of = [&](const BuiltGuess::Mistaken& mistaken) { return is_known(mistaken.answer); };
  if (!std::isfinite(answer) || is_known(guess.answer)) return;
  if (std::none_of(guess.mistakes.begin(), guess.mistakes.end(), is_of))
    guess.mistakes.push_back({answer, what});
}

/// The run of a question's figure, which names one figure and the stage to guess.
BlockRun read_guess(const CommandBlock& block, const Workshop& workshop) {
  CommandBlock figure = block;
  const bool names_stage = figure.attributes.values.erase("stage") != 0;
  BlockRun read = workshop.read(figure, workshop.lecture);
  if (names_stage && read.shown == Shown::figures && !read.figure.empty()) return read;
  refuse_usage({"何を予想するのかが決まりません", "what is to be guessed is not named"},
               {"図を --figure で、数を stage=\"weights[0]\" で選んでください",
                "choose the figure with --figure, and its numbers with stage=\"weights[0]\""});
}

}  // namespace

BuiltGuess guess_of(const CommandBlock& block, const Workshop& workshop, BuiltPart& part) {
  BlockRun requested = read_guess(block, workshop);
  requested.place = OnSlide::beside_text;
  part.inputs = inputs_of(requested.run.arguments);
  const Report& report = workshop.runs.report(requested.run);
  const std::string& written = block.attributes.values.at("stage");
  const RequestedRow row = requested_row(report, written);
  const Stage& stage = report.stages[row.stage];

  const Language language = workshop.lecture.language;
  BuiltGuess guess;
  const std::vector<double> answers = answers_in(stage.array, row);
  if (answers.size() != 1 || !std::isfinite(answers.front()))
    refuse_usage(
        text("{} には最大の数が 1 つに決まりません", "{} has no one greatest number", quotation(written)),
        {"別の行か、1 つの数を選んでください", "choose another row, or one number"});
  guess.answer = answers.front();
  if (row.one) guess.range = range_of(stage.array, row);
  for (const MistakenResult& mistaken : mistaken_results(report.stages, row.stage)) {
    if (mistaken.array.shape != stage.array.shape) continue;
    for (const double other : answers_in(mistaken.array, row))
      add_mistaken(guess, other, mistaken.what.in(language));
  }

  guess.open = draw_figures(requested, block.attributes, block.attributes.name, workshop, part).front();
  const auto cover_row = [&](DisplayList& list) {
    const std::vector<std::string> marks = marks_of(row, stage.name, list);
    if (!marks.empty() && cover(list, row.one ? std::vector{marks[*row.one]} : marks, marks)) return;
    refuse_usage(
        text("図 {} は {} の数を横に並べて見せません",
             "figure {} does not show the numbers of {} side by side", requested.figure, quotation(written)),
        {"棒かセルでそれを見せる図を選んでください", "choose a figure that shows them as bars or cells"});
  };
  const Figure* figure = find_named(report.figures, requested.figure);
  guess.covered =
      draw_still(*figure, guess.open.name + "-covered", nullptr, requested, workshop, part, cover_row);
  guess.covered.name = guess.open.name + "-covered";
  guess.covered.title = Text{"予想する図", "What do you guess?"}.in(language);
  guess.covered.description = Text{"答えを隠した図。", "A figure whose answer is covered."}.in(language);
  guess.covered.caption.clear();
  if (!workshop.wants(LectureOutput::html)) return guess;
  guess.covered.wide = guess.open.wide;
  guess.covered.narrow = guess.open.narrow;
  guess.covered.hovers = guess.open.hovers;
  const std::vector<std::string> marks = marks_of(row, stage.name, guess.open.wide.light);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::string& hover = guess.open.hovers[marks[i]];
    if (row.one && *row.one != i) continue;
    guess.marks.push_back(marks[i]);
    guess.choices.push_back(hover.substr(0, hover.rfind(": ")));
  }
  for (ThemedPicture* picture : {&guess.covered.wide, &guess.covered.narrow}) {
    cover_row(picture->light);
    cover_row(picture->dark);
  }
  return guess;
}

}  // namespace attnlab
