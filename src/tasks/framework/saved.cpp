#include "tasks/framework/saved.hpp"

#include "attention/matmul.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

/// Whether GPT-2 keeps this matrix as (in, out).
bool is_turned(const ParameterPlace& place) {
  return place.shape.size() == 2 &&
         (place.name.find(".c_") != std::string::npos || place.name.find(".q_attn") != std::string::npos);
}

std::string words_json(const std::vector<std::string>& words) { return Json(words).dump(); }

void require_words(const LearnedModel& saved, const std::string& key, const std::vector<std::string>& words) {
  if (words_of(saved, key) == words) return;
  refuse_failed(training_words()("other_words"), training_words()("other_words_hint"));
}

/// What `attnlab model` has to know of it, under GPT-2's keys where it has them; nothing of a model that
/// computes otherwise than a stack of layers does (additive scores, another softmax, gates, an encoder), or
/// reads pictures.
std::string config_of(const Task& task) {
  const ModelShape& shape = task.shape;
  if (shape.score != Score::dot_product || shape.softmax.axis != SoftmaxAxis::keys ||
      shape.softmax.denominator != Denominator::sum || shape.is_gated || shape.scale || task.reads_source() ||
      shape.pixels > 0)
    return "";
  constexpr std::array norms{"none", "post", "pre"};
  constexpr std::array positions{"none", "sinusoidal", "learned", "rotary"};
  return Json{{"model_type", "attnlab"},
              {"n_embd", shape.width},
              {"n_layer", shape.layers},
              {"n_head", shape.heads},
              {"n_inner", shape.hidden},
              {"n_positions", shape.tokens},
              {"vocab_size", shape.vocabulary},
              {"norm_place", norms.at(static_cast<std::size_t>(shape.norm))},
              {"norm_type", shape.norm_kind == NormKind::rms ? "rms" : "layer"},
              {"positions", positions.at(static_cast<std::size_t>(shape.positions))},
              {"activation_function", shape.activation == Activation::relu ? "relu" : "gelu"},
              {"reads", shape.reading == Reading::everything ? "all" : "past"},
              {"says_words", task.words == task.answers},
              {"bos_token", task.typed_beginning}}
      .dump();
}

}  // namespace

LearnedModel saved_model(const Learned& learned) {
  LearnedModel saved;
  saved.metadata = {{"words", words_json(learned.task.words)},
                    {"answers", words_json(learned.task.answers)},
                    {"tokens", std::to_string(learned.task.shape.tokens)},
                    {"met", std::to_string(learned.met)}};
  if (std::string config = config_of(learned.task); !config.empty())
    saved.metadata["config"] = std::move(config);
  if (learned.was_stopped()) saved.metadata["stopped"] = std::to_string(learned.steps);
  for (const ParameterPlace& place : learned.model.places.parameters) {
    Tensor<double> values = parameter_of(learned.model, place);
    if (is_turned(place)) values = transpose(values);
    saved.tensors.emplace_back(place.name, Array{{values.shape().begin(), values.shape().end()},
                                                 {},
                                                 {values.begin(), values.end()},
                                                 learned.is_double ? DType::float64 : DType::float32});
  }
  return saved;
}

std::vector<std::string> words_of(const LearnedModel& saved, const std::string& key) {
  std::vector<std::string> words;
  try {
    words = parsed_json(saved.metadata.at(key)).get<std::vector<std::string>>();
  } catch (const std::exception&) {  // there is none, or it is no list of words
  }
  const TaskWords say = training_words({{"key", key}});
  if (words.empty()) refuse_failed(say("unreadable"), say("save_again"));
  return words;
}

namespace {

/// The parameters with which it was trained, as they would be typed.
std::map<std::string, std::string> settings_of(const LearnedModel& saved) {
  const auto written = saved.metadata.find("settings");
  if (written == saved.metadata.end()) return {};
  try {
    return parsed_json(written->second).get<std::map<std::string, std::string>>();
  } catch (const Json::exception&) {
    const TaskWords say = training_words({{"key", "settings"}});
    refuse_failed(say("unreadable"), say("save_again"));
  }
}

}  // namespace

void take_model(LearnedModel model, Arguments& arguments) {
  for (const auto& [name, text] : settings_of(model)) {
    const Parameter* parameter = find_named(arguments.parameters(), name);
    if (parameter == nullptr || std::holds_alternative<FileKind>(parameter->kind)) continue;
    if (!arguments.is_set(name)) arguments.set(name, text);
  }
  arguments.sources.model = std::move(model);
}

std::size_t tokens_of(const LearnedModel& saved) {
  const auto written = saved.metadata.find("tokens");
  const std::string digits = written == saved.metadata.end() ? "" : written->second;
  constexpr std::size_t most = 512;  // of any task
  const std::size_t tokens = std::strtoul(digits.c_str(), nullptr, 10);
  if (tokens > 0 && tokens <= most) return tokens;
  refuse_failed(training_words()("no_length"), training_words()("save_again"));
}

Task task_of_words(const std::string& task_name, const Arguments& arguments) {
  const TaskWords say = training_words({{"flag", task_name}});
  if (!arguments.is_set("input")) refuse_usage(say("no_source"), say("no_source_hint"));
  Task task{task_name};
  task.words = words_of(*arguments.sources.model, "words");
  task.answers = words_of(*arguments.sources.model, "answers");
  task.shape =
      model_shape(arguments, task.words.size(), task.answers.size(), tokens_of(*arguments.sources.model));
  task.held_out.tokens = task.shape.tokens;
  return task;
}

Model<double> restored_model(const LearnedModel& saved, const Task& task) {
  require_words(saved, "words", task.words);
  require_words(saved, "answers", task.answers);
  const std::vector<ParameterPlace> places = places_of(task.shape).parameters;
  const std::size_t wanted = places.size();
  const TaskWords say = training_words({{"found", saved.tensors.size()}, {"wanted", wanted}});
  if (saved.tensors.size() != wanted) refuse_failed(say("other_count"), say("same_options"));
  std::vector<double> parameters;
  for (const ParameterPlace& place : places) {
    const auto found = std::find_if(saved.tensors.begin(), saved.tensors.end(),
                                    [&](const auto& tensor) { return tensor.first == place.name; });
    std::vector<std::size_t> shape = place.shape;
    if (is_turned(place)) std::reverse(shape.begin(), shape.end());
    if (found == saved.tensors.end() || found->second.shape != shape) {
      const std::string there = found == saved.tensors.end() ? "-" : shape_text(found->second.shape);
      const TaskWords of_it =
          training_words({{"name", place.name}, {"found", there}, {"wanted", shape_text(shape)}});
      refuse_failed(of_it("other_shape"), of_it("same_options"));
    }
    Tensor<double> values = to_tensor(found->second.data, shape);
    if (is_turned(place)) values = transpose(values);
    parameters.insert(parameters.end(), values.begin(), values.end());
  }
  Model<double> model(task.shape);
  model.parameters = std::move(parameters);
  return model;
}

namespace {

/// Of a file's model, whose numbers may be none, or too large for what is made of them.
void require_numbers(const Model<double>& model, const Batch& example, double loss) {
  Pass<double> pass(model, example.sequences);
  const StridedMatrix<double> logits = pass.forward(model, example, 0, example.sequences);
  double sum = loss;
  for (std::size_t i = 0; i < logits.rows; ++i)
    sum = std::accumulate(logits.row(i), logits.row(i) + logits.columns, sum);
  if (!std::isfinite(sum)) refuse_failed(training_words()("no_numbers"), training_words()("save_again"));
}

/// "'word'"; a character has its number before it: "U+00E9 'é'".
std::string named_character(const std::string& word) {
  const std::u32string characters = decode_utf8(word).value();
  if (characters.size() != 1) return quotation(word);
  return fmt::format("U+{:04X} {}", static_cast<std::uint32_t>(characters.front()), quotation(word));
}

}  // namespace

std::vector<int> read_sequence(const std::string& typed, const Task& task) {
  std::vector<std::string> words;
  const auto knows = [&](const std::string& word) {
    return std::find(task.words.begin(), task.words.end(), word) != task.words.end();
  };
  const bool by_letters = knows("␣");
  if (typed.find(' ') != std::string::npos && !by_letters) {
    for (std::string& word : split(typed, " ")) {
      if (!word.empty()) words.push_back(std::move(word));
    }
  } else if (knows(typed)) {
    words = {typed};
  } else {
    const std::u32string characters = decode_utf8(typed).value();
    for (const char32_t character : characters) words.push_back(visible(character));
    const bool are_unknown = std::none_of(words.begin(), words.end(), knows);
    if (are_unknown && !by_letters) words = {typed};  // a word that is not known, not its letters
  }
  if (!task.typed_beginning.empty()) words.insert(words.begin(), task.typed_beginning);
  std::vector<int> sequence;
  for (const std::string& word : words) {
    const auto found = std::find(task.words.begin(), task.words.end(), word);
    if (found == task.words.end()) {
      constexpr std::size_t shown = 20;
      const bool are_few = task.words.size() <= shown;
      const std::vector<std::string> known =
          are_few ? task.words : nearest_words(word, task.words, shown / 4);
      const TaskWords say = training_words({{"word", by_letters ? named_character(word) : quotation(word)},
                                            {"known", joined(known, " ") + (are_few ? "" : " ...")}});
      refuse_usage(say(by_letters ? "unknown_character" : "unknown_word"), say("unknown_word_hint"));
    }
    sequence.push_back(static_cast<int>(found - task.words.begin()));
  }
  const auto end = std::find(task.words.begin(), task.words.end(), task.typed_end);
  if (end != task.words.end()) sequence.push_back(static_cast<int>(end - task.words.begin()));
  if (sequence.empty() || sequence.size() > task.shape.tokens) {
    const TaskWords say =
        training_words({{"words", counted(sequence.size(), "word")}, {"most", task.shape.tokens}});
    refuse_usage(say("input_length"), say("input_length_hint"));
  }
  return sequence;
}

Learned learned_from(Task task, const Arguments& arguments, const Context& context, double from, double to) {
  if (arguments.is_set("input") && !task.reads_source()) {
    const std::vector<int> sequence = read_sequence(arguments.text("input"), task);
    task.example = {1, sequence.size(), sequence, std::vector<int>(sequence.size(), no_target)};
    task.has_typed_example = true;
  }
  const LearningSettings settings = learning_settings(arguments);
  if (!arguments.sources.model) return learn(task, settings, context, from, to);
  Learned learned{task, restored_model(*arguments.sources.model, task), {}, {}, 0, 0, settings.is_double};
  const auto met = arguments.sources.model->metadata.find("met");
  if (met != arguments.sources.model->metadata.end())
    learned.met = std::strtoul(met->second.c_str(), nullptr, 10);
  const Model<double> before = first_model(task, settings);
  for (const Model<double>* model : std::initializer_list<const Model<double>*>{&before, &learned.model}) {
    const BatchLoss now = evaluate(*model, task.held_out);
    learned.points.push_back({0, now.loss, now.accuracy, measured_heads(*model, task)});
    learned.snapshots.push_back(snapshot_of(*model, task, 0));
    require_numbers(*model, task.example, learned.was_tested() ? now.loss : 0.0);
  }
  return learned;
}

}  // namespace attnlab
