// Documents B and C: the attention function and the multi-head layer of the course and of its notebook.
#include "attention/linear.hpp"
#include "attention/weight_layout.hpp"
#include "claims/claim.hpp"
#include "random/torch_random.hpp"

namespace attnlab {
namespace {

// --- Document B: the course

/// Does x (2, 3, E) go through a weight of that shape, used as linear() uses it: x Wᵀ?
bool goes_through(std::size_t embedding, std::size_t rows, std::size_t columns) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({2, 3, embedding});
  const Linear<double> layer{random.randn({rows, columns}), std::nullopt};
  return !refuses([&] { linear(layer, x); });
}

/// Of the shape (rows, columns) that a sentence names and of its transpose, which of them fits; both do where
/// they are square.
Finding shape_of_weight(std::size_t embedding, std::size_t rows, std::size_t columns, const char* named,
                        const char* transposed) {
  const bool fits = goes_through(embedding, rows, columns);
  const bool other_fits = goes_through(embedding, columns, rows);
  return holds_or_only_if(fits, goes_through(8, 8, 8) && other_fits,
                          {{named, fits}, {transposed, other_fits}});
}

Finding shape_assertion(const Mathematics&) {  // (hidden_size, num_heads * head_dim); (H x D) x E
  return shape_of_weight(8, 8, 6, "asserted_shape_fits", "shape_of_the_text_fits");
}

Finding output_assertion(const Mathematics&) {  // (num_heads * head_dim, hidden_size); E x (H x D)
  return shape_of_weight(6, 6, 8, "asserted_shape_fits", "shape_of_the_text_fits");
}

Finding shape_comment(const Mathematics&) {
  return shape_of_weight(8, 8, 6, "as_commented_fits", "other_fits");
}

/// (heads, length, width) to (length, heads, width), and back.
Tensor<double> exchanged(const Tensor<double>& x) { return xt::transpose(x, {1, 0, 2}); }

/// Attention over the last two axes of x (batch, length, width), as the course's function does it.
Tensor<double> attended(const Tensor<double>& x) { return scaled_dot_product_attention(x, x, x).output; }

/// The same of x (heads, length, width) with the heads kept behind the length.
Tensor<double> attended_behind(const Tensor<double>& x) { return exchanged(attended(exchanged(x))); }

/// How far (1, 2, 3, 4) added to a changed input moves the output: of the other head, of the other tokens.
struct Influence {
  double on_heads = 0.0;
  double on_tokens = 0.0;
};

Influence influence(Tensor<double> (*attention)(const Tensor<double>&)) {
  const Tensor<double> x = NumpyRandom(0).randn({2, 5, 4});  // (heads, length, width)
  const Tensor<double> before = attention(x);
  Tensor<double> other_head = x;
  xt::view(other_head, 1) += xt::arange(1.0, 5.0);
  Tensor<double> other_token = x;
  xt::view(other_token, xt::all(), 1) += xt::arange(1.0, 5.0);
  return {largest_difference(xt::view(before, 0), xt::view(attention(other_head), 0)),
          largest_difference(xt::view(before, xt::all(), 0), xt::view(attention(other_token), xt::all(), 0))};
}

Finding transposition(const Mathematics&) {
  const Influence with = influence(attended);
  const Influence without = influence(attended_behind);
  const bool heads_mix = with.on_heads == 0.0 && without.on_heads > 0.0;
  return holds_if(heads_mix && without.on_tokens > 0.0, {{"heads_with", with.on_heads},
                                                         {"tokens_with", with.on_tokens},
                                                         {"heads_without", without.on_heads},
                                                         {"tokens_without", without.on_tokens}});
}

Finding source_length(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> query = random.randn({3, 4});
  const Tensor<double> key = random.randn({5, 4});
  const auto stages = scaled_dot_product_attention(query, key, key);
  const std::size_t rows = stages.output.shape()[0];
  const std::size_t keys = stages.weights.shape()[1];
  const std::size_t of_equal = scaled_dot_product_attention(key, key, key).output.shape()[0];
  return holds_or_only_if(rows == keys, of_equal == keys, {{"output_rows", rows}, {"keys", keys}});
}

/// Q Kᵀ with L = 1024 and D = 64.
constexpr std::size_t course_length = 1024;
constexpr std::size_t course_width = 64;

Finding reciprocal_root(const Mathematics&) {
  const std::size_t multiplications = course_length * course_length * course_width;
  return remark_if(1.0 / std::sqrt(64.0) == 0.125, {{"multiplications", multiplications}, {"roots", 1}});
}

/// What stands in memory beside query and key, written with and without another array for the scaled scores.
Finding one_line(const Mathematics&) {
  const Tensor<double> x = NumpyRandom(0).randn({course_length, course_width});
  Tensor<double> product = matmul(x, transpose(x));
  const Tensor<double> scaled = product * 0.125;
  const std::size_t both = product.size() + scaled.size();
  product *= 0.125;
  const bool is_same = largest_difference(product, scaled) == 0.0;
  return holds_or_only_if(!is_same, both > product.size(), {{"product", product.size()}, {"both", both}});
}

Finding scale_once(const Mathematics&) {
  constexpr std::size_t heads = 12;
  const std::size_t multiplications = 2 * heads * course_length * course_length * course_width;
  return remark_if(multiplications > 1e6, {{"multiplications", multiplications}, {"roots", 1}});
}

Finding next_token(const Mathematics& mathematics) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({5, 4});
  const Tensor<double> probabilities = mathematics.softmax(matmul(x, random.randn({4, 7})));
  const Tensor<double> last = xt::view(probabilities, 4);
  return remark_if(probabilities.size() > 1, {{"rows", probabilities.shape()[0]},
                                              {"columns", probabilities.shape()[1]},
                                              {"largest", largest(last)}});
}

/// max(0, x W) of (tokens, 4), each token for itself.
Tensor<double> by_mlp(const Tensor<double>& x) {
  return xt::maximum(matmul(x, NumpyRandom(1).randn({4, 4})), 0.0);
}

Tensor<double> by_attention_and_mlp(const Tensor<double>& x) {
  return by_mlp(x + scaled_dot_product_attention(x, x, x).output);
}

/// How far token 0's output moves when (1, 2, 3, 4) is added to token 1.
double influence_of_token_1(Tensor<double> (*layer)(const Tensor<double>&)) {
  const Tensor<double> x = NumpyRandom(0).randn({5, 4});
  Tensor<double> changed = x;
  xt::view(changed, 1) += xt::arange(1.0, 5.0);
  return largest_difference(xt::view(layer(x), 0), xt::view(layer(changed), 0));
}

Finding relations_need_attention(const Mathematics&) {
  const double with = influence_of_token_1(by_attention_and_mlp);
  const double without = influence_of_token_1(by_mlp);
  return holds_if(with > 0.0 && without == 0.0, {{"with_attention", with}, {"without_attention", without}});
}

Finding broadcast(const Mathematics&) {
  NumpyRandom random(0);
  const Tensor<double> x = random.randn({2, 3, 4, 5});
  const Tensor<double> mask = random.randn({1, 1, 4, 4});
  const Tensor<double> in_full = xt::broadcast(mask, {2, 3, 4, 4});
  const auto output = [&](const Tensor<double>& one) {
    return scaled_dot_product_attention(x, x, x, {std::nullopt, one}).output;
  };
  const double difference = largest_difference(output(mask), output(in_full));
  const std::size_t matrices = x.shape()[0] * x.shape()[1];
  return remark_if(difference == 0.0, {{"matrices", matrices}, {"largest_difference", difference}});
}

Finding masked_probability(const Mathematics& mathematics) {
  const Tensor<double> masked{{0.3, -infinity, 1.2}};
  const Tensor<double> weights = mathematics.softmax(masked);
  return holds_if(weights(0, 1) == 0.0,
                  {{"weight", weights(0, 1)}, {"first", weights(0, 0)}, {"third", weights(0, 2)}});
}

Finding any_batch(const Mathematics&) {
  Tensor<double> x = NumpyRandom(0).randn({2, 3, 4, 5});
  Tensor<double> together = scaled_dot_product_attention(x, x, x).output;
  x.reshape({6, 4, 5});
  together.reshape({6, 4, 5});
  const double largest = worst_of(6, [&](std::size_t i) {
    const Tensor<double> one = xt::view(x, i);
    return largest_difference(scaled_dot_product_attention(one, one, one).output, xt::view(together, i));
  });
  return holds_if(largest < 1e-12, {{"largest_difference", largest}});
}

Finding width_of_a_head(const Mathematics&) {
  const std::size_t width = head_width(768, 12);
  return holds_if(width == 64, {{"head_dim", width}});
}

// --- Document C: the notebook

constexpr std::size_t notebook_width = 128;
constexpr std::size_t notebook_heads = 4;

/// nn.Linear's weight (out, in) as one projection per head (heads, in, out / heads).
Tensor<float> per_head(const Tensor<float>& weight) { return split_heads(transpose(weight), notebook_heads); }

Tensor<float> bias_per_head(const Tensor<float>& bias) {
  Tensor<float> split = bias;
  split.reshape({notebook_heads, notebook_width / notebook_heads});
  return split;
}

/// The notebook from torch.manual_seed(0): the input, then W_q, W_k, W_v, W_o.
MultiHeadStages<float> notebook() {
  TorchRandom random(0);
  const Tensor<float> x = random.randn({1, 7, notebook_width});
  const TorchLinear query = random.linear(notebook_width, notebook_width);
  const TorchLinear key = random.linear(notebook_width, notebook_width);
  const TorchLinear value = random.linear(notebook_width, notebook_width);
  const TorchLinear output = random.linear(notebook_width, notebook_width);
  const MultiHeadWeights<float> weights{
      per_head(query.weight),    per_head(key.weight),    per_head(value.weight),    transpose(output.weight),
      bias_per_head(query.bias), bias_per_head(key.bias), bias_per_head(value.bias), output.bias};
  return multi_head_attention(weights, x, x, x);
}

Finding subspaces(const Mathematics&) {
  TorchRandom random(0);
  random.randn({1, 7, notebook_width});  // the input is drawn first
  const Tensor<double> query = xt::cast<double>(random.linear(notebook_width, notebook_width).weight);
  const Tensor<double> of_a_head = xt::view(query, xt::range(0, notebook_width / notebook_heads));
  const std::size_t rank = rank_of(query);
  const std::size_t narrow = rank_of(of_a_head);
  return holds_or_only_if(rank < notebook_width, narrow < notebook_width,
                          {{"rank", rank}, {"rank_of_head", narrow}});
}

/// Four keys with equal scores, all but the first to be hidden.
Finding boolean_mask(const Mathematics& mathematics) {
  const Tensor<double> added = mathematics.softmax(Tensor<double>{{0.0, 1.0, 1.0, 1.0}});
  const Tensor<double> additive = mathematics.softmax(Tensor<double>{{0.0, -infinity, -infinity, -infinity}});
  return holds_or_only_if(added(0, 1) == 0.0, additive(0, 1) == 0.0,
                          {{"hidden", added(0, 1)},
                           {"visible", added(0, 0)},
                           {"hidden_additive", additive(0, 1)},
                           {"visible_additive", additive(0, 0)}});
}

Finding output_shape(const Mathematics&) {
  const Tensor<float> output = notebook().output;
  const bool same = output.dimension() == 3 && output.shape()[0] == 1 && output.shape()[1] == 7 &&
                    output.shape()[2] == notebook_width;
  return holds_if(same, {{"first_value", static_cast<double>(output.flat(0))},
                         {"batch", output.shape()[0]},
                         {"positions", output.shape()[1]},
                         {"width", output.shape()[2]}});
}

Finding normalised(const Mathematics&) {
  const Tensor<double> weights = xt::cast<double>(notebook().attention.weights);  // (1, heads, 7, 7)
  const double error = row_sum_error(weights);
  return holds_if(error < 1e-6, {{"sum_error", error}});
}

Finding different_heads(const Mathematics&) {
  const Tensor<double> weights = xt::cast<double>(notebook().attention.weights);  // (1, heads, 7, 7)
  double smallest = 1.0;
  for (std::size_t a = 0; a < notebook_heads; ++a) {
    for (std::size_t b = a + 1; b < notebook_heads; ++b) {
      smallest = std::min(smallest, largest_difference(xt::view(weights, 0, a), xt::view(weights, 0, b)));
    }
  }
  return holds_if(smallest > 0.01, {{"smallest_difference", smallest}});
}

}  // namespace

std::vector<ClaimCheck> course_checks() {
  return {
      {"B-next-token", next_token},
      {"B-batch", any_batch},
      {"B-source-length", source_length},
      {"B-relations", relations_need_attention},
      {"B-masked-probability", masked_probability},
      {"B-rsqrt", reciprocal_root},
      {"B-one-line", one_line},
      {"B-broadcast", broadcast},
      {"B-transposition", transposition},
      {"B-head-width", width_of_a_head},
      {"B-shape-assertion", shape_assertion},
      {"B-output-assertion", output_assertion},
      {"B-shape-comment", shape_comment},
      {"B-scale-once", scale_once},
      {"C-subspaces", subspaces},
      {"C-normalised", normalised},
      {"C-different-heads", different_heads},
      {"C-boolean-mask", boolean_mask},
      {"C-output-shape", output_shape},
  };
}

}  // namespace attnlab
