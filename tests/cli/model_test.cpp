// `attnlab model` as a user runs it: what it reads, writes, says, and refuses.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "io/tensor_file.hpp"
#include "model_folder.hpp"
#include "program.hpp"

namespace attnlab {
namespace {

using test::write_model_folder;

Tensor<double> array_of(const Workplace& place, const std::string& words) {
  return load<double>(open_tensors(place.path(words).string()).tensors.front());
}

double largest_difference_of(const Tensor<double>& one, const Tensor<double>& other) {
  REQUIRE(one.size() == other.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i)
    largest = std::max(largest, std::abs(one.flat(i) - other.flat(i)));
  return largest;
}

/// What the report says of a text, with the words on one line.
std::string report_of(const Workplace& place, std::vector<std::string> words) {
  words.insert(words.begin(), "model");
  words.insert(words.end(), {"--lang", "en", "--no-figure"});
  const Outcome outcome = place.run(words);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  return on_one_line(outcome.out);
}

std::string refusal_of(const Workplace& place, std::vector<std::string> words) {
  words.insert(words.begin(), "model");
  words.insert(words.end(), {"--lang", "en"});
  const std::vector<std::string> before = place.files();
  const Outcome outcome = place.run(words);
  CHECK((outcome.exit_code == 1 || outcome.exit_code == 2));
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(place.files() == before);
  return outcome.err;
}

}  // namespace

TEST_CASE("a model whose numbers overflow is warned of once, and its pages are written") {
  const Workplace place;
  write_model_folder(place, "wild", 1e30);
  const Outcome outcome = place.run({"model", "wild", "--tokens", "1,2,3", "--lang", "en", "-o", "w.html"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("nan%") == std::string::npos);
  REQUIRE(lines_of(outcome.err).size() == 1);
  CHECK(outcome.err.rfind("warning: the model's numbers break down: the first infinity is in layer 0", 0) ==
        0);
  const Outcome refused = place.run({"generation", "--model", "wild", "--tokens", "1,2,3", "--lang", "en"});
  CHECK(refused.exit_code == 1);
  CHECK(lines_of(refused.err).size() == 1);
  CHECK(refused.err.find("after 3 tokens the logits are NaN") != std::string::npos);
}

TEST_CASE("what a model writes on is in its arrays, beyond the tokens that it reads at once, too") {
  const Workplace place;
  const std::vector<std::string> words{"model", "text", "Alice was", "--generate", "60", "--lang", "en"};
  std::vector<std::string> json = words;
  json.insert(json.end(), {"--json", "--data", "m.npz", "--no-figure"});
  const Outcome outcome = place.run(json);
  REQUIRE(outcome.exit_code == 0);
  const nlohmann::json arrays = nlohmann::json::parse(outcome.out)["arrays"];
  const auto tokens = arrays["generated_tokens"]["data"].get<std::vector<double>>();
  CHECK(tokens.size() == 60);
  const Tensor<double> saved = array_of(place, "m.npz:generated_tokens");
  CHECK(std::equal(tokens.begin(), tokens.end(), saved.begin(), saved.end()));
  CHECK(arrays["generated_probability"]["data"].size() == 60);
  CHECK(contains(report_of(place, {"text", "Alice was", "--generate", "60"}),
                 "This model takes 48 tokens at once"));
  CHECK(!contains(report_of(place, {"text", "Alice was", "--generate", "9"}), "at once"));
}

TEST_CASE("an eps that no norm can have is refused") {
  const Workplace place;
  write_model_folder(place, "gpt");
  place.write("gpt/config.json",
              R"({"model_type": "gpt2", "n_embd": 16, "n_layer": 2, "n_head": 4, "vocab_size": 502,
                  "n_positions": 64, "layer_norm_epsilon": -1e-5})");
  CHECK(refusal_of(place, {"gpt", "--tokens", "1"}).find("\"layer_norm_epsilon\" is -1e-05") !=
        std::string::npos);
}

TEST_CASE("model reads what train saved, and sees the weights that training saw") {
  const Workplace place;
  CHECK(
      place
          .run({"train", "text", "--model", "text", "--input", "Alice was", "--no-figure", "--data", "t.npz"})
          .exit_code == 0);
  CHECK(place.run({"model", "text", "Alice was", "--no-figure", "--data", "m.npz"}).exit_code == 0);
  CHECK(largest_difference_of(array_of(place, "t.npz:weights"), array_of(place, "m.npz:weights")) < 1e-6);
}

TEST_CASE("model says the tokens, the likeliest next ones and the heads, in both languages") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  const std::string report = report_of(place, {"gpt2", "the street"});
  CHECK(contains(report, "gpt2: 2 layers, 4 heads, width 16, a vocabulary of 502"));
  CHECK(contains(report, "' the'") == false);
  CHECK(contains(report, "The most likely next token is"));
  CHECK(contains(report, "The token before"));
  const Outcome ja = place.run({"model", "gpt2", "the street", "--lang", "ja", "--no-figure"});
  CHECK(contains(ja.out, "続きとして最も確からしいのは"));
}

TEST_CASE("a model alone is told of by --list, and without one the models that come along are named") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  const std::string listing = on_one_line(place.run({"model", "gpt2", "--list", "--lang", "en"}).out);
  CHECK(contains(listing, "Context length 64"));
  CHECK(contains(listing, "BPE over bytes (502)"));
  const std::string alone = on_one_line(place.run({"model", "--lang", "en"}).out);
  CHECK(contains(alone, "text"));
  CHECK(contains(alone, "induction"));
}

TEST_CASE("tokens by number need no tokenizer and give what the text gives") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  CHECK(place.run({"model", "gpt2", "the", "--no-figure", "--data", "a.npz"}).exit_code == 0);
  const Tensor<double> tokens = array_of(place, "a.npz:tokens");
  std::vector<std::string> numbers;
  for (const double token : tokens) numbers.push_back(std::to_string(static_cast<int>(token)));
  std::filesystem::remove(place.path("gpt2/tokenizer.json"));
  CHECK(place.run({"model", "gpt2", "--tokens", joined(numbers, ","), "--no-figure", "--data", "b.npz"})
            .exit_code == 0);
  CHECK(largest_difference_of(array_of(place, "a.npz:logits"), array_of(place, "b.npz:logits")) == 0.0);
  CHECK(contains(refusal_of(place, {"gpt2", "the"}), "no tokenizer beside 'gpt2'"));
}

TEST_CASE("random tokens come twice, the seed decides which, and a head of induction is seen on them") {
  const Workplace place;
  const auto tokens = [&](const std::string& seed) {
    CHECK(place
              .run({"model", "induction", "--tokens", "random:6", "--seed", seed, "--no-figure", "--data",
                    "r.npz"})
              .exit_code == 0);
    const Tensor<double> all = array_of(place, "r.npz:tokens");
    return std::vector<double>(all.begin(), all.end());
  };
  const std::vector<double> first = tokens("1");
  REQUIRE(first.size() == 12);
  CHECK(std::equal(first.begin(), first.begin() + 6, first.begin() + 6));
  CHECK(tokens("1") == first);
  CHECK(tokens("2") != first);
  CHECK(contains(refusal_of(place, {"induction", "--tokens", "random:0"}), "a whole number from 1 to"));
}

TEST_CASE("generation takes the likeliest token, as the next run says; with a temperature the seed decides") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  const auto written = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"gpt2", "--tokens", "1,2,3", "--generate", "6"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::remove(place.path("gpt2/tokenizer.json"));
    return report_of(place, words);
  };
  const std::string greedy = written({});
  CHECK(written({"--temperature", "1", "--top-k", "1"}).substr(0, greedy.find("Heads")) ==
        greedy.substr(0, greedy.find("Heads")));
  CHECK(written({"--temperature", "1", "--seed", "1"}) == written({"--temperature", "1", "--seed", "1"}));
  CHECK(written({"--temperature", "1", "--seed", "1"}) != written({"--temperature", "1", "--seed", "2"}));
  // token by token the same
  std::string tokens = "1,2,3";
  for (int i = 0; i < 6; ++i) {
    const std::string report = report_of(place, {"gpt2", "--tokens", tokens});
    const std::string begin = "The most likely next token is #";
    const std::size_t at = report.find(begin) + begin.size();
    tokens += "," + report.substr(at, report.find(' ', at) - at);
  }
  CHECK(contains(greedy, tokens.substr(6)));
}

TEST_CASE("without a head the report says what becomes of the likeliest token") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  const std::string report = report_of(place, {"gpt2", "the street", "--without", "L0H1,L1M"});
  CHECK(contains(report, "Without L0H1,L1M, the probability of"));
  CHECK(contains(refusal_of(place, {"gpt2", "a", "--without", "L2"}),
                 "layers go from 0 to 1, heads from 0 to 3"));
}

TEST_CASE("what another library computed is compared stage by stage") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  CHECK(place.run({"model", "gpt2", "the", "--no-figure", "--data", "a.npz"}).exit_code == 0);
  CHECK(place.run({"model", "gpt2", "the", "--check", "a.npz"}).exit_code == 0);
  CHECK(place.run({"model", "gpt2", "thx", "--check", "layer_1_weights=a.npz:layer_1_weights"}).exit_code ==
        1);
}

TEST_CASE("model refuses in one line, and writes nothing") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  CHECK(contains(refusal_of(place, {"gpt2"}), "no text for the model to read"));
  CHECK(contains(refusal_of(place, {"nothing", "a"}), "the models that come along are"));
  CHECK(contains(refusal_of(place, {"gpt2", "a", "--tokens", "1"}), "both a text and --tokens"));
  CHECK(contains(refusal_of(place, {"gpt2", "--tokens", "502"}), "'502' is not a token"));
  CHECK(contains(refusal_of(place, {"gpt2", "a", "--layer", "2"}),
                 "there is no --layer 2; it goes from 0 to 1"));
  CHECK(contains(refusal_of(place, {"gpt2", "a", "--query", "zebra"}), "'zebra' is not in the text"));
  CHECK(contains(refusal_of(place, {"gpt2", "--tokens", "random:40"}), "this model takes 64"));
  CHECK(contains(refusal_of(place, {"topic", "猫", "--generate", "1"}), "no output matrix"));
  CHECK(contains(refusal_of(place, {"reverse", "1 2 3", "--generate", "1"}), "bidirectional model"));
  place.write("gpt2/config.json", "{\"model_type\": \"gpt2\", \"n_embd\": 1e400}");
  refusal_of(place, {"gpt2", "a"});
  place.write("gpt2/config.json", "");
  refusal_of(place, {"gpt2", "a"});
  place.write("x.bin", std::string(28, '\xff'));
  CHECK(contains(refusal_of(place, {"x.bin", "a"}), "llama2.c's format"));
}

TEST_CASE("a page of a model has a slider for its layers and one for its heads") {
  const Workplace place;
  write_model_folder(place, "gpt2");
  const Outcome outcome = place.run({"model", "gpt2", "the street", "-o", "page.html", "--quiet"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const std::string page = place.read("page.html");
  CHECK(contains(page, "--layer"));
  CHECK(contains(page, "--head"));
}

TEST_CASE("a story model of llama2.c goes on as llama2.c's own program does") {
  const std::filesystem::path models = source_dir().parent_path() / "shared" / "models";
  if (!std::filesystem::exists(models / "stories260K.bin")) {
    MESSAGE("left out: there is no stories260K.bin in ", models.string());
    return;
  }
  const Workplace place;
  // run.c -t 0 -n 62 -i "Once upon a time"
  const std::string expected =
      "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw a big, red ball.";
  const std::string report =
      report_of(place, {(models / "stories260K.bin").string(), "Once upon a time", "--tokenizer",
                        (models / "tok512.bin").string(), "--generate", "56"});
  CHECK(contains(report, expected));
}

TEST_CASE("model reads the small world in the language that was typed, and says which words are near") {
  const Workplace place;
  const std::string tired =
      report_of(place, {"world", "The dog had run all day. It didn't cross the street because it was too"});
  CHECK(contains(tired, "The most likely next token is 'tired'"));
  CHECK(contains(tired, "17 tokens: '¶' 'the' 'dog'"));
  CHECK(contains(
      report_of(place, {"world", "the street had ten lanes . the dog did not cross it because it was too"}),
      "The most likely next token is 'wide'"));
  const std::string crossed = report_of(place, {"world", "花子は川に着いた。花子は夕方にはしを"});
  CHECK(contains(crossed, "13 tokens"));
  CHECK(contains(crossed, "The most likely next token is '渡った'"));
  CHECK(contains(report_of(place, {"world", "花子はご飯を炊いた。花子は夕方にはしを"}),
                 "The most likely next token is '並べた'"));
  const std::string refusal = refusal_of(place, {"world", "the elephant was tired"});
  CHECK(contains(refusal, "elephant"));
  CHECK(contains(refusal, "--words"));
  const Outcome words = place.run({"model", "world.ja", "--words"});
  CHECK(words.exit_code == 0);
  CHECK(lines_of(words.out).size() > 300);
  CHECK(contains(words.out, "\n吾輩\n"));
}

TEST_CASE("the heads that the lectures draw read what their titles say") {
  const Workplace place;
  const auto weight = [&](std::vector<std::string> words, std::size_t layer, std::size_t head,
                          std::size_t key) {
    words.insert(words.begin(), "model");
    words.insert(words.end(), {"--no-figure", "--data", "m.npz"});
    REQUIRE(place.run(words).exit_code == 0);
    const Tensor<double> weights = array_of(place, "m.npz:weights");
    return weights(layer, head, weights.shape()[2] - 1, key);  // of the last token
  };
  CHECK(weight({"world.en", "the books above the tree"}, 3, 3, 2) > 0.9);              // tree: books
  CHECK(weight({"world.ja", "由美は川に着いた。由美は朝早くはしを"}, 1, 1, 3) > 0.9);  // を: 川
}

TEST_CASE("a translator says a sentence word by word, as a model and in the room of cross-attention") {
  const Workplace place;
  const std::string cow = "the cow did not cross the bridge because it was too tired .";
  const Outcome model = place.run({"model", "translate.en-fr", cow, "--lang", "en", "--no-figure"});
  CHECK(model.exit_code == 0);
  CHECK(contains(on_one_line(model.out), "parce qu' elle était trop fatiguée"));
  const Outcome space = place.run(
      {"cross-attention", "--model", "translate.en-fr", "--text", cow, "--lang", "en", "--no-figure"});
  CHECK(space.out == model.out);
  // What may be tired is the cow, what may be wide the bridge: elle and il.
  const Outcome wide =
      place.run({"cross-attention", "--model", "translate.en-fr", "--text",
                 "the cow did not cross the bridge because it was too wide .", "--no-figure"});
  CHECK(contains(on_one_line(wide.out), "parce qu' il était trop large"));
  CHECK(contains(place.run({"model", "translate.en-fr", cow, "--ablate"}).err, "--ablate"));
  CHECK(place.run({"model", "translate.en-fr", "elephant", "--no-figure"}).exit_code == 2);
  CHECK(place.run({"cross-attention", "--model", "world", "--no-figure"}).exit_code == 1);
  CHECK(place.run({"cross-attention", "--model", "translate.en-fr", "--labels", "a"}).exit_code == 2);
  CHECK(contains(place.run({"model", "--lang", "en"}).out, "translate.en-ja"));
}

}  // namespace attnlab
