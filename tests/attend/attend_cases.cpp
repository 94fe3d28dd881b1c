#include "attend_cases.hpp"

#include "attend/attend.hpp"
#include "attending.hpp"

namespace attnlab {
namespace {

template <class T>
AttendInputs<T> provided(const Shape& query, const Shape& key, const Shape& value) {
  AttendInputs<T> inputs;
  inputs.query = drawn<T>(1, query);
  inputs.key = drawn<T>(2, key);
  inputs.value = drawn<T>(3, value);
  return inputs;
}

template <class T>
AttendInputs<T> tokens_with_layer(std::size_t heads, std::size_t kv_heads, bool biased) {
  AttendInputs<T> inputs;
  inputs.query = drawn<T>(4, {2, 5, 6});
  LayerWeights<T> weights;
  weights.heads = heads;
  weights.kv_heads = kv_heads;
  weights.query = drawn<T>(5, {6, heads * 3});
  weights.key = drawn<T>(6, {6, kv_heads * 3});
  weights.value = drawn<T>(7, {6, kv_heads * 2});
  weights.output = drawn<T>(8, {heads * 2, 6});
  if (biased) {
    weights.query_bias = drawn<T>(9, {heads * 3});
    weights.key_bias = drawn<T>(10, {kv_heads * 3});
    weights.value_bias = drawn<T>(11, {kv_heads * 2});
    weights.output_bias = drawn<T>(12, {6});
  }
  inputs.weights = weights;
  return inputs;
}

template <class T>
void add_cases(std::vector<AttendCase>& all) {
  const auto add = [&](const std::string& name, const AttendInputs<T>& inputs, const Typed& flags) {
    all.push_back({name, attended(inputs, flags)});
  };
  add("one matrix", provided<T>({4, 3}, {6, 3}, {6, 2}), {});
  add("one query, one key", provided<T>({1, 3}, {1, 3}, {1, 2}), {});
  add("a batch", provided<T>({3, 4, 3}, {3, 6, 3}, {3, 6, 2}), {{"mask", "causal"}});
  add("two batches of heads", provided<T>({2, 2, 3, 4, 3}, {2, 2, 3, 6, 3}, {2, 2, 3, 6, 2}),
      {{"mask", "window:1"}, {"entry", "2"}});
  add("grouped heads", provided<T>({4, 5, 3}, {2, 5, 3}, {2, 5, 2}), {{"heads", "4"}, {"bias", "alibi"}});
  add("heads in the width", provided<T>({5, 12}, {7, 12}, {7, 8}),
      {{"heads", "4"}, {"scale", "none"}, {"temperature", "2"}});
  add("a layer", tokens_with_layer<T>(4, 4, false), {{"mask", "causal"}});
  add("a layer with biases", tokens_with_layer<T>(4, 4, true), {});
  add("a layer with shared keys", tokens_with_layer<T>(4, 2, true), {{"head", "3"}});
  AttendInputs<T> with_norms = tokens_with_layer<T>(4, 2, true);
  with_norms.weights->query_norm = drawn<T>(14, {3});    // of each head
  with_norms.weights->key_norm = drawn<T>(15, {2 * 3});  // of all of them
  add("a layer with norms, turned in part", with_norms,
      {{"rope", "pairs"}, {"rope-width", "2"}, {"rope-base", "100"}, {"norm-eps", "1e-3"}});
  add("turned by halves", provided<T>({2, 4, 6}, {2, 7, 6}, {2, 7, 2}),
      {{"rope", "halves"}, {"mask", "causal"}});
  add("more queries than keys, turned", provided<T>({5, 4}, {3, 4}, {3, 2}), {{"rope", "pairs"}});
  add("an empty row", provided<T>({5, 3}, {4, 3}, {4, 2}), {{"mask", "causal"}});
  add("an empty row of zeros", provided<T>({5, 3}, {4, 3}, {4, 2}),
      {{"mask", "causal"}, {"masked-row", "zero"}});
  add("no row reads anything", provided<T>({3, 3}, {4, 3}, {4, 2}), {{"mask", "padding:4"}});
  AttendInputs<T> masked = provided<T>({2, 4, 3}, {2, 6, 3}, {2, 6, 2});
  masked.mask = drawn<T>(13, {2, 4, 6});
  masked.files = {InputFile{{"クエリ", "query"}, "q.npy", {2, 4, 3}, "float16"}};
  masked.labels = {"吾輩", "は", "猫", "x < y & z"};
  masked.key_labels = {"one", "two", "three", "four", "five", "a rather long label of a key"};
  add("a mask of numbers, with labels", masked, {{"heads", "2"}});
  for (const std::size_t heads : {8U, 32U, 40U}) {
    add("many heads", provided<T>({heads, 9, 2}, {heads, 9, 2}, {heads, 9, 2}), {{"head-layout", "first"}});
  }
  add("more heads than a page holds", provided<T>({64, 9, 2}, {64, 9, 2}, {64, 9, 2}), {{"heads", "64"}});
  add("twenty-three long maps", provided<T>({23, 200, 2}, {23, 200, 2}, {23, 200, 2}), {});
  add("a long map", provided<T>({2, 700, 2}, {2, 600, 2}, {2, 600, 2}),
      {{"heads", "2"}, {"pool", "mean"}, {"mask", "causal"}, {"masked-row", "uniform"}});
  add("a part of a long map", provided<T>({700, 2}, {600, 2}, {600, 2}),
      {{"rows", "10:650"}, {"columns", "5:9"}});
}

}  // namespace

const std::vector<AttendCase>& attend_cases() {
  static const std::vector<AttendCase> all = [] {
    std::vector<AttendCase> made;
    add_cases<float>(made);
    add_cases<double>(made);
    AttendInputs<float> normed = tokens_with_layer<float>(4, 4, true);
    normed.weights->query_norm = drawn<float>(14, {3});
    made.push_back({"a norm of queries alone", attended(normed, {{"rope", "pairs"}, {"rope-width", "2"}})});
    made.push_back({"streamed", attended(provided<float>({2100, 2}, {2000, 2}, {2000, 2}), {})});
    return made;
  }();
  return all;
}

}  // namespace attnlab
