// Saved weights in every layout become one matrix per role, (in, heads * width); what does not fit is told.
#include "attend/projections.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>
#include <xtensor/xview.hpp>

#include "attending.hpp"
#include "attention/matmul.hpp"
#include "attention/weight_layout.hpp"

namespace attnlab {
namespace {

template <class T>
struct Stored : StoredWeight<T> {
  bool out_in = false;  // as its name says; false for the biases of any layer
};

template <class T>
using Weights = std::vector<Stored<T>>;

template <class T>
Stored<T> provided(WeightRole role, const std::string& name, Tensor<T> values, bool out_in = false) {
  return {{role, name, std::move(values)}, out_in};
}

template <class T>
LayerWeights<T> read_layer(const Weights<T>& weights, const InputWidths& tokens,
                           const AttendSettings& settings, StoredLayout layout = StoredLayout::in_out,
                           JointOrder order = JointOrder::blocks) {
  StoredLayer<T> layer{{}, layout, order};
  for (const Stored<T>& weight : weights) {
    layer.weights.push_back(weight);
    if (weight.out_in) layer.layout = StoredLayout::out_in;
  }
  return layer_weights(layer, tokens, settings);
}

/// Every width is another: tokens of 5, 7 and 8; with 4 heads d_k = 3 and d_v = 2; d_out = 6.
constexpr InputWidths widths{5, 7, 8};

template <class T>
struct Matrices {
  Tensor<T> query = drawn<T>(1, {5, 12});
  Tensor<T> key = drawn<T>(2, {7, 12});
  Tensor<T> value = drawn<T>(3, {8, 8});
  Tensor<T> output = drawn<T>(4, {8, 6});
};

template <class T>
Weights<T> separate(const Matrices<T>& layer, bool turned = false, bool out_in_by_name = false) {
  const auto stored = [&](const Tensor<T>& matrix) { return turned ? transpose(matrix) : matrix; };
  return {provided(WeightRole::query, "W_Q", stored(layer.query), out_in_by_name),
          provided(WeightRole::key, "W_K", stored(layer.key), out_in_by_name),
          provided(WeightRole::value, "W_V", stored(layer.value), out_in_by_name),
          provided(WeightRole::output, "W_O", stored(layer.output), out_in_by_name)};
}

template <class T>
void check_layer(const LayerWeights<T>& got, const Matrices<T>& expected) {
  CHECK(got.query == expected.query);
  CHECK(got.key == expected.key);
  CHECK(got.value == expected.value);
  REQUIRE(got.output);
  CHECK(*got.output == expected.output);
}

Stored<double> ones(WeightRole role, const std::string& name, const Shape& shape) {
  return provided(role, name, Tensor<double>(shape, 1.0));
}

/// W_Q, W_K and W_V of these shapes.
Weights<double> of_shapes(const Shape& query, const Shape& key, const Shape& value) {
  return {ones(WeightRole::query, "W_Q", query), ones(WeightRole::key, "W_K", key),
          ones(WeightRole::value, "W_V", value)};
}

std::string refusal(const Weights<double>& weights, const InputWidths& tokens, const Typed& flags = {}) {
  return usage_message([&] { read_layer(weights, tokens, settings_of(flags)); });
}

}  // namespace

TEST_CASE_TEMPLATE("rectangular matrices are read in both layouts, by the switch or by their names", T, float,
                   double) {
  const Matrices<T> layer;
  const AttendSettings by_name = settings_of({{"heads", "4"}});
  const AttendSettings in_out = settings_of({{"heads", "4"}, {"layout", "in-out"}});
  const AttendSettings out_in = settings_of({{"heads", "4"}, {"layout", "out-in"}});
  check_layer(read_layer(separate(layer), widths, by_name), layer);
  check_layer(read_layer(separate(layer, true, true), widths, by_name), layer);
  check_layer(read_layer(separate(layer, true), widths, out_in), layer);
  check_layer(read_layer(separate(layer, false, true), widths, in_out), layer);
  CHECK(read_layer(separate(layer), widths, by_name).heads == 4);
  CHECK(read_layer(separate(layer), widths, by_name).kv_heads == 4);
  CHECK(read_layer(separate(layer), widths, settings_of({})).heads == 1);
}

TEST_CASE_TEMPLATE("weights per head become neighbouring columns and give the number of heads", T, float,
                   double) {
  const Matrices<T> layer;
  for (const bool turned : {false, true}) {
    const auto stored = [&](const Tensor<T>& per_head) { return turned ? transpose(per_head) : per_head; };
    Tensor<T> output = layer.output;
    output.reshape(Shape{4, 2, 6});  // one below the other
    const Weights<T> weights{provided(WeightRole::query, "W_Q", stored(split_heads(layer.query, 4))),
                             provided(WeightRole::key, "W_K", stored(split_heads(layer.key, 4))),
                             provided(WeightRole::value, "W_V", stored(split_heads(layer.value, 4))),
                             provided(WeightRole::output, "W_O", stored(output))};
    const LayerWeights<T> got =
        read_layer(weights, widths, settings_of({{"layout", turned ? "out-in" : "in-out"}}));
    check_layer(got, layer);
    CHECK(got.heads == 4);
    CHECK(got.kv_heads == 4);
  }
}

TEST_CASE("grouped weights per head give both numbers of heads") {
  const LayerWeights<double> got =
      read_layer(of_shapes({6, 5, 3}, {2, 5, 3}, {2, 5, 4}), {5, 5, 5}, settings_of({}));
  CHECK(got.heads == 6);
  CHECK(got.kv_heads == 2);
  CHECK(shape_of(got.query) == Shape{5, 18});
  CHECK(shape_of(got.key) == Shape{5, 6});
  CHECK(shape_of(got.value) == Shape{5, 8});
}

TEST_CASE_TEMPLATE("a joint matrix holds W_Q, W_K and W_V side by side, or one below the other", T, float,
                   double) {
  const Tensor<T> joint = drawn<T>(5, {5, 24});  // 4 heads of 2, three times
  const Tensor<T> bias = drawn<T>(6, {24});
  const InputWidths tokens{5, 5, 5};
  for (const bool turned : {false, true}) {
    const Weights<T> weights{
        provided(WeightRole::joint, "in_proj_weight", turned ? transpose(joint) : joint, turned),
        provided(WeightRole::joint_bias, "in_proj_bias", bias)};
    const LayerWeights<T> got = read_layer(weights, tokens, settings_of({{"heads", "4"}}));
    CHECK(got.query == Tensor<T>(xt::view(joint, xt::all(), xt::range(0, 8))));
    CHECK(got.key == Tensor<T>(xt::view(joint, xt::all(), xt::range(8, 16))));
    CHECK(got.value == Tensor<T>(xt::view(joint, xt::all(), xt::range(16, 24))));
    CHECK(got.query_bias.value() == Tensor<T>(xt::view(bias, xt::range(0, 8))));
    CHECK(got.key_bias.value() == Tensor<T>(xt::view(bias, xt::range(8, 16))));
    CHECK(got.value_bias.value() == Tensor<T>(xt::view(bias, xt::range(16, 24))));
    CHECK_FALSE(got.output);
  }
}

TEST_CASE("the thirds of in_proj_weight are those of PyTorch") {
  const Tensor<double> joint = drawn<double>(7, {18, 6});
  const auto third = [&](std::size_t index) {
    return Tensor<double>(xt::view(joint, xt::range(6 * index, 6 * index + 6), xt::all()));
  };
  const LayerWeights<double> got =
      read_layer(Weights<double>{provided(WeightRole::joint, "in_proj_weight", joint, true)}, {6, 6, 6},
                 settings_of({}));
  CHECK(got.query == attnlab::transpose(third(0)));
  CHECK(got.key == attnlab::transpose(third(1)));
  CHECK(got.value == attnlab::transpose(third(2)));
}

TEST_CASE("in a joint matrix with shared key heads keys and values are narrower") {
  const Tensor<double> joint = drawn<double>(8, {5, 16});  // 4 query heads, 2 and 2 of keys and values, of 2
  const Tensor<double> bias = drawn<double>(9, {16});
  const Weights<double> weights{provided(WeightRole::joint, "qkv.weight", joint),
                                provided(WeightRole::joint_bias, "qkv.bias", bias)};
  const LayerWeights<double> got =
      read_layer(weights, {5, 5, 5}, settings_of({{"heads", "4"}, {"kv-heads", "2"}}));
  CHECK(got.heads == 4);
  CHECK(got.kv_heads == 2);
  CHECK(got.query == Tensor<double>(xt::view(joint, xt::all(), xt::range(0, 8))));
  CHECK(got.key == Tensor<double>(xt::view(joint, xt::all(), xt::range(8, 12))));
  CHECK(got.value == Tensor<double>(xt::view(joint, xt::all(), xt::range(12, 16))));
  CHECK(got.key_bias.value() == Tensor<double>(xt::view(bias, xt::range(8, 12))));
  CHECK(got.value_bias.value() == Tensor<double>(xt::view(bias, xt::range(12, 16))));
}

TEST_CASE("biases are as long as their projections, per head or in one, or joint beside separate weights") {
  const Matrices<double> layer;
  const AttendSettings settings = settings_of({{"heads", "4"}});
  Weights<double> weights = separate(layer);
  weights.push_back(provided(WeightRole::query_bias, "b_Q", counted<double>({4, 3})));  // per head
  weights.push_back(provided(WeightRole::value_bias, "b_V", counted<double>({8})));
  weights.push_back(provided(WeightRole::output_bias, "b_O", counted<double>({6})));
  const LayerWeights<double> got = read_layer(weights, widths, settings);
  CHECK(got.query_bias.value() == counted<double>({12}));
  CHECK_FALSE(got.key_bias);
  CHECK(got.value_bias.value() == counted<double>({8}));
  CHECK(got.output_bias.value() == counted<double>({6}));

  weights = separate(layer);
  weights.push_back(provided(WeightRole::joint_bias, "in_proj_bias", counted<double>({32})));
  const LayerWeights<double> joint = read_layer(weights, widths, settings);
  CHECK(joint.query_bias.value()(11) == 11.0);
  CHECK(joint.key_bias.value()(0) == 12.0);
  CHECK(shape_of(*joint.value_bias) == Shape{8});
  CHECK(joint.value_bias.value()(0) == 24.0);
}

TEST_CASE("the error of a wrong layout names the switch that would fit") {
  CHECK(refusal(of_shapes({64, 16}, {64, 16}, {64, 16}), {16, 16, 16}) ==
        "W_Q is 64x16, but the queries have width 16; with --layout out-in it would fit");
  CHECK(refusal(of_shapes({16, 64}, {16, 64}, {16, 64}), {16, 16, 16}, {{"layout", "out-in"}}) ==
        "W_Q is 16x64, but the queries have width 16; with --layout in-out it would fit");
  CHECK(refusal(of_shapes({16, 64}, {64, 16}, {16, 64}), {16, 16, 16}) ==
        "W_K is 64x16, but the keys have width 16; with --layout out-in it would fit");
  CHECK(refusal(of_shapes({16, 64}, {16, 64}, {64, 12}), {16, 16, 12}) ==
        "W_V is 64x12, but the values have width 12; with --layout out-in it would fit");
  CHECK(refusal(of_shapes({4, 8, 16}, {4, 8, 16}, {4, 8, 16}), {16, 16, 16}) ==
        "W_Q is 4x8x16, but the queries have width 16; with --layout out-in it would fit");
  CHECK(refusal(of_shapes({64, 32}, {64, 32}, {64, 32}), {16, 16, 16}) ==
        "W_Q is 64x32, but the queries have width 16; give weights and tokens of the same layer");
  CHECK(refusal({ones(WeightRole::joint, "in_proj_weight", {48, 16})}, {16, 16, 16}) ==
        "in_proj_weight is 48x16, but the queries have width 16; with --layout out-in it would fit");
  Weights<double> weights = of_shapes({5, 12}, {5, 12}, {5, 8});
  weights.push_back(ones(WeightRole::output, "W_O", {6, 8}));
  CHECK(refusal(weights, {5, 5, 5}) ==
        "W_O is 6x8, but the joined heads have width 8; with --layout out-in it would fit");
}

TEST_CASE("a joint matrix needs tokens of one width") {
  CHECK(refusal({ones(WeightRole::joint, "in_proj_weight", {16, 48})}, {16, 12, 16}) ==
        "in_proj_weight is 16x48, but the keys have width 12; give weights and tokens of the same layer");
  CHECK(refusal({ones(WeightRole::joint, "in_proj_weight", {16, 48})}, {16, 16, 12}) ==
        "in_proj_weight is 16x48, but the values have width 12; give weights and tokens of the same layer");
}

TEST_CASE("numbers of heads that do not fit are refused with those that do") {
  CHECK(refusal(of_shapes({5, 12}, {5, 12}, {5, 12}), {5, 5, 5}, {{"heads", "5"}}) ==
        "the 12 columns of W_Q cannot be split over 5 heads; choose --heads or --kv-heads to divide them");
  CHECK(refusal(of_shapes({5, 12}, {5, 6}, {5, 6}), {5, 5, 5}, {{"heads", "4"}}).find("6 columns of W_K") !=
        std::string::npos);
  CHECK(refusal(of_shapes({5, 16}, {5, 8}, {5, 8}), {5, 5, 5}, {{"heads", "4"}}) ==
        "a head is 4 wide in W_Q and 2 in W_K; with --kv-heads 2 they would fit");
  CHECK(refusal(of_shapes({5, 16}, {5, 12}, {5, 12}), {5, 5, 5}, {{"heads", "4"}}) ==
        "a head is 4 wide in W_Q and 3 in W_K; check --heads and --kv-heads");
  CHECK(refusal(of_shapes({4, 5, 3}, {4, 5, 3}, {4, 5, 3}), {5, 5, 5}, {{"heads", "2"}}) ==
        "W_Q holds 4 heads, but --heads is 2; use --heads 4");
  CHECK(refusal(of_shapes({4, 5, 3}, {2, 5, 3}, {2, 5, 3}), {5, 5, 5}, {{"kv-heads", "4"}}) ==
        "W_K holds 2 heads, but --kv-heads is 4; use --kv-heads 2");
  CHECK(refusal(of_shapes({4, 5, 3}, {3, 5, 3}, {3, 5, 3}), {5, 5, 5}) ==
        "4 heads cannot share 3 heads of keys evenly; choose --kv-heads to divide --heads");
  CHECK(refusal({ones(WeightRole::joint, "qkv.weight", {5, 16})}, {5, 5, 5}, {{"heads", "4"}})
            .find("the 16 columns of qkv.weight cannot be split over the heads of Q, K and V (4, 4, 4)") ==
        0);
}

TEST_CASE("values of more heads than the keys are refused") {
  const std::string message = refusal(of_shapes({4, 5, 3}, {2, 5, 3}, {4, 5, 2}), {5, 5, 5});
  CHECK(message.find("W_V holds 4 heads, but ") == 0);
}

TEST_CASE("what is no matrix, and a bias of another length, are named") {
  CHECK(
      refusal(of_shapes({12}, {5, 12}, {5, 12}), {5, 5, 5}) ==
      "W_Q has the shape (12,) and is no matrix; give it the shape (in, out), or (heads, in, out) with one matrix per head");
  CHECK(refusal({ones(WeightRole::joint, "qkv.weight", {3, 5, 4})}, {5, 5, 5}).find("qkv.weight has the") ==
        0);
  Weights<double> weights = of_shapes({5, 12}, {5, 12}, {5, 12});
  weights.push_back(ones(WeightRole::key_bias, "b_K", {11}));
  CHECK(refusal(weights, {5, 5, 5}) ==
        "b_K has the shape (11,), but 12 values are needed; a bias is as long as its projection's output");
}

TEST_CASE("where the names leave the layout open the shapes decide, and a square layer is a guess") {
  const Tensor<double> wide = drawn<double>(1, {5, 12});
  const auto read = [&](const Tensor<double>& query, const Tensor<double>& key, StoredLayout layout,
                        const Typed& flags = {}) {
    const Weights<double> weights{provided(WeightRole::query, "W_Q", query),
                                  provided(WeightRole::key, "W_K", key),
                                  provided(WeightRole::value, "W_V", key)};
    const std::size_t width = flags.empty() && query.shape()[0] == query.shape()[1] ? query.shape()[0] : 5;
    return read_layer(weights, {width, width, width}, settings_of(flags), layout);
  };
  for (const StoredLayout open : {StoredLayout::open_in_out, StoredLayout::open_out_in}) {
    CHECK(!read(wide, wide, open).out_in);
    CHECK(read(transpose(wide), transpose(wide), open).out_in);
    CHECK(!read(wide, wide, open).is_guess);
    const Tensor<double> square = drawn<double>(2, {6, 6});
    CHECK(read(square, square, open).is_guess);
    CHECK(read(square, square, open).out_in == (open == StoredLayout::open_out_in));
    const Tensor<double> five = drawn<double>(3, {5, 5});
    CHECK(!read(five, five, open, {{"layout", "out-in"}}).is_guess);
    CHECK(read(five, five, open, {{"layout", "out-in"}}).out_in);
  }
}

// GPT-NeoX: (heads, 3, width); Falcon: (groups, heads of a group + 2, width).
TEST_CASE("a joint matrix whose heads hold their own q, k and v is put in order") {
  const Weights<double> weights{
      provided(WeightRole::joint, "query_key_value.weight", counted<double>({1, 12})),
      provided(WeightRole::joint_bias, "query_key_value.bias", counted<double>({12}))};
  const auto read = [&](const Typed& flags) {
    return read_layer(weights, {1, 1, 1}, settings_of(flags), StoredLayout::in_out, JointOrder::by_group);
  };
  const LayerWeights<double> two = read({{"heads", "2"}});
  const auto numbers = [](const Tensor<double>& tensor) {
    return std::vector<double>(tensor.begin(), tensor.end());
  };
  const double first = counted<double>({1})(0);
  const auto columns = [&](std::vector<double> places) {
    for (double& place : places) place += first;
    return places;
  };
  CHECK(numbers(two.query) == columns({0, 1, 6, 7}));
  CHECK(numbers(two.key) == columns({2, 3, 8, 9}));
  CHECK(numbers(two.value) == columns({4, 5, 10, 11}));
  CHECK(numbers(*two.key_bias) == columns({2, 3, 8, 9}));
  const LayerWeights<double> grouped = read({{"heads", "4"}, {"kv-heads", "1"}});
  CHECK(numbers(grouped.query) == columns({0, 1, 2, 3, 4, 5, 6, 7}));
  CHECK(numbers(grouped.value) == columns({10, 11}));
  const LayerWeights<double> two_groups = read({{"heads", "8"}, {"kv-heads", "2"}});
  CHECK(numbers(two_groups.query) == columns({0, 1, 2, 3, 6, 7, 8, 9}));
  CHECK(numbers(two_groups.key) == columns({4, 10}));
  const LayerWeights<double> recorded = read({{"heads", "8"}, {"kv-heads", "2"}, {"joint-order", "blocks"}});
  CHECK(numbers(recorded.query) == columns({0, 1, 2, 3, 4, 5, 6, 7}));
  CHECK(numbers(recorded.key) == columns({8, 9}));
  CHECK(numbers(*recorded.value_bias) == columns({10, 11}));
}

}  // namespace attnlab
