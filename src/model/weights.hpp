// The weights of a model as the block uses them: matrices that lie in their file, norms, and who is who.
#pragma once

#include "core/for_each.hpp"
#include "core/tensor.hpp"
#include "model/families.hpp"

namespace attnlab {

/// Numbers in memory, and what keeps them there.
struct Floats {
  const float* data = nullptr;
  std::shared_ptr<const void> owner;
};

/// A matrix of the file: float32 is used where it lies, other types are decoded, once where that is little
/// memory, else at each use.
class StoredMatrix {
 public:
  StoredMatrix() = default;
  StoredMatrix(StoredTensor tensor, bool out_in);

  std::size_t in() const { return tensor_.shape[out_in_ ? 1 : 0]; }
  std::size_t out() const { return tensor_.shape[out_in_ ? 0 : 1]; }
  bool out_in() const { return out_in_; }
  const std::string& name() const { return tensor_.name; }

  Floats values() const;

  /// A row as it is stored: of an embedding, one token's.
  void copy_row(std::size_t row, float* to) const;

  /// What makes one number of x W out of x: (in).
  std::vector<float> column(std::size_t column) const;

 private:
  StoredTensor tensor_;
  bool out_in_ = true;
  Floats kept_;
};

/// x W + b. W is stored as (in, out) or (out, in); b (out) may be missing.
struct Projection {
  StoredMatrix matrix;
  std::optional<Tensor<float>> bias;
  std::string bias_name = {};  // of its tensor

  /// x (n, in) gives (n, out), the rows shared out among processors.
  Tensor<float> operator()(const Tensor<float>& x, const ForEach& for_each) const;
};

/// Layer norm or RMS norm along the last axis (attention/layer_norm.hpp).
struct ModelNorm {
  NormType type = NormType::layer;
  float eps = 1e-5F;
  Tensor<float> gain;
  std::optional<Tensor<float>> bias;
  std::string gain_name = {};  // of their tensors
  std::string bias_name = {};
  bool gain_from_one = false;  // the tensor holds the gain less 1

  Tensor<float> operator()(const Tensor<float>& x) const;
};

/// down(act(up x)), or with a gate down(act(gate x) ∘ up x).
struct ModelMlp {
  std::optional<Projection> gate;
  std::optional<Projection> up;
  std::optional<Projection> gate_up;  // both in one, the gate's columns first
  std::optional<Projection> down;     // nothing: none at all

  bool is_gated() const { return gate || gate_up; }
  std::size_t matrices() const { return is_gated() ? 3 : 2; }  // of (width, hidden), or of as many numbers
};

struct ModelLayer {
  std::optional<ModelNorm> attention_norm;
  std::optional<Projection> joint;  // Q, K and V in one; else each by itself
  std::optional<Projection> query;
  std::optional<Projection> key;
  std::optional<Projection> value;
  std::optional<ModelNorm> query_norm;  // of each head, or of all together
  std::optional<ModelNorm> key_norm;
  Projection output;
  std::optional<ModelNorm> attention_output_norm;  // of what attention adds
  std::optional<ModelNorm> mlp_norm;
  ModelMlp mlp;
  std::optional<Projection> router;          // (width, experts)
  std::vector<ModelMlp> experts;             // in the place of the one MLP
  std::optional<ModelNorm> mlp_output_norm;  // of what the MLP adds

  bool has_mlp() const { return mlp.down || router; }
  /// The MLP, or the first expert: all are of one shape.
  const ModelMlp& any_mlp() const { return router ? experts.front() : mlp; }
};

struct ModelWeights {
  StoredMatrix embedding;                 // (vocabulary, width)
  std::optional<StoredMatrix> positions;  // (positions, width)
  std::optional<Tensor<float>> segment;   // (width): that of every token here, the first
  std::string segments_name = {};         // of the tensor whose first row that is
  std::optional<ModelNorm> embedding_norm;
  std::vector<ModelLayer> layers;
  std::optional<ModelNorm> final_norm;
  std::optional<Projection> transform;  // BERT's, before its words
  std::optional<ModelNorm> transform_norm;
  std::optional<Projection> head;   // nothing: the file has no words to say
  std::vector<std::string> unread;  // tensors beside the model that change nothing here
  std::size_t parameters = 0;       // of the tensors that were read
};

/// Finds every tensor by its name. Throws Error (failed) naming the tensor for one that is missing, one of
/// another shape than the configuration says, and one of a layer that this block does not know.
ModelWeights weights_of(const Checkpoint& checkpoint, const KnownFamily& family);

}  // namespace attnlab
