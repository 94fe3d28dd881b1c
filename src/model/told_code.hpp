// A model's computation as lines of NumPy over its own tensors: what --code writes for each stage.
#pragma once

#include "model/run.hpp"

namespace attnlab {

/// The lines of one run. Names of stages are those of the trace (told_stages.cpp), names of tensors those of
/// the file with _ for what Python allows in no name.
class ModelCode {
 public:
  explicit ModelCode(const ModelRun& run);

  std::string embedding() const;
  std::string normed(std::size_t layer, const std::string& input) const;
  std::string query(std::size_t layer, const std::string& x) const { return heads_of("query", layer, x); }
  std::string key(std::size_t layer, const std::string& x) const { return heads_of("key", layer, x); }
  std::string value(std::size_t layer, const std::string& x) const { return heads_of("value", layer, x); }
  std::string scores(std::size_t layer) const;
  std::string head_output(std::size_t layer) const;
  std::string attention(std::size_t layer) const;
  std::string after_attention(std::size_t layer, const std::string& input) const;
  std::string mlp_input(std::size_t layer, const std::string& input) const;
  std::string hidden(std::size_t layer, const std::string& x) const;
  std::string mlp(std::size_t layer) const;
  std::string output(std::size_t layer) const;
  std::string logits(const std::string& stream) const;

  /// What the lines begin with: the tensors, out of their files where these are safetensors, else by value;
  /// the mask and the angles.
  std::vector<Origin> origins() const;

 private:
  std::string tokens() const;
  std::string count() const;  // of the tokens
  std::string tensor(const std::string& name) const;
  std::string tensor_of(const std::string& role, std::optional<std::size_t> layer) const;
  std::string plus_bias(const std::string& weight) const;
  std::string projected(const std::string& x, const std::string& role, std::size_t layer) const;
  std::string normed_by(const std::string& x, const std::string& role,
                        std::optional<std::size_t> layer) const;
  std::string heads_of(const std::string& role, std::size_t layer, const std::string& x) const;
  std::string joint_heads(const std::string& role, std::size_t layer, const std::string& x) const;
  std::string activated(const std::string& x) const;
  std::string mask() const;
  std::string angles() const;

  const ModelRun& run_;
  const Architecture& a_;
  TensorNames names_;
  TensorIndex tensors_;
  mutable std::set<std::string> used_;  // names of stored tensors
};

}  // namespace attnlab
