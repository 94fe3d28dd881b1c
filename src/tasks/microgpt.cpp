// `train microgpt`: the whole of a GPT in the smallest form that is taught, with Karpathy's numbers.
#include "tasks/microgpt.hpp"

#include "core/counted.hpp"
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "experiments/framework/room.hpp"
#include "tasks/framework/held_out_error.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

LetterDocuments documents_of(const std::string& name, std::string_view text) {
  LetterDocuments documents{name, {}, {}};
  std::set<char32_t> different;
  for (const std::string& line : split(std::string(text), "\n")) {
    const std::u32string letters = decode_utf8(trimmed(line, " \t\r")).value();
    if (letters.empty()) continue;
    different.insert(letters.begin(), letters.end());
    documents.lines.push_back(letters);
  }
  documents.letters.assign(different.begin(), different.end());
  constexpr std::size_t most_letters = 1000;
  const TaskWords words("microgpt", {{"name", name}, {"letters", different.size()}, {"most", most_letters}});
  if (documents.lines.empty()) refuse_failed(words("empty"), words("empty_hint"));
  if (different.size() > most_letters) refuse_failed(words("too_many"), words("empty_hint"));
  return documents;
}

/// (L(w + h) − L(w − h)) / 2h against the gradient, at some weights of every matrix: fewer of a large model,
/// whose every loss takes long.
double slope_error(Microgpt model, const MicrogptFirstStep& step) {
  constexpr double h = 1e-5;
  constexpr double most_products = 4e9;
  const auto of_a_try =
      static_cast<double>(2 * model.matrices().size() * step.parameters.size() * step.pass.positions);
  const auto tried = static_cast<std::size_t>(std::clamp(most_products / of_a_try, 1.0, 7.0));  // of each
  double error = 0.0;
  for (const Microgpt::Matrix& matrix : model.matrices()) {
    const std::size_t count = matrix.rows * matrix.columns;
    for (std::size_t i = 0; i < tried; ++i) {
      const std::size_t at = matrix.offset + (i * count) / tried;
      model.set_parameter(at, step.parameters[at] + h);
      const double above = model.loss(step.document);
      model.set_parameter(at, step.parameters[at] - h);
      const double below = model.loss(step.document);
      model.set_parameter(at, step.parameters[at]);
      error = worst(error, std::abs((above - below) / (2.0 * h) - step.gradient[at]));
    }
  }
  return error;
}

/// At temperature 1 the probabilities themselves.
std::vector<double> heated(const double* logits, std::size_t count, double temperature) {
  std::vector<double> shares(count);
  const double most = *std::max_element(logits, logits + count) / temperature;
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += shares[i] = std::exp(logits[i] / temperature - most);
  for (double& share : shares) share /= sum;
  return shares;
}

std::string written_word(Microgpt& model, const LetterDocuments& documents, double temperature,
                         PythonRandom& random) {
  std::vector<int> tokens{documents.end()};
  std::string word;
  while (tokens.size() <= model.sizes().block) {
    const std::size_t vocabulary = model.sizes().vocabulary;
    const MicrogptPass& pass = model.read(tokens.data(), tokens.size());
    const double* logits = pass.logits.data() + (tokens.size() - 1) * vocabulary;
    const auto next = static_cast<int>(random.choice(heated(logits, vocabulary, temperature)));
    if (next == documents.end()) break;
    word += documents.word(next);
    tokens.push_back(next);
  }
  return word;
}

MicrogptRun learn_microgpt(const Arguments& arguments, const Context& context) {
  MicrogptRun run;
  const bool is_given = arguments.given("text");
  run.documents = is_given ? documents_of(without_folders(arguments.text("text")), arguments.contents("text"))
                           : documents_of("names.txt", shipped_names());
  run.sizes = {run.documents.letters.size() + 1, arguments.count("width"), arguments.count("heads"),
               arguments.count("layers"), arguments.count("block")};
  if (run.sizes.width % run.sizes.heads != 0) {
    const TaskWords words("microgpt", {{"width", run.sizes.width}, {"heads", run.sizes.heads}});
    refuse_usage(words("no_division"), words("no_division_hint"));
  }
  PythonRandom random(static_cast<std::uint32_t>(arguments.integer("seed")));
  random.shuffle(run.documents.lines);
  Microgpt model(run.sizes, random);
  run.matrices = model.matrices();
  run.first.document = run.documents.tokens(run.documents.lines.front());
  run.first.parameters = model.parameters();
  const std::size_t steps = arguments.count("steps");
  for (std::size_t step = 0; step < steps && !run.was_stopped; ++step) {
    const std::u32string& line = run.documents.lines[step % run.documents.lines.size()];
    run.losses.push_back(model.learn(run.documents.tokens(line)));
    if (step == 0) {
      run.first.gradient = model.gradient();
      run.first.pass =
          model.read(run.first.document.data(), std::min(run.sizes.block, run.first.document.size() - 1));
      run.first.slope_error = slope_error(model, run.first);
    }
    model.update(step, microgpt_rate * (1.0 - static_cast<double>(step) / static_cast<double>(steps)));
    if (step == 0) run.first.updated = model.parameters();
    if (step % microgpt_mean == 0) context.progress(static_cast<double>(step) / static_cast<double>(steps));
    run.was_stopped = context.stops && context.stops();
  }
  run.parameters = model.parameters();
  run.learned = model.read(run.first.document.data(), run.first.pass.positions);
  for (std::size_t i = 0; i < arguments.count("samples"); ++i)
    run.written.push_back(written_word(model, run.documents, arguments.number("temperature"), random));
  return run;
}

// --- What is told of it

/// The last losses, over which the mean is taken.
std::vector<double> last_losses(const MicrogptRun& run) {
  const auto last = static_cast<std::ptrdiff_t>(std::min(microgpt_mean, run.losses.size()));
  return {run.losses.end() - last, run.losses.end()};
}

TaskWords words_of(const MicrogptRun& run) {
  const std::size_t steps = run.losses.size();
  const std::vector<double> last = last_losses(run);
  const std::u32string& line = run.documents.lines.front();
  return TaskWords("microgpt", {{"name", run.documents.name},
                                {"documents", counted(run.documents.lines.size(), "document")},
                                {"letters", counted(run.documents.letters.size(), "letter")},
                                {"parameters", run.parameters.size()},
                                {"steps", counted(steps, "step")},
                                {"last", last.size()},
                                {"first_loss", run.losses.front()},
                                {"loss", mean_of(last).mean},
                                {"even", std::log(static_cast<double>(run.sizes.vocabulary))},
                                {"document", LetterDocuments::text(line)},
                                {"words", joined(run.written, ", ")}});
}

Table losses_table(const MicrogptRun& run, const TaskWords& words) {
  Table table{{training_words()("step"), words("column_document"), training_words()("loss")}};
  for (const std::size_t step : std::vector<std::size_t>{1, 2, 3, 10, 100, 1000}) {
    if (step > run.losses.size()) break;
    const std::u32string& line = run.documents.lines[(step - 1) % run.documents.lines.size()];
    table.rows.push_back(
        {fmt::format("{}", step), LetterDocuments::text(line), fmt::format("{:.6f}", run.losses[step - 1])});
  }
  return table;
}

Report run_microgpt(const Arguments& arguments, const Context& context) {
  const MicrogptRun run = learn_microgpt(arguments, context);
  const TaskWords words = words_of(run);
  const std::size_t n = run.learned.positions;
  Report report;
  report.stages = microgpt_stages(run);
  append(report.stages, {step("learned_weights", Formula{},
                              to_tensor(run.learned.layers.back().weights, {run.sizes.heads, n, n}),
                              {"heads", "queries", "keys"}, derived::learned()),
                         step("learned_probabilities", Formula{},
                              to_tensor(run.learned.probabilities, {n, run.sizes.vocabulary}),
                              {"positions", "vocabulary"}, derived::learned()),
                         step("losses", Formula{}, to_tensor(run.losses), {"steps"}, derived::learned())});
  report.scalars = {{"first_loss", run.losses.front()},
                    {"last_loss", run.losses.back()},
                    {"parameters", static_cast<double>(run.parameters.size())},
                    {"steps", static_cast<double>(run.losses.size())}};
  double sums = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    const auto row =
        run.learned.probabilities.begin() + static_cast<std::ptrdiff_t>(t * run.sizes.vocabulary);
    sums = worst(
        sums, std::abs(std::accumulate(row, row + static_cast<std::ptrdiff_t>(run.sizes.vocabulary), -1.0)));
  }
  report.invariants = {invariant("gradient_is_slope", run.first.slope_error, 1e-7, words("is_slope")),
                       invariant("probabilities_sum_to_one", sums,
                                 1e-15 * static_cast<double>(run.sizes.vocabulary), words("sums"))};
  report.body = {words.paragraph(Role::heading, "heading"), words.paragraph(Role::text, "data"),
                 losses_table(run, words)};
  if (!run.written.empty()) report.body.emplace_back(words.paragraph(Role::text, "wrote"));
  const MeanWithError loss = mean_of(last_losses(run));
  const bool has_learned = loss.mean + loss.error < std::log(static_cast<double>(run.sizes.vocabulary));
  report.body.emplace_back(words.say(has_learned ? "say" : "say_nothing"));
  report.body.emplace_back(words.misunderstanding());
  if (run.was_stopped) report.body.emplace_back(words.paragraph(Role::note, "stopped"));
  report.no_program = words("no_library");
  report.own_program =
      Text{microgpt_program(run, arguments, Language::ja), microgpt_program(run, arguments, Language::en)};
  report.figures = microgpt_figures(run, words);
  return report;
}

}  // namespace

std::string_view shipped_names() { return find_file(text_files(), "names.txt")->text; }

Experiment microgpt_task() {
  const TaskWords words("microgpt");
  Experiment task = learning_task(
      "microgpt",
      {words.flag("text", FileKind{"FILE", FileKind::Holds::text}, ""),
       words.flag("steps", IntegerKind{{1, 1000000}}, "1000"),
       words.flag("layers", IntegerKind{{1, 12}}, "1"), words.flag("width", IntegerKind{{1, 256}}, "16"),
       words.flag("heads", IntegerKind{{1, 64}}, "4"), words.flag("block", IntegerKind{{1, 256}}, "16"),
       words.flag("samples", IntegerKind{{0, 1000}}, "20"),
       words.flag("temperature", NumberKind{{0.01, 100.0}}, "0.5"), seed_parameter("42")},
      run_microgpt);
  task.figures = {"learning", "weights", "next"};
  task.has_own_program = true;
  return task;
}

}  // namespace attnlab
