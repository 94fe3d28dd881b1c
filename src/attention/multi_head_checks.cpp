// Do the weights of a multi-head layer fit each other and its inputs? What to change when they do not.
#include "attention/multi_head_checks.hpp"

#include <string>

#include "attention/shape.hpp"
#include "core/error.hpp"

namespace attnlab {

namespace {

template <class T>
void require_projections_that_fit(const MultiHeadWeights<T>& weights) {
  const Shape query = shape_of(weights.query);
  const Shape key = shape_of(weights.key);
  const Shape value = shape_of(weights.value);
  const bool matrices_per_head = query.size() == 3 && key.size() == 3 && value.size() == 3;
  if (!matrices_per_head || key[0] != value[0]) {
    const std::string shapes = "W_Q " + printed(query) + ", W_K " + printed(key) + ", W_V " + printed(value);
    throw Error(ErrorKind::usage,
                Text("ヘッドごとの射影行列の形状が合いません: " + shapes,
                     "the heads' projections do not fit: " + shapes),
                Text("三つとも形状を (ヘッド数, d_model, ヘッドの次元) にしてください",
                     "give all three the shape (heads, d_model, head width)"));
  }
  if (key[0] == 0 || query[0] % key[0] != 0) {
    const std::string heads = std::to_string(query[0]);
    const std::string shared = std::to_string(key[0]);
    throw Error(
        ErrorKind::usage,
        Text("クエリのヘッド " + heads + " 個を、キーとバリューのヘッド " + shared + " 個に等分できません",
             heads + " heads of queries cannot share " + shared + " heads of keys and values"),
        Text("キーとバリューのヘッド数は " + heads + " の約数にしてください",
             "choose a divisor of " + heads + " for the heads of keys and values"));
  }
}

template <class T>
void require_output_that_fits(const MultiHeadWeights<T>& weights) {
  const std::size_t heads = weights.query.shape()[0];
  const std::size_t width = weights.value.shape()[2];
  const Shape output = shape_of(weights.output);
  if (output.size() == 2 && output[0] == heads * width) return;
  const std::string joined =
      std::to_string(heads) + " * " + std::to_string(width) + " = " + std::to_string(heads * width);
  throw Error(ErrorKind::usage,
              Text("結合したヘッドの次元は " + joined + " ですが、W_O の形状は " + printed(output) + " です",
                   "the joined heads have width " + joined + ", but W_O has shape " + printed(output)),
              Text("W_O の行数をヘッド数 * d_v にしてください", "give W_O heads * d_v rows"));
}

template <class T>
void require_bias(const std::optional<Tensor<T>>& bias, const Shape& wanted, const std::string& name) {
  if (!bias || shape_of(*bias) == wanted) return;
  const std::string shape = printed(shape_of(*bias));
  throw Error(
      ErrorKind::usage,
      Text(name + " のバイアスの形状が " + shape + " です", "the bias of " + name + " has shape " + shape),
      Text("形状を " + printed(wanted) + " にしてください", "give it the shape " + printed(wanted)));
}

}  // namespace

std::size_t head_width(std::size_t d_model, std::size_t heads) {
  if (heads == 0 || d_model == 0 || d_model % heads != 0) {
    const std::string width = std::to_string(d_model);
    const std::string count = std::to_string(heads);
    throw Error(ErrorKind::usage,
                Text("d_model " + width + " を " + count + " 個のヘッドに等分できません",
                     "d_model " + width + " cannot be split over " + count + " heads"),
                d_model == 0
                    ? Text("d_model は 1 以上にしてください", "choose a d_model of 1 or more")
                    : Text("ヘッド数は " + width + " の約数にしてください", "choose a divisor of " + width));
  }
  return d_model / heads;
}

template <class T>
void require_weights_that_fit(const MultiHeadWeights<T>& weights) {
  require_projections_that_fit(weights);
  require_output_that_fits(weights);
  const auto per_head = [](const Tensor<T>& w) { return Shape{w.shape()[0], w.shape()[2]}; };
  require_bias(weights.query_bias, per_head(weights.query), "W_Q");
  require_bias(weights.key_bias, per_head(weights.key), "W_K");
  require_bias(weights.value_bias, per_head(weights.value), "W_V");
  require_bias(weights.output_bias, Shape{weights.output.shape()[1]}, "W_O");
}

template <class T>
void require_tokens_of_width(const Tensor<T>& tokens, std::size_t width) {
  const Shape shape = shape_of(tokens);
  if (shape.size() >= 2 && shape.back() == width) return;
  const std::string d_model = std::to_string(width);
  throw Error(ErrorKind::usage,
              Text("形状 " + printed(shape) + " の入力は、次元 " + d_model + " のトークンの列ではありません",
                   "an input of shape " + printed(shape) + " is no sequence of tokens of width " + d_model),
              Text("最後の 2 軸を (トークン数, " + d_model + ") にしてください",
                   "make its last two axes (tokens, " + d_model + ")"));
}

template void require_weights_that_fit(const MultiHeadWeights<float>&);
template void require_weights_that_fit(const MultiHeadWeights<double>&);
template void require_tokens_of_width(const Tensor<float>&, std::size_t);
template void require_tokens_of_width(const Tensor<double>&, std::size_t);

}  // namespace attnlab
