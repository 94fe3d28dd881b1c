// The matrix that makes words of a stream, where a training took it apart from the embedding.
#include <doctest/doctest.h>

#include "model/reference_model.hpp"

using namespace attnlab;

namespace {

/// The tensor with its rows from the last to the first.
StoredTensor upside_down(const StoredTensor& tensor, const std::string& name) {
  const Tensor<float> values = load<float>(tensor);
  std::vector<float> turned;
  const std::size_t width = values.size() / tensor.shape[0];
  for (std::size_t row = tensor.shape[0]; row-- > 0;)
    turned.insert(turned.end(), values.begin() + static_cast<std::ptrdiff_t>(row * width),
                  values.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  return spelt_out(name, tensor.shape, turned);
}

const StoredTensor& tensor_named(const Checkpoint& checkpoint, const std::string& name) {
  const auto found = std::find_if(checkpoint.tensors.begin(), checkpoint.tensors.end(),
                                  [&](const StoredTensor& tensor) { return tensor.name == name; });
  REQUIRE(found != checkpoint.tensors.end());
  return *found;
}

/// With the last matrix's rows turned round the logits must be turned round, too.
void check_separate_head(Checkpoint checkpoint, const std::vector<std::size_t>& tokens,
                         const std::string& embedding, const std::string& head,
                         const std::string& bias = "") {
  CAPTURE(checkpoint.config["model_type"]);
  const LanguageModel tied = model_of(checkpoint);
  CHECK(tied.architecture.is_tied);
  const Tensor<float> logits = pass_of(tied, tokens).logits;
  checkpoint.tensors.push_back(upside_down(tensor_named(checkpoint, embedding), head));
  if (!bias.empty()) {
    const StoredTensor turned = upside_down(tensor_named(checkpoint, bias), bias);
    for (StoredTensor& tensor : checkpoint.tensors) {
      if (tensor.name == bias) tensor = turned;
    }
  }
  const LanguageModel own = model_of(checkpoint);
  CHECK_FALSE(own.architecture.is_tied);
  const Tensor<float> turned = pass_of(own, tokens).logits;
  const std::size_t words = logits.shape()[1];
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    for (std::size_t word = 0; word < words; ++word)
      CHECK(turned(row, word) == doctest::Approx(logits(row, words - 1 - word)).epsilon(1e-5));
  }
}

Checkpoint opened(const std::string& name, std::optional<bool> says_tied = {}) {
  Config reference = reference_of(name);
  if (says_tied) reference["config"]["tie_word_embeddings"] = *says_tied;
  const Folder folder;
  write_model(reference, folder);
  Checkpoint checkpoint = open_checkpoint(folder.path().string());
  const auto is_head = [](const StoredTensor& tensor) {
    return tensor.name == "lm_head.weight" || tensor.name == "embed_out.weight";
  };
  auto& tensors = checkpoint.tensors;
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(), is_head), tensors.end());
  return checkpoint;
}

}  // namespace

TEST_CASE("a last matrix that is stored and is not the embedding is used, whatever the configuration says") {
  const std::vector<std::size_t> tokens{1, 2, 3, 4};
  check_separate_head(opened("gpt2"), tokens, "wte.weight", "lm_head.weight");
  check_separate_head(opened("gpt2", true), tokens, "wte.weight", "lm_head.weight");
  check_separate_head(opened("llama", true), tokens, "model.embed_tokens.weight", "lm_head.weight");
  check_separate_head(opened("gpt_neox", true), tokens, "gpt_neox.embed_in.weight", "embed_out.weight");
  check_separate_head(opened("bert"), tokens, "bert.embeddings.word_embeddings.weight",
                      "cls.predictions.decoder.weight", "cls.predictions.bias");
  check_separate_head(opened("roberta"), tokens, "roberta.embeddings.word_embeddings.weight",
                      "lm_head.decoder.weight", "lm_head.bias");
  check_separate_head(opened("distilbert"), tokens, "distilbert.embeddings.word_embeddings.weight",
                      "vocab_projector.weight", "vocab_projector.bias");
  const std::string files = (source_dir() / "tests" / "model" / "reference" / "files").string();
  check_separate_head(open_checkpoint(files + "/gpt2.gguf"), tokens, "token_embd.weight", "output.weight");
  Checkpoint training = open_checkpoint(files + "/nanogpt.pt");
  auto& tensors = training.tensors;  // it holds the embedding under both names
  tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                               [](const StoredTensor& one) { return one.name == "lm_head.weight"; }),
                tensors.end());
  check_separate_head(training, tokens, "transformer.wte.weight", "lm_head.weight");
}

TEST_CASE("an embedding that is stored under both names is tied") {
  const std::string files = (source_dir() / "tests" / "model" / "reference" / "files").string();
  const Checkpoint training = open_checkpoint(files + "/nanogpt.pt");
  CHECK(tensor_named(training, "lm_head.weight").shape ==
        tensor_named(training, "transformer.wte.weight").shape);
  CHECK(model_of(training).architecture.is_tied);
}
