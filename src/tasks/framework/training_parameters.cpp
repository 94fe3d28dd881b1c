#include "tasks/framework/training_parameters.hpp"

#include "core/error.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {

Experiment learning_task(const std::string& name, std::vector<Parameter> parameters,
                         Report (*run)(const Arguments& arguments, const Context& context)) {
  const TaskWords words(name);
  Experiment task{"train " + name, words.plain("shows"), words.plain("source"), std::move(parameters), run};
  task.may_be_stopped = true;
  task.kind = ExperimentKind::learned;
  task.task = name;
  task.figures = {"weights", "learning", "forming", "ablation", "arcs"};
  if (words.has("figures"))
    for (const std::string& own : words.list("figures", Language::en)) task.figures.push_back(own);
  return task;
}

std::vector<Parameter> training_parameters(std::vector<Parameter> own, OtherDefaults others) {
  const TaskWords words = training_words();
  const auto flag = [&](const std::string& name, ParameterKind kind, const std::string& value) {
    const auto other = others.extract(name);
    own.push_back(words.flag(name, std::move(kind), other ? other.mapped() : value));
  };
  flag("model", FileKind{"FILE.safetensors", FileKind::Holds::model}, "");
  flag("input", SyntaxKind{"WORDS"}, "");
  flag("layers", IntegerKind{{1, 12}}, "1");
  flag("heads", IntegerKind{{1, 16}}, "1");
  flag("width", IntegerKind{{2, 512}}, "32");
  flag("mlp", IntegerKind{{0, 2048}}, "0");
  flag("norm", ChoiceKind{{"none", "post", "pre"}}, "none");
  flag("norm-kind", ChoiceKind{{"layer", "rms"}}, "layer");
  flag("positions", ChoiceKind{{"none", "sinusoidal", "learned", "rotary"}}, "learned");
  flag("mask", ChoiceKind{{"none", "causal"}}, "none");
  flag("activation", ChoiceKind{{"relu", "gelu"}}, "relu");
  flag("score", ChoiceKind{{"dot-product", "additive"}}, "dot-product");
  own.push_back(scale_parameter("default"));
  flag("softmax", ChoiceKind{{"plain", "plus-one"}}, "plain");
  flag("softmax-axis", ChoiceKind{{"keys", "queries"}}, "keys");
  flag("steps", IntegerKind{{1, 1000000}}, "1000");
  flag("batch", IntegerKind{{1, 4096}}, "64");
  flag("examples", IntegerKind{{0, 100000}}, "0");
  flag("rate", NumberKind{{1e-9, 1e9}}, "0.003");
  flag("warm-up", IntegerKind{{0, 1000000}}, "50");
  flag("schedule", ChoiceKind{{"constant", "cosine"}}, "cosine");
  flag("optimizer", ChoiceKind{{"adamw", "sgd"}}, "adamw");
  flag("decay", NumberKind{{0.0, 10.0}}, "0");
  flag("clip", NumberKind{{0.0, 1e9}}, "1");
  flag("dtype", ChoiceKind{{"float32", "float64"}}, "float32");
  flag("ablate", SwitchKind{}, "off");
  own.push_back(seed_parameter("0"));
  own.push_back(rng_parameter());
  if (!others.empty()) throw std::logic_error("no training has a flag " + others.begin()->first);
  return own;
}

ModelShape model_shape(const Arguments& arguments, std::size_t words, std::size_t answers,
                       std::size_t tokens) {
  ModelShape shape;
  shape.vocabulary = words;
  shape.answers = answers;
  shape.tokens = tokens;
  shape.width = arguments.count("width");
  shape.heads = arguments.count("heads");
  shape.layers = arguments.count("layers");
  shape.hidden = arguments.count("mlp");
  shape.norm = arguments.chosen<NormPlace>("norm");
  shape.norm_kind = arguments.chosen<NormKind>("norm-kind");
  shape.positions = arguments.chosen<Positions>("positions");
  shape.reading = arguments.chosen<Reading>("mask");
  shape.activation = arguments.chosen<Activation>("activation");
  shape.score = arguments.chosen<Score>("score");
  shape.softmax = {arguments.chosen<SoftmaxAxis>("softmax-axis"), arguments.chosen<Denominator>("softmax")};
  shape.scale = parse_scale(arguments.text("scale"));
  const TaskWords say =
      training_words({{"width", shape.width}, {"heads", shape.heads}, {"head_width", shape.head_width()}});
  if (shape.width % shape.heads != 0) refuse_usage(say("no_heads"), say("no_heads_hint"));
  if (shape.softmax.axis == SoftmaxAxis::queries && shape.softmax.denominator == Denominator::sum_plus_one)
    refuse_usage(say("two_softmaxes"), say("two_softmaxes_hint"));
  if (shape.positions == Positions::rotary && shape.head_width() % 2 != 0)
    refuse_usage(say("no_pairs"), say("no_pairs_hint"));
  return shape;
}

void require_reading_back(const ModelShape& shape) {
  if (shape.reading != Reading::everything) return;
  refuse_usage(training_words()("reads_ahead"), training_words()("reads_ahead_hint"));
}

Text why_no_program() { return training_words()("no_program"); }

OptimiserSettings optimiser_settings(const Arguments& arguments) {
  OptimiserSettings settings;
  settings.kind = arguments.chosen<OptimiserKind>("optimizer");
  settings.rate = arguments.number("rate");
  settings.course = arguments.chosen<RateCourse>("schedule");
  settings.warm_up = arguments.count("warm-up");
  settings.decay = arguments.number("decay");
  settings.clip = arguments.number("clip");
  return settings;
}

}  // namespace attnlab
