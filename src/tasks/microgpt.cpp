// `train microgpt`: the whole of a GPT in the smallest form that is taught, with Karpathy's numbers.
#include "training/microgpt/microgpt.hpp"

#include "attention/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/weight_layout.hpp"
#include "core/counted.hpp"
#include "core/embedded_file.hpp"
#include "core/error.hpp"
#include "core/escape.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/room.hpp"
#include "tasks/framework/story.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr double first_rate = 0.01;
constexpr std::size_t mean_over = 100;  // steps, of the last losses

/// Documents are lines; letters are tokens.
struct Documents {
  std::string name;
  std::vector<std::u32string> lines;
  std::u32string letters;  // each once, in order; the token after the last begins and ends a document

  int end() const { return static_cast<int>(letters.size()); }

  std::vector<int> tokens(const std::u32string& line) const {
    std::vector<int> tokens{end()};
    for (const char32_t letter : line) tokens.push_back(static_cast<int>(letters.find(letter)));
    tokens.push_back(end());
    return tokens;
  }

  static std::string text(const std::u32string& line) {
    std::string text;
    for (const char32_t letter : line) text += encode_utf8(letter);
    return text;
  }

  std::string word(int token) const {
    return token == end() ? "⏎" : encode_utf8(letters[static_cast<std::size_t>(token)]);
  }
};

Documents documents_of(const std::string& name, std::string_view text) {
  Documents documents{name, {}, {}};
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

/// The first step of Adam at the head's matrix, whose gradient is the shortest to follow.
struct FirstStep {
  std::vector<int> document;
  MicrogptPass pass;
  std::vector<double> parameters, gradient, updated;
  double slope_error = 0.0;  // of the gradient, against differences of the loss
};

struct MicrogptRun {
  Documents documents;
  MicrogptSizes sizes;
  std::vector<Microgpt::Matrix> matrices;
  FirstStep first;
  std::vector<double> losses;
  std::vector<double> parameters;  // learned
  MicrogptPass learned;            // of the first document
  std::vector<std::string> written;
  double seconds = 0.0;
  bool was_stopped = false;
};

/// (L(w + h) − L(w − h)) / 2h against the gradient, at some weights of every matrix.
double slope_error(Microgpt model, const FirstStep& step) {
  constexpr double h = 1e-5;
  constexpr std::size_t tried = 7;  // of each
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

std::string_view shipped_names() { return find_file(text_files(), "names.txt")->text; }

/// At temperature 1 the probabilities themselves.
std::vector<double> heated(const double* logits, std::size_t count, double temperature) {
  std::vector<double> shares(count);
  const double most = *std::max_element(logits, logits + count) / temperature;
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += shares[i] = std::exp(logits[i] / temperature - most);
  for (double& share : shares) share /= sum;
  return shares;
}

std::string written_word(Microgpt& model, const Documents& documents, double temperature,
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
  const double began = context.seconds();
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
      run.first.slope_error = slope_error(model, run.first);
      run.first.pass =
          model.read(run.first.document.data(), std::min(run.sizes.block, run.first.document.size() - 1));
    }
    model.update(step, first_rate * (1.0 - static_cast<double>(step) / static_cast<double>(steps)));
    if (step == 0) run.first.updated = model.parameters();
    if (step % mean_over == 0) context.progress(static_cast<double>(step) / static_cast<double>(steps));
    run.was_stopped = context.stops && context.stops();
  }
  run.parameters = model.parameters();
  run.learned = model.read(run.first.document.data(), run.first.pass.positions);
  for (std::size_t i = 0; i < arguments.count("samples"); ++i)
    run.written.push_back(written_word(model, run.documents, arguments.number("temperature"), random));
  run.seconds = context.seconds() - began;
  return run;
}

// --- The first step, array by array

Tensor<double> tensor_of(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  Tensor<double> tensor = xt::empty<double>(shape);
  std::copy(values.begin(), values.end(), tensor.begin());
  return tensor;
}

Tensor<double> matrix_of(const MicrogptRun& run, const std::vector<double>& all, const std::string& name) {
  const Microgpt::Matrix& matrix = *find_named(run.matrices, name);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(matrix.offset);
  return tensor_of({begin, begin + static_cast<std::ptrdiff_t>(matrix.rows * matrix.columns)},
                   {matrix.rows, matrix.columns});
}

/// The rows of tokens or places that the document reads.
Tensor<double> rows_of(const Tensor<double>& table, const std::vector<std::size_t>& rows) {
  Tensor<double> chosen = xt::empty<double>({rows.size(), table.shape()[1]});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < table.shape()[1]; ++k) chosen(i, k) = table(rows[i], k);
  }
  return chosen;
}

/// Each of a matrix's numbers by a formula of other numbers at the same place, a line a row of the first.
template <class Line>
std::vector<Chain> first_rows(const Tensor<double>& result, const std::string& letter, Line line) {
  const std::size_t width = result.shape()[1];
  return worked::lines(result.shape()[0], [&](std::size_t i) {
    return worked::equation(worked::indexed(letter, i), {line(i), worked::numbers(&result(i, 0), width)});
  });
}

void add_layer(const MicrogptRun& run, std::size_t l, std::vector<Stage>& stages) {
  const MicrogptPass::Layer& layer = run.first.pass.layers[l];
  const std::string mark = run.sizes.layers > 1 ? fmt::format("layer{}_", l) : "";
  const std::string residual = l == 0 ? "residual" : fmt::format("layer{}_output", l - 1);
  const std::size_t n = run.first.pass.positions;
  const std::size_t width = run.sizes.width;
  const std::size_t heads = run.sizes.heads;
  const std::vector<std::string> rows{"positions", "width"};
  const std::vector<std::string> split{"heads", "positions", "head_width"};
  const std::vector<std::string> pairs{"heads", "queries", "keys"};
  const double scale = 1.0 / std::sqrt(static_cast<double>(width) / static_cast<double>(heads));
  const auto here = [&](const std::vector<double>& values) { return tensor_of(values, {n, width}); };
  const auto weights_of = [&](const char* name) {
    return matrix_of(run, run.first.parameters, fmt::format("layer{}.{}", l, name));
  };
  const auto times = [&](const std::string& name, const std::string& formula, const Tensor<double>& value,
                         const std::string& in, const std::string& matrix,
                         const std::vector<std::string>& axes) {
    stages.push_back(step(mark + name, formula, value, axes, derived::product_with_transpose(in, matrix)));
  };
  for (const auto& [name, matrix] :
       std::initializer_list<std::pair<const char*, const char*>>{{"w_query", "attn_wq"},
                                                                  {"w_key", "attn_wk"},
                                                                  {"w_value", "attn_wv"},
                                                                  {"w_output", "attn_wo"},
                                                                  {"w_up", "mlp_fc1"},
                                                                  {"w_down", "mlp_fc2"}})
    stages.push_back(input(mark + name, weights_of(matrix), {"outputs", "inputs"}));
  stages.push_back(step(mark + "normed", "RMSNorm(X)", here(layer.normed), rows,
                        derived::rms_norm(residual, "gain", Microgpt::norm_eps)));
  const std::array<std::pair<const char*, const std::vector<double>*>, 3> projections{
      {{"query", &layer.query}, {"key", &layer.key}, {"value", &layer.value}}};
  for (const auto& [name, values] : projections) {
    times(name, "X W^T", here(*values), mark + "normed", mark + "w_" + name, rows);
    stages.push_back(step(mark + name + "_heads", fmt::format("{}_h", name),
                          split_heads(here(*values), heads), split,
                          derived::split_heads(mark + name, heads)));
  }
  const Tensor<double> mask = additive_mask(causal_mask(n, n), -infinity);
  const AttentionStages<double> attention = scaled_dot_product_attention<double>(
      split_heads(here(layer.query), heads), split_heads(here(layer.key), heads),
      split_heads(here(layer.value), heads), {scale, mask});
  const Tensor<double> mixed = here(layer.mixed);
  append(stages,
         {step(mark + "raw_scores", "Q K^T", attention.raw_scores, pairs,
               derived::product_with_transpose(mark + "query_heads", mark + "key_heads")),
          step(mark + "scores", "\\frac{Q K^T}{\\sqrt{d}}", attention.scores, pairs,
               derived::scaled(mark + "raw_scores", scale)),
          input(mark + "mask", mask, {"queries", "keys"}),
          step(mark + "masked_scores", "S + M", attention.masked, pairs,
               derived::sum(mark + "scores", mark + "mask")),
          step(mark + "weights", "softmax(S + M)", tensor_of(layer.weights, {heads, n, n}), pairs,
               derived::softmax(mark + "masked_scores")),
          step(mark + "head_output", "A V", split_heads(mixed, heads), split,
               derived::product(mark + "weights", mark + "value_heads")),
          step(mark + "joined", "Concat(H)", mixed, rows, derived::join_heads(mark + "head_output"))});
  const Tensor<double> attended = here(layer.attended);
  times("projected", "H W_O^T", attended - here(layer.residual), mark + "joined", mark + "w_output", rows);
  append(stages,
         {step(mark + "attended", "X + H W_O^T", attended, rows, derived::sum(mark + "projected", residual)),
          step(mark + "normed_again", "RMSNorm(X)", here(layer.normed_again), rows,
               derived::rms_norm(mark + "attended", "gain", Microgpt::norm_eps))});
  const std::vector<std::string> wide{"positions", "units"};
  const std::size_t units = layer.hidden.size() / n;
  times("hidden", "X W_1^T", tensor_of(layer.hidden, {n, units}), mark + "normed_again", mark + "w_up", wide);
  stages.push_back(step(mark + "active", "ReLU(H)", tensor_of(layer.active, {n, units}), wide,
                        derived::relu(mark + "hidden")));
  times("mlp", "H W_2^T", here(layer.output) - attended, mark + "active", mark + "w_down", rows);
  stages.push_back(step(mark + "output", "X + MLP", here(layer.output), rows,
                        derived::sum(mark + "mlp", mark + "attended")));
}

/// Forwards, the gradient by the head's matrix, and Adam's first step there.
std::vector<Stage> first_stages(const MicrogptRun& run) {
  const FirstStep& first = run.first;
  const std::size_t n = first.pass.positions;
  const std::size_t vocabulary = run.sizes.vocabulary;
  const std::size_t width = run.sizes.width;
  std::vector<std::size_t> tokens;
  std::vector<std::size_t> places;
  Tensor<double> target = xt::zeros<double>({n, vocabulary});
  for (std::size_t t = 0; t < n; ++t) {
    tokens.push_back(static_cast<std::size_t>(first.document[t]));
    places.push_back(t);
    target(t, static_cast<std::size_t>(first.document[t + 1])) = 1.0;
  }
  const std::vector<std::string> rows{"positions", "width"};
  const std::vector<std::string> letters{"positions", "vocabulary"};
  const std::vector<std::string> head{"vocabulary", "width"};
  const Tensor<double> token = rows_of(matrix_of(run, first.parameters, "wte"), tokens);
  const Tensor<double> place = rows_of(matrix_of(run, first.parameters, "wpe"), places);
  const Tensor<double> gain = xt::ones<double>({width});
  std::vector<Stage> stages{
      input("token", token, rows), input("place", place, rows), input("gain", gain, {"width"}),
      step("embedded", "E + P", tensor_of(first.pass.embedded, {n, width}), rows,
           derived::sum("token", "place")),
      step("residual", "RMSNorm(E)", tensor_of(first.pass.layers.front().residual, {n, width}), rows,
           derived::rms_norm("embedded", "gain", Microgpt::norm_eps))};
  for (std::size_t l = 0; l < run.sizes.layers; ++l) add_layer(run, l, stages);
  const std::string last =
      run.sizes.layers > 1 ? fmt::format("layer{}_output", run.sizes.layers - 1) : "output";
  const Tensor<double> w = matrix_of(run, first.parameters, "lm_head");
  const Tensor<double> gradient = matrix_of(run, first.gradient, "lm_head");
  const Tensor<double> probabilities = tensor_of(first.pass.probabilities, {n, vocabulary});
  const Tensor<double> error = probabilities - target;
  const Tensor<double> d_logits = error / static_cast<double>(n);
  const Tensor<double> m = (1.0 - Microgpt::beta1) * gradient;
  const Tensor<double> v = (1.0 - Microgpt::beta2) * gradient * gradient;
  const Tensor<double> m_hat = m / (1.0 - Microgpt::beta1);
  const Tensor<double> v_hat = v / (1.0 - Microgpt::beta2);
  const Tensor<double> next = matrix_of(run, first.updated, "lm_head");
  const Tensor<double> change = w - next;
  const Tensor<double> x = tensor_of(first.pass.layers.back().output, {n, width});
  const auto row = [&](const Tensor<double>& values, std::size_t i) {
    return worked::numbers(&values(i, 0), width);
  };
  append(
      stages,
      {input("w", w, head),
       step("logits", "X W^T", tensor_of(first.pass.logits, {n, vocabulary}), letters,
            derived::product_with_transpose(last, "w")),
       step("probabilities", "softmax(L)", probabilities, letters, derived::softmax("logits")),
       input("target", target, letters),
       step("error", "P − Y", error, letters, derived::difference("probabilities", "target")),
       step("d_logits", "\\frac{P − Y}{n}", d_logits, letters,
            derived::scaled("error", 1.0 / static_cast<double>(n))),
       step("gradient", "dL^T X", gradient, head,
            derived::worked(
                {"d_logits", last},
                first_rows(gradient, "g",
                           [&](std::size_t i) {
                             return worked::sum(n, [&, i](std::size_t t) {
                               return worked::together({worked::factor(d_logits(t, i)), "·", row(x, t)});
                             });
                           }),
                "d_logits.T @ " + last)),
       step("m", "(1 − β_1) g", m, head, derived::scaled("gradient", 1.0 - Microgpt::beta1)),
       step("v", "(1 − β_2) g^2", v, head,
            derived::worked({"gradient"},
                            first_rows(v, "v",
                                       [&](std::size_t i) {
                                         return worked::together({worked::factor(1.0 - Microgpt::beta2), "·",
                                                                  row(gradient, i), "²"});
                                       }),
                            "0.01 * gradient ** 2")),
       step("m_hat", "\\frac{m}{1 − β_1}", m_hat, head, derived::scaled("m", 1.0 / (1.0 - Microgpt::beta1))),
       step("v_hat", "\\frac{v}{1 − β_2}", v_hat, head, derived::scaled("v", 1.0 / (1.0 - Microgpt::beta2))),
       step("change", "η \\frac{m}{\\sqrt{v} + ε}", change, head,
            derived::worked({"m_hat", "v_hat"},
                            first_rows(change, "Δ",
                                       [&](std::size_t i) {
                                         return worked::together({worked::factor(first_rate), "·",
                                                                  row(m_hat, i), "/ √", row(v_hat, i)});
                                       }),
                            "0.01 * m_hat / (np.sqrt(v_hat) + 1e-8)")),
       step("new_w", "W − Δ", next, head, derived::difference("w", "change"))});
  return stages;
}

// --- What is told of it

double mean_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                         values.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
         static_cast<double>(end - begin);
}

TaskWords words_of(const MicrogptRun& run) {
  const std::size_t steps = run.losses.size();
  const std::size_t last = std::min(mean_over, steps);
  const std::u32string& line = run.documents.lines.front();
  return TaskWords("microgpt", {{"name", run.documents.name},
                                {"documents", counted(run.documents.lines.size(), "document")},
                                {"letters", counted(run.documents.letters.size(), "letter")},
                                {"parameters", run.parameters.size()},
                                {"steps", counted(steps, "step")},
                                {"last", last},
                                {"first_loss", run.losses.front()},
                                {"loss", mean_of(run.losses, steps - last, steps)},
                                {"even", std::log(static_cast<double>(run.sizes.vocabulary))},
                                {"document", Documents::text(line)},
                                {"words", joined(run.written, ", ")}});
}

/// Every loss, and the mean of the hundred steps up to each.
Figure microgpt_learning(const MicrogptRun& run, const TaskWords& words) {
  std::vector<double> steps(run.losses.size());
  std::iota(steps.begin(), steps.end(), 1.0);
  std::vector<double> means(run.losses.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < run.losses.size(); ++i) {
    sum += run.losses[i];
    if (i >= mean_over) sum -= run.losses[i - mean_over];
    means[i] = sum / static_cast<double>(std::min(i + 1, mean_over));
  }
  constexpr std::size_t most_points = 250;
  const std::size_t stride = (steps.size() + most_points - 1) / most_points;
  std::vector<double> some_steps;
  std::vector<double> some_losses;
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    some_steps.push_back(steps[i]);
    some_losses.push_back(run.losses[i]);
  }
  const double even = std::log(static_cast<double>(run.sizes.vocabulary));
  Curve guess{"even", {1.0, steps.back()}, {even, even}, muted_ink, words("curve_even")};
  guess.dashed = true;
  const Points each{"losses", some_steps, some_losses, muted_ink, words("curve_each")};
  return Figure{"learning", words("learning")}
      .described(words("learning_description"))
      .captioned(words("learning_caption"))
      .panel(Chart{Axis{training_words()("step")},
                   Axis{training_words()("loss")},
                   {each, guess, Curve{"mean", steps, means, series_ink(0), words("curve_mean")}}})
      .on_page(9.0, 5.4);
}

std::vector<ShortText> read_letters(const MicrogptRun& run) {
  std::vector<ShortText> letters;
  for (std::size_t t = 0; t < run.learned.positions; ++t)
    letters.emplace_back(run.documents.word(run.first.document[t]));
  return letters;
}

Figure microgpt_weights(const MicrogptRun& run, const TaskWords& words) {
  const std::vector<ShortText> letters = read_letters(run);
  const std::size_t n = letters.size();
  Figure figure = Figure{"weights", words("weights")}
                      .described(words("weights_description"))
                      .captioned(words("weights_caption"));
  const MicrogptPass::Layer& layer = run.learned.layers.back();
  for (std::size_t head = 0; head < run.sizes.heads; ++head) {
    const auto begin = layer.weights.begin() + static_cast<std::ptrdiff_t>(head * n * n);
    const Tensor<double> weights = tensor_of({begin, begin + static_cast<std::ptrdiff_t>(n * n)}, {n, n});
    HeatMap map{fmt::format("learned_weights[{}]", head), to_matrix(weights)};
    figure.panels.push_back(
        {text("ヘッド {}", "Head {}", head), std::move(map)
                                                 .rows(training_words()("query"), letters)
                                                 .columns(training_words()("key"), letters)
                                                 .coloured(weight_colours())});
  }
  return std::move(figure).sharing_scale(weight_colours()).on_page(11.0, 3.6);
}

/// After each beginning, what the model expects.
Figure microgpt_next(const MicrogptRun& run, const TaskWords& words) {
  const Tensor<double> probabilities =
      tensor_of(run.learned.probabilities, {run.learned.positions, run.sizes.vocabulary});
  std::vector<ShortText> every;
  for (std::size_t token = 0; token < run.sizes.vocabulary; ++token)
    every.emplace_back(run.documents.word(static_cast<int>(token)));
  ColourScale scale = weight_colours(0.0, largest(probabilities));
  scale.label = words("probability");
  return Figure{"next", words("next")}
      .described(words("next_description"))
      .captioned(words("next_caption"))
      .panel(HeatMap{"learned_probabilities", to_matrix(probabilities)}
                 .rows(words("read"), read_letters(run))
                 .columns(words("comes"), every)
                 .coloured(scale))
      .on_page(11.0, 4.6);
}

Table losses_table(const MicrogptRun& run, const TaskWords& words) {
  Table table{{training_words()("step"), words("column_document"), training_words()("loss")}};
  for (const std::size_t step : std::vector<std::size_t>{1, 2, 3, 10, 100, 1000}) {
    if (step > run.losses.size()) break;
    const std::u32string& line = run.documents.lines[(step - 1) % run.documents.lines.size()];
    table.rows.push_back(
        {fmt::format("{}", step), Documents::text(line), fmt::format("{:.6f}", run.losses[step - 1])});
  }
  return table;
}

// --- The program

std::string quoted(const std::string& text) { return "\"" + with_backslashes(text, "\"\\") + "\""; }

std::string listed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return "[" + list + "]";
}

/// Lines that begin with "# ja: " and "# en: " are for one language.
std::string in_language(std::string_view text, Language language) {
  const std::string own = "# " + code_of(language) + ": ";
  std::string lines;
  for (const std::string& line : split(std::string(text), "\n")) {
    if (line.rfind(own, 0) == 0) {
      lines += "# " + line.substr(own.size()) + "\n";
    } else if (line.rfind("# ja: ", 0) != 0 && line.rfind("# en: ", 0) != 0) {
      lines += line + "\n";
    }
  }
  lines.pop_back();
  return lines;
}

std::string program_of(const MicrogptRun& run, const Arguments& arguments, Language language) {
  std::string losses;
  for (std::size_t i = 0; i < run.losses.size(); i = i < 4 ? i + 1 : i + mean_over)
    losses += fmt::format("{}{}: {:.10f}", losses.empty() ? "" : ", ", i, run.losses[i]);
  const bool is_given = arguments.given("text");
  std::string documents =
      fmt::format("documents = [line.strip() for line in open({}, encoding=\"utf-8\") if line.strip()]",
                  quoted(arguments.text("text")));
  if (!is_given) documents = fmt::format("documents = \"\"\"\n{}\"\"\".split()", shipped_names());
  std::string program = in_language(microgpt_files().front().text, language);
  const std::vector<std::pair<std::string, std::string>> values{
      {"@SEED@", arguments.text("seed")},
      {"@DOCUMENTS@", documents},
      {"@WIDTH@", fmt::format("{}", run.sizes.width)},
      {"@HEADS@", fmt::format("{}", run.sizes.heads)},
      {"@LAYERS@", fmt::format("{}", run.sizes.layers)},
      {"@BLOCK@", fmt::format("{}", run.sizes.block)},
      {"@STEPS@", fmt::format("{}", run.losses.size())},
      {"@SAMPLES@", fmt::format("{}", run.written.size())},
      {"@TEMPERATURE@", arguments.text("temperature")},
      {"@LOSSES@", "{" + losses + "}"},
      {"@WRITTEN@", listed(run.written)}};
  for (const auto& [name, value] : values) program.replace(program.find(name), name.size(), value);
  return program;
}

Report run_microgpt(const Arguments& arguments, const Context& context) {
  const MicrogptRun run = learn_microgpt(arguments, context);
  const TaskWords words = words_of(run);
  const std::size_t n = run.learned.positions;
  Report report;
  report.stages = first_stages(run);
  append(report.stages, {step("learned_weights", Formula{},
                              tensor_of(run.learned.layers.back().weights, {run.sizes.heads, n, n}),
                              {"heads", "queries", "keys"}, derived::learned()),
                         step("learned_probabilities", Formula{},
                              tensor_of(run.learned.probabilities, {n, run.sizes.vocabulary}),
                              {"positions", "vocabulary"}, derived::learned()),
                         step("losses", Formula{}, to_tensor(run.losses), {"steps"}, derived::learned())});
  report.scalars = {{"first_loss", run.losses.front()},
                    {"last_loss", run.losses.back()},
                    {"parameters", static_cast<double>(run.parameters.size())},
                    {"steps", static_cast<double>(run.losses.size())},
                    {"seconds", run.seconds}};
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
  const double loss =
      mean_of(run.losses, run.losses.size() - std::min(mean_over, run.losses.size()), run.losses.size());
  const bool has_learned = loss < std::log(static_cast<double>(run.sizes.vocabulary));
  report.body.emplace_back(words.say(has_learned ? "say" : "say_nothing"));
  report.body.emplace_back(words.misunderstanding());
  if (run.was_stopped) report.body.emplace_back(words.paragraph(Role::note, "stopped"));
  report.no_program = words("no_library");
  report.own_program =
      Text{program_of(run, arguments, Language::ja), program_of(run, arguments, Language::en)};
  report.figures = {microgpt_learning(run, words), microgpt_weights(run, words), microgpt_next(run, words)};
  return report;
}

}  // namespace

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
