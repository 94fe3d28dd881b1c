#include "model/weights.hpp"

#include "attention/layer_norm.hpp"
#include "attention/matmul.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_kept_decoded = std::size_t{1} << 22U;   // numbers of one matrix
constexpr std::size_t most_kept_unpacked = std::size_t{1} << 16U;  // where it was packed to be small

/// Where it lies, if it lies there as this machine reads it.
std::optional<Floats> in_place(const StoredTensor& tensor) {
  const bool is_float = tensor.encoding.type == ElementType::float32 && !tensor.encoding.big_endian;
  if (!is_float || tensor.fortran_order) return std::nullopt;
  const SharedBytes bytes = tensor.bytes();
  const void* const begin = bytes.view.data();
  std::uintptr_t place = 0;
  std::memcpy(&place, &begin, sizeof place);
  if (place % alignof(float) != 0) return std::nullopt;
  return Floats{static_cast<const float*>(begin), bytes.owner};
}

Floats decoded(const StoredTensor& tensor) {
  if (std::optional<Floats> unpacked = in_place(tensor)) return *unpacked;
  const auto values = std::make_shared<Tensor<float>>(load<float>(tensor));
  return {values->data(), values};
}

/// Finds tensors under the names of a family, and remembers which were taken.
class Finder {
 public:
  Finder(const Checkpoint& checkpoint, const KnownFamily& family)
      : checkpoint_(checkpoint),
        family_(family),
        a_(family.architecture),
        tensors_(checkpoint, family.names) {}

  std::string name_of(const std::string& role, std::optional<std::size_t> layer) const {
    return family_.names.name_of(role, layer);
  }

  const StoredTensor* find(const std::string& name) {
    const StoredTensor* found = tensors_.find(name);
    if (found != nullptr) taken_.insert(found->name);
    return found;
  }

  /// As the file has it; "" where it has none.
  std::string stored_name(const std::string& name) const {
    const StoredTensor* const found = tensors_.find(name);
    return found == nullptr ? "" : found->name;
  }

  [[noreturn]] void refuse_missing(const std::string& name) const {
    refuse_file(checkpoint_.name,
                text("テンソル {} がありません", "the tensor {} is missing", quotation(name)),
                text("{} のモデルには必要です。ファイルが揃っているか確かめてください{}",
                     "a model of {} needs it; check that its files are complete{}", printable(a_.type),
                     or_one_layer(checkpoint_)));
  }

  void require_shape(const StoredTensor& tensor, const std::vector<std::size_t>& shape) const {
    if (tensor.shape == shape) return;
    refuse_file(
        checkpoint_.name,
        text("テンソル {} の形状は {} ですが、設定（{}）によれば {} です",
             "the tensor {} has the shape {}, but by the configuration ({}) it is {}", quotation(tensor.name),
             shape_text(tensor.shape), quotation(checkpoint_.place), shape_text(shape)),
        {"同じモデルの設定と重みを組にしてください", "use the configuration and the weights of one model"});
  }

  std::optional<Tensor<float>> vector(const std::string& name, std::size_t width) {
    const StoredTensor* tensor = find(name);
    if (tensor == nullptr) return std::nullopt;
    require_shape(*tensor, {width});
    parameters_ += width;
    return load<float>(*tensor);
  }

  std::optional<StoredMatrix> matrix(const std::string& name, std::size_t in, std::size_t out, bool out_in) {
    const StoredTensor* tensor = find(name);
    if (tensor == nullptr) return std::nullopt;
    require_shape(*tensor, out_in ? std::vector{out, in} : std::vector{in, out});
    parameters_ += in * out;
    return StoredMatrix(*tensor, out_in);
  }

  std::optional<Projection> projection(const std::string& name, std::size_t in, std::size_t out) {
    std::optional<StoredMatrix> found = matrix(name, in, out, a_.out_in);
    if (!found) return std::nullopt;
    return Projection{std::move(*found), vector(bias_name(name), out), stored_name(bias_name(name))};
  }

  Projection needed_projection(const std::string& name, std::size_t in, std::size_t out) {
    std::optional<Projection> found = projection(name, in, out);
    if (!found) refuse_missing(name);
    return std::move(*found);
  }

  std::optional<ModelNorm> norm(const std::string& name, std::size_t width) {
    std::optional<Tensor<float>> gain = vector(name, width);
    if (!gain) return std::nullopt;
    if (a_.gain_from_one) *gain += 1.0F;
    return ModelNorm{a_.norm,           a_.eps,
                     std::move(*gain),  vector(bias_name(name), width),
                     stored_name(name), stored_name(bias_name(name)),
                     a_.gain_from_one};
  }

  /// Where the row has one, it must be there.
  std::optional<ModelNorm> norm_of_row(const std::string& name, std::size_t width) {
    return name.empty() ? std::nullopt : needed_norm(name, width);
  }

  std::optional<ModelNorm> needed_norm(const std::string& name, std::size_t width) {
    std::optional<ModelNorm> found = norm(name, width);
    if (!found) refuse_missing(name);
    return found;
  }

  /// Of queries or keys: needed of the types that have it and say so nowhere.
  std::optional<ModelNorm> head_norm(const std::string& name, std::size_t width) {
    return family_.names.lists("head_norms", a_.type) ? needed_norm(name, width) : norm(name, width);
  }

  /// What was not taken: tensors beside the model; refuses one inside a layer.
  std::vector<std::string> left() const {
    const std::string layer = family_.names.layer.substr(0, family_.names.layer.find("{}"));
    std::vector<std::string> names;
    for (const StoredTensor& tensor : checkpoint_.tensors) {
      const std::string& name = tensor.name;
      if (taken_.count(name) == 1 || is_harmless(name)) continue;
      const bool in_layer = name.rfind(layer, 0) == 0 || name.rfind(family_.names.prefix + layer, 0) == 0;
      if (in_layer) {
        refuse_file(checkpoint_.name,
                    text("層のテンソル {} の使い道が分かりません。読まずに計算すると結果が変わります",
                         "nothing is known of the layer's tensor {}; without it the result would be another",
                         quotation(name)),
                    text("{} のふつうのモデルを使ってください{}", "use a plain model of {}{}",
                         printable(a_.type), or_one_layer(checkpoint_)));
      }
      names.push_back(name);
    }
    return names;
  }

  std::size_t parameters() const { return parameters_; }

 private:
  bool is_harmless(const std::string& name) const {
    const auto& ends = family_.names.harmless;
    return std::any_of(ends.begin(), ends.end(), [&](const std::string& end) {
      return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    });
  }

  const Checkpoint& checkpoint_;
  const KnownFamily& family_;
  const Architecture& a_;
  TensorIndex tensors_;
  std::set<std::string> taken_;
  std::size_t parameters_ = 0;
};

/// `name_of` a role, which with experts leaves {} for the expert's number.
ModelMlp mlp_of(Finder& finder, const Architecture& a,
                const std::function<std::string(const char* role)>& name_of, std::size_t expert = 0) {
  const auto projection = [&](const char* role, std::size_t in,
                              std::size_t out) -> std::optional<Projection> {
    const std::string name = name_of(role);
    if (name.empty()) return std::nullopt;
    return finder.needed_projection(fmt::format(fmt::runtime(name), expert), in, out);
  };
  ModelMlp mlp;
  mlp.gate = projection("gate", a.width, a.hidden);
  mlp.up = projection("up", a.width, a.hidden);
  mlp.gate_up = projection("gate_up", a.width, 2 * a.hidden);
  mlp.down = projection("down", a.hidden, a.width);
  return mlp;
}

ModelLayer layer_of(Finder& finder, const Architecture& a, std::size_t number) {
  const auto name = [&](const char* role) { return finder.name_of(role, number); };
  ModelLayer layer;
  const std::size_t query_width = a.heads * a.head_width;
  const std::size_t key_width = a.kv_heads * a.head_width;
  const bool has_norms = a.norm_position != NormPosition::none;
  if (has_norms) layer.attention_norm = finder.norm_of_row(name("attention_norm"), a.width);
  if (const std::string joint = name("joint"); !joint.empty()) {
    layer.joint = finder.needed_projection(joint, a.width, query_width + 2 * key_width);
  } else {
    layer.query = finder.needed_projection(name("query"), a.width, query_width);
    layer.key = finder.needed_projection(name("key"), a.width, key_width);
    layer.value = finder.needed_projection(name("value"), a.width, key_width);
    layer.query_norm = finder.head_norm(name("query_norm"), a.norms_all_heads ? query_width : a.head_width);
    layer.key_norm = finder.head_norm(name("key_norm"), a.norms_all_heads ? key_width : a.head_width);
  }
  const Projection& first = layer.joint ? *layer.joint : *layer.query;
  if (a.has_attention_biases && !first.bias)
    finder.refuse_missing(bias_name(name(layer.joint ? "joint" : "query")));
  layer.output = finder.needed_projection(name("output"), query_width, a.width);
  layer.attention_output_norm = finder.norm_of_row(name("attention_output_norm"), a.width);
  if (a.hidden == 0) return layer;  // attention alone
  const bool shares_norm = a.norm_position == NormPosition::parallel && name("mlp_norm").empty();
  if (has_norms)
    layer.mlp_norm = shares_norm ? layer.attention_norm : finder.norm_of_row(name("mlp_norm"), a.width);
  if (a.experts == 0) layer.mlp = mlp_of(finder, a, name);
  if (a.experts > 0) layer.router = finder.needed_projection(name("router"), a.width, a.experts);
  for (std::size_t expert = 0; expert < a.experts; ++expert)
    layer.experts.push_back(mlp_of(finder, a, name, expert));
  layer.mlp_output_norm = finder.norm_of_row(name("mlp_output_norm"), a.width);
  return layer;
}

/// The words that it can say: a matrix of its own, or the embedding once more.
void find_head(Finder& finder, const Architecture& a, ModelWeights& weights) {
  if (!a.says_words) return;
  const std::string transform = finder.name_of("transform", std::nullopt);
  if (!transform.empty()) {
    weights.transform = finder.projection(transform, a.width, a.width);
    if (!weights.transform) return;  // a model without its words, as for embeddings of sentences
    weights.transform_norm = finder.needed_norm(finder.name_of("transform_norm", std::nullopt), a.width);
  }
  const std::string name = finder.name_of("head", std::nullopt);
  std::optional<StoredMatrix> own = weights.embedding;
  if (a.is_tied) {
    finder.find(name);  // the same once more
  } else {
    own = finder.matrix(name, a.width, a.vocabulary, true);
  }
  if (!own) finder.refuse_missing(name);
  const std::string first_bias = finder.name_of("head_bias", std::nullopt);
  std::optional<Tensor<float>> bias = finder.vector(first_bias, a.vocabulary);
  std::optional<Tensor<float>> second = finder.vector(bias_name(name), a.vocabulary);
  const std::string used = finder.stored_name(bias ? first_bias : bias_name(name));
  if (!bias) bias = std::move(second);
  weights.head = Projection{std::move(*own), std::move(bias), used};
}

}  // namespace

StoredMatrix::StoredMatrix(StoredTensor tensor, bool out_in) : tensor_(std::move(tensor)), out_in_(out_in) {
  std::optional<Floats> lies = tensor_.part ? std::nullopt : in_place(tensor_);
  if (lies) kept_ = std::move(*lies);
  const std::size_t most = tensor_.part ? most_kept_unpacked : most_kept_decoded;
  if (kept_.data == nullptr && size_of(tensor_) <= most) kept_ = decoded(tensor_);
}

Floats StoredMatrix::values() const { return kept_.data != nullptr ? kept_ : decoded(tensor_); }

void StoredMatrix::copy_row(std::size_t row, float* to) const {
  const std::size_t columns = tensor_.shape[1];
  if (kept_.data != nullptr) {
    std::copy_n(kept_.data + row * columns, columns, to);
    return;
  }
  const std::size_t bytes = columns * size_of(tensor_.encoding.type);
  const SharedBytes part =
      tensor_.part ? tensor_.part(row * bytes, bytes) : tensor_.bytes().part(row * bytes, bytes);
  decode(part.view, tensor_.encoding, to);
}

std::vector<float> StoredMatrix::column(std::size_t column) const {
  std::vector<float> numbers(in());
  if (out_in_) {
    copy_row(column, numbers.data());
    return numbers;
  }
  const Floats all = values();
  for (std::size_t i = 0; i < in(); ++i) numbers[i] = all.data[i * out() + column];
  return numbers;
}

Tensor<float> Projection::operator()(const Tensor<float>& x, const ForEach& for_each) const {
  constexpr std::size_t least_rows = 16;  // worth a processor of their own
  const std::size_t rows = x.shape()[0];
  const std::size_t in = matrix.in();
  const std::size_t out = matrix.out();
  const Floats weights = matrix.values();
  Tensor<float> y = Tensor<float>::from_shape({rows, out});
  const std::size_t parts = std::clamp(rows / least_rows, std::size_t{1}, std::size_t{16});
  const auto compute = [&](std::size_t part) {
    const std::size_t begin = rows * part / parts;
    const std::size_t end = rows * (part + 1) / parts;
    multiply({x.data() + begin * in, end - begin, in}, {weights.data, in, out, matrix.out_in()},
             y.data() + begin * out);
    if (!bias) return;
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t i = 0; i < out; ++i) y.data()[row * out + i] += bias->data()[i];
    }
  };
  if (parts == 1) {
    compute(0);
  } else {
    for_each(parts, compute);
  }
  return y;
}

Tensor<float> ModelNorm::operator()(const Tensor<float>& x) const {
  if (type == NormType::rms) return rms_norm(x, gain, eps);
  return layer_norm(LayerNorm<float>{eps, gain, bias}, x);
}

ModelWeights weights_of(const Checkpoint& checkpoint, const KnownFamily& family) {
  const Architecture& a = family.architecture;
  Finder finder(checkpoint, family);
  const auto name = [&](const char* role) { return finder.name_of(role, std::nullopt); };
  ModelWeights weights;
  std::optional<StoredMatrix> embedding = finder.matrix(name("embedding"), a.width, a.vocabulary, true);
  if (!embedding) finder.refuse_missing(name("embedding"));
  weights.embedding = std::move(*embedding);
  if (a.places == PlaceTable::learned) {
    weights.positions = finder.matrix(name("positions"), a.width, a.positions, true);
    if (!weights.positions) finder.refuse_missing(name("positions"));
  }
  if (a.places == PlaceTable::sinusoidal) {
    const Tensor<double> waves = sinusoidal_encoding(a.positions, a.width, 10000.0);
    weights.positions = StoredMatrix(
        spelt_out("", {a.positions, a.width}, std::vector<float>(waves.begin(), waves.end())), true);
  }
  if (const StoredTensor* segments = finder.find(name("segments")); segments != nullptr) {
    if (segments->shape.size() != 2 || segments->shape[0] == 0) finder.require_shape(*segments, {2, a.width});
    finder.require_shape(*segments, {segments->shape[0], a.width});
    const Tensor<float> all = load<float>(*segments);
    weights.segments_name = segments->name;
    weights.segment = Tensor<float>::from_shape({a.width});
    std::copy_n(all.data(), a.width, weights.segment->data());
  }
  weights.embedding_norm = finder.norm(name("embedding_norm"), a.width);
  for (std::size_t layer = 0; layer < a.layers; ++layer) weights.layers.push_back(layer_of(finder, a, layer));
  const bool ends_in_norm = a.norm_position == NormPosition::pre || a.norm_position == NormPosition::parallel;
  if (const std::string last = name("final_norm"); ends_in_norm && !last.empty())
    weights.final_norm = finder.needed_norm(last, a.width);
  find_head(finder, a, weights);
  weights.unread = finder.left();
  weights.parameters = finder.parameters();
  return weights;
}

}  // namespace attnlab
