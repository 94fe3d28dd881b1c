// `attnlab attend` gives what NumPy and PyTorch gave, from files alone: every attention of
// data/reference/layers, and nn.MultiheadAttention's state dicts of data/reference/attend.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "agreement.hpp"
#include "attend/attend_experiment.hpp"
#include "attend_files.hpp"
#include "attention/masks.hpp"
#include "attnlab/command_line/commands.hpp"
#include "io/tensor_file.hpp"
#include "program.hpp"
#include "reference.hpp"
#include "verification/function_checks.hpp"

using attnlab::Tensor;
using attnlab::Workplace;

namespace {

using Words = std::vector<std::string>;

attnlab::BooleanMask readable(const attnlab::Json& mask, std::size_t queries, std::size_t keys) {
  if (mask.at("kind") == "causal") {
    const bool top_left = mask.at("alignment") == "top_left";
    return attnlab::causal_mask(
        queries, keys,
        top_left ? attnlab::CausalAlignment::top_left : attnlab::CausalAlignment::bottom_right);
  }
  if (mask.at("kind") == "padding") return attnlab::padding_mask(queries, keys, mask.at("padded"));
  if (mask.at("kind") == "window") return attnlab::window_mask(queries, keys, mask.at("reach"));
  return attnlab::no_mask(queries, keys);
}

/// A mask of -inf by its rule or, by turns, as a file of truth values; any other as a file of numbers.
template <class T>
Words mask_words(const Workplace& place, const attnlab::Json& mask, std::size_t queries, std::size_t keys,
                 std::size_t turn) {
  const double hidden = attnlab::stored_number(mask.at("hidden"));
  const attnlab::BooleanMask may_read = readable(mask, queries, keys);
  if (mask.at("kind") == "none" || std::isfinite(hidden)) {
    place.write("mask.npy", attnlab::test::npy(attnlab::additive_mask<T>(may_read, static_cast<T>(hidden))));
    return {"--mask", "mask.npy"};
  }
  if (turn % 3 == 2) {
    const Tensor<T> truth = attnlab::additive_mask<T>(may_read, T(1));  // 1 where a key is hidden
    place.write("mask.json", attnlab::test::lists(truth).dump());
    return {"--mask", "mask.json", "--bool-mask", "drop"};
  }
  if (mask.at("kind") == "padding") return {"--mask", "padding:" + mask.at("padded").dump()};
  if (mask.at("kind") == "window") return {"--mask", "window:" + mask.at("reach").dump()};
  const bool top_left = mask.at("alignment") == "top_left";
  return {"--mask", "causal", "--alignment", top_left ? "top-left" : "bottom-right"};
}

/// The command line of a case; its inputs are files in `place`.
template <class T>
Words case_words(const Workplace& place, const attnlab::Json& one, std::size_t turn) {
  Words words;
  attnlab::test::Named<T> projections;
  std::size_t queries = 0;
  std::size_t keys = 0;
  for (const auto& [name, tensor] : attnlab::draw_inputs<T>(one)) {
    if (name.rfind("w_", 0) == 0 || name.rfind("b_", 0) == 0) {
      projections.emplace_back("layer.1." + name, tensor);
      continue;
    }
    const std::string flag = name.substr(0, name.find('_'));  // query, key or value
    if (flag == "query") queries = tensor.shape()[tensor.dimension() - 2];
    if (flag == "key") keys = tensor.shape()[tensor.dimension() - 2];
    words.insert(words.end(), {"--" + flag, attnlab::test::write_some_format(place, flag, tensor, turn++)});
  }
  if (!projections.empty()) {
    place.write("layer.safetensors", attnlab::test::safetensors_of(projections));
    words.insert(words.end(), {"--projections", "layer.safetensors:layer.1"});
  }
  const attnlab::Json options = one.value("options", attnlab::Json::object());
  if (options.contains("mask")) {
    const Words mask = mask_words<T>(place, options.at("mask"), queries, keys, turn);
    words.insert(words.end(), mask.begin(), mask.end());
  }
  if (options.contains("scale")) {
    words.insert(words.end(), {"--scale", std::to_string(options.at("scale").get<double>())});
  }
  // Text holds no type: it would be computed in float64.
  words.insert(words.end(), {"--dtype", sizeof(T) == 4 ? "float32" : "float64"});
  return words;
}

/// The folder in which relative names are looked up, until the end of the block.
class Inside {
 public:
  explicit Inside(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~Inside() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  Inside(const Inside&) = delete;
  Inside(Inside&&) = delete;
  Inside& operator=(const Inside&) = delete;
  Inside& operator=(Inside&&) = delete;

 private:
  std::filesystem::path before_;
};

/// What the command computes, without a process of its own.
attnlab::Report attend(const Workplace& place, const Words& words) {
  const Inside inside(place.path(""));
  attnlab::Arguments arguments(attnlab::attend_experiment().parameters);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) arguments.set(words[i].substr(2), words[i + 1]);
  return attnlab::run(attnlab::attend_experiment(), arguments);
}

/// The tolerance of `attnlab verify` for a case.
template <class T>
double tolerance(const attnlab::Json& stored) {
  const double largest = attnlab::largest_magnitude(attnlab::stored_array(stored.at("scores")).data);
  return sizeof(T) == 4 ? attnlab::tolerance32(largest) : attnlab::tolerance64(largest);
}

/// Without a mask there is no stage of masked scores.
std::string stage_of(const attnlab::Report& report, const std::string& name) {
  const bool is_there = std::any_of(report.stages.begin(), report.stages.end(),
                                    [&](const attnlab::Stage& stage) { return stage.name == name; });
  return name == "masked" && !is_there ? "scores" : name;
}

/// Heads of keys that several heads of queries share, once for each of those, as the reference stores them.
attnlab::Array per_query_head(attnlab::Array array, std::size_t heads) {
  const std::size_t axis = array.shape.size() - 3;
  const std::size_t times = heads / array.shape[axis];
  const std::size_t head_size = array.shape[axis + 1] * array.shape[axis + 2];
  std::vector<double> repeated;
  for (std::size_t begin = 0; begin < array.data.size(); begin += head_size) {
    for (std::size_t i = 0; i < times; ++i) {
      const auto first = array.data.begin() + static_cast<std::ptrdiff_t>(begin);
      repeated.insert(repeated.end(), first, first + static_cast<std::ptrdiff_t>(head_size));
    }
  }
  array.data = std::move(repeated);
  array.shape[axis] = heads;
  return array;
}

/// How many stages were compared.
template <class T>
std::size_t compare_case(const attnlab::Json& json, std::size_t turn) {
  const Workplace place;
  const attnlab::Json& stored = json.at(sizeof(T) == 4 ? "float32" : "float64");
  const attnlab::Report report = attend(place, case_words<T>(place, json, turn));
  std::size_t compared = 0;
  for (const auto& entry : stored.items()) {
    const auto& [name, expected] = entry;
    CAPTURE(entry.key());
    attnlab::Array got = attnlab::stage(report, stage_of(report, name)).array;
    if (name == "key" || name == "value")
      got = per_query_head(got, attnlab::stage(report, "query").array.shape.rbegin()[2]);
    const attnlab::Array array = attnlab::stored_array(expected);
    CHECK(got.shape == array.shape);
    CHECK(attnlab::disagreement(got.data, array.data, tolerance<T>(stored)) == "");
    CHECK((got.dtype == attnlab::DType::float32) == (sizeof(T) == 4));
    ++compared;
  }
  for (const attnlab::Invariant& invariant : report.invariants) {
    CAPTURE(invariant.name);
    CHECK(attnlab::holds(invariant));
  }
  return compared;
}

std::size_t compare_layer(const std::string& file, std::size_t first_turn) {
  std::size_t turn = first_turn;
  std::size_t compared = 0;
  std::ifstream stream(attnlab::source_dir() / "data" / "reference" / file);
  const attnlab::Json stored = attnlab::Json::parse(stream);
  for (const attnlab::Json& json : stored.at("cases")) {
    CAPTURE(json.at("name").get<std::string>());
    compared += compare_case<float>(json, turn++);
    compared += compare_case<double>(json, turn++);
  }
  return compared;
}

/// As the built program answers `--check weights=... --check output=...` on arrays of this JSON.
template <class T>
attnlab::Outcome check_with_program(const attnlab::Json& json, std::size_t turn, T off_by) {
  const Workplace place;
  const attnlab::Json& stored = json.at(sizeof(T) == 4 ? "float32" : "float64");
  Words words = case_words<T>(place, json, turn);
  Tensor<T> output = attnlab::stored_tensor<T>(stored.at("output"));
  output.flat(output.size() - 1) += off_by;
  place.write("theirs.npz", attnlab::test::npz<T>({{"output", output}}));
  place.write("w.npy", attnlab::test::npy(attnlab::stored_tensor<T>(stored.at("weights"))));
  words.insert(words.begin(), "attend");
  words.insert(words.end(), {"--lang", "en", "--check", "weights=w.npy", "--check", "output=theirs.npz"});
  const Words before = place.files();
  attnlab::Outcome outcome = place.run(words);
  CHECK(place.files() == before);
  return outcome;
}

/// A case of data/reference/attend as someone would type it: every tensor, layer and mask is a file in
/// `place`.
Words typed_case(const Workplace& place, const attnlab::Json& one) {
  const attnlab::NamedTensors<double> drawn = attnlab::draw_inputs<double>(one);
  const Words of_layer = one.value("layer", Words());
  Words words;
  attnlab::test::Named<double> layer;
  for (const auto& [name, tensor] : drawn) {
    if (std::find(of_layer.begin(), of_layer.end(), name) != of_layer.end()) {
      layer.push_back({name, tensor});
    } else {
      place.write(name + ".npy", attnlab::test::npy(tensor));
      words.insert(words.end(), {"--" + name, name + ".npy"});
    }
  }
  if (!layer.empty()) {
    place.write("layer.safetensors", attnlab::test::safetensors_of(layer));
    words.insert(words.end(), {"--projections", "layer.safetensors"});
  }
  std::string masks;
  for (const attnlab::Json& mask : one.value("masks", attnlab::Json::array())) {
    const Tensor<double> values = attnlab::stored_tensor<double>(mask.at("array"));
    const bool is_boolean = mask.at("boolean");
    const std::string file = is_boolean ? "truth.json" : "numbers.npy";
    place.write(file, is_boolean ? attnlab::test::lists(values).dump() : attnlab::test::npy(values));
    masks += (masks.empty() ? "" : ",") + file;
  }
  auto flags = one.value("flags", std::map<std::string, std::string>());
  if (!masks.empty()) flags["mask"] = masks + (flags.count("mask") == 0 ? "" : "," + flags.at("mask"));
  for (const auto& [flag, value] : flags) words.insert(words.end(), {"--" + flag, value});
  return words;
}

/// One tensor of nn.MultiheadAttention's reference.
Tensor<float> torch_tensor(const std::string& name) {
  const std::string file =
      (attnlab::source_dir() / "data" / "reference" / "attend" / "multihead_attention.npz").string();
  return attnlab::load<float>(attnlab::open_tensors(file + ":" + name).tensors.at(0));
}

}  // namespace

TEST_CASE("attend reproduces every stored scaled dot-product attention from files") {
  CHECK(compare_layer("layers/scaled_dot_product.json", 0) == 49 * 2 * 5);
}

TEST_CASE("attend reproduces every stored multi-head attention from files") {
  CHECK(compare_layer("layers/multi_head.json", 0) == 29 * 2 * 9);
}

TEST_CASE("attend reproduces its own reference from files: masks, heads, layers and positions") {
  std::size_t cases = 0;
  for (const std::string topic : {"masks", "heads", "layers", "positions"}) {
    std::ifstream stream(attnlab::source_dir() / "data" / "reference" / "attend" / (topic + ".json"));
    const attnlab::Json file = attnlab::Json::parse(stream);
    for (const attnlab::Json& one : file.at("cases")) {
      CAPTURE(topic);
      CAPTURE(one.at("name").get<std::string>());
      const Workplace place;
      const attnlab::Report report = attend(place, typed_case(place, one));
      const attnlab::Array expected = attnlab::stored_array(one.at("stages").at("output"));
      const attnlab::Array& got = attnlab::stage(report, "output").array;
      CHECK(got.shape == expected.shape);
      CHECK(attnlab::disagreement(got.data, expected.data,
                                  attnlab::rounding_of<double>(one.at("terms"), one.at("largest_score"))) ==
            "");
      ++cases;
    }
  }
  CHECK(cases == 18 + 7 + 10 + 12);
}

TEST_CASE("the run of attend opens no file: what was opened before is enough, until a value is set anew") {
  const Workplace place;
  const Inside inside(place.path(""));
  const Tensor<double> x{{1.0, 0.5}, {0.25, -1.0}, {2.0, 0.0}};
  place.write("x.npy", attnlab::test::npy(x));
  place.write("mask.csv", "0,0,-1\n0,0,0\n0,0,0\n");
  place.write("words.txt", "a\nb\nc\n");
  const attnlab::Experiment& experiment = attnlab::attend_experiment();
  attnlab::Arguments arguments(experiment.parameters);
  arguments.set("x", "x.npy");
  arguments.set("mask", "causal,mask.csv");
  arguments.set("labels", "words.txt");
  arguments.set("key-labels", "a,b,c");  // no file
  arguments = attnlab::with_files(experiment, std::move(arguments));
  CHECK(arguments.sources.files->names == Words{"x.npy", "mask.csv", "words.txt"});
  const attnlab::Report before = attnlab::run(experiment, arguments);
  for (const std::string& file : arguments.sources.files->names) std::filesystem::remove(file);
  const attnlab::Report after = attnlab::run(experiment, arguments);
  CHECK(attnlab::stage(after, "output").array.data == attnlab::stage(before, "output").array.data);
  arguments.set("temperature", "2");
  CHECK(!arguments.sources.files);
  CHECK_THROWS_AS(attnlab::run(experiment, arguments), attnlab::Error);
}

TEST_CASE("in which format the inputs come changes nothing") {
  for (std::size_t turn = 1; turn < 5; ++turn) compare_layer("layers/multi_head.json", turn);
}

TEST_CASE("the program finds its results equal to the stored ones, and one wrong value") {
  std::size_t turn = 0;
  for (const char* file : {"layers/scaled_dot_product.json", "layers/multi_head.json"}) {
    std::ifstream stream(attnlab::source_dir() / "data" / "reference" / file);
    const attnlab::Json cases = attnlab::Json::parse(stream).at("cases");
    for (std::size_t i = 0; i < cases.size(); i += 7, ++turn) {
      CAPTURE(cases[i].at("name").get<std::string>());
      const attnlab::Outcome same = turn % 2 == 0 ? check_with_program<float>(cases[i], turn, 0.0F)
                                                  : check_with_program<double>(cases[i], turn, 0.0);
      CAPTURE(same.out);
      CHECK(same.exit_code == 0);
      CHECK(attnlab::contains(same.out, "2 of 2 arrays agree"));
    }
    CHECK(check_with_program<double>(cases[0], turn, 1e-3).exit_code == 1);
  }
  CHECK(turn == 12);
}

TEST_CASE("a state dict of nn.MultiheadAttention gives PyTorch's weights and output") {
  const std::string file =
      (attnlab::source_dir() / "data" / "reference" / "attend" / "multihead_attention.npz").string();
  for (const std::string name :
       {"fused", "fused_no_bias", "separate", "separate_no_bias", "attn_mask", "key_padding"}) {
    CAPTURE(name);
    const Workplace place;
    const Tensor<float> weights = torch_tensor(name + ".weights");
    Words words{"--projections", file + ":" + name + ".layer", "--heads", std::to_string(weights.shape()[1])};
    for (const char* flag : {"query", "key", "value"})
      words.insert(words.end(), {std::string("--") + flag, file + ":" + name + "." + flag});
    const bool is_masked = name == "attn_mask" || name == "key_padding";
    if (is_masked) words.insert(words.end(), {"--mask", file + ":" + name + ".mask", "--bool-mask", "drop"});
    const attnlab::Report report = attend(place, words);
    CHECK(attnlab::stage(report, "weights").array.shape ==
          std::vector<std::size_t>(weights.shape().begin(), weights.shape().end()));
    CHECK(attnlab::disagreement(attnlab::stage(report, "weights").array.data, attnlab::values_of(weights),
                                attnlab::tolerance32()) == "");
    CHECK(attnlab::disagreement(attnlab::stage(report, "output").array.data,
                                attnlab::values_of(torch_tensor(name + ".output")),
                                attnlab::tolerance32()) == "");
    words.insert(words.begin(), "attend");
    words.insert(words.end(), {"--check", "weights=" + file + ":" + name + ".weights", "--check",
                               "output=" + file + ":" + name + ".output"});
    CHECK(place.run(words).exit_code == 0);
    if (!is_masked) continue;
    words.insert(words.end(), {"--bool-mask", "keep"});  // given twice
    CHECK(place.run(words).exit_code == 2);
    words.erase(words.end() - 2, words.end());
    *std::find(words.begin(), words.end(), "drop") = "keep";
    CHECK(place.run(words).exit_code == 1);
  }
}
