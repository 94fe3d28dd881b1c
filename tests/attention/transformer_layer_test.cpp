// The MLP and the Transformer layer: NumPy's numbers for both places of the norm, rows treated alike, tokens
// that may be permuted, and a causal layer that does not look ahead.
#include "attention/transformer_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>
#include <xtensor/xview.hpp>

#include "agreement.hpp"
#include "attention/shape.hpp"
#include "attention/usage_message.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"
#include "verification/function_checks.hpp"

using attnlab::AttentionOptions;
using attnlab::disagreement;
using attnlab::dtype_name;
using attnlab::feed_forward;
using attnlab::FeedForward;
using attnlab::message_of;
using attnlab::NormPlacement;
using attnlab::NumpyRandom;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::rounding_of;
using attnlab::Shape;
using attnlab::shape_of;
using attnlab::Tensor;
using attnlab::transformer_layer;
using attnlab::TransformerLayer;
using attnlab::values_of;

namespace {

const nlohmann::json& stored_stage() {
  static const nlohmann::json file = attnlab::reference("attention/transformer_layer.json");
  return file;
}

/// Width 6, two heads of width 3, five hidden units, with every bias and gain.
template <class T>
TransformerLayer<T> stored_layer(NormPlacement placement) {
  const nlohmann::json& weights = stored_stage().at("weights");
  TransformerLayer<T> layer = attnlab::stored_layer<T>(
      [&weights](const char* name) { return reference_tensor<T>(weights.at(name)); });
  layer.placement = placement;
  return layer;
}

/// Width 6, heads of 3, at most 7 keys, 5 hidden units. 4: the size of the scores, and what a norm may
/// stretch.
template <class T>
double rounding_in_layer() {
  constexpr std::size_t attention = 6 + 3 + 7 + 7 + 6;  // projections, scores, softmax, mean, joined heads
  constexpr std::size_t norm = 6 + 6;                   // mean and variance
  return rounding_of<T>(attention + norm + 6 + 5 + norm, 4.0);
}

template <class T>
double rounding_in_mlp() {
  return rounding_of<T>(6 + 5);
}

template <class T>
Tensor<T> permuted_rows(const Tensor<T>& x, const std::vector<std::size_t>& order) {
  Tensor<T> result = Tensor<T>::from_shape(x.shape());
  for (std::size_t i = 0; i < order.size(); ++i) {
    xt::view(result, i, xt::all()) = xt::view(x, order[i], xt::all());
  }
  return result;
}

template <class T>
AttentionOptions<T> causal(std::size_t length) {
  AttentionOptions<T> options;
  options.mask = Tensor<T>({length, length}, T(0));
  for (std::size_t query = 0; query < length; ++query) {
    for (std::size_t key = query + 1; key < length; ++key) {
      (*options.mask)(query, key) = -std::numeric_limits<T>::infinity();
    }
  }
  return options;
}

}  // namespace

TEST_CASE_TEMPLATE("the MLP agrees with NumPy over a batch", T, float, double) {
  const nlohmann::json& expected = stored_stage().at("mlp").at(dtype_name<T>);
  const auto stages = feed_forward(stored_layer<T>(NormPlacement::post).mlp,
                                   reference_tensor<T>(stored_stage().at("mlp").at("x")));
  CHECK(shape_of(stages.hidden) == Shape{3, 4, 5});
  CHECK(disagreement(values_of(stages.hidden), reference_values(expected.at("hidden")),
                     rounding_in_mlp<T>()) == "");
  CHECK(disagreement(values_of(stages.activated), reference_values(expected.at("activated")),
                     rounding_in_mlp<T>()) == "");
  CHECK(disagreement(values_of(stages.output), reference_values(expected.at("output")),
                     rounding_in_mlp<T>()) == "");
}

TEST_CASE_TEMPLATE("the MLP gives a token the same wherever it stands and whoever stands beside it", T, float,
                   double) {
  const FeedForward<T> mlp = stored_layer<T>(NormPlacement::post).mlp;
  const Tensor<T> x = NumpyRandom(0).randn({5, 6});
  const Tensor<T> together = feed_forward(mlp, x).output;
  for (std::size_t token = 0; token < 5; ++token) {
    const Tensor<T> alone = xt::view(x, token, xt::all());
    const Tensor<T> row = xt::view(together, token, xt::all());
    const Tensor<T> output = feed_forward(mlp, alone).output;
    CHECK(shape_of(output) == Shape{6});
    CHECK(disagreement(values_of(output), values_of(row), rounding_in_mlp<T>()) == "");
  }
}

TEST_CASE("the MLP cuts off what is negative and keeps NaN") {
  const FeedForward<double> identity{{{{1, 0}, {0, 1}}, {}}, {{{1, 0}, {0, 1}}, {}}};
  const Tensor<double> x = {-2, 3};
  const Tensor<double> expected = {0, 3};
  CHECK(feed_forward(identity, x).activated == expected);
  CHECK(feed_forward(identity, x).output == expected);
  const Tensor<double> missing = {not_a_number, 1};
  CHECK(std::isnan(feed_forward(identity, missing).activated(0)));
}

TEST_CASE_TEMPLATE("both places of the norm agree with NumPy in every stage", T, float, double) {
  AttentionOptions<T> options;
  options.mask = reference_tensor<T>(stored_stage().at("mask"));
  REQUIRE(stored_stage().at("layers").size() == 4);
  for (const nlohmann::json& one : stored_stage().at("layers")) {
    const bool post = one.at("placement") == "post";
    const Tensor<T> x = reference_tensor<T>(one.at("x"));
    INFO(one.at("placement").get<std::string>(), " ", attnlab::printed(shape_of(x)));
    const auto stages =
        transformer_layer(stored_layer<T>(post ? NormPlacement::post : NormPlacement::pre), x, options);
    const nlohmann::json& expected = one.at(dtype_name<T>);
    const auto check = [&expected](const char* name, const Tensor<T>& found) {
      INFO(name);
      CHECK(shape_of(found) == expected.at(name).at("shape").template get<Shape>());
      CHECK(disagreement(values_of(found), reference_values(expected.at(name)), rounding_in_layer<T>()) ==
            "");
    };
    check("attention", stages.attention.output);
    check("residual_1", stages.residual_1);
    check("norm_1", stages.norm_1);
    check("mlp", stages.mlp.output);
    check("residual_2", stages.residual_2);
    check("norm_2", stages.norm_2);
    check("output", stages.output);
  }
}

TEST_CASE_TEMPLATE("permuting the tokens permutes the outputs of a layer the same way", T, float, double) {
  const std::vector<std::size_t> order = {3, 0, 4, 1, 2};
  const Tensor<T> x = NumpyRandom(0).randn({5, 6});
  for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
    const TransformerLayer<T> layer = stored_layer<T>(placement);
    const Tensor<T> expected = permuted_rows(transformer_layer(layer, x).output, order);
    CHECK(disagreement(values_of(transformer_layer(layer, permuted_rows(x, order)).output),
                       values_of(expected), rounding_in_layer<T>()) == "");
  }
}

TEST_CASE_TEMPLATE("under a causal mask a later token cannot change an earlier output of a layer", T, float,
                   double) {
  const Tensor<T> x = NumpyRandom(0).randn({7, 6});
  Tensor<T> changed = x;
  xt::view(changed, 4, xt::all()) = Tensor<T>(NumpyRandom(1).randn({6}));
  for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
    const TransformerLayer<T> layer = stored_layer<T>(placement);
    const Tensor<T> before = transformer_layer(layer, x, causal<T>(7)).output;
    const Tensor<T> after = transformer_layer(layer, changed, causal<T>(7)).output;
    for (std::size_t token = 0; token < 7; ++token) {
      bool equal = true;
      for (std::size_t i = 0; i < 6; ++i) equal = equal && before(token, i) == after(token, i);
      CHECK(equal == (token < 4));
    }
  }
}

TEST_CASE("sub-layers whose weights are all zero leave the residual stream as it was") {
  TransformerLayer<double> layer = stored_layer<double>(NormPlacement::pre);
  layer.attention.output.fill(0.0);
  layer.attention.output_bias.reset();
  layer.mlp.second.weight.fill(0.0);
  layer.mlp.second.bias.reset();
  const Tensor<double> x = NumpyRandom(0).randn({5, 6});
  CHECK(transformer_layer(layer, x).output == x);
}

TEST_CASE("sub-layers that change the width of the tokens are refused") {
  const Tensor<double> x = NumpyRandom(0).randn({5, 6});
  TransformerLayer<double> narrow = stored_layer<double>(NormPlacement::post);
  narrow.attention.output = NumpyRandom(0).randn({6, 1});  // would broadcast
  narrow.attention.output_bias.reset();
  CHECK(
      message_of([&] { transformer_layer(narrow, x); }) ==
      "attention turns tokens of width 6 into width 1, which cannot be added to them; make its last weight give width 6");
  for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
    TransformerLayer<double> wide = stored_layer<double>(placement);
    wide.mlp.second = {NumpyRandom(0).randn({7, 5}), {}};
    CHECK(message_of([&] { transformer_layer(wide, x); }).find("the MLP turns tokens of width 6 into") == 0);
  }
}
