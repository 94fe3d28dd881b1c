// What a mask hides never reaches the output, whatever it is and whichever way attention is computed.
#include <doctest/doctest.h>

#include "agreement.hpp"
#include "attend/run.hpp"
#include "attending.hpp"
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "experiments/framework/reports.hpp"

namespace attnlab {
namespace {

constexpr std::size_t batch = 2;
constexpr std::size_t heads = 4;
constexpr std::size_t groups = 2;
constexpr std::size_t width = 3;

using Visible = std::function<bool(std::size_t query, std::size_t key)>;

/// Attention by loops over what is visible alone.
template <class T>
std::vector<double> over_visible(const AttendInputs<T>& inputs, std::size_t queries, std::size_t keys,
                                 const Visible& visible) {
  std::vector<double> output;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t group = h / (heads / groups);
      for (std::size_t q = 0; q < queries; ++q) {
        std::vector<double> scores(keys, -infinity);
        double most = -infinity;
        for (std::size_t k = 0; k < keys; ++k) {
          if (!visible(q, k)) continue;
          scores[k] = 0.0;
          for (std::size_t d = 0; d < width; ++d)
            scores[k] += double{inputs.query(b, h, q, d)} * double{(*inputs.key)(b, group, k, d)};
          scores[k] /= std::sqrt(double{width});
          most = std::max(most, scores[k]);
        }
        double sum = 0.0;
        for (std::size_t k = 0; k < keys; ++k)
          if (visible(q, k)) sum += std::exp(scores[k] - most);
        for (std::size_t d = 0; d < width; ++d) {
          double mean = 0.0;
          for (std::size_t k = 0; k < keys; ++k)
            if (visible(q, k))
              mean += std::exp(scores[k] - most) / sum * double{(*inputs.value)(b, group, k, d)};
          output.push_back(mean);
        }
      }
    }
  }
  return output;
}

/// Truth values of (queries, keys).
template <class T>
Tensor<T> truth_of(std::size_t queries, std::size_t keys, const Visible& visible) {
  Tensor<T> mask = Tensor<T>::from_shape({queries, keys});
  for (std::size_t q = 0; q < queries; ++q)
    for (std::size_t k = 0; k < keys; ++k) mask(q, k) = visible(q, k) ? T(1) : T(0);
  return mask;
}

/// The mask as a word, as truth values and as numbers, weights kept and streamed: all give what is visible.
template <class T>
void check_all_ways(const AttendInputs<T>& inputs, const std::string& word, const Visible& visible) {
  const std::size_t queries = inputs.query.shape()[2];
  const std::size_t keys = inputs.key->shape()[2];
  const std::vector<double> expected = over_visible(inputs, queries, keys, visible);
  const Tensor<T> truth = truth_of<T>(queries, keys, visible);
  Tensor<T> numbers = truth;
  for (T& value : numbers) value = value == T(0) ? -std::numeric_limits<T>::infinity() : T(0);
  for (const char* way : {"keep", "stream"}) {
    for (int kind = 0; kind < 3; ++kind) {
      CAPTURE(way);
      CAPTURE(kind);
      AttendInputs<T> masked = inputs;
      Typed flags{{"weights", way}};
      if (kind == 0) flags["mask"] = word;
      if (kind == 1) masked.masks.push_back({"truth", truth, true});
      if (kind == 2) masked.masks.push_back({"numbers", numbers, false});
      const Report report = attended(masked, flags);
      CHECK(disagreement(stage(report, "output").array.data, expected,
                         rounding_of<T>(width + 2 * keys, 16.0)) == "");
      for (const Invariant& invariant : report.invariants) CHECK(holds(invariant));
    }
  }
}

template <class T>
AttendInputs<T> grouped_inputs(std::size_t queries, std::size_t keys) {
  AttendInputs<T> inputs;
  inputs.query = drawn<T>(71, {batch, heads, queries, width});
  inputs.key = drawn<T>(72, {batch, groups, keys, width});
  inputs.value = drawn<T>(73, {batch, groups, keys, width});
  return inputs;
}

}  // namespace

TEST_CASE_TEMPLATE("NaN and infinity of hidden keys never reach the output on any way", T, float, double) {
  for (const double odd : {not_a_number, infinity, -infinity}) {
    for (const bool is_key : {false, true}) {
      for (const auto& tokens : {std::pair<std::size_t, std::size_t>{3, 5}, {70, 130}}) {
        const std::size_t queries = tokens.first;
        const std::size_t keys = tokens.second;
        CAPTURE(odd);
        CAPTURE(is_key);
        CAPTURE(keys);
        AttendInputs<T> inputs = grouped_inputs<T>(queries, keys);
        Tensor<T>& spoilt = is_key ? *inputs.key : *inputs.value;
        const std::size_t last = keys - 1;
        for (std::size_t b = 0; b < batch; ++b)
          for (std::size_t d = 0; d < width; ++d) spoilt(b, 1, last, d) = static_cast<T>(odd);
        spoilt(0, 0, last - 1, 1) = static_cast<T>(odd);
        check_all_ways(inputs, "padding:2", [&](std::size_t, std::size_t key) { return key + 2 < keys; });
        // To the last query the last key is visible, to the last two the one before.
        check_all_ways(inputs, "causal",
                       [&](std::size_t q, std::size_t key) { return key + queries <= q + keys; });
      }
    }
  }
}

TEST_CASE("a NaN of the values that reaches the output is warned of, one that a mask hides is not") {
  for (const char* way : {"keep", "stream"}) {
    CAPTURE(way);
    AttendInputs<double> inputs = grouped_inputs<double>(3, 5);
    (*inputs.value)(0, 0, 4, 0) = not_a_number;
    const auto warnings = [&](double added) {
      inputs.mask = Tensor<double>({3, 5}, 0.0);
      for (std::size_t q = 0; q < 3; ++q) (*inputs.mask)(q, 4) = added;
      return attended(inputs, {{"weights", way}}).warnings.size();
    };
    CHECK(warnings(-infinity) == 0);
    CHECK(warnings(-1e300) == 1);
  }
}

TEST_CASE("rows that read nothing take no NaN from what is hidden, unless they are to read all alike") {
  for (const char* way : {"keep", "stream"}) {
    CAPTURE(way);
    AttendInputs<double> inputs = grouped_inputs<double>(3, 5);
    (*inputs.value)(0, 0, 4, 0) = not_a_number;
    inputs.mask = Tensor<double>({3, 5}, 0.0);
    for (std::size_t k = 0; k < 5; ++k) (*inputs.mask)(1, k) = -infinity;
    for (std::size_t q = 0; q < 3; ++q) (*inputs.mask)(q, 4) = -infinity;
    const auto row = [&](const char* rule) {
      const Report report = attended(inputs, {{"weights", way}, {"masked-row", rule}});
      const std::vector<double>& output = stage(report, "output").array.data;
      return std::vector<double>(output.begin() + width, output.begin() + 2 * width);
    };
    CHECK(row("zero") == std::vector<double>(width, 0.0));
    CHECK(std::isnan(row("uniform")[0]));
    CHECK(std::isfinite(row("uniform")[1]));
    for (const double value : row("nan")) CHECK(std::isnan(value));
  }
}

TEST_CASE("a program of NumPy is not written where it would let NaN through") {
  AttendInputs<double> inputs = grouped_inputs<double>(3, 5);
  CHECK(!attended(inputs, {{"mask", "padding:1"}}).program.missing);
  (*inputs.value)(0, 0, 4, 0) = not_a_number;
  CHECK(attended(inputs, {{"mask", "padding:1"}}).program.missing);
  CHECK(!attended(inputs, {}).program.missing);  // nothing is hidden
}

TEST_CASE("a row that finite numbers cover is warned of by name, whichever way, and no other") {
  const auto warned = [](double number, const char* way, const std::string& word) {
    AttendInputs<double> inputs = grouped_inputs<double>(3, 5);
    inputs.mask = Tensor<double>({3, 5}, 0.0);
    for (std::size_t k = 0; k < 5; ++k) (*inputs.mask)(1, k) = number;
    (*inputs.mask)(2, 0) = number;
    for (std::size_t k = 3; k < 5; ++k) (*inputs.mask)(2, k) = number;
    const Report report = attended(inputs, {{"weights", way}, {"mask", word}, {"masked-row", "zero"}});
    return report.warnings.empty() ? std::string() : report.warnings.front().en();
  };
  for (const char* way : {"keep", "stream"}) {
    for (const double number : {-1e4, -65504.0, -1e9, -std::numeric_limits<double>::max()})
      CHECK(warned(number, way, "none").find("every key of query 1 (in every head):") != std::string::npos);
    CHECK(warned(-1e9, way, "window:0").find("every key of query 1, query 2 (in") != std::string::npos);
    CHECK(warned(-100.0, way, "none").empty());     // a bias
    CHECK(warned(-infinity, way, "none").empty());  // that does hide
  }
  AttendInputs<double> alone = grouped_inputs<double>(3, 5);
  alone.mask = Tensor<double>({2, 1, 1, 5}, 0.0);
  for (std::size_t k = 0; k < 5; ++k) (*alone.mask)(1, 0, 0, k) = -1e9;
  CHECK(attended(alone, {}).warnings.front().en().find("query 0 of head 0 of entry 1") != std::string::npos);
}

// --- The axes of a mask

namespace {

struct Placed {
  Shape shape;
  std::string warning;
  std::string recognised;
};

/// Where a mask of that shape lies among scores of (batch, heads, queries, keys); 0 heads: without their
/// axis.
Placed placed(const Shape& mask, const Shape& batch_axes, std::size_t number_of_heads, std::size_t queries,
              std::size_t keys, const Typed& flags = {}) {
  AttendInputs<double> inputs;
  inputs.masks.push_back({"m.npy", Tensor<double>(mask, 1.0), true});
  ScoreShape scores{batch_axes, std::nullopt, queries, keys};
  if (number_of_heads > 0) scores.heads = number_of_heads;
  Typed typed = flags;
  typed["mask"] = "m.npy";
  place_masks(inputs, settings_of(typed), scores);
  return {shape_of(*inputs.mask), inputs.warnings.empty() ? "" : inputs.warnings.front().en(),
          inputs.recognised.empty() ? "" : inputs.recognised.front().en()};
}

}  // namespace

TEST_CASE("a mask whose axes fit two places is taken as NumPy does, with both named") {
  const Placed padding = placed({4, 6}, {4}, 0, 4, 6);
  CHECK(padding.shape == Shape{1, 4, 6});
  CHECK(
      padding.warning ==
      "the mask 'm.npy' of shape (4, 6) fits (queries,keys) and (batch,keys): read as (queries,keys); --mask-axes "
      "batch,keys changes that, --mask-axes queries,keys settles it");
  const Placed head = placed({4, 5, 6}, {4}, 4, 5, 6);
  CHECK(head.shape == Shape{1, 4, 5, 6});
  CHECK(head.warning.find("fits (heads,queries,keys) and (batch,queries,keys)") != std::string::npos);
  CHECK(placed({4, 1, 6}, {4}, 4, 5, 6).warning.find("(batch,queries,keys)") != std::string::npos);
  CHECK(placed({2, 3, 5, 6}, {2, 2}, 3, 5, 6).warning.empty());  // the batch has two axes
}

TEST_CASE("a mask that fits one place is taken there, and is told where it is not NumPy's") {
  const Placed padding = placed({2, 6}, {2}, 3, 5, 6);
  CHECK(padding.shape == Shape{2, 1, 1, 6});
  CHECK(padding.warning.empty());
  CHECK(padding.recognised == "By its shape, the axes of the mask 'm.npy' are read as (batch,keys).");
  CHECK(placed({2, 6}, {2}, 0, 1, 6).shape == Shape{2, 1, 6});
  CHECK(placed({2, 5, 6}, {2}, 3, 5, 6).shape == Shape{2, 1, 5, 6});
  CHECK(placed({2, 1, 6}, {2}, 3, 5, 6).shape == Shape{2, 1, 1, 6});
  CHECK(placed({6, 5, 6}, {2}, 3, 5, 6).shape == Shape{2, 3, 5, 6});  // nn.MultiheadAttention's batch · heads
  CHECK(placed({2, 1, 5, 6}, {2}, 0, 5, 6).shape ==
        Shape{2, 5, 6});  // an axis for heads that there are none of
  for (const Shape& plain : {Shape{6}, Shape{5, 6}, Shape{5, 1}, Shape{3, 5, 6}, Shape{1, 5, 6},
                             Shape{2, 1, 1, 6}, Shape{2, 3, 5, 6}, Shape{1, 6}}) {
    const Placed taken = placed(plain, {2}, 3, 5, 6);
    CAPTURE(plain.size());
    CHECK(taken.warning.empty());
    CHECK(taken.recognised.empty());
    CHECK(std::equal(plain.rbegin(), plain.rend(), taken.shape.rbegin()));
  }
  CHECK(placed({7, 5, 6}, {}, 0, 5, 6).shape == Shape{7, 5, 6});  // masks may add a batch
  CHECK(placed({4, 7}, {2}, 3, 5, 6).shape == Shape{4, 7});       // what fits nowhere, attention refuses
}

TEST_CASE("a mask with axes that the scores lack is warned of where it repeats the inputs") {
  CHECK(
      placed({1, 2, 1, 3, 3}, {2}, 0, 3, 3).warning ==
      "the mask 'm.npy' of shape (1, 2, 1, 3, 3) has axes that the scores (2, 3, 3) lack: the inputs are repeated, "
      "to (1, 2, 2, 3, 3)");
  CHECK(placed({1, 1, 2, 3, 3}, {2}, 0, 3, 3).warning.empty());
}

TEST_CASE("--mask-axes says what a mask's axes are, and is refused where they do not fit") {
  CHECK(placed({4, 6}, {4}, 0, 4, 6, {{"mask-axes", "batch,keys"}}).shape == Shape{4, 1, 6});
  CHECK(placed({4, 6}, {4}, 0, 4, 6, {{"mask-axes", "queries,keys"}}).shape == Shape{1, 4, 6});
  CHECK(placed({4, 6}, {4}, 0, 4, 6, {{"mask-axes", "queries,keys"}}).warning.empty());
  CHECK(placed({4, 5, 6}, {4}, 4, 5, 6, {{"mask-axes", "batch,queries,keys"}}).shape == Shape{4, 1, 5, 6});
  CHECK(placed({3, 6}, {2}, 3, 5, 6, {{"mask-axes", "heads,keys"}}).shape == Shape{1, 3, 1, 6});
  CHECK(placed({2, 3, 6}, {2, 3}, 4, 5, 6, {{"mask-axes", "batch,keys"}}).shape == Shape{2, 3, 1, 1, 6});
  const auto refused = [](const std::string& axes, const Shape& mask, const Shape& batch_axes) {
    return usage_message([&] { placed(mask, batch_axes, 0, 5, 6, {{"mask-axes", axes}}); });
  };
  CHECK(refused("batch,keys", {3, 6}, {2}).find("is no (batch,keys) = (2, 6)") != std::string::npos);
  CHECK(refused("batch,keys", {5, 6}, {}).find("the scores have no axis of batch") != std::string::npos);
  CHECK(refused("heads,keys", {5, 6}, {2}).find("the scores have no axis of heads") != std::string::npos);
  for (const char* axes : {"keys,batch", "batch", "batch,batch,keys", "b,keys", "queries"})
    CHECK(refused(axes, {5, 6}, {2}).find("--mask-axes cannot be") != std::string::npos);
  CHECK(usage_message([] {
          settings_of({{"mask", "causal"}, {"mask-axes", "batch,keys"}});
        }).find("no mask of a file") != std::string::npos);
}

}  // namespace attnlab
