// `attnlab attend` as a user runs it: what it reads, writes, says, and refuses.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "attend_files.hpp"
#include "attention/scaled_dot_product.hpp"
#include "core/constants.hpp"
#include "io/tensor_file.hpp"
#include "program.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::contains;
using attnlab::on_one_line;
using attnlab::Outcome;
using attnlab::Tensor;
using attnlab::Workplace;
using attnlab::test::npy;
using attnlab::test::npz;

namespace {

using Words = std::vector<std::string>;

const Words qkv{"attend", "--lang", "en", "--query", "q.npy", "--key", "k.npy", "--value", "v.npy"};
const Words self{"attend", "--lang", "en", "--x", "x.npy"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Tensor<double> drawn(const std::vector<std::size_t>& shape, std::uint32_t seed) {
  return attnlab::NumpyRandom(seed).randn(shape);
}

/// 3 queries and 5 keys of width 4, values of width 2, and 4 tokens of width 8.
void write_inputs(const Workplace& place) {
  place.write("q.npy", npy(drawn({3, 4}, 1)));
  place.write("k.npy", npy(drawn({5, 4}, 2)));
  place.write("v.npy", npy(drawn({5, 2}, 3)));
  place.write("x.npy", npy(drawn({4, 8}, 4)));
}

Tensor<double> expected_output() {
  return attnlab::scaled_dot_product_attention(drawn({3, 4}, 1), drawn({5, 4}, 2), drawn({5, 2}, 3)).output;
}

/// The numbers of FILE or FILE:NAME in the folder.
std::vector<double> numbers_in(const Workplace& place, const std::string& words) {
  return attnlab::values_of(
      attnlab::load<double>(attnlab::open_tensors(place.path(words).string()).tensors.at(0)));
}

/// The words, which begin with attend --lang en, fail with this code, say one line in each language and write
/// nothing; the English one.
std::string refusal(const Workplace& place, Words words, int exit_code) {
  const Words before = place.files();
  const Outcome english = place.run(words);
  CHECK(english.exit_code == exit_code);
  CHECK(english.out.empty());
  CHECK(attnlab::lines_of(english.err).size() == 1);
  words.at(2) = "ja";
  const Outcome japanese = place.run(words);
  CHECK(japanese.exit_code == exit_code);
  CHECK(attnlab::lines_of(japanese.err).size() == 1);
  CHECK(japanese.err != english.err);
  CHECK(place.files() == before);
  return english.err;
}

/// Long enough to be streamed: 2100 x 2100 weights are more than are kept unasked.
void write_long(const Workplace& place) { place.write("x.npy", npy(Tensor<float>(drawn({2100, 4}, 5)))); }

}  // namespace

// --- What is saved -----------------------------------------------------------------------------------------

TEST_CASE("what attend saves reads back as it was computed, in every format") {
  const Workplace place;
  write_inputs(place);
  const std::vector<double> expected = attnlab::values_of(expected_output());
  for (const std::string extension : {"npy", "npz", "json", "csv"}) {
    CAPTURE(extension);
    const std::string name = extension == "npy" ? "" : ":output";
    const Outcome outcome = place.run(qkv + Words{"--no-figure", "--quiet", "--save-output", "o." + extension,
                                                  "--save-weights", "w." + extension});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK(attnlab::disagreement(numbers_in(place, "o." + extension + name), expected,
                                attnlab::tolerance64()) == "");
    const std::vector<double> weights =
        numbers_in(place, "w." + extension + (extension == "npy" ? "" : ":weights"));
    REQUIRE(weights.size() == 15);
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0.0;
      for (std::size_t key = 0; key < 5; ++key) sum += weights[5 * row + key];
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
    }
    CHECK(place.run(qkv + Words{"--check", "weights=w." + extension}).exit_code == 0);
  }
  for (const std::string extension : {"npz", "json", "csv"}) {
    CAPTURE(extension);
    REQUIRE(place.run(qkv + Words{"--no-figure", "--quiet", "--save-stages", "s." + extension}).exit_code ==
            0);
    CHECK(attnlab::disagreement(numbers_in(place, "s." + extension + ":output"), expected,
                                attnlab::tolerance64()) == "");
    CHECK(numbers_in(place, "s." + extension + ":query") == attnlab::values_of(drawn({3, 4}, 1)));
    CHECK(place.run(qkv + Words{"--check", "s." + extension}).exit_code == 0);
  }
  CHECK(contains(refusal(place, qkv + Words{"--save-stages", "s.npy"}, 2),
                 "end the name in .json, .npz or .csv"));
}

TEST_CASE("weights that were streamed cannot be saved, and nothing is") {
  const Workplace place;
  write_long(place);
  const std::string reported =
      refusal(place, self + Words{"--save-weights", "w.npy", "--save-output", "o.npy"}, 1);
  CHECK(contains(reported, "add --weights keep"));
  CHECK(place.run(self + Words{"--no-figure", "--quiet", "--save-weights", "w.npy", "--weights", "keep"})
            .exit_code == 0);
  CHECK(numbers_in(place, "w.npy").size() == 2100 * 2100);
  CHECK(place.run(self + Words{"--no-figure", "--quiet", "--save-output", "o.npy"}).exit_code == 0);
  CHECK(numbers_in(place, "o.npy").size() == 2100 * 4);
  CHECK(contains(refusal(place, self + Words{"--check", "weights=w.npy"}, 2), "choose from output"));
}

TEST_CASE("a file that is read is never overwritten") {
  const Workplace place;
  write_inputs(place);
  place.write("m.npy", npy(Tensor<double>(xt::zeros<double>({3, 5}))));
  place.write("p.npz",
              npz<double>({{"W_Q", drawn({8, 8}, 6)}, {"W_K", drawn({8, 8}, 7)}, {"W_V", drawn({8, 8}, 8)}}));
  place.write("both.npz", npz<double>({{"query", drawn({3, 4}, 1)}, {"key", drawn({5, 4}, 2)}}));
  place.write("labels.md", "a\nb\nc\n");
  std::filesystem::create_symlink("k.npy", place.path("link.npy"));
  const Words stored{"q.npy", "k.npy", "v.npy", "x.npy", "m.npy", "p.npz", "both.npz", "labels.md"};
  Words bytes;
  for (const std::string& file : stored) bytes.push_back(place.read(file));
  const std::string path = place.path("v.npy").string();
  for (const Words& words : {qkv + Words{"--save-output", "q.npy"}, qkv + Words{"--save-weights", "./k.npy"},
                             qkv + Words{"--save-output", path}, qkv + Words{"--save-output", "link.npy"},
                             qkv + Words{"--mask", "m.npy", "--save-output", "m.npy"},
                             self + Words{"--projections", "p.npz", "--save-stages", "p.npz"},
                             qkv + Words{"--labels", "labels.md", "--explain", "-o", "labels.md"},
                             qkv + Words{"--check", "query=both.npz:query", "--data", "both.npz"},
                             Words{"attend", "--lang", "en", "--query", "both.npz:query", "--key",
                                   "both.npz:key", "--value", "v.npy", "--data", "both.npz"}}) {
    CAPTURE(words.back());
    CHECK(contains(refusal(place, words, 2), "is read by this run, and will not be overwritten"));
  }
  for (std::size_t i = 0; i < stored.size(); ++i) CHECK(place.read(stored[i]) == bytes[i]);
  CHECK(place.run(qkv + Words{"--no-figure", "--save-output", "x.npy"}).exit_code == 0);  // not read
}

TEST_CASE("outputs that cannot be written are refused before anything is") {
  const Workplace place;
  write_inputs(place);
  std::filesystem::create_directory(place.path("folder.npy"));
  CHECK(contains(refusal(place, qkv + Words{"--save-output", "none/o.npy"}, 1), "'none' does not exist"));
  CHECK(contains(refusal(place, qkv + Words{"--save-output", "folder.npy"}, 1), "is a folder"));
  CHECK(contains(refusal(place, qkv + Words{"--save-output", "o.txt"}, 2), "names no format"));
  CHECK(contains(refusal(place, qkv + Words{"--save-output", "o.npy", "--save-weights", "./o.npy"}, 2),
                 "would be written twice"));
  CHECK(contains(refusal(place, qkv + Words{"--output-dir", "q.npy"}, 1), "cannot create the folder"));
  attnlab::Circumstances full;
  full.largest_file = 64;
  const Words before = place.files();
  const Outcome outcome = place.run(qkv + Words{"--no-figure", "--save-output", "o.npy"}, full);
  CHECK(outcome.exit_code == 1);
  CHECK(place.files() == before);
}

TEST_CASE("an interruption ends a long run and leaves nothing") {
  const Workplace place;
  place.write("x.npy", npy(Tensor<float>(drawn({60000, 8}, 5))));
  attnlab::Circumstances interrupted;
  interrupted.interrupt_after = 300000;
  const Outcome outcome =
      place.run(self + Words{"--save-output", "o.npy", "--save-stages", "s.npz"}, interrupted);
  CHECK(outcome.exit_code == 130);
  CHECK(place.files() == Words{"x.npy"});
}

// --- Where inputs come from --------------------------------------------------------------------------------

TEST_CASE("an input may come through a pipe, and standard input once") {
  const Workplace place;
  write_inputs(place);
  place.write("both.npz", npz<double>({{"other", drawn({2}, 9)}, {"q", drawn({3, 4}, 1)}}));
  const auto piped = [&](const std::string& file, const std::string& query) {
    const std::string command = "cd '" + place.path("").string() + "' && cat " + file +
                                " | '" ATTNLAB_PROGRAM "' attend --query " + query +
                                " --key k.npy --value v.npy --no-figure --quiet --save-output o.npy";
    CHECK(std::system(command.c_str()) == 0);  // NOLINT(cert-env33-c): a shell's pipe is what is tested
    CHECK(attnlab::disagreement(numbers_in(place, "o.npy"), attnlab::values_of(expected_output()),
                                attnlab::tolerance64()) == "");
    std::filesystem::remove(place.path("o.npy"));
  };
  piped("q.npy", "-");
  piped("q.npy", "/dev/stdin");  // a pipe with a name, which says nothing of its format
  piped("both.npz", "-:q");
  CHECK(contains(
      refusal(place, {"attend", "--lang", "en", "--query", "-", "--key", "-", "--value", "v.npy"}, 2),
      "standard input (-) is given 2 times"));
}

TEST_CASE("a tensor among several is named, found by its flag, or asked for") {
  const Workplace place;
  write_inputs(place);
  place.write("all.npz", npz<double>({{"key", drawn({5, 4}, 2)}, {"query", drawn({3, 4}, 1)}}));
  const Words rest{"--value", "v.npy", "--no-figure", "--quiet", "--save-output", "o.npy"};
  REQUIRE(place.run(Words{"attend", "--query", "all.npz", "--key", "all.npz"} + rest).exit_code == 0);
  CHECK(attnlab::disagreement(numbers_in(place, "o.npy"), attnlab::values_of(expected_output()),
                              attnlab::tolerance64()) == "");
  CHECK(contains(refusal(place, {"attend", "--lang", "en", "--x", "all.npz"}, 2), "--x all.npz:key"));
  CHECK(contains(refusal(place, {"attend", "--lang", "en", "--x", "all.npz:keys"}, 1),
                 "it holds 'key', 'query'"));
}

TEST_CASE("inputs that are missing, too many, or broken are refused") {
  const Workplace place;
  write_inputs(place);
  place.write("broken.npy", place.read("q.npy").substr(0, 150));
  std::filesystem::create_directory(place.path("folder.npy"));
  const auto query = [](const std::string& file) {
    return Words{"attend", "--lang", "en", "--query", file, "--key", "k.npy", "--value", "v.npy"};
  };
  CHECK(contains(refusal(place, {"attend", "--lang", "en"}, 2), "attend needs --query"));
  CHECK(contains(refusal(place, {"attend", "--lang", "en", "--query", "q.npy"}, 2), "attend needs --key"));
  CHECK(contains(refusal(place, self + Words{"--key", "k.npy"}, 2), "cannot be given together"));
  CHECK(contains(refusal(place, query("none.npy"), 1), "cannot read 'none.npy'"));
  CHECK(contains(refusal(place, query("broken.npy"), 1), "96 are needed"));
  CHECK(contains(refusal(place, query("folder.npy"), 1), "it is a folder"));
}

TEST_CASE("a vector is refused from its header, and files of other kinds with a way to convert them") {
  const Workplace place;
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (20000000,), }";
  header += std::string(117 - header.size(), ' ') + "\n";
  place.write("x.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header);
  std::filesystem::resize_file(place.path("x.npy"), 128 + 160'000'000);
  CHECK(contains(refusal(place, {"attend", "--lang", "en", "--x", "x.npy"}, 2),
                 "--x has the shape (20000000,), which is no (..., L, D)"));
  const auto hint = [&](const std::string& file) {
    return refusal(place, {"attend", "--lang", "en", "--x", file}, 2);
  };
  CHECK(contains(hint("model.onnx"), "onnx.load('model.onnx').graph.initializer"));
  CHECK(contains(hint("model.dat"), "its extension must be one of npy"));
}

TEST_CASE("shapes that attention cannot take are refused with what would fit") {
  const Workplace place;
  write_inputs(place);
  place.write("transposed.npy", npy(drawn({4, 5}, 2)));
  place.write("row.npy", npy(drawn({4}, 2)));
  place.write("h.npy", npy(drawn({2, 4, 3, 8}, 2)));
  place.write("h5.npy", npy(drawn({2, 5, 3, 8}, 2)));
  place.write("tall.npy", npy(drawn({5, 3}, 2)));
  for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{
           {0, 4}, {3, 0}, {0, 3, 4}, {2, 0, 3, 4}, {2, 3, 0, 4}, {0}, {}}) {
    CAPTURE(shape.size());
    place.write("none.npy", npy(Tensor<double>::from_shape(shape)));
    refusal(place, {"attend", "--lang", "en", "--x", "none.npy"}, 2);
  }
  place.write("none.npy", npy(Tensor<double>::from_shape({2, 3, 0, 4})));
  refusal(place, {"attend", "--lang", "en", "--x", "none.npy", "--head-layout", "last"}, 2);
  place.write("none.npy", npy(Tensor<double>::from_shape({0, 3, 5})));
  CHECK(contains(refusal(place, qkv + Words{"--mask", "none.npy"}, 2), "a batch of shape (0,)"));

  const auto refused = [&](const Words& words) {
    return refusal(place, Words{"attend", "--lang", "en"} + words, 2);
  };
  CHECK(contains(refused({"--query", "q.npy", "--key", "transposed.npy", "--value", "v.npy"}),
                 "the keys seem to be transposed"));
  CHECK(contains(refused({"--x", "row.npy"}), "which is no (..., L, D)"));
  CHECK(contains(refused({"--query", "q.npy", "--key", "k.npy", "--value", "q.npy"}), "5 keys but 3 values"));
  CHECK(contains(refused({"--x", "h.npy", "--heads", "3"}), "with --head-layout last it would fit"));
  CHECK(contains(refused({"--x", "h.npy", "--heads", "4", "--head-layout", "last"}),
                 "with --head-layout first it would fit"));
  CHECK(contains(refused({"--query", "h.npy", "--key", "h5.npy", "--value", "h5.npy"}),
                 "queries 4, keys 5, values 5"));
  CHECK(contains(refused({"--x", "x.npy", "--heads", "3"}), "cannot be split over 3 heads"));
  CHECK(contains(refusal(place, qkv + Words{"--mask", "tall.npy"}, 2), "(queries, keys) = (3, 5)"));
}

TEST_CASE("projections that do not fit name the switch under which they would") {
  const Workplace place;
  write_inputs(place);
  const auto with = [&](const std::string& file, const attnlab::test::Named<double>& weights) {
    place.write(file, npz(weights));
    return self + Words{"--projections", file};
  };
  const Tensor<double> square = drawn({8, 8}, 5);
  const Words turned =
      with("turned.npz",
           {{"w_query", drawn({16, 8}, 6)}, {"w_key", drawn({16, 8}, 7)}, {"w_value", drawn({16, 8}, 8)}});
  CHECK(contains(refusal(place, turned, 2),
                 "w_query is 16x8, but the queries have width 8; with --layout out-in it would fit"));
  CHECK(place.run(turned + Words{"--layout", "out-in", "--no-figure"}).exit_code == 0);
  const auto heads = [&](std::size_t q, std::size_t k, std::size_t v, const Tensor<double>& output) {
    return with("heads.npz", {{"W_Q", Tensor<double>::from_shape({q, 8, 4}) * 0.0},
                              {"W_K", Tensor<double>::from_shape({k, 8, 4}) * 0.0},
                              {"W_V", Tensor<double>::from_shape({v, 8, 4}) * 0.0},
                              {"W_O", output}});
  };
  CHECK(contains(refusal(place, heads(0, 0, 0, square), 2), "W_Q has the shape (0, 8, 4)"));
  CHECK(contains(refusal(place, heads(2, 0, 0, square), 2), "W_K has the shape (0, 8, 4)"));
  CHECK(contains(refusal(place, heads(3, 2, 2, square), 2), "3 heads cannot share 2"));
  CHECK(contains(refusal(place, heads(2, 2, 4, square), 2), "W_V holds 4 heads, but 2 are needed"));
  CHECK(!contains(refusal(place, heads(2, 2, 2, drawn({3, 4, 8}, 6)), 2), "would fit"));
  CHECK(contains(refusal(place, with("q.npz", {{"W_Q", square}}), 1), "has no 'w_k'"));
  CHECK(contains(refusal(place, with("joint.npz", {{"in_proj_weight", drawn({25, 8}, 5)}}), 2),
                 "the 25 columns of in_proj_weight cannot be split over the heads of Q, K and V (1, 1, 1)"));
  CHECK(contains(refusal(place,
                         with("two.npz", {{"a.in_proj_weight", drawn({24, 8}, 5)},
                                          {"b.in_proj_weight", drawn({24, 8}, 5)}}),
                         1),
                 "choose one of them, as in FILE:a"));
}

TEST_CASE("every flag refuses nonsense in one line") {
  const Workplace place;
  write_inputs(place);
  for (const Words& flag : std::vector<Words>{{"--heads", "0"},
                                              {"--heads", "99999999999999999999"},
                                              {"--kv-heads", "-1"},
                                              {"--head-layout", "middle"},
                                              {"--layout", "sideways"},
                                              {"--mask", "casual"},
                                              {"--mask", "window"},
                                              {"--mask", "window:-1"},
                                              {"--mask", "padding:6"},
                                              {"--mask", "padding:99999999999999999999"},
                                              {"--mask", ""},
                                              {"--bool-mask", "maybe"},
                                              {"--alignment", "left"},
                                              {"--masked-row", "skip"},
                                              {"--bias", "alib"},
                                              {"--scale", "nan"},
                                              {"--scale", "0"},
                                              {"--temperature", "0"},
                                              {"--temperature", "inf"},
                                              {"--dtype", "float8"},
                                              {"--labels", "a,b"},
                                              {"--labels", ""},
                                              {"--labels", "none.txt"},
                                              {"--key-labels", "a"},
                                              {"--head", "1"},
                                              {"--head", "-1"},
                                              {"--entry", "1"},
                                              {"--rows", "2:1"},
                                              {"--rows", "3:"},
                                              {"--columns", "a:b"},
                                              {"--pool", "median"},
                                              {"--range", "1:0"},
                                              {"--weights", "none"},
                                              {"--row", "1"},
                                              {"--size", "0x0cm"},
                                              {"--figure", "none"},
                                              {"-o", "q.npy"},
                                              {"--check", "none=q.npy"},
                                              {"--query", "k.npy"},
                                              {"--json", "--quiet"},
                                              {"--blank", "--no-figure"},
                                              {"--heds", "2"},
                                              {"more"}}) {
    CAPTURE(flag.front());
    CAPTURE(flag.back());
    const std::string reported = refusal(place, qkv + flag, 2);
    CHECK(contains(reported, "; "));  // and what to do
  }
}

// --- NaN, and rows that read nothing -----------------------------------------------------------------------

TEST_CASE("NaN among the inputs is warned of and stays NaN in every number") {
  const Workplace place;
  write_inputs(place);
  Tensor<double> query = drawn({3, 4}, 1);
  query(1, 2) = attnlab::not_a_number;
  place.write("q.npy", npy(query));
  const Outcome outcome = place.run(qkv + Words{"--no-figure", "--json", "--masked-row", "error"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "the inputs hold NaN or infinities"));
  const nlohmann::json arrays = nlohmann::json::parse(outcome.out).at("arrays");
  for (const char* name : {"entropy", "largest_weight", "mean_distance", "first_token_share"}) {
    CAPTURE(name);
    CHECK(arrays.at(name).at("data").at(0) == "nan");
  }
  CHECK(arrays.at("weights").at("data").at(5) == "nan");
  CHECK(arrays.at("weights").at("data").at(0).is_number());
  const Outcome table = place.run(qkv + Words{"--no-figure"});
  CHECK(contains(table.out, "0      nan      nan       nan    nan  nan       nan"));
  CHECK(!contains(table.out, "-nan"));
  CHECK(!contains(table.out, "about nan"));
}

TEST_CASE("NaN tokens of a streamed run are no rows without a key") {
  const Workplace place;
  Tensor<float> x(drawn({2100, 4}, 5));
  x(7, 0) = std::numeric_limits<float>::quiet_NaN();
  place.write("x.npy", npy(x));
  const Outcome outcome =
      place.run(self + Words{"--no-figure", "--quiet", "--masked-row", "zero", "--save-output", "o.npy"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "the inputs hold NaN or infinities"));
  CHECK(std::isnan(numbers_in(place, "o.npy").at(7 * 4)));
}

TEST_CASE("NaN behind a mask reaches no number, kept or streamed, from a word or a file") {
  const Workplace place;
  write_inputs(place);
  Tensor<double> value = drawn({5, 4}, 3);
  value(4, 1) = attnlab::not_a_number;
  place.write("v.npy", npy(value));
  Tensor<double> key = drawn({5, 4}, 2);
  key(4, 0) = attnlab::infinity;
  place.write("k.npy", npy(key));
  place.write("m.json", "[[1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 0]]");
  std::vector<std::vector<double>> outputs;
  for (const char* mask : {"padding:1", "m.json"}) {
    for (const char* way : {"keep", "stream"}) {
      const Outcome outcome = place.run(
          qkv + Words{"--no-figure", "--quiet", "--mask", mask, "--weights", way, "--save-output", "o.npy"});
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err.empty());
      outputs.push_back(numbers_in(place, "o.npy"));
    }
  }
  for (const std::vector<double>& output : outputs) {
    CHECK(output.size() == 12);
    for (std::size_t i = 0; i < output.size(); ++i) CHECK(std::abs(output[i] - outputs[0][i]) < 1e-12);
  }
}

TEST_CASE(
    "a weight of a type that is not ours is refused by name, and one beside the layer's stops nothing") {
  const Workplace place;
  place.write("x.npy", npy(drawn({3, 4}, 1)));
  const auto file_with = [&](const std::string& name, const std::string& type, std::size_t bytes) {
    std::string header = "{";
    std::size_t at = 0;
    for (const char* letter : {"q", "k", "v", "o"}) {
      header += "\"" + std::string(letter) +
                "_proj.weight\":{\"dtype\":\"F32\",\"shape\":[4,4],\"data_offsets\":[" + std::to_string(at) +
                "," + std::to_string(at + 64) + "]},";
      at += 64;
    }
    header += "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[4],\"data_offsets\":[256," +
              std::to_string(256 + bytes) + "]}}";
    std::string length(8, '\0');
    length[0] = static_cast<char>(header.size() & 0xFFU);
    length[1] = static_cast<char>(header.size() >> 8U);
    place.write("w.safetensors", length + header + std::string(256 + bytes, '\0'));
    return place.run(self +
                     Words{"--projections", "w.safetensors", "--heads", "2", "--no-figure", "--quiet"});
  };
  CHECK(file_with("freqs_cis", "C64", 32).exit_code == 0);
  const Outcome bias = file_with("q_proj.bias", "F8_E4M3", 4);
  CHECK(bias.exit_code == 1);
  CHECK(contains(bias.err, "in tensor 'q_proj.bias': the type 'F8_E4M3' is not supported"));
}

TEST_CASE("a mask that fits two places is warned of until --mask-axes says which") {
  const Workplace place;
  for (const char* name : {"q.npy", "k.npy", "v.npy"}) place.write(name, npy(drawn({3, 3, 4}, 1)));
  place.write("m.json", "[[1, 1, 0], [1, 1, 1], [1, 0, 0]]");
  const auto weights = [&](const Words& more, bool warns) {
    const Outcome outcome = place.run(
        qkv + Words{"--no-figure", "--quiet", "--mask", "m.json", "--save-weights", "w.npy"} + more);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.err, "fits (queries,keys) and (batch,keys): read as (queries,keys)") == warns);
    return numbers_in(place, "w.npy");
  };
  const std::vector<double> as_numpy = weights({}, true);
  CHECK(as_numpy == weights({"--mask-axes", "queries,keys"}, false));
  const std::vector<double> padding = weights({"--mask-axes", "batch,keys"}, false);
  CHECK(as_numpy[2] == 0.0);  // entry 0, query 0
  CHECK(as_numpy[5] != 0.0);  // entry 0, query 1
  CHECK(padding[5] == 0.0);
  CHECK(contains(refusal(place, qkv + Words{"--mask", "causal", "--mask-axes", "batch,keys"}, 2),
                 "no mask of a file"));
}

TEST_CASE("rows that read nothing become what --masked-row says, and error writes nothing") {
  const Workplace place;
  write_inputs(place);
  place.write("m.json", "[[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0]]");
  const auto row_1 = [&](const std::string& rule) {
    const Outcome outcome = place.run(qkv + Words{"--no-figure", "--quiet", "--mask", "m.json",
                                                  "--masked-row", rule, "--save-weights", "w.npy"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.err, "query 1") == (rule == "nan"));
    return numbers_in(place, "w.npy").at(5);
  };
  CHECK(std::isnan(row_1("nan")));
  CHECK(row_1("zero") == 0.0);
  CHECK(row_1("uniform") == doctest::Approx(0.2).epsilon(1e-15));
  const std::string reported = refusal(
      place,
      qkv + Words{"--mask", "m.json", "--masked-row", "error", "--save-output", "o.npy", "-o", "f.png"}, 1);
  CHECK(contains(reported, "without any visible key: query 1; check the mask"));
}

// --- What it says ------------------------------------------------------------------------------------------

TEST_CASE("labels come from words or a file, in any script, with or without a byte order mark") {
  const Workplace place;
  write_inputs(place);
  place.write("ja.txt", "\xEF\xBB\xBF吾輩\r\nは\n猫");
  place.write("mac.txt", "x\ry\rz\r");
  place.write("utf16.txt", std::string("\xFF\xFEx\0\r\0\n\0y\0\r\0\n\0z\0", 16));
  for (const char* other : {"mac.txt", "utf16.txt"}) {
    const Outcome read =
        place.run(qkv + Words{"--no-figure", "--quiet", "--labels", other, "--mask", "padding:5"});
    CHECK(contains(read.err, "query 0 (x), query 1 (y), query 2 (z)"));
  }
  place.write("keys.txt", "a\nb\nc\nd\ne\n");
  const Outcome outcome = place.run(
      qkv + Words{"--labels", "ja.txt", "--key-labels", "keys.txt", "-o", "a.svg", "--mask", "padding:5"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "query 0 (吾輩), query 1 (は), query 2 (猫)"));
  REQUIRE(place
              .run(qkv + Words{"--labels", "吾輩,は,猫", "--key-labels", "a,b,c,d,e", "-o", "b.svg", "--mask",
                               "padding:5"})
              .exit_code == 0);
  const auto drawing = [&](const std::string& file) {
    const std::string svg = place.read(file);
    return svg.substr(svg.find("</metadata>"));
  };
  CHECK((drawing("a.svg") == drawing("b.svg")));
}

TEST_CASE("labels files of the wrong number, bytes or characters are refused") {
  const Workplace place;
  write_inputs(place);
  place.write("bytes.txt", "a\n\xFF\xFE\nc\n");
  place.write("control.txt", "a\n\x1b[31m\nc\n");
  place.write("empty.txt", "");
  place.write("four.txt", "a\nb\nc\nd\n");
  CHECK(contains(refusal(place, qkv + Words{"--labels", "bytes.txt"}, 1), "at line 2: it is no UTF-8"));
  CHECK(contains(refusal(place, qkv + Words{"--labels", "control.txt"}, 1), "a control character"));
  CHECK(contains(refusal(place, qkv + Words{"--labels", "empty.txt"}, 1), "it holds no label"));
  CHECK(contains(refusal(place, qkv + Words{"--labels", "four.txt"}, 2), "4 labels, but 3 are needed"));
}

TEST_CASE("attend explains itself on the terminal and into files") {
  const Workplace place;
  write_inputs(place);
  const Words explained = qkv + Words{"--explain", "--row", "2", "--mask", "causal"};
  const Outcome outcome = place.run(explained);
  CHECK(place.run(explained + Words{"-o", "e.md", "-o", "e.tex"}).exit_code == 0);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "query[2] ≈ ["));
  CHECK(contains(outcome.out, "weights (3, 5)"));
  CHECK(contains(place.read("e.md"), "scores"));
  CHECK(contains(place.read("e.tex"), "\\documentclass"));
  CHECK(contains(refusal(place, qkv + Words{"--explain", "--row", "3"}, 2), "rows 0 to 2"));
}

TEST_CASE(
    "--json is one object with all stages and figures, --quiet prints nothing, --blank has no numbers") {
  const Workplace place;
  write_inputs(place);
  const nlohmann::json json =
      nlohmann::json::parse(place.run(qkv + Words{"--json", "--mask", "causal", "-o", "f.svg"}).out);
  CHECK(json.at("experiment") == "attend");
  CHECK(json.at("parameters").at("query") == "q.npy");
  for (const char* name :
       {"query", "key", "value", "raw_scores", "scores", "mask", "masked", "weights", "output"})
    CHECK(json.at("arrays").contains(name));
  CHECK(json.at("figures") == nlohmann::json{"f.svg"});
  const Outcome quiet = place.run(qkv + Words{"--quiet", "--figure", "all", "--format", "png,svg"});
  CHECK(quiet.exit_code == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.err.empty());
  CHECK(attnlab::is_png(place.read("figures/attend-weights.png")));
  CHECK(attnlab::is_svg(place.read("figures/attend-statistics.svg")));
  REQUIRE(place.run(qkv + Words{"--quiet", "--blank", "--figure", "weights", "--format", "svg"}).exit_code ==
          0);
  const std::string number = "\"weights-0-0-0.text\"";  // what is written into the first cell
  CHECK(contains(place.read("f.svg"), number));
  CHECK(!contains(place.read("figures/attend-weights-blank.svg"), number));
}

TEST_CASE("attend colours a terminal alone, and not under NO_COLOR") {
  const Workplace place;
  write_inputs(place);
  auto terminal = attnlab::on_terminal({"TERM=xterm-256color"});
  CHECK(contains(place.run(qkv + Words{"--no-figure"}, terminal).out, "\x1b["));
  terminal.environment.emplace_back("NO_COLOR=1");
  CHECK(!contains(place.run(qkv + Words{"--no-figure"}, terminal).out, "\x1b["));
  CHECK(!contains(place.run(qkv + Words{"--no-figure"}).out, "\x1b["));
}
