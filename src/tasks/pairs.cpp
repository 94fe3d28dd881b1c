// `train pairs`: a task of the user's own, from a file. Each line is an input, a tab and a target; the model
// reads the input and a mark, and is to say the target, word by word.
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t least_inputs = 10;   // different ones
constexpr std::size_t longest_pair = 512;  // tokens
constexpr std::size_t most_words = 5000;
const std::string mark = "→";  // between input and target
const std::string end = "⏎";   // behind the target
const std::string filling =
    "·";  // up to the longest pair; no target counts there, and no word before reads it

using Words = std::vector<std::string>;
struct Pair {
  Words input;
  Words target;
};

/// By blanks where there are any in the file, else by characters.
Words words_of(std::string_view text, bool by_blanks) {
  Words words;
  if (by_blanks) {
    for (std::string& word : split(text, " ")) {
      if (!word.empty()) words.push_back(std::move(word));
    }
    return words;
  }
  const std::u32string characters = decode_utf8(text).value();
  for (const char32_t character : characters) words.push_back(encode_utf8(character));
  return words;
}

[[noreturn]] void refuse_line(const std::string& file, std::size_t line, const char* problem) {
  const TaskWords words("pairs", {{"file", file}, {"line", line}, {"most", longest_pair}});
  refuse_failed(words.with({{"problem", words(problem)}})("bad_line"), words("bad_line_hint"));
}

std::vector<Pair> pairs_of(const std::string& contents, const std::string& file) {
  std::vector<std::string> lines = split(contents, "\n");
  const bool by_blanks = contents.find(' ') != std::string::npos;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = trimmed(lines[i], "\r");
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
      refuse_line(file, i + 1, "no_tab");
    }
    Pair pair{words_of(line.substr(0, tab), by_blanks), words_of(line.substr(tab + 1), by_blanks)};
    if (pair.input.empty() || pair.target.empty()) refuse_line(file, i + 1, "nothing_there");
    if (pair.input.size() + pair.target.size() + 1 > longest_pair) refuse_line(file, i + 1, "too_long");
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// The targets of each different input, as often as the file has them.
using Targets = std::vector<Words>;
std::map<Words, Targets> by_input(const std::vector<Pair>& pairs, const std::string& file) {
  std::map<Words, Targets> inputs;
  for (const Pair& pair : pairs) inputs[pair.input].push_back(pair.target);
  const TaskWords words(
      "pairs",
      {{"file", file}, {"inputs", counted(inputs.size(), "different input")}, {"least", least_inputs}});
  if (inputs.size() < least_inputs) refuse_failed(words("too_few"), words("too_few_hint"));
  return inputs;
}

/// How many lines repeat another, and how many inputs have more than one target.
Text oddities_of(const std::map<Words, Targets>& inputs) {
  std::size_t repeated = 0;
  std::size_t contradictory = 0;
  for (const auto& [input, targets] : inputs) {
    const std::size_t different = std::set<Words>(targets.begin(), targets.end()).size();
    repeated += targets.size() - different;
    contradictory += different > 1 ? 1U : 0U;
  }
  const TaskWords words("pairs", {{"repeated", repeated}, {"contradictory", contradictory}});
  return text("{}{}", "{}{}", repeated > 0 ? words("repeated") : Text::none(),
              contradictory > 0 ? words("contradictory") : Text::none());
}

/// input → target ⏎, filled up; the word that follows is the target from the mark on.
void add_pair(const Pair& pair, const std::map<std::string, int>& number, Batch& batch) {
  Words words = pair.input;
  words.push_back(mark);
  const std::size_t first = words.size() - 1;
  words.insert(words.end(), pair.target.begin(), pair.target.end());
  words.push_back(end);
  const std::size_t answered = words.size();
  words.resize(batch.tokens + 1, filling);
  for (std::size_t i = 0; i < batch.tokens; ++i) {
    batch.inputs.push_back(number.at(words[i]));
    batch.targets.push_back(i >= first && i + 1 < answered ? number.at(words[i + 1]) : no_target);
  }
  ++batch.sequences;
}

std::size_t inputs_held_out(std::size_t different) { return std::min<std::size_t>(512, different / 10); }

/// One in ten of the different inputs is held out, with all its lines, in an order that neither they nor
/// --seed change: whoever reads a saved model again holds out the same.
Task task_of(const Arguments& arguments, const std::map<Words, Targets>& inputs) {
  Task task{"pairs"};
  std::set<std::string> different;
  std::size_t tokens = 0;
  std::vector<const Words*> by_name;
  for (const auto& [input, targets] : inputs) {
    by_name.push_back(&input);
    different.insert(input.begin(), input.end());
    for (const Words& target : targets) {
      different.insert(target.begin(), target.end());
      tokens = std::max(tokens, input.size() + target.size() + 1);
    }
  }
  task.words.assign(different.begin(), different.end());
  task.words.insert(task.words.end(), {mark, end, filling});
  const TaskWords words("pairs", {{"words", task.words.size()}, {"most", most_words}});
  if (task.words.size() > most_words) refuse_failed(words("too_many"), words("too_many_hint"));
  task.answers = task.words;
  std::map<std::string, int> number;
  for (const std::string& word : task.words) number.emplace(word, static_cast<int>(number.size()));
  task.shape = model_shape(arguments, task.words.size(), task.words.size(), tokens);
  task.shape.reading = Reading::what_came_before;

  NumpyRandom random(2);
  const std::vector<int> order = draw_different(random, by_name.size(), by_name.size());
  const std::size_t held_out = inputs_held_out(order.size());
  task.held_out = {0, tokens, {}, {}};
  Batch all{0, tokens, {}, {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Words& input = *by_name[static_cast<std::size_t>(order[i])];
    const Targets& targets = inputs.at(input);
    if (i < held_out) {
      for (const Words& target : std::set<Words>(targets.begin(), targets.end()))
        add_pair({input, target}, number, task.held_out);
    } else {
      for (const Words& target : targets) add_pair({input, target}, number, all);
    }
  }
  task.example = first_of(task.held_out);
  task.draw = [all](NumpyRandom& stream, std::size_t sequences) {
    return drawn_from(all, stream, sequences);
  };
  return task;
}

/// How many held-out pairs are answered in full, to the mark at their end.
std::size_t answered_in_full(const Learned& learned) {
  const Batch& test = learned.task.held_out;
  const std::vector<int> answered = answers_to(learned.model, test);
  std::size_t full = 0;
  for (std::size_t i = 0; i < test.sequences; ++i) {
    bool is_right = true;
    for (std::size_t k = i * test.tokens; k < (i + 1) * test.tokens; ++k)
      is_right = is_right && (test.targets[k] == no_target || test.targets[k] == answered[k]);
    full += is_right ? 1U : 0U;
  }
  return full;
}

/// What the model says behind the example and its mark, word by word, each read before the next.
std::string answer_to_example(const Learned& learned) {
  Batch read = learned.task.example;
  Words answered;
  while (read.inputs.size() < learned.task.shape.tokens) {
    const int next = answers_to(learned.model, read).back();
    if (learned.task.answers.at(static_cast<std::size_t>(next)) == end) break;
    answered.push_back(learned.task.answers.at(static_cast<std::size_t>(next)));
    read.inputs.push_back(next);
    read.targets.push_back(no_target);
    ++read.tokens;
  }
  return joined(answered, " ");
}

Report run_pairs(const Arguments& arguments, const Context& context) {
  const bool has_file = arguments.is_set("pairs");
  const TaskWords own("pairs");
  if (!has_file && !arguments.sources.model) refuse_usage(own("no_pairs"), own("no_pairs_hint"));
  const std::string file = has_file ? without_folders(arguments.text("pairs")) : "";
  std::map<Words, Targets> inputs;
  if (has_file) inputs = by_input(pairs_of(arguments.sources.contents.at("pairs"), file), file);
  Task task = has_file ? task_of(arguments, inputs) : task_of_words("pairs", arguments);
  task.shape.reading = Reading::what_came_before;
  task.typed_end = mark;
  task.values = {{"file", file},
                 {"inputs", inputs.size()},
                 {"held_out", inputs_held_out(inputs.size())},
                 {"mark", mark},
                 {"end", end},
                 {"words", task.words.size()},
                 {"oddities", oddities_of(inputs)}};
  const Learned learned = learned_from(task, arguments, context);
  TrainingReport training = training_report_of(learned);
  const TaskWords& words = training.words;
  if (learned.task.has_typed_example) {
    training.typed_answer = words.with({{"answer", answer_to_example(learned)}})("answer");
    training.weights_description = words("weights_description_typed");
  }
  if (!has_file) {
    training.heading = words("heading_of_words");
    training.weights_title = words("weights_of_words");
    training.data = words("data_of_words");
    return report_of(learned, training, context);
  }
  const auto full =
      static_cast<double>(answered_in_full(learned)) / static_cast<double>(task.held_out.sequences);
  training.scalars = {{"held_out_in_full", full}};
  training.closing = {words.with({{"full", full}}).say("in_full"),
                      words.paragraph(Role::misunderstanding, "memory")};
  add_ablations(task, arguments, context, training);
  return report_of(learned, training, context);
}

}  // namespace

Experiment pairs_task() {
  const Parameter pairs = TaskWords("pairs").flag("pairs", FileKind{"FILE.tsv", FileKind::Holds::text}, "");
  return learning_task(
      "pairs",
      training_parameters(
          {pairs}, {{"layers", "2"}, {"heads", "2"}, {"mlp", "64"}, {"norm", "pre"}, {"mask", "causal"}}),
      run_pairs);
}

}  // namespace attnlab
