// Every command that the READMEs and docs/ show, run as it stands there, in a folder that has the files it
// names.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "attend_files.hpp"
#include "attention/scaled_dot_product.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "documents.hpp"
#include "experiments/framework/book.hpp"
#include "io/zip_archive.hpp"
#include "model_folder.hpp"
#include "program.hpp"
#include "random/numpy_random.hpp"
#include "shell.hpp"
#include "source_dir.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;
using test::begins_with;
using test::Named;
using test::npy;
using test::npz;
using test::safetensors_of;

/// What a test cannot run to its end: a page that waits for its reader, trainings of a minute and more, a
/// document from a pipe, a site (site_test.cpp makes one), and what pandoc or ffmpeg makes where they are not
/// installed. Under sanitizers, where it takes hours, the small world's training as well.
bool is_left_out(const std::string& command) {
  for (const char* beginning :
       {"attnlab explore", "attnlab train contrast", "attnlab build - ", "attnlab site "})
    if (begins_with(command, beginning)) return true;
#ifdef __SANITIZE_ADDRESS__
  if (command == "attnlab train world") return true;
#endif
  return contains(command, "--watch") || (contains(command, "--to pptx") && !is_installed("pandoc")) ||
         (contains(command, ".mp4") && !is_installed("ffmpeg"));
}

/// Without the comment behind it, and without the reader that a pipe leads to.
std::string as_typed(std::string line) {
  line.erase(std::min(line.find(" # "), line.size()));
  for (const char* pipe : {" | ", " \\| "})  // the second in a table
    if (begins_with(line, "attnlab")) line.erase(std::min(line.find(pipe), line.size()));
  return line.erase(line.find_last_not_of(' ') + 1);
}

/// Whether a word of it stands for the reader's own.
bool has_placeholder(const std::string& command) {
  const std::vector<std::string> words{"...", "WORD", "FILE", "EXPERIMENT", "ファイル", "<実験>"};
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(command, word); });
}

/// What stands in backticks in prose or in a table: a name such as `attnlab verify` is no command, it takes a
/// word behind that.
std::vector<std::string> commands_in_prose(const std::string& line) {
  std::vector<std::string> commands;
  for (const test::Span& span : test::spans_of(line)) {
    const std::string command = span.is_code ? as_typed(span.text) : "";
    const bool has_words = std::count(command.begin(), command.end(), ' ') >= 2;
    if (begins_with(command, "attnlab ") && has_words && !has_placeholder(command))
      commands.push_back(command);
  }
  return commands;
}

/// The lines of the blocks marked `sh`, and those in backticks.
std::vector<std::string> commands_of(const std::string& document) {
  std::vector<std::string> commands;
  for (const test::DocumentLine& line : test::document_lines(document)) {
    const bool is_command = begins_with(line.text, "attnlab ") || begins_with(line.text, "cat ") ||
                            begins_with(line.text, "mkdir ");
    if (line.language == "sh" && is_command) commands.push_back(as_typed(line.text));
    if (line.is_fenced) continue;
    for (std::string& command : commands_in_prose(line.text)) commands.push_back(std::move(command));
  }
  return commands;
}

/// What both languages share of a command: its subcommand, unless it is called by another name, and its flags
/// but --text.
std::string shape_of(const std::string& command) {
  std::string outside;  // of quotation marks
  const std::vector<std::string> parts = split(command, "\"");
  for (std::size_t i = 0; i < parts.size(); i += 2) outside += parts[i];
  const std::vector<std::string> words = split(outside, " ");
  const Experiment* const named = words.size() > 1 ? find_named(experiments(), words[1]) : nullptr;
  std::string shape = named == nullptr ? "" : named->name;
  for (const std::string& word : words)
    if (begins_with(word, "-") && word != "--text") shape += " " + word;
  return shape;
}

Tensor<double> drawn(const std::vector<std::size_t>& shape) {
  static NumpyRandom random(7);
  Tensor<double> values = Tensor<double>::from_shape(shape);
  std::generate(values.begin(), values.end(), [] { return random.normal(); });
  return values;
}

/// Words of one letter each, as np.array(["a", "b"], "S1") is saved.
std::string npy_of_letters(const std::string& letters) {
  const std::string header =
      fmt::format("{{'descr': '|S1', 'fortran_order': False, 'shape': ({},), }}\n", letters.size());
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + std::string(1, '\0') +
         header + letters;
}

std::string small_lecture(const std::string& language) {
  return "---\nlang: " + language + "\n---\n# Softmax\n\n``` {.attnlab}\nsoftmax --figure bars\n```\n";
}

/// The files that the documents name.
void lay_out(const Workplace& place) {
  const Tensor<double> query = drawn({64, 16});
  const Tensor<double> key = drawn({64, 16});
  const Tensor<double> value = drawn({64, 16});
  place.write("q.npy", npy(query));
  place.write("k.npy", npy(key));
  place.write("v.npy", npy(value));
  place.write("weights.npy", npy(scaled_dot_product_attention(query, key, value, {0.25, {}}).weights));
  place.write("mask.npy", npy(Tensor<double>(xt::zeros<double>({64, 64}))));
  place.write("q.npz",
              npz<double>({{"q", drawn({600, 128})}, {"k", drawn({600, 32})}, {"v", drawn({600, 32})}}));
  place.write(
      "vit.npz",
      npz<double>({{"q", drawn({12, 197, 24})}, {"k", drawn({12, 197, 24})}, {"v", drawn({12, 197, 24})}}));
  fs::copy(source_dir() / "docs/pictures/shapes.en.png", place.path("photo.jpg"));  // known by its bytes
  place.write("queries.npy", npy(drawn({5, 4})));
  place.write("x.npy", npy(drawn({4, 8})));
  place.write("h.npy", npy(drawn({10, 48})));
  place.write("weights.npz", npz<double>({{"weights", drawn({4, 4})}}));
  place.write("model.safetensors", safetensors_of<double>({{"layer.0.attn.q_proj.weight", drawn({48, 48})},
                                                           {"layer.0.attn.k_proj.weight", drawn({48, 48})},
                                                           {"layer.0.attn.v_proj.weight", drawn({48, 48})},
                                                           {"layer.0.attn.o_proj.weight", drawn({48, 48})}}));
  const std::string layer = "model.layers.0.self_attn.";
  place.write("qwen3.safetensors", safetensors_of<double>({{layer + "q_proj.weight", drawn({64, 48})},
                                                           {layer + "k_proj.weight", drawn({32, 48})},
                                                           {layer + "v_proj.weight", drawn({32, 48})},
                                                           {layer + "o_proj.weight", drawn({48, 64})},
                                                           {layer + "q_norm.weight", drawn({4})},
                                                           {layer + "k_norm.weight", drawn({4})}}));
  std::string tokens;
  for (int i = 0; i < 64; ++i) tokens += fmt::format("t{}\n", i);
  place.write("tokens.txt", tokens);
  std::string pairs;
  for (int i = 0; i < 100; ++i) pairs += fmt::format("{} {}\t{}\n", i / 10, i % 10, std::max(i / 10, i % 10));
  place.write("pairs.tsv", pairs);
  place.write("list.csv", "id,name\n7,Sato\n8,Suzuki\n");
  fs::copy(source_dir() / "data/texts/alice.txt", place.path("mine.txt"));
  fs::create_directory(place.path("submissions"));
  fs::create_directory(place.path("data"));
  fs::create_directory_symlink(source_dir() / "data/attend", place.path("data/attend"));
  const Outcome run = place.run({"self-attention", "--no-figure", "--data", "run.npz"});
  REQUIRE(run.exit_code == 0);
  fs::rename(place.path("run.npz"), place.path("mine.npz"));
  place.write("gpt2.npz", zip_archive({{"weights.npy", npy(drawn({12, 2, 4, 4}))},
                                       {"tokens.npy", npy_of_letters("abcd")}}));
  place.write("lecture.md", small_lecture("en"));
  place.write("lecture.en.md", small_lecture("en"));
  place.write("lecture.ja.md", small_lecture("ja"));
  test::write_model_folder(place, "gpt2");
  const Outcome stages =
      place.run({"model", "gpt2", "Once upon a time", "--no-figure", "--data", "theirs.npz"});
  REQUIRE(stages.exit_code == 0);
}

/// Both languages show the same commands but for their words: what both show runs once.
void run_commands(const std::string& document) {
  const Workplace place;
  lay_out(place);
  const std::string begin = "cd " + shell_quoted(place.path("").string()) + " && export HOME=\"$PWD\" PATH=" +
                            shell_quoted(fs::path(ATTNLAB_PROGRAM).parent_path().string()) +
                            ":\"$PATH\" && { ";
  std::set<std::string> seen;
  for (const char* ending : {".md", ".ja.md"}) {
    const std::vector<std::string> commands = commands_of(document + ending);
    CHECK(!commands.empty());
    for (const std::string& command : commands) {
      if (is_left_out(command) || !seen.insert(command).second) continue;
      const std::string reported = printed_by(begin + command + "; } 2>&1 >/dev/null || echo failed");
      CHECK_MESSAGE(!contains(reported, "failed"), (document + ending), ": ", command, "\n", reported);
    }
  }
}

std::vector<std::string> shapes_of(const std::string& document) {
  std::vector<std::string> shapes;
  for (const std::string& command : commands_of(document)) shapes.push_back(shape_of(command));
  return shapes;
}

}  // namespace

TEST_CASE("both languages show the same commands") {
  CHECK(shape_of("attnlab heads --text \"a b\" -o x.png # b") == "heads -o");
  for (const std::string& document : test::documents_in_both_languages())
    CHECK_MESSAGE(shapes_of(document + ".md") == shapes_of(document + ".ja.md"), document);
}

TEST_CASE("the commands of the READMEs run") { run_commands("README"); }
TEST_CASE("the commands of docs/README run") { run_commands("docs/README"); }
TEST_CASE("the commands of docs/attend run") { run_commands("docs/attend"); }
TEST_CASE("the commands of docs/classes run") { run_commands("docs/classes"); }
TEST_CASE("the commands of docs/faq run") { run_commands("docs/faq"); }
TEST_CASE("the commands of docs/figures run") { run_commands("docs/figures"); }
TEST_CASE("the commands of docs/install run") { run_commands("docs/install"); }
TEST_CASE("the commands of docs/lectures run") { run_commands("docs/lectures"); }
TEST_CASE("the commands of docs/lesson run") { run_commands("docs/lesson"); }
TEST_CASE("the commands of docs/model run") { run_commands("docs/model"); }
TEST_CASE("the commands of docs/numbers run") { run_commands("docs/numbers"); }
TEST_CASE("the commands of docs/train run") { run_commands("docs/train"); }

}  // namespace attnlab
