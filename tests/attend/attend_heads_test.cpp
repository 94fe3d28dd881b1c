// Heads found in every layout, and the layout that is named where it does not fit.
#include "attend/run.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "attending.hpp"
#include "attention/weight_layout.hpp"

namespace attnlab {
namespace {

/// Queries (2, 5, heads * 3), keys (2, 7, kv_heads * 3), values (2, 7, kv_heads * 4), in one axis each.
template <class T>
struct Joined {
  Tensor<T> query;
  Tensor<T> key;
  Tensor<T> value;
};

template <class T>
Joined<T> joined(std::size_t heads, std::size_t kv_heads) {
  return {drawn<T>(1, {2, 5, heads * 3}), drawn<T>(2, {2, 7, kv_heads * 3}),
          drawn<T>(3, {2, 7, kv_heads * 4})};
}

template <class T>
HeadTensors<T> found(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                     const Typed& flags) {
  AttendInputs<T> inputs;
  inputs.query = query;
  inputs.key = key;
  inputs.value = value;
  return input_heads(inputs, settings_of(flags));
}

template <class T>
void check_found(const HeadTensors<T>& got, const Joined<T>& from, std::size_t heads, std::size_t kv_heads) {
  CHECK(got.has_heads);
  CHECK(got.heads == heads);
  CHECK(got.kv_heads == kv_heads);
  CHECK(got.query == heads_from_width(from.query, heads));
  CHECK(got.key == heads_from_width(from.key, kv_heads));
  CHECK(got.value == heads_from_width(from.value, kv_heads));
}

template <class T>
Tensor<T> heads_last(const Tensor<T>& from, std::size_t heads) {
  return heads_before_length(heads_from_width(from, heads));  // changing places is its own inverse
}

std::string refusal(const Shape& query, const Shape& key, const Shape& value, const Typed& flags) {
  return usage_message([&] {
    found(Tensor<double>(query, 1.0), Tensor<double>(key, 1.0), Tensor<double>(value, 1.0), flags);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("heads are found in the width, before the length and behind it", T, float, double) {
  for (const std::size_t kv_heads : {4U, 2U, 1U}) {
    CAPTURE(kv_heads);
    const Joined<T> from = joined<T>(4, kv_heads);
    const std::string shared = std::to_string(kv_heads);
    const Tensor<T> first_query = heads_from_width(from.query, 4);
    const Tensor<T> first_key = heads_from_width(from.key, kv_heads);
    const Tensor<T> first_value = heads_from_width(from.value, kv_heads);
    const Tensor<T> last_query = heads_last(from.query, 4);
    const Tensor<T> last_key = heads_last(from.key, kv_heads);
    const Tensor<T> last_value = heads_last(from.value, kv_heads);

    const HeadTensors<T> in_width = found(from.query, from.key, from.value,
                                          {{"head-layout", "width"}, {"heads", "4"}, {"kv-heads", shared}});
    check_found(in_width, from, 4, kv_heads);
    CHECK(in_width.in_width);
    const HeadTensors<T> first = found(first_query, first_key, first_value, {{"head-layout", "first"}});
    check_found(first, from, 4, kv_heads);
    CHECK_FALSE(first.in_width);
    const HeadTensors<T> last = found(last_query, last_key, last_value, {{"head-layout", "last"}});
    check_found(last, from, 4, kv_heads);
    CHECK_FALSE(last.in_width);

    // auto: before the length where the shape says so, else in the width
    check_found(found(first_query, first_key, first_value, {}), from, 4, kv_heads);
    check_found(found(first_query, first_key, first_value, {{"heads", "4"}}), from, 4, kv_heads);
    const HeadTensors<T> automatic =
        found(from.query, from.key, from.value, {{"heads", "4"}, {"kv-heads", shared}});
    check_found(automatic, from, 4, kv_heads);
    CHECK(automatic.in_width);
  }
}

TEST_CASE("tensors of two or three axes have no heads while nobody speaks of them") {
  for (const Shape& batch : {Shape{}, Shape{3}}) {
    Shape query = batch;
    query.insert(query.end(), {5, 4});
    Shape key = batch;
    key.insert(key.end(), {7, 4});
    const HeadTensors<double> got =
        found(drawn<double>(1, query), drawn<double>(2, key), drawn<double>(3, key), {});
    CHECK_FALSE(got.has_heads);
    CHECK(got.heads == 1);
    CHECK(got.query == drawn<double>(1, query));
    CHECK(got.key == drawn<double>(2, key));
    CHECK(got.value == drawn<double>(3, key));
  }
}

TEST_CASE("queries stand for keys and values that are not given") {
  AttendInputs<double> inputs;
  inputs.query = drawn<double>(1, {5, 6});
  const HeadTensors<double> got = input_heads(inputs, settings_of({{"heads", "2"}}));
  CHECK(got.key == got.query);
  CHECK(got.value == got.query);
  CHECK(shape_of(got.query) == Shape{2, 5, 3});
}

TEST_CASE("another number of heads than the axis holds is refused with the layout that would fit") {
  const auto with = [](const char* layout) { return Typed{{"heads", "4"}, {"head-layout", layout}}; };
  const Shape last{5, 4, 8};
  const Shape first{4, 5, 8};
  CHECK(refusal(last, last, last, with("first")) ==
        "query of shape (5, 4, 8) has 5 heads, not 4; with --head-layout last it would fit");
  CHECK(refusal(first, first, first, with("last")) ==
        "query of shape (4, 5, 8) has 5 heads, not 4; with --head-layout first it would fit");
  CHECK(refusal({3, 5, 8}, {3, 5, 8}, {3, 5, 8}, with("first")) ==
        "query of shape (3, 5, 8) has 3 heads, not 4; with --head-layout width it would fit");
  CHECK(refusal({3, 5, 7}, {3, 5, 7}, {3, 5, 7}, with("first")) ==
        "query of shape (3, 5, 7) has 3 heads, not 4; make --heads and --kv-heads fit the shape");
  CHECK(refusal({4, 5, 7}, {4, 5, 7}, {4, 5, 7}, with("width")) ==
        "query has width 7, which cannot be split over 4 heads; with --head-layout first it would fit");
  CHECK(refusal({5, 4, 7}, {5, 4, 7}, {5, 4, 7}, with("width")) ==
        "query has width 7, which cannot be split over 4 heads; with --head-layout last it would fit");
  CHECK(refusal({5, 7}, {5, 7}, {5, 7}, with("auto")) ==
        "query has width 7, which cannot be split over 4 heads; choose a divisor of the width");
  CHECK(refusal({5, 8}, {5, 8}, {5, 8}, {{"head-layout", "width"}}) ==
        "--head-layout width needs --heads; for example --heads 8");
}

TEST_CASE("tensors of too few axes are named with the shape that is needed") {
  CHECK(
      refusal({8}, {5, 8}, {5, 8}, {}) ==
      "query has the shape (8,), which is no (..., L, D); save it with that many axes, or check --head-layout");
  CHECK(refusal({5, 8}, {8}, {5, 8}, {}).find("key has the shape (8,)") == 0);
  CHECK(refusal({5, 8}, {5, 8}, {8}, {}).find("value has the shape (8,)") == 0);
  CHECK(refusal({5, 8}, {5, 8}, {5, 8}, {{"head-layout", "first"}})
            .find("query has the shape (5, 8), which is no (..., H, L, D)") == 0);
}

TEST_CASE("heads that cannot share, and widths that differ, are refused") {
  CHECK(
      refusal({4, 5, 8}, {3, 5, 8}, {3, 5, 8}, {{"head-layout", "first"}}) ==
      "the numbers of heads do not fit: queries 4, keys 3, values 3; keys and values need the same number, a divisor of the queries'");
  CHECK(refusal({4, 5, 8}, {2, 5, 8}, {4, 5, 8}, {{"head-layout", "first"}})
            .find("queries 4, keys 2, values 4") != std::string::npos);
  CHECK(
      refusal({5, 8}, {8, 5}, {8, 5}, {}) ==
      "a head is 8 wide in the queries and 5 in the keys; the keys seem to be transposed: save them as (keys, width)");
  CHECK(refusal({5, 8}, {7, 6}, {7, 6}, {}) ==
        "a head is 8 wide in the queries and 6 in the keys; give queries and keys one width");
  CHECK(refusal({5, 32}, {5, 16}, {5, 16}, {{"heads", "8"}}) ==
        "a head is 4 wide in the queries and 2 in the keys; with --kv-heads 4 it would fit");
}

// Small tensors go through the textbook's form and long ones are streamed: neither may take a batch for
// heads.
TEST_CASE("a batch of another length than the keys' is no group of heads unless a flag says so") {
  const std::string message = refusal({4, 5, 8}, {2, 5, 8}, {2, 5, 8}, {});
  CHECK(message.find("(4, 5, 8)") != std::string::npos);
  CHECK(message.find("with --heads 4 it would fit") != std::string::npos);
  AttendInputs<double> inputs;
  inputs.query = Tensor<double>({4, 5, 8}, 1.0);
  inputs.key = Tensor<double>({2, 5, 8}, 1.0);
  inputs.value = Tensor<double>({2, 5, 8}, 1.0);
  CHECK(input_heads(inputs, settings_of({{"heads", "4"}})).kv_heads == 2);
}

TEST_CASE("where the number of heads fits several places the one that was taken is told") {
  const auto warning = [](const Shape& shape, const Typed& flags) {
    AttendInputs<double> inputs;
    inputs.query = Tensor<double>(shape, 1.0);
    input_heads(inputs, settings_of(flags));
    return inputs.warnings.empty() ? std::string() : inputs.warnings.front().en();
  };
  const Typed three{{"heads", "3"}};
  CHECK(
      warning({3, 6, 24}, three) ==
      "queries of shape (3, 6, 24) leave open where the 3 heads lie: read as --head-layout first; also possible: --head-layout width");
  CHECK(warning({4, 3, 24}, three).find("as --head-layout width; also possible: --head-layout last") !=
        std::string::npos);
  CHECK(warning({2, 5, 3, 6}, three).find("also possible: --head-layout last") != std::string::npos);
  for (const Shape& clear : {Shape{4, 6, 24}, Shape{3, 6, 8}, Shape{2, 3, 6, 24}, Shape{6, 24}}) {
    CHECK(warning(clear, three).empty());
  }
  CHECK(warning({3, 6, 24}, {{"heads", "3"}, {"head-layout", "width"}}).empty());
  CHECK(warning({3, 6, 24}, {}).empty());
}

TEST_CASE("a number of key heads alone speaks of heads") {
  CHECK(found(Tensor<double>({4, 5, 8}, 1.0), Tensor<double>({2, 5, 8}, 1.0), Tensor<double>({2, 5, 8}, 1.0),
              {{"kv-heads", "2"}})
            .heads == 4);
}

}  // namespace attnlab
