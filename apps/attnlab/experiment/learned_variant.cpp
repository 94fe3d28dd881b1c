#include "attnlab/experiment/learned_variant.hpp"

#include "catalogue/catalogue.hpp"
#include "core/error.hpp"
#include "core/named.hpp"

namespace attnlab {
namespace {

/// "we,saw,the" as --input takes it; a prompt of characters stays as it is.
std::string as_input(std::string words, const LearnedVariant& variant) {
  if (variant.words == "labels") std::replace(words.begin(), words.end(), ',', ' ');
  return words;
}

}  // namespace

const LearnedVariant* learned_variant_of(const Experiment& experiment) {
  static const std::array<LearnedVariant, 3> table{{{"self-attention", "sense", "labels"},
                                                    {"heads", "induction", "labels"},
                                                    {"decoder", "text", "prompt"}}};
  const auto* const found = std::find_if(table.begin(), table.end(), [&](const LearnedVariant& variant) {
    return variant.experiment == experiment.name;
  });
  return found == table.end() ? nullptr : found;
}

Flag learned_flag(const LearnedVariant& variant) {
  const Text help = text(
      "この実験の代わりに、付属の学習済みモデルを見ます（attnlab train {0} --model {0} の図と数値。語は --{1} で）",
      "instead of this experiment a trained model that comes along: the figures and numbers of attnlab train {0} --model {0}; --{1} takes its words",
      variant.task, variant.words);
  return flag("learned", help.ja(), help.en());
}

LearnedRequest learned_request(const ParsedCommand& parsed, const LearnedVariant& variant) {
  for (const Parameter& parameter : parsed.command.experiment->parameters) {
    if (!parsed.given(parameter.name) || parameter.name == variant.words) continue;
    refuse_usage(
        text("--learned では --{} を使えません：モデルはもう決まっています",
             "--{} cannot be given with --learned: the model is finished", parameter.name),
        text("使えるのは --{} だけです。ほかの設定は attnlab train {} で試せます",
             "give --{} alone; attnlab train {} trains with other settings", variant.words, variant.task));
  }
  LearnedRequest request;
  request.task = find_task(variant.task);
  request.arguments = Arguments(request.task->parameters);
  request.arguments.set("model", variant.task);
  if (parsed.given(variant.words))
    request.arguments.set("input", as_input(parsed.value(variant.words), variant));
  read_contents(request.arguments, request.task->name);
  return request;
}

}  // namespace attnlab
