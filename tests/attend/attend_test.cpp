// `attend` on plain tensors: equal to the textbook's attention whatever the shapes, masks and types, and the
// same whether weights are kept or streamed.
#include "attend/attend.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include <xtensor/xview.hpp>

#include "agreement.hpp"
#include "attending.hpp"
#include "attention/masks.hpp"
#include "attention/matmul.hpp"
#include "attention/multi_head.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/streaming/score_tiles.hpp"
#include "attention/weight_layout.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

struct Lengths {
  std::size_t queries;
  std::size_t keys;
};

Shape shape_with(Shape batch, std::size_t length, std::size_t width) {
  batch.insert(batch.end(), {length, width});
  return batch;
}

/// A mask of its own per query and key, that leaves the last key to everyone.
template <class T>
Tensor<T> some_mask(const Lengths& length) {
  Tensor<T> mask = drawn<T>(21, {length.queries, length.keys});
  for (std::size_t i = 0; i < length.queries; ++i) {
    for (std::size_t j = 0; j + 1 < length.keys; ++j) {
      if ((i * length.keys + j) % 3 == 1) mask(i, j) = -std::numeric_limits<T>::infinity();
    }
  }
  return mask;
}

/// The masks of the flags as one tensor, from the masks' own functions.
template <class T>
Tensor<T> added(const Typed& flags, const std::optional<Tensor<T>>& provided, const Lengths& length,
                std::size_t heads) {
  const AttendSettings settings = settings_of(flags);
  BooleanMask mask = no_mask(length.queries, length.keys);
  if (settings.readable.causal) {
    mask = both(mask, causal_mask(length.queries, length.keys, settings.readable.alignment));
  }
  if (settings.readable.reach) {
    mask = both(mask, window_mask(length.queries, length.keys, *settings.readable.reach,
                                  settings.readable.alignment));
  }
  mask = both(mask, padding_mask(length.queries, length.keys, settings.readable.padded));
  Tensor<T> sum = additive_mask<T>(mask, -std::numeric_limits<T>::infinity());
  if (provided) sum = Tensor<T>(sum + *provided);
  if (settings.alibi)
    sum = Tensor<T>(
        sum + alibi_bias(alibi_slopes<T>(heads), length.queries, length.keys, settings.readable.alignment));
  return sum;
}

const std::vector<Typed>& masks() {
  static const std::vector<Typed> all{{},
                                      {{"mask", "causal"}},
                                      {{"mask", "causal"}, {"alignment", "top-left"}},
                                      {{"mask", "window:2,padding:1"}, {"masked-row", "zero"}},
                                      {{"bias", "alibi"}},
                                      {{"mask", "causal,window:2"}, {"alignment", "top-left"}},
                                      {{"mask", "window:1"}, {"bias", "alibi"}, {"alignment", "top-left"}},
                                      {{"mask", "causal,padding:1"}, {"bias", "alibi"}},
                                      {{"scale", "none"}, {"temperature", "0.5"}, {"mask", "window:3"}}};
  return all;
}

template <class T>
AttentionOptions<T> textbook_options(const Typed& flags, const std::optional<Tensor<T>>& mask,
                                     const Lengths& length, std::size_t heads, std::size_t key_width) {
  AttentionOptions<T> options;
  const AttendSettings settings = settings_of(flags);
  const double usual = 1.0 / std::sqrt(static_cast<double>(key_width));
  options.scale = static_cast<T>(settings.scale.value_or(usual) / settings.temperature);
  options.mask = added(flags, mask, length, heads);
  return options;
}

template <class T>
void check_stage_is(const Report& report, const std::string& name, const Tensor<T>& expected) {
  INFO(name);
  const Array& array = stage(report, name).array;
  CHECK(array.shape == shape_of(expected));
  CHECK(array.dtype == (std::is_same_v<T, float> ? DType::float32 : DType::float64));
  // Tokens up to 7 wide, heads of 3, at most 9 keys, 4 heads of 2 joined; scores below 16.
  CHECK(disagreement(array.data, values_of(expected), rounding_of<T>(7 + 3 + 9 + 9 + 8, 16.0)) == "");
}

/// A layer whose widths are all different: tokens of 5, 6 and 7, d_k 3, d_v 2, d_out 4.
template <class T>
MultiHeadWeights<T> layer(std::size_t heads, std::size_t kv_heads) {
  MultiHeadWeights<T> weights;
  weights.query = drawn<T>(1, {heads, 5, 3});
  weights.key = drawn<T>(2, {kv_heads, 6, 3});
  weights.value = drawn<T>(3, {kv_heads, 7, 2});
  weights.output = drawn<T>(4, {heads * 2, 4});
  weights.query_bias = drawn<T>(5, {heads, 3});
  weights.value_bias = drawn<T>(6, {kv_heads, 2});
  weights.output_bias = drawn<T>(7, {4});
  return weights;
}

template <class T>
LayerWeights<T> fused(const MultiHeadWeights<T>& layer) {
  LayerWeights<T> weights;
  weights.query = fuse_heads(layer.query);
  weights.key = fuse_heads(layer.key);
  weights.value = fuse_heads(layer.value);
  weights.output = layer.output;
  weights.query_bias = *layer.query_bias;
  weights.query_bias->reshape(Shape{layer.query_bias->size()});
  weights.value_bias = *layer.value_bias;
  weights.value_bias->reshape(Shape{layer.value_bias->size()});
  weights.output_bias = layer.output_bias;
  weights.heads = layer.query.shape()[0];
  weights.kv_heads = layer.key.shape()[0];
  return weights;
}

template <class T>
AttendInputs<T> tokens_for_layer(const Lengths& length, const Shape& batch) {
  AttendInputs<T> inputs;
  inputs.query = drawn<T>(11, shape_with(batch, length.queries, 5));
  inputs.key = drawn<T>(12, shape_with(batch, length.keys, 6));
  inputs.value = drawn<T>(13, shape_with(batch, length.keys, 7));
  return inputs;
}

/// Queries, keys and values of these widths.
template <class T>
AttendInputs<T> plain_inputs(const Lengths& length, const Shape& batch, std::size_t key_width = 4,
                             std::size_t value_width = 3) {
  AttendInputs<T> inputs;
  inputs.query = drawn<T>(31, shape_with(batch, length.queries, key_width));
  inputs.key = drawn<T>(32, shape_with(batch, length.keys, key_width));
  inputs.value = drawn<T>(33, shape_with(batch, length.keys, value_width));
  return inputs;
}

const std::vector<Lengths>& lengths() {
  static const std::vector<Lengths> all{{5, 5}, {3, 6}, {6, 3}, {1, 1}};
  return all;
}

HeatMap map_of(const Report& report, std::size_t panel) {
  return std::get<HeatMap>(figure(report, "weights").panels.at(panel).content);
}

std::string only_warning(const Report& report) {
  REQUIRE(report.warnings.size() == 1);
  return report.warnings[0].en();
}

}  // namespace

// --- Equal to the textbook ---------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("a layer of any heads, masks and lengths is multi-head attention", T, float, double) {
  for (const auto& counts :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {4, 4}, {6, 2}, {3, 1}}) {
    const std::size_t heads = counts.first;
    const std::size_t kv_heads = counts.second;
    for (const Lengths& length : lengths()) {
      for (const Shape& batch : {Shape{}, Shape{2}, Shape{2, 3}}) {
        for (const Typed& flags : masks()) {
          for (const bool masked : {false, true}) {
            CAPTURE(heads);
            CAPTURE(kv_heads);
            CAPTURE(length.queries);
            CAPTURE(length.keys);
            AttendInputs<T> inputs = tokens_for_layer<T>(length, batch);
            const MultiHeadWeights<T> weights = layer<T>(heads, kv_heads);
            inputs.weights = fused(weights);
            if (masked) inputs.mask = some_mask<T>(length);
            auto expected = multi_head_attention(weights, inputs.query, *inputs.key, *inputs.value,
                                                 textbook_options<T>(flags, inputs.mask, length, heads, 3));
            if (flags.count("masked-row") != 0) {
              auto& stages = expected.attention;
              stages.weights = with_masked_rows(stages.weights, stages.masked, MaskedRow::zero);
              expected.concat = join_heads(matmul(stages.weights, expected.value));
              expected.output = matmul(expected.concat, weights.output) + *weights.output_bias;
            }
            const Report report = attended(inputs, flags);
            check_stage_is(report, "query", expected.query);
            check_stage_is(report, "scores", expected.attention.scores);
            if (masked || !flags.empty()) check_stage_is(report, "masked", expected.attention.masked);
            check_stage_is(report, "weights", expected.attention.weights);
            check_stage_is(report, "concat", expected.concat);
            check_stage_is(report, "output", expected.output);
          }
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("tensors without heads are scaled dot-product attention", T, float, double) {
  for (const Lengths& length : lengths()) {
    for (const Shape& batch : {Shape{}, Shape{2}, Shape{1}}) {
      for (const Typed& flags : masks()) {
        CAPTURE(length.queries);
        CAPTURE(length.keys);
        CAPTURE(batch.size());
        const AttendInputs<T> inputs = plain_inputs<T>(length, batch);
        const auto options = textbook_options<T>(flags, {}, length, 1, 4);
        auto expected = scaled_dot_product_attention(inputs.query, *inputs.key, *inputs.value, options);
        if (flags.count("masked-row") != 0) {
          expected.weights = with_masked_rows(expected.weights, expected.masked, MaskedRow::zero);
          expected.output = matmul(expected.weights, *inputs.value);
        }
        if (flags.count("bias") != 0) continue;  // see below
        const Report report = attended(inputs, flags);
        check_stage_is(report, "weights", expected.weights);
        check_stage_is(report, "output", expected.output);
      }
    }
  }
}

TEST_CASE("a single head takes the bias of ALiBi, too, in every batch") {
  for (const Shape& batch : {Shape{}, Shape{3}}) {
    const AttendInputs<double> inputs = plain_inputs<double>({4, 6}, batch);
    Tensor<double> bias = alibi_bias(alibi_slopes<double>(1), 4, 6);
    bias.reshape(Shape{4, 6});
    const auto expected =
        scaled_dot_product_attention(inputs.query, *inputs.key, *inputs.value, {std::nullopt, bias});
    const Report report = attended(inputs, {{"bias", "alibi"}});
    check_stage_is(report, "weights", expected.weights);
    check_stage_is(report, "output", expected.output);
  }
}

TEST_CASE_TEMPLATE("heads in the width are attended one by one and joined", T, float, double) {
  for (const std::size_t kv_heads : {4U, 2U}) {
    AttendInputs<T> inputs;
    inputs.query = drawn<T>(41, {2, 5, 12});
    inputs.key = drawn<T>(42, {2, 7, kv_heads * 3});
    inputs.value = drawn<T>(43, {2, 7, kv_heads * 2});
    const auto expected =
        scaled_dot_product_attention(heads_from_width(inputs.query, 4),
                                     repeat_heads(heads_from_width(*inputs.key, kv_heads), 4 / kv_heads),
                                     repeat_heads(heads_from_width(*inputs.value, kv_heads), 4 / kv_heads));
    const Report report = attended(inputs, {{"heads", "4"}, {"kv-heads", std::to_string(kv_heads)}});
    check_stage_is(report, "weights", expected.weights);
    check_stage_is(report, "head_output", expected.output);
    check_stage_is(report, "output", join_heads(expected.output));
  }
}

TEST_CASE("tokens that read one another are queries, keys and values at once") {
  AttendInputs<double> inputs;
  inputs.query = drawn<double>(51, {6, 4});
  const auto expected = scaled_dot_product_attention(inputs.query, inputs.query, inputs.query);
  const Report report = attended(inputs, {});
  check_stage_is(report, "output", expected.output);
  CHECK(scalar(report, "scale") == 0.5);
  CHECK(scalar(report, "rows_without_keys") == 0.0);
}

TEST_CASE("a mask may be another one for every head") {
  AttendInputs<double> inputs = plain_inputs<double>({4, 5}, {2, 3});
  inputs.mask = drawn<double>(52, {3, 4, 5});
  const auto expected =
      scaled_dot_product_attention(inputs.query, *inputs.key, *inputs.value, {std::nullopt, inputs.mask});
  check_stage_is(attended(inputs, {}), "output", expected.output);
}

// --- Kept or streamed --------------------------------------------------------------------------------------

namespace {

/// 4 heads of 1040 queries over 1010 keys are just more than are kept.
constexpr Lengths long_lengths{1040, 1010};
static_assert(4 * long_lengths.queries * long_lengths.keys > most_weights_kept);
static_assert(4 * long_lengths.queries * long_lengths.keys < most_weights_kept + most_weights_kept / 100);

template <class T>
void check_streaming_equals_keeping(const AttendInputs<T>& inputs, Typed flags) {
  const Report streamed = attended(inputs, flags);
  flags["weights"] = "keep";
  const Report kept = attended(inputs, flags);
  // The projections and the scores are narrow beside the keys that are summed over; a map's cell is a mean
  // of 4.
  const double rounding = rounding_in_attention<T>(16, long_lengths.keys, 16.0);
  CHECK_THROWS_AS(stage(streamed, "weights"), std::out_of_range);
  CHECK(stage(kept, "weights").array.data.size() == 4 * long_lengths.queries * long_lengths.keys);
  CHECK(streamed.scalars.size() == kept.scalars.size());
  for (std::size_t i = 0; i < kept.scalars.size(); ++i) {
    CHECK(streamed.scalars[i].value == kept.scalars[i].value);
  }
  CHECK(streamed.warnings.size() == kept.warnings.size());
  for (const Stage& one : streamed.stages) {
    INFO(one.name);
    CHECK(one.array.shape == stage(kept, one.name).array.shape);
    CHECK(disagreement(one.array.data, values(kept, one.name), rounding) == "");
  }
  const Figure& maps = figure(streamed, "weights");
  REQUIRE(maps.panels.size() == figure(kept, "weights").panels.size());
  for (std::size_t i = 0; i < maps.panels.size(); ++i) {
    CHECK(disagreement(map_of(streamed, i).values.values, map_of(kept, i).values.values, rounding) == "");
  }
  for (const Invariant& invariant : kept.invariants) {
    INFO(invariant.name, ": ", invariant.error, " against ", invariant.tolerance);
    CHECK(holds(invariant));
  }
}

template <class T>
AttendInputs<T> long_inputs(std::size_t kv_heads) {
  AttendInputs<T> inputs;
  inputs.query = drawn<T>(61, {4, long_lengths.queries, 3});
  inputs.key = drawn<T>(62, {kv_heads, long_lengths.keys, 3});
  inputs.value = drawn<T>(63, {kv_heads, long_lengths.keys, 2});
  return inputs;
}

}  // namespace

TEST_CASE("beyond the limit weights are streamed, and everything told is the same") {
  SUBCASE("grouped, causal, with linear biases; the largest of each cell") {
    check_streaming_equals_keeping(long_inputs<float>(2),
                                   {{"heads", "4"}, {"mask", "causal"}, {"bias", "alibi"}});
  }
  SUBCASE("with a mask of numbers, a window and padding; means of a part") {
    AttendInputs<double> inputs = long_inputs<double>(4);
    inputs.mask = some_mask<double>(long_lengths);
    check_streaming_equals_keeping(inputs, {{"heads", "4"},
                                            {"mask", "window:300,padding:5"},
                                            {"masked-row", "uniform"},
                                            {"pool", "mean"},
                                            {"rows", "100:900"},
                                            {"columns", "7:"}});
  }
  SUBCASE("projected, mixed by W_O, with zeros for rows that read nothing") {
    AttendInputs<float> inputs = tokens_for_layer<float>(long_lengths, {});
    inputs.weights = fused(layer<float>(4, 1));
    check_streaming_equals_keeping(inputs, {{"mask", "causal"}, {"masked-row", "zero"}, {"head", "2"}});
  }
  SUBCASE("turned, with norms of queries and keys") {
    AttendInputs<double> inputs = tokens_for_layer<double>(long_lengths, {});
    inputs.weights = fused(layer<double>(4, 2));
    inputs.weights->query_norm = drawn<double>(64, {3});
    inputs.weights->key_norm = drawn<double>(65, {2 * 3});
    check_streaming_equals_keeping(inputs, {{"rope", "halves"}, {"rope-width", "2"}});
  }
}

TEST_CASE("weights are streamed on request") {
  const AttendInputs<float> inputs = plain_inputs<float>({3, 4}, {2});
  const Report streamed = attended(inputs, {{"weights", "stream"}});
  CHECK_THROWS_AS(stage(streamed, "weights"), std::out_of_range);
  const Report kept = attended(inputs, {});
  CHECK(disagreement(values(streamed, "output"), values(kept, "output"), tolerance32()) == "");
}

TEST_CASE("more weights than memory should hold are not kept on request either") {
  AttendInputs<float> inputs;
  inputs.query = Tensor<float>({8200, 1}, 0.0F);
  CHECK(
      usage_message([&] {
        attended(inputs, {{"weights", "keep"}});
      }) ==
      "--weights keep keeps the weights, but there are 6.72e+07 of them, more than 67108864; --weights auto computes without keeping them");
}

// --- Rows without a key ------------------------------------------------------------------------------------

namespace {

/// Query 1 of 3 reads none of 4 keys.
AttendInputs<double> with_empty_row() {
  AttendInputs<double> inputs = plain_inputs<double>({3, 4}, {});
  inputs.mask = Tensor<double>({3, 4}, 0.0);
  xt::view(*inputs.mask, 1, xt::all()) = -infinity;
  return inputs;
}

}  // namespace

TEST_CASE("a row without a readable key becomes what was asked for") {
  const AttendInputs<double> inputs = with_empty_row();
  const Tensor<double> mean = xt::eval(xt::mean(*inputs.value, {0}));
  const auto check_row = [&](const std::string& rule, double weight, const std::vector<double>& output) {
    INFO(rule);
    const Report report = attended(inputs, {{"masked-row", rule}});
    CHECK(disagreement(row_of(report, "weights", 1), Numbers(4, weight), 0.0) == "");
    CHECK(disagreement(row_of(report, "output", 1), output, tolerance64()) == "");
    CHECK(std::isfinite(row_of(report, "output", 0)[0]));
    CHECK(std::isfinite(row_of(report, "output", 2)[0]));
    CHECK(scalar(report, "rows_without_keys") == 1.0);
    CHECK(report.warnings.empty() == (rule != "nan"));
    for (const Invariant& invariant : report.invariants) CHECK(holds(invariant));
  };
  check_row("nan", not_a_number, Numbers(3, not_a_number));
  check_row("zero", 0.0, Numbers(3, 0.0));
  check_row("uniform", 0.25, values_of(mean));
  CHECK(
      message_of(ErrorKind::failed,
                 [&] {
                   attended(inputs, {{"masked-row", "error"}});
                 }) ==
      "there are rows without any visible key: query 1; check the mask, or choose --masked-row nan, zero or uniform");
  AttendInputs<double> readable = inputs;
  readable.mask.reset();
  CHECK_NOTHROW(attended(readable, {{"masked-row", "error"}}));
}

TEST_CASE("no title and no sentence counts with NaN, of some entries or of all") {
  AttendInputs<double> inputs = plain_inputs<double>({3, 4}, {3});
  for (std::size_t broken = 0; broken < 3; ++broken) {
    inputs.query.flat(broken * inputs.query.size() / 3) = std::nan("");
    const Report report = attended(inputs, {});
    CHECK(only_warning(report).find("weights that are NaN") != std::string::npos);
    for (const Figure& figure : report.figures) CHECK(figure.title.en().find("nan") == std::string::npos);
    for (const Block& block : report.body) {
      const auto* paragraph = std::get_if<Paragraph>(&block);
      if (paragraph != nullptr) CHECK(paragraph->text.en().find("nan") == std::string::npos);
    }
  }
}

TEST_CASE("the warning names the rows that become NaN") {
  AttendInputs<double> inputs = with_empty_row();
  CHECK(only_warning(attended(inputs, {})) ==
        "rows without any visible key become NaN: query 1 (--masked-row zero or uniform changes that)");
  inputs.labels = {"the", "cat", "sat"};
  CHECK(only_warning(attended(inputs, {})).find("NaN: query 1 (cat) (") != std::string::npos);
  inputs.mask_is_boolean = true;
  CHECK(only_warning(attended(inputs, {})).find("(reverse --bool-mask, or use --masked-row zero)") !=
        std::string::npos);

  AttendInputs<double> heads = plain_inputs<double>({3, 4}, {2, 2});
  heads.mask = Tensor<double>({2, 3, 4}, 0.0);
  xt::view(*heads.mask, 1, 2, xt::all()) = -infinity;
  CHECK(only_warning(attended(heads, {}))
            .find("NaN: query 2 of head 1 of entry 0, query 2 of head 1 of entry 1 (") != std::string::npos);
  xt::view(*heads.mask, 0, 2, xt::all()) = -infinity;
  CHECK(only_warning(attended(heads, {})).find("NaN: query 2 (in every head) (") != std::string::npos);

  const AttendInputs<double> many = plain_inputs<double>({12, 2}, {});
  CHECK(only_warning(attended(many, {{"mask", "causal"}})).find("query 6, query 7 and 2 more (") !=
        std::string::npos);  // 10 of 12 stand before key 0
}

// --- What is shown -----------------------------------------------------------------------------------------

TEST_CASE("labels of queries are keys' labels, too, where their number fits") {
  AttendInputs<double> inputs = plain_inputs<double>({3, 3}, {});
  inputs.labels = {"a", "b", "c"};
  CHECK(words_of(map_of(attended(inputs, {}), 0).row_labels) == inputs.labels);
  CHECK(words_of(map_of(attended(inputs, {}), 0).column_labels) == inputs.labels);
  inputs.key_labels = {"x", "y", "z"};
  CHECK(words_of(map_of(attended(inputs, {}), 0).column_labels) == inputs.key_labels);
  const HeatMap part = map_of(attended(inputs, {{"rows", "1:3"}, {"columns", "2:"}}), 0);
  CHECK(words_of(part.row_labels) == std::vector<std::string>{"b", "c"});
  CHECK(words_of(part.column_labels) == std::vector<std::string>{"z"});

  AttendInputs<double> wide = plain_inputs<double>({3, 4}, {});
  wide.labels = {"a", "b", "c"};
  CHECK(map_of(attended(wide, {}), 0).column_labels.empty());
  wide.key_labels = {"x"};
  CHECK(
      usage_message([&] { attended(wide, {}); }) ==
      "--key-labels has 1 label, but 4 are needed; give one label for each token, separated by commas, or the lines of a file that exists");
  wide.labels = {"a", "b", "c", "d"};
  CHECK(usage_message([&] { attended(wide, {}); }).find("--labels has 4 labels, but 3 are needed") == 0);
}

TEST_CASE("rows and columns zoom into the weights of the entry and the head that are asked for") {
  const AttendInputs<double> inputs = plain_inputs<double>({6, 9}, {2, 3});
  const Typed flags{{"rows", "1:5"}, {"columns", "3:"}, {"head", "2"}, {"entry", "1"}};
  const Report report = attended(inputs, flags);
  REQUIRE(figure(report, "weights").panels.size() == 1);
  const HeatMap map = map_of(report, 0);
  CHECK(map.id == "weights[5]");
  REQUIRE(map.values.rows == 4);
  REQUIRE(map.values.columns == 6);
  const std::vector<double>& weights = values(report, "weights");
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 6; ++j) CHECK(map.values.at(i, j) == weights[(5 * 6 + i + 1) * 9 + j + 3]);
  }
  CHECK(map.row_labels.empty());
  CHECK(map.row_numbers->begin == 1);
  CHECK(map.row_numbers->end == 5);
  CHECK(map.column_numbers->begin == 3);
  CHECK(map.column_numbers->end == 9);
  const Report all = attended(inputs, {{"entry", "1"}});
  REQUIRE(figure(all, "weights").panels.size() == 3);
  for (std::size_t head = 0; head < 3; ++head) {
    const std::vector<double>& cells = map_of(all, head).values.values;
    CHECK(
        std::equal(cells.begin(), cells.end(), weights.begin() + static_cast<std::ptrdiff_t>(3 + head) * 54));
  }
  // past the end there is nothing, but the end itself may be given generously
  CHECK(map_of(attended(inputs, {{"rows", "4:100"}}), 0).values.rows == 2);
}

TEST_CASE("of a batch every sentence about heads says which entry it speaks of") {
  const auto spoken = [](const Report& report) {
    std::string words = figure(report, "statistics").caption.en() + "\n";
    for (const Block& block : report.body) {
      const auto* paragraph = std::get_if<Paragraph>(&block);
      if (paragraph != nullptr && paragraph->role == Role::say) words += paragraph->text.en();
    }
    return words;
  };
  const std::string of_one = spoken(attended(plain_inputs<double>({6, 9}, {2, 3}), {{"entry", "1"}}));
  CHECK(of_one.find("Entry 1 of the batch: Means over the queries.") != std::string::npos);
  CHECK(of_one.find("\nEntry 1 of the batch: Head ") != std::string::npos);
  for (const Shape& batch : {Shape{3}, Shape{1, 3}}) {
    CHECK(spoken(attended(plain_inputs<double>({6, 9}, batch), {})).find("of the batch") ==
          std::string::npos);
  }
}

TEST_CASE("what is hidden by a mask is struck out where the weights are drawn one by one") {
  const AttendInputs<double> inputs = plain_inputs<double>({3, 3}, {2});
  const HeatMap map = map_of(attended(inputs, {{"mask", "causal"}, {"columns", "1:3"}}), 1);
  CHECK(map.hidden == std::vector<bool>{true, true, false, true, false, false});
  CHECK(map_of(attended(inputs, {}), 0).hidden.empty());
}

TEST_CASE("what is not there is refused with what is") {
  const AttendInputs<double> heads = plain_inputs<double>({3, 4}, {2, 3});
  const auto refusal = [&](const Typed& flags) { return usage_message([&] { attended(heads, flags); }); };
  CHECK(refusal({{"head", "3"}}) == "there is no --head 3; they go from 0 to 2; for example --head 0");
  CHECK(refusal({{"entry", "2"}}) == "there is no --entry 2; they go from 0 to 1; for example --entry 0");
  CHECK(refusal({{"rows", "3:7"}}) == "--rows begins at 3, but the last index is 2; for example --rows 0:3");
  CHECK(refusal({{"columns", "9:"}}) ==
        "--columns begins at 9, but the last index is 3; for example --columns 0:4");
  CHECK(refusal({{"mask", "padding:5"}}) ==
        "--mask padding:5 masks more than the 4 keys there are; use padding:4 at most");
  const AttendInputs<double> plain = plain_inputs<double>({3, 4}, {2});
  CHECK(usage_message([&] {
          attended(plain, {{"head", "0"}});
        }).find("--head 0, but there are no heads") == 0);
  AttendInputs<double> none = plain_inputs<double>({0, 4}, {});
  CHECK(usage_message([&] { attended(none, {}); }) == "there is no query; give a matrix of one row or more");
}

TEST_CASE("statistics are means over the queries of every head") {
  // Two heads, written down: one reads the first key alone, one everything evenly.
  AttendInputs<double> inputs;
  inputs.query = Tensor<double>({2, 4, 1}, 0.0);
  inputs.mask = Tensor<double>({2, 4, 4}, 0.0);
  xt::view(*inputs.mask, 0, xt::all(), xt::range(1, 4)) = -infinity;
  const Report report = attended(inputs, {{"heads", "2"}});
  const auto check_pair = [&](const std::string& name, double first, double second) {
    INFO(name);
    REQUIRE(values(report, name).size() == 2);
    CHECK(values(report, name)[0] == doctest::Approx(first));
    CHECK(values(report, name)[1] == doctest::Approx(second));
  };
  check_pair("entropy", 0.0, std::log(4.0));
  check_pair("largest_weight", 1.0, 0.25);
  check_pair("mean_distance", (0.0 + 1.0 + 2.0 + 3.0) / 4.0, (6.0 + 4.0 + 4.0 + 6.0) / 16.0);
  check_pair("first_token_share", 1.0, 0.25);
  check_pair("diagonal_share", 0.25, 0.25);
  check_pair("previous_token_share", 0.25, 3.0 / 16.0);
}

}  // namespace attnlab
