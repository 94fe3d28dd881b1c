// `cross-attention` over a translator that `train translate` has saved: it says a sentence, word by word, and
// the experiment shows what a head of its decoder reads in the encoder.
#include <xtensor/xmath.hpp>

#include "attention/softmax.hpp"
#include "core/utf8.hpp"
#include "experiments/cross_attention/cross_attention.hpp"
#include "experiments/framework/book.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "tasks/framework/saved.hpp"
#include "tasks/framework/training_parameters.hpp"
#include "tasks/tasks.hpp"
#include "tasks/world/translate.hpp"

namespace attnlab {
namespace {

struct Translator {
  Task task;
  Model<double> model;
  std::vector<int> source;
};

Translator translator_of(const Arguments& provided) {
  const LearnedModel& saved = *provided.sources.model;
  static const Experiment experiment = translate_task();
  Arguments arguments(experiment.parameters);
  take_model(saved, arguments);
  Task task{"translate"};
  task.words = words_of(saved, "words");
  task.answers = words_of(saved, "answers");
  task.shape = model_shape(arguments, task.words.size(), task.answers.size(), tokens_of(saved));
  task.shape.source = {task.words.size(), task.shape.tokens, task.shape.layers};
  Model<double> model = restored_model(saved, task);
  std::vector<int> source = read_sequence(lower_case(provided.text("text")), task);
  return {std::move(task), std::move(model), std::move(source)};
}

/// The sharpest head, counted through all layers: that with the largest mean of its largest weights.
std::size_t sharpest_head(const Tensor<double>& weights) {
  return largest_index(xt::sum(row_maximum(weights), {2}));
}

/// The layer and the head that are drawn.
std::pair<std::size_t, std::size_t> head_of(const Arguments& arguments, const Tensor<double>& weights) {
  const std::size_t heads = weights.shape()[1];
  const std::size_t sharpest = sharpest_head(weights);
  const auto place = [&](const char* name, std::size_t count, std::size_t otherwise) {
    if (!arguments.is_set(name)) return otherwise;
    const TaskWords say =
        training_words({{"flag", std::string(name)}, {"place", arguments.count(name)}, {"last", count - 1}});
    if (arguments.count(name) >= count) refuse_usage(say("place"), say("place_hint"));
    return arguments.count(name);
  };
  return {place("layer", weights.shape()[0], sharpest / heads), place("head", heads, sharpest % heads)};
}

Tensor<double> tensor_of(const StridedMatrix<const double>& matrix) {
  Tensor<double> tensor = Tensor<double>::from_shape({matrix.rows, matrix.columns});
  for (std::size_t row = 0; row < matrix.rows; ++row)
    std::copy_n(matrix.row(row), matrix.columns, tensor.data() + row * matrix.columns);
  return tensor;
}

Report translate_as_experiment(const Arguments& arguments, const Context& /*context*/) {
  const Translator translator = translator_of(arguments);
  const Translation translation = translated(translator.model, translator.source);
  const auto [layer, head] = head_of(arguments, translation.weights);
  const Batch batch = batch_that_says(translation.source, translation.answered);
  Pass<double> pass(translator.model, 1);
  const Tensor<double> answered = softmax(tensor_of(pass.forward(translator.model, batch, 0, 1)));
  const Head<double> compared = pass.stack().head(layer, head, 0);

  std::vector<int> words = translation.answered;
  words.push_back(0);  // the sign of the end
  const std::vector<std::string>& spelt = translator.task.words;
  const TaskWords complete =
      TaskWords("translate")
          .with({{"model", without_folders(arguments.text("model"))},
                 {"head",
                  head_through_layers(translator.model.shape, layer * translator.model.shape.heads + head)},
                 {"source", joined(spelled(translation.source, spelt), " ")},
                 {"said", joined(spelled(translation.answered, spelt), " ")}});
  CrossAttentionRun run;
  run.tape.come_from(complete("room_source"));
  run.tape.input_or("query", tensor_of(compared.query), {"queries", "head_width"});
  run.tape.input_or("key", tensor_of(compared.key), {"keys", "head_width"});
  run.tape.input_or("value", tensor_of(compared.value), {"keys", "head_width"});
  run.intended = short_texts(spelled(words, spelt));
  run.source = short_texts(spelled(translation.source, spelt));
  for (std::size_t i = 0; i < words.size(); ++i)
    run.probability.push_back(answered(i, static_cast<std::size_t>(words[i])));
  if (translator.model.shape.scale) run.scale = python_repr(*translator.model.shape.scale);
  attend_across(run);

  Report report = report_from(run);
  report.body.insert(report.body.begin() + 1, complete.paragraph(Role::text, "typed"));
  constexpr double rounding = 1e-12;  // of two ways to add up a few dozen products
  const double distance = std::max(largest_difference(run.attention.weights, tensor_of(compared.weights)),
                                   largest_difference(run.attention.output, tensor_of(compared.output)));
  report.invariants.push_back(invariant("the_model_computes_the_same", distance, rounding,
                                        "注意度も出力もモデル自身の計算と一致",
                                        "weights and output are those that the model computed"));
  return report;
}

/// Every layer and head, opened on the one that is drawn.
std::vector<DeclaredSlider> translator_sliders(Arguments& arguments) {
  const Translator translator = translator_of(arguments);
  const Translation translation = translated(translator.model, translator.source);
  const auto [layer, head] = head_of(arguments, translation.weights);
  std::vector<DeclaredSlider> sliders;
  const auto slide = [&](const char* name, std::size_t count, std::size_t place) {
    arguments.set(name, std::to_string(place));
    if (count > 1) sliders.push_back({fmt::format("{}=0:{}:{}", name, count - 1, count)});
  };
  slide("layer", translation.weights.shape()[0], layer);
  slide("head", translation.weights.shape()[1], head);
  return sliders;
}

}  // namespace

const Experiment& cross_attention_over_translator() {
  static const Experiment over = [] {
    const Experiment cross_attention = cross_attention_experiment();
    const TaskWords words("translate");
    const IntegerKind place{{0, 63}};
    Experiment experiment{cross_attention.name,
                          cross_attention.shows,
                          cross_attention.source,
                          {words.flag("model", FileKind{"FILE", FileKind::Holds::model}, ""),
                           words.flag("text", SyntaxKind{"TEXT"},
                                      "the cow did not cross the bridge because it was too tired ."),
                           words.flag("layer", place, ""), words.flag("head", place, "")},
                          translate_as_experiment};
    experiment.kind = ExperimentKind::user_files;
    experiment.task = "translate";
    experiment.sliders_of = translator_sliders;
    return experiment;
  }();
  return over;
}

}  // namespace attnlab
