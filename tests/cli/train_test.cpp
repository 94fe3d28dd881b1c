// `attnlab train` as a user runs it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace attnlab {
namespace {

const std::vector<std::string> quick{"train", "reverse", "--steps", "20", "--no-control", "--lang", "en"};

std::vector<std::string> quick_with(const std::vector<std::string>& more) {
  std::vector<std::string> words = quick;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_CASE("train lists its tasks, and helps whoever names none or a wrong one") {
  const Workplace place;
  const Outcome list = place.run({"train", "--list", "--lang", "en"});
  CHECK(list.exit_code == 0);
  CHECK(lines_of(list.out).size() == 16);
  CHECK(contains(list.out, "train induction"));
  const Outcome none = place.run({"train", "--lang", "en"});
  CHECK(none.exit_code == 2);
  CHECK(contains(none.err, "train needs a task; for example attnlab train reverse"));
  const Outcome typo = place.run({"train", "revers", "--lang", "en"});
  CHECK(typo.exit_code == 2);
  CHECK(contains(typo.err, "did you mean reverse?"));
  const Outcome late = place.run({"train", "--quiet", "reverse", "--lang", "en"});
  CHECK(late.exit_code == 2);
  CHECK(place.run({"train", "reverse", "induction"}).exit_code == 2);
  CHECK(place.run({"train", "reverse", "--help", "--lang", "en"}).out.find("--positions") !=
        std::string::npos);
}

TEST_CASE("a training prints, draws, films and saves, and the saved model answers what is typed") {
  const Workplace place;
  const Outcome outcome =
      place.run(quick_with({"-o", "x.svg", "--film", "x.gif", "--save-model", "m.safetensors"}));
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "20 steps; accuracy"));
  CHECK(is_svg(place.read("x.svg")));
  CHECK(place.read("x.gif").substr(0, 6) == "GIF89a");
  const Outcome again =
      place.run({"train", "reverse", "--model", "m.safetensors", "--input", "0123", "--json"});
  CHECK(again.exit_code == 0);
  const auto json = nlohmann::json::parse(again.out);
  CHECK(json.at("scalars").at("steps") == 0.0);
  CHECK(json.at("arrays").at("weights").at("shape") == nlohmann::json({1, 1, 4, 4}));
  CHECK(json.at("parameters").at("steps") == 20);  // the model's own, though nobody typed it
  const Outcome film =
      place.run({"train", "reverse", "--model", "m.safetensors", "--film", "y.gif", "--lang", "en"});
  CHECK(film.exit_code == 1);
  CHECK(contains(film.err, "nothing was trained"));
  CHECK(!place.has("y.gif"));
  const Outcome other = place.run({"train", "dictionary", "--model", "m.safetensors", "--lang", "en"});
  CHECK(other.exit_code == 1);
  CHECK(contains(other.err, "it is a model of `train reverse`"));
  place.write("broken.safetensors", place.read("m.safetensors").substr(0, 300));
  CHECK(place.run({"train", "reverse", "--model", "broken.safetensors"}).exit_code == 1);
}

TEST_CASE("a folder hides no model that comes along under its name") {
  const Workplace place;
  const std::vector<std::string> draws{"train",        "topic", "--model", "topic",
                                       "--output-dir", "topic", "--quiet"};
  CHECK(place.run(draws).exit_code == 0);
  const Outcome again = place.run(draws);
  CHECK_MESSAGE(again.exit_code == 0, again.err);
  std::filesystem::create_directory(place.path("world"));
  const Outcome model = place.run({"model", "world", "the dog", "--no-figure", "--lang", "en"});
  CHECK_MESSAGE(model.exit_code == 0, model.err);
}

TEST_CASE("what a training cannot do is refused before it begins") {
  const Workplace place;
  CHECK(contains(place.run(quick_with({"--save-model", "m.npz"})).err, "does not end in .safetensors"));
  CHECK(contains(place.run(quick_with({"--film", "x.avi"})).err, "names no format of films"));
  CHECK(contains(place.run(quick_with({"--code", "numpy"})).err, "has no option '--code'"));
  CHECK(contains(place.run({"train", "text", "--text", "none.txt", "--lang", "en"}).err, "none.txt"));
  place.write("latin.txt", "caf\xe9 caf\xe9");
  CHECK(contains(place.run({"train", "text", "--text", "latin.txt", "--lang", "en"}).err, "it is no UTF-8"));
  CHECK(contains(place.run({"train", "kernel", "--save-model", "m.safetensors", "--lang", "en"}).err,
                 "has no option '--save-model'"));
  // A comparison has no stages to draw, and takes no number of steps: 75 s went by before this was said.
  CHECK(contains(place.run({"train", "contrast", "--steps", "3", "--lang", "en"}).err,
                 "has no option '--steps'"));
  CHECK(contains(place.run({"train", "mistakes", "--steps", "3", "--lang", "en"}).err,
                 "has no option '--steps'"));
  const Outcome large = place.run({"train", "text", "--width", "512", "--layers", "12", "--heads", "16",
                                   "--length", "512", "--batch", "4096", "--mlp", "2048", "--lang", "en"});
  CHECK(large.exit_code == 1);
  CHECK(contains(large.err, "this training would need about"));
  CHECK(place.files() == std::vector<std::string>{"latin.txt"});
}

TEST_CASE("a text's lines end alike however they are written, and what is no UTF-8 is named") {
  const Workplace place;
  const auto learned = [&](const std::string& bytes) {
    place.write("t.txt", bytes);
    return place.run({"train", "text", "--text", "t.txt", "--length", "8", "--steps", "2", "--json",
                      "--no-figure", "--lang", "en"});
  };
  const auto lines = [](const std::string& end) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "The cat sat." + end;
    return text;
  };
  const Outcome plain = learned(lines("\n"));
  CHECK(plain.exit_code == 0);
  CHECK(learned(lines("\r\n")).out == plain.out);
  CHECK(learned(lines("\r")).out == plain.out);
  CHECK(learned("\xEF\xBB\xBF" + lines("\r\n")).out == plain.out);
  CHECK(!contains(learned(lines("\t")).out, "�"));
  std::string wide;
  for (const char letter : lines("\n")) wide += std::string{letter, '\0'};
  for (const std::string& bytes : {wide, "\xFF\xFE" + wide})
    CHECK(contains(learned(bytes).err, "it is UTF-16, or no text; save it as UTF-8"));
  CHECK(contains(learned(std::string((16U << 20U) + 1, 'a')).err, "a text to learn from may have 16777216"));
}

TEST_CASE("a character that was not learned is named as one") {
  const Workplace place;
  const auto refusal = [&](const std::string& typed) {
    const Outcome outcome = place.run({"train", "text", "--model", "text", "--input", typed, "--lang", "en"});
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK(contains(refusal("é"), "the character U+00E9 'é' is not known here"));
  CHECK(contains(refusal("the caf\u00e9 of"), "the character U+00E9 'é'"));
}

TEST_CASE("a number is no folder of steps") {
  const Workplace place;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"train", "step"}, {"masks"}}) {
    std::vector<std::string> typed = words;
    typed.insert(typed.end(), {"--steps", "200", "--lang", "en"});
    const Outcome outcome = place.run(typed);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "--steps names a folder for pictures of the stages, and 200 is a number"));
  }
  CHECK(place.files().empty());
}

TEST_CASE("a step in PyTorch divides as its formulas do, and autograd stands at its end") {
  const Workplace place;
  const std::string code =
      place.run({"train", "step", "--tokens", "9", "--width", "4", "--code", "torch", "--lang", "en"}).out;
  for (const char* line : {"d_output = error / 9\n", "change_w_key = 0.5 * d_w_key\n",
                           "scores = raw_scores / math.sqrt(4)\n", "d_raw_scores = d_scores / math.sqrt(4)\n",
                           "loss.backward()\n", "assert agrees(leaf.grad, gradient)\n"})
    CHECK(contains(code, line));
}

TEST_CASE("Ctrl-C ends a training after its step, with what there is") {
  const Workplace place;
  Circumstances circumstances = on_terminal();
  circumstances.interrupt_at = "% train reverse";  // the bar of a training that has begun
  const Outcome outcome =
      place.run({"train", "reverse", "--steps", "1000000", "--no-control", "--no-figure", "--lang", "en"},
                circumstances);
  CHECK(outcome.exit_code == 130);
  CHECK(contains(outcome.out, "of 1000000 steps; this is what there is"));
  CHECK(contains(outcome.out, "Antidiagonal") + contains(outcome.out, "antidiagonal") > 0);
}

TEST_CASE("a training of hours is announced, with the way out") {
  const Workplace place;
  Circumstances circumstances = on_terminal();
  circumstances.interrupt_at = "hours; Ctrl-C ends it with what there is by then";
  const Outcome outcome =
      place.run({"train", "kernel", "--points", "2000", "--steps", "100000", "--no-figure", "--lang", "en"},
                circumstances);
  CHECK(outcome.exit_code == 130);
  CHECK(contains(outcome.out, "note: train kernel will take about "));
}

TEST_CASE("what an interrupted training makes replaces no file") {
  const Workplace place;
  for (const char* name : {"d.npz", "v.svg", "e.md"}) place.write(name, "finished");
  Circumstances circumstances = on_terminal();
  circumstances.interrupt_at = "% train reverse";
  const Outcome outcome =
      place.run({"train", "reverse", "--steps", "1000000", "--no-control", "--data", "d.npz", "--data",
                 "new.npz", "-o", "v.svg", "--explain", "-o", "e.md", "--lang", "en"},
                circumstances);
  CHECK(outcome.exit_code == 130);
  CHECK(contains(outcome.out, "interrupted; what was there is kept"));
  for (const char* name : {"d.npz", "v.svg", "e.md"}) CHECK(place.read(name) == "finished");
  for (const char* name : {"d.unfinished.npz", "v.unfinished.svg", "e.unfinished.md", "new.npz"})
    CHECK_MESSAGE(place.has(name), name);
}

TEST_CASE("an unfinished model does not take the place of a finished one") {
  const Workplace place;
  CHECK(place.run(quick_with({"--no-figure", "--save-model", "m.safetensors"})).exit_code == 0);
  const std::string finished = place.read("m.safetensors");
  Circumstances circumstances = on_terminal();
  circumstances.interrupt_at = "% train reverse";
  const Outcome outcome = place.run({"train", "reverse", "--steps", "1000000", "--no-control", "--no-figure",
                                     "--save-model", "m.safetensors", "--lang", "en"},
                                    circumstances);
  CHECK(outcome.exit_code == 130);
  CHECK(contains(outcome.out, "the model goes to 'm.unfinished.safetensors'"));
  CHECK(place.read("m.safetensors") == finished);
  CHECK(place.run({"train", "reverse", "--model", "m.unfinished.safetensors", "--no-figure"}).exit_code == 0);
}

}  // namespace

TEST_CASE("a figure that a task does not have is refused before the training") {
  const Workplace place;
  const Outcome outcome =
      place.run({"train", "world", "--steps", "1000000", "--figure", "raeds", "--lang", "en"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "train world has no figure 'raeds'"));
  CHECK(contains(outcome.err, "reads"));
}

}  // namespace attnlab
