// Brings the weights of a saved layer into the form (in, heads * width), and says what does not fit.
#include "attend/projections.hpp"

#include <xtensor/xview.hpp>

#include "attend/sentence.hpp"
#include "attention/matmul.hpp"
#include "core/counted.hpp"

namespace attnlab {
namespace {

/// "64x16", as people say it.
std::string product_text(const Shape& shape) {
  return shape.empty() ? "a single number" : joined(shape, "x");
}

template <class T>
const StoredWeight<T>* find(const std::vector<StoredWeight<T>>& provided, WeightRole role) {
  const auto found = std::find_if(provided.begin(), provided.end(),
                                  [&](const StoredWeight<T>& weight) { return weight.role == role; });
  return found == provided.end() ? nullptr : &*found;
}

template <class T>
[[noreturn]] void refuse_rank(const StoredWeight<T>& weight) {
  refuse_attend("no_rank", {{"name", weight.name}, {"shape", printed(shape_of(weight.values))}});
}

/// (in, heads * width), whatever it was stored as.
template <class T>
Tensor<T> in_out(const StoredWeight<T>& weight, bool turned) {
  const std::size_t rank = weight.values.dimension();
  if (rank != 2 && rank != 3) refuse_rank(weight);
  if (rank == 2) return turned ? attnlab::transpose(weight.values) : weight.values;
  return fuse_heads(turned ? attnlab::transpose(weight.values) : weight.values);
}

/// Refuses a matrix whose rows are not as many as the tokens' numbers.
template <class T>
void require_rows(const StoredWeight<T>& weight, const Tensor<T>& matrix, std::size_t width,
                  const Text& tokens, bool turned) {
  const std::size_t rows = matrix.shape()[0];
  if (rows == width) return;
  const Shape stored = shape_of(weight.values);
  const bool may_turn = stored.size() == 2 || weight.role != WeightRole::output;
  const bool other_fits = may_turn && stored[stored.size() - (turned ? 2 : 1)] == width;
  const Text hint = other_fits ? attend_sentence("layout_fits", {{"layout", turned ? "in-out" : "out-in"}})
                               : attend_sentence("same_layer");
  refuse_attend("rows", {{"name", weight.name},
                         {"shape", product_text(stored)},
                         {"tokens", tokens},
                         {"width", width},
                         {"hint", hint}});
}

template <class T>
void require_heads(const StoredWeight<T>& weight, const Tensor<T>& matrix, std::size_t heads) {
  if (weight.values.dimension() == 3 && weight.values.shape()[0] != heads) {
    refuse_attend(
        "weight_heads",
        {{"name", weight.name}, {"own", counted(weight.values.shape()[0], "head")}, {"heads", heads}});
  }
  const std::size_t columns = matrix.shape()[1];
  if (columns % heads == 0) return;
  refuse_attend(
      "weight_columns",
      {{"name", weight.name}, {"columns", counted(columns, "column")}, {"heads", counted(heads, "head")}});
}

template <class T>
std::optional<Tensor<T>> flat_bias(const StoredWeight<T>* bias, std::size_t width) {
  if (bias == nullptr) return std::nullopt;
  if (bias->values.size() != width) {
    refuse_attend("bias",
                  {{"name", bias->name}, {"shape", printed(shape_of(bias->values))}, {"width", width}});
  }
  Tensor<T> row = bias->values;
  row.reshape(Shape{width});
  return row;
}

/// What belongs to W_Q, W_K and W_V of columns that stand side by side, each head's as wide: all queries, all
/// keys, all values, or the same of one group of heads after the other.
template <class T>
std::tuple<Tensor<T>, Tensor<T>, Tensor<T>> three_of(Tensor<T> values, JointOrder order,
                                                     const LayerWeights<T>& weights) {
  const Shape shape = shape_of(values);
  const std::size_t rows = shape.size() == 1 ? 1 : shape.front();
  const std::size_t width = shape.back() / (weights.heads + 2 * weights.kv_heads);
  const std::size_t groups = order == JointOrder::by_group ? weights.kv_heads : 1;
  const std::size_t queries = weights.heads / groups;
  const std::size_t keys = weights.kv_heads / groups;
  values.reshape(Shape{rows, groups, queries + 2 * keys, width});
  const auto part = [&](std::size_t first, std::size_t count) {
    Tensor<T> heads = xt::view(values, xt::all(), xt::all(), xt::range(first, first + count), xt::all());
    Shape of_part = shape;
    of_part.back() = groups * count * width;
    heads.reshape(of_part);
    return heads;
  };
  return {part(0, queries), part(queries, keys), part(queries + keys, keys)};
}

/// What the joint bias gives to the three; false when there is none.
template <class T>
bool take_joint_bias(const std::vector<StoredWeight<T>>& provided, JointOrder order,
                     LayerWeights<T>& weights) {
  const std::size_t q = weights.query.shape()[1];
  const std::size_t k = weights.key.shape()[1];
  const std::size_t v = weights.value.shape()[1];
  std::optional<Tensor<T>> bias = flat_bias(find(provided, WeightRole::joint_bias), q + k + v);
  if (bias && order == JointOrder::by_group) {
    std::tie(weights.query_bias, weights.key_bias, weights.value_bias) = three_of(*bias, order, weights);
  } else if (bias) {
    weights.query_bias = xt::view(*bias, xt::range(std::size_t{0}, q));
    weights.key_bias = xt::view(*bias, xt::range(q, q + k));
    weights.value_bias = xt::view(*bias, xt::range(q + k, q + k + v));
  }
  return bias.has_value();
}

/// W_Q, W_K and W_V side by side: heads of queries, then kv_heads of keys and as many of values.
template <class T>
void split_joint(const StoredLayer<T>& layer, JointOrder order, const StoredWeight<T>& joint,
                 const InputWidths& widths, LayerWeights<T>& weights) {
  if (joint.values.dimension() != 2) refuse_rank(joint);
  Tensor<T> matrix = in_out(joint, weights.out_in);
  require_rows(joint, matrix, widths.query, {"クエリ", "the queries"}, weights.out_in);
  require_rows(joint, matrix, widths.key, {"キー", "the keys"}, weights.out_in);
  require_rows(joint, matrix, widths.value, {"バリュー", "the values"}, weights.out_in);
  const std::size_t shares = weights.heads + 2 * weights.kv_heads;
  if (matrix.shape()[1] % shares != 0) {
    refuse_attend("joint", {{"name", joint.name},
                            {"columns", matrix.shape()[1]},
                            {"heads", weights.heads},
                            {"kv_heads", weights.kv_heads}});
  }
  std::tie(weights.query, weights.key, weights.value) = three_of(std::move(matrix), order, weights);
  take_joint_bias(layer.weights, order, weights);
}

/// Of a weight per head its first axis, else what the flag says, else `fallback`.
template <class T>
std::size_t head_count(const StoredWeight<T>* weight, std::size_t wanted, std::size_t fallback,
                       const std::string& flag) {
  if (weight == nullptr || weight->values.dimension() != 3) return wanted == 0 ? fallback : wanted;
  const std::size_t heads = weight->values.shape()[0];
  if (heads == 0) refuse_rank(*weight);
  if (wanted != 0 && wanted != heads)
    refuse_attend("told_heads",
                  {{"name", weight->name}, {"heads", heads}, {"flag", flag}, {"wanted", wanted}});
  return heads;
}

template <class T>
void read_separate(const std::vector<StoredWeight<T>>& provided, const InputWidths& widths,
                   LayerWeights<T>& weights) {
  const auto read = [&](WeightRole role, std::size_t width, const Text& tokens, std::size_t heads) {
    const StoredWeight<T>& weight = *find(provided, role);
    Tensor<T> matrix = in_out(weight, weights.out_in);
    require_rows(weight, matrix, width, tokens, weights.out_in);
    require_heads(weight, matrix, heads);
    return matrix;
  };
  weights.query = read(WeightRole::query, widths.query, {"クエリ", "the queries"}, weights.heads);
  weights.key = read(WeightRole::key, widths.key, {"キー", "the keys"}, weights.kv_heads);
  weights.value = read(WeightRole::value, widths.value, {"バリュー", "the values"}, weights.kv_heads);
  if (take_joint_bias(provided, JointOrder::blocks, weights)) return;  // nn.MultiheadAttention, kdim given
  weights.query_bias = flat_bias(find(provided, WeightRole::query_bias), weights.query.shape()[1]);
  weights.key_bias = flat_bias(find(provided, WeightRole::key_bias), weights.key.shape()[1]);
  weights.value_bias = flat_bias(find(provided, WeightRole::value_bias), weights.value.shape()[1]);
}

template <class T>
void require_one_head_width(const LayerWeights<T>& weights) {
  const std::size_t query = weights.query.shape()[1] / weights.heads;
  const std::size_t key = weights.key.shape()[1] / weights.kv_heads;
  if (query == key) return;
  const std::size_t fitting = query == 0 ? 0 : weights.key.shape()[1] / query;
  const bool would_fit = fitting != 0 && weights.key.shape()[1] % query == 0 && weights.heads % fitting == 0;
  const Text hint =
      would_fit ? attend_sentence("kv_heads_fit", {{"heads", fitting}}) : attend_sentence("check_heads");
  refuse_attend("one_head_width", {{"query", query}, {"key", key}, {"hint", hint}});
}

template <class T>
void read_output(const std::vector<StoredWeight<T>>& provided, LayerWeights<T>& weights) {
  const StoredWeight<T>* output = find(provided, WeightRole::output);
  if (output == nullptr) return;
  const std::size_t joined = weights.value.shape()[1] / weights.kv_heads * weights.heads;
  if (output->values.dimension() == 3) {  // (heads, d_v, d_out): one below the other
    Tensor<T> matrix = weights.out_in ? attnlab::transpose(output->values) : output->values;
    matrix.reshape(Shape{matrix.shape()[0] * matrix.shape()[1], matrix.shape()[2]});
    weights.output = matrix;
  } else {
    weights.output = in_out(*output, weights.out_in);
  }
  require_rows(*output, *weights.output, joined, {"結合したヘッド", "the joined heads"}, weights.out_in);
  weights.output_bias = flat_bias(find(provided, WeightRole::output_bias), weights.output->shape()[1]);
}

// --- The layout

struct ChosenLayout {
  bool out_in = false;
  bool is_guess = false;
};

/// Which of the two a matrix for tokens of that width can only be; nothing where both fit, or neither.
template <class T>
std::optional<bool> out_in_by_shape(const StoredWeight<T>* weight, std::size_t width) {
  if (weight == nullptr || weight->values.dimension() < 2) return std::nullopt;
  const auto& shape = weight->values.shape();
  const bool rows_fit = shape[shape.size() - 2] == width;
  const bool columns_fit = shape.back() == width;
  if (rows_fit == columns_fit) return std::nullopt;
  return columns_fit;
}

/// By the switch, else by the names, else by the first shape that decides: a layer is stored in one way.
/// Where W_Q, W_K and W_V are square, the joined heads are as wide as the tokens.
template <class T>
ChosenLayout chosen_layout(const StoredLayer<T>& layer, const InputWidths& widths, WeightLayout wanted) {
  if (wanted != WeightLayout::by_name) return {wanted == WeightLayout::out_in, false};
  if (layer.layout == StoredLayout::in_out || layer.layout == StoredLayout::out_in) {
    return {layer.layout == StoredLayout::out_in, false};
  }
  for (const auto& [role, width] :
       {std::pair{WeightRole::joint, widths.query}, std::pair{WeightRole::query, widths.query},
        std::pair{WeightRole::key, widths.key}, std::pair{WeightRole::value, widths.value},
        std::pair{WeightRole::output, widths.value}}) {
    const std::optional<bool> out_in = out_in_by_shape(find(layer.weights, role), width);
    if (out_in) return {*out_in, false};
  }
  return {layer.layout == StoredLayout::open_out_in, true};
}

/// Norms of single heads say how wide a head is; else one head.
template <class T>
std::size_t heads_by_norm(const StoredLayer<T>& layer, bool out_in, WeightRole matrix_role,
                          WeightRole norm_role) {
  const StoredWeight<T>* matrix = find(layer.weights, matrix_role);
  const StoredWeight<T>* norm = find(layer.weights, norm_role);
  if (matrix == nullptr || norm == nullptr || matrix->values.dimension() != 2 || norm->values.size() == 0) {
    return 1;
  }
  const std::size_t columns = matrix->values.shape()[out_in ? 0 : 1];
  return columns % norm->values.size() == 0 ? std::max<std::size_t>(1, columns / norm->values.size()) : 1;
}

}  // namespace

template <class T>
Tensor<T> stacked_heads(const std::vector<Tensor<T>>& heads, const std::string& name) {
  Shape shape = shape_of(heads.front());
  for (const Tensor<T>& head : heads) {
    if (shape_of(head) == shape) continue;
    refuse_attend("head_shapes",
                  {{"name", name}, {"one", printed(shape)}, {"other", printed(shape_of(head))}},
                  ErrorKind::failed);
  }
  shape.insert(shape.begin(), heads.size());
  Tensor<T> stack = Tensor<T>::from_shape(shape);
  T* end = stack.data();
  for (const Tensor<T>& head : heads) end = std::copy(head.begin(), head.end(), end);
  return stack;
}
template Tensor<float> stacked_heads(const std::vector<Tensor<float>>&, const std::string&);
template Tensor<double> stacked_heads(const std::vector<Tensor<double>>&, const std::string&);

template <class T>
LayerWeights<T> layer_weights(const StoredLayer<T>& layer, const InputWidths& widths,
                              const AttendSettings& settings) {
  const std::vector<StoredWeight<T>>& provided = layer.weights;
  LayerWeights<T> weights;
  const ChosenLayout layout = chosen_layout(layer, widths, settings.layout);
  weights.out_in = layout.out_in;
  weights.is_guess = layout.is_guess;
  weights.scales = layer.scales;
  const bool recorded = settings.heads != 0;
  weights.heads =
      head_count(find(provided, WeightRole::query), settings.heads,
                 heads_by_norm(layer, layout.out_in, WeightRole::query, WeightRole::query_norm), "heads");
  const std::size_t kv_by_norm =
      recorded ? weights.heads : heads_by_norm(layer, layout.out_in, WeightRole::key, WeightRole::key_norm);
  weights.kv_heads = head_count(find(provided, WeightRole::key), settings.kv_heads,
                                kv_by_norm == 1 ? weights.heads : kv_by_norm, "kv-heads");
  if (weights.heads % weights.kv_heads != 0) {
    refuse_attend("uneven_heads", {{"heads", weights.heads}, {"kv_heads", weights.kv_heads}});
  }
  if (const StoredWeight<T>* joint = find(provided, WeightRole::joint)) {
    split_joint(layer, settings.joint_order.value_or(layer.order), *joint, widths, weights);
  } else {
    read_separate(provided, widths, weights);
  }
  require_one_head_width(weights);
  if (const StoredWeight<T>* gain = find(provided, WeightRole::query_norm)) weights.query_norm = gain->values;
  if (const StoredWeight<T>* gain = find(provided, WeightRole::key_norm)) weights.key_norm = gain->values;
  read_output(provided, weights);
  return weights;
}

template LayerWeights<float> layer_weights(const StoredLayer<float>&, const InputWidths&,
                                           const AttendSettings&);
template LayerWeights<double> layer_weights(const StoredLayer<double>&, const InputWidths&,
                                            const AttendSettings&);

}  // namespace attnlab
