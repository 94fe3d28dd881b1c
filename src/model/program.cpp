// What a program of a model's run begins with, and whether one can be written.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "model/block_stages.hpp"
#include "results/code/python_program.hpp"

namespace attnlab {
namespace {

std::string mask_code(const ModelRun& run, std::size_t layer) {
  const std::size_t window = run.architecture().window_of(layer);
  const std::string count = token_count(run);
  std::string code = fmt::format("causal_mask({0}, {0}, 0, -np.inf)", count);
  if (window > 0 && (window < run.tokens.size() || run.takes_any_tokens))
    code += fmt::format(" + window_mask({0}, {0}, 0, {1}, -np.inf)", count, window - 1);
  return code;
}

/// -m |i - j| of every head.
std::string alibi_code(const ModelRun& run) {
  return fmt::format(
      "np.array([{1}])[:, np.newaxis, np.newaxis] * -np.abs(np.arange({0})[:, np.newaxis] - np.arange({0}))",
      token_count(run), fmt::join(run.architecture().alibi_slopes, ", "));
}

std::string angles_code(const ModelRun& run, std::size_t layer) {
  const RotaryTurns turns = rotary_turns(*run.architecture().rotary_of(layer), run.tokens.size());
  return fmt::format("np.arange({})[:, np.newaxis] * np.array([{}])", token_count(run),
                     fmt::join(turns.frequencies, ", "));
}

/// The masks, biases and angles of all layers, by their names.
std::map<std::string, std::string> codes_of_places(const ModelRun& run) {
  const Architecture& a = run.architecture();
  std::map<std::string, std::string> codes;
  for (std::size_t layer = 0; layer < a.layers; ++layer) {
    if (const std::string name = angles_name(a, layer); !name.empty() && codes.count(name) == 0)
      codes[name] = angles_code(run, layer);
    if (const std::string name = mask_name(a, layer); !name.empty() && codes.count(name) == 0)
      codes[name] = mask_code(run, layer);
  }
  if (!a.alibi_slopes.empty()) codes["alibi"] = alibi_code(run);
  return codes;
}

/// Nothing where a program can: it opens safetensors, or holds the tensors of a small model of another
/// format.
std::optional<Text> why_no_program(const ModelRun& run, bool keeps_layers) {
  constexpr std::size_t most_parameters = std::size_t{1} << 22U;
  const auto refusal = [](const char* key) {
    return text("{}。{}", "{}: {}", model_sentence(key), model_sentence(std::string(key) + "_hint"));
  };
  const std::vector<StoredTensor>& tensors = run.opened.checkpoint.tensors;
  const bool is_opened = std::none_of(tensors.begin(), tensors.end(),
                                      [](const StoredTensor& tensor) { return tensor.file.empty(); });
  if (!keeps_layers) return refusal("no_code_long");
  if (!is_opened && run.opened.model.weights.parameters > most_parameters) return refusal("no_code_format");
  if (run.ablation || run.pass->patching) return refusal("no_code_ablation");
  return std::nullopt;
}

}  // namespace

void record_origins(const ModelRun& run, bool keeps_layers, const std::set<std::string>& tensors,
                    Report& report) {
  report.program.missing = why_no_program(run, keeps_layers);
  if (report.program.missing) return;
  std::vector<Origin>& all = report.origins;
  std::map<std::string, std::size_t> of_files;
  for (const StoredTensor& stored : run.opened.checkpoint.tensors) {
    if (tensors.count(stored.name) == 0) continue;
    Origin origin;
    origin.name = python_name(stored.name);
    origin.shape = stored.shape;
    if (stored.file.empty()) {
      const Tensor<double> values = load<double>(stored);
      origin.kind = Origin::Kind::read;
      if (all.empty()) origin.file = printable(run.opened.checkpoint.name);
      origin.values.assign(values.begin(), values.end());
    } else {
      const auto [file, is_new] = of_files.emplace(stored.file, of_files.size());
      const std::string opened = file->second == 0 ? "tensors" : fmt::format("tensors_{}", file->second);
      if (is_new) all.push_back({Origin::Kind::opened, opened, {}, {}, python_literal(stored.file)});
      origin.kind = Origin::Kind::listed;
      origin.code =
          fmt::format("{}[{}]", opened, python_literal(run.opened.checkpoint.wrapper + stored.name));
    }
    all.push_back(std::move(origin));
  }
  for (const auto& [name, code] : codes_of_places(run)) all.push_back({Origin::Kind::listed, name, {}, code});
}

void record_reading(const ModelRun& own, Report& report) {
  ModelRun run = own;
  run.takes_any_tokens = true;
  Report recorded;
  record_model(run, recorded);
  report.program.missing = recorded.program.missing;
  std::string body;
  const std::map<std::string, std::string> of_places = codes_of_places(run);
  for (const Origin& origin : recorded.origins) {
    const bool follows_tokens = of_places.count(origin.name) == 1;
    if (follows_tokens) body += fmt::format("    {} = {}\n", origin.name, origin.code);
    if (!follows_tokens) report.origins.push_back(origin);
  }
  for (const Stage& stage : recorded.stages) {
    if (stage.name == "tokens" || stage.name == "weights" || stage.name == "stream") continue;
    body += fmt::format("    {} = {}\n", stage.name, numpy_code(stage, recorded.stages));
  }
  report.origins.push_back({Origin::Kind::function,
                            "read",
                            {},
                            "\n\ndef read(tokens):\n    \"\"\"The logits after every token.\"\"\"\n" + body +
                                "    return logits\n\n\n"});
}

}  // namespace attnlab
