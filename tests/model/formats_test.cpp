// Files of other programs (tests/model/reference/make_files.py): PyTorch's, GGUF, SentencePiece's.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/named.hpp"
#include "io/foreign_bytes.hpp"
#include "io/inspection.hpp"
#include "io/packed_blocks.hpp"
#include "model/gguf_bytes.hpp"
#include "model/reference_model.hpp"
#include "model/tokenizer/sentencepiece.hpp"

using namespace attnlab;

namespace {

constexpr double rounding_of_sums = 1e-5;

std::string file_named(const std::string& name) {
  return (source_dir() / "tests" / "model" / "reference" / "files" / name).string();
}

Config json_named(const std::string& name) {
  std::ifstream stream(file_named(name));
  return Config::parse(stream);
}

std::string refusal_of_file(const std::string& file) {
  try {
    model_of(open_checkpoint(file));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void check_tokens(const Tokenizer& tokenizer, const std::string& expected) {
  const Config all = json_named("sentencepiece.json");
  for (std::size_t i = 0; i < all["texts"].size(); ++i) {
    CAPTURE(all["texts"][i]);
    CHECK(tokenizer.encode(all["texts"][i].get<std::string>()) == all[expected][i].get<Tokens>());
  }
}

struct PackedTensor {
  std::string name;
  std::uint32_t type = 0;  // ggml's number
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

std::string packed_gguf(const std::vector<PackedTensor>& tensors) {
  test::GgufWriter file;
  test::GgufWriter data;  // behind 32 bytes that are left out
  file.put(std::uint32_t{3});
  file.put(std::uint64_t{tensors.size()});
  file.put(std::uint64_t{0});
  for (const PackedTensor& tensor : tensors) {
    data.align();
    file.put_text(tensor.name);
    file.put(static_cast<std::uint32_t>(tensor.shape.size()));
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) file.put(tensor.shape[axis]);
    file.put(tensor.type);
    file.put(std::uint64_t{data.bytes().size() - 32});
    data.append(tensor.bytes);
  }
  file.align();
  file.append(data.bytes().substr(32));
  return file.bytes();
}

/// Four blocks of Q8_0: (2, 64).
std::string four_blocks() {
  const auto bytes = json_named("blocks.json")["Q8_0"]["bytes"].get<std::vector<unsigned char>>();
  const std::string blocks(bytes.begin(), bytes.end());
  return blocks + blocks.substr(0, 34);
}

}  // namespace

TEST_CASE("a GGUF file of every family computes what NumPy computes from the papers") {
  for (const char* name : {"llama", "qwen3", "gpt2", "gpt_neox", "bert"}) {
    CAPTURE(name);
    const Config reference = reference_of(name);
    const LanguageModel model = model_of(open_checkpoint(file_named(std::string(name) + ".gguf")));
    const ForwardPass pass = pass_of(model, tokens_of(reference));
    const Config& stages = reference["stages"];
    CHECK(relative_difference(pass.layers[1].output, stages["layer_1_output"]) < rounding_of_sums);
    CHECK(model.weights.unread.empty());
    if (model.has_words()) CHECK(relative_difference(pass.logits, stages["logits"]) < rounding_of_sums);
  }
}

TEST_CASE("numbers packed in blocks are what llama.cpp's Python unpacks") {
  const Config all = json_named("blocks.json");
  for (const auto& entry : all.items()) {
    const auto& [name, blocks] = entry;
    CAPTURE(entry.key());
    const BlockCoding* const coding = block_coding(blocks["number"].get<std::uint32_t>());
    REQUIRE(coding != nullptr);
    CHECK(coding->name == name);
    const auto bytes = blocks["bytes"].get<std::vector<unsigned char>>();
    const auto expected = blocks["values"].get<std::vector<float>>();
    std::vector<float> values(expected.size());
    for (std::size_t block = 0; block < 3; ++block)
      coding->unpack(bytes.data() + block * coding->bytes, values.data() + block * coding->values);
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(values[i] == doctest::Approx(expected[i]).epsilon(1e-6));  // one rounding more or less
  }
}

TEST_CASE("a row of packed numbers is that of the whole tensor") {
  const std::string file = packed_gguf({{"token_embd.weight", 8, {2, 64}, four_blocks()}});
  const Folder folder;
  put(folder / "m.gguf", file);
  Checkpoint checkpoint;
  read_gguf((folder / "m.gguf").string(), checkpoint);
  const Tensor<float> whole = load<float>(checkpoint.tensors.at(0));
  const SharedBytes second = checkpoint.tensors[0].part(64 * 4, 64 * 4);
  CHECK(std::memcmp(second.view.data(), whole.data() + 64, 64 * 4) == 0);
  CHECK(checkpoint.config["vocab_size"] == 2);
}

TEST_CASE("packings that are not read are listed by ggml's names beside those that are") {
  const std::string file = packed_gguf({{"packed", 8, {2, 64}, four_blocks()},
                                        {"coarse", 10, {1, 256}, std::string(84, '\1')},
                                        {"newer", 99, {3}, "123"},
                                        {"places", 26, {2}, std::string("\1\0\0\0\xff\xff\xff\xff", 8)}});
  const Inspection found = inspect(tensors_in(shared(file), TensorFormat::gguf, "m"), Extent::full);
  CHECK(attnlab::names_of(found.file.foreign) == std::vector<std::string>{"coarse", "newer"});
  CHECK(found.file.foreign[0].shape == std::vector<std::size_t>{1, 256});
  const Config json = Config::parse(inspection_json(found))["tensors"];
  CHECK(json[0]["dtype"] == "Q8_0");
  CHECK(json[0]["bytes"] == 4 * 34);
  CHECK(json[1]["dtype"] == "int32");
  CHECK(json[1]["min"] == -1.0);
  CHECK(json[2]["dtype"] == "Q2_K");
  CHECK(json[3]["dtype"] == "type 99");
  CHECK(contains(test::complaint_of([&] { refuse_foreign(found.file, "coarse"); }),
                 "its type Q2_K cannot be read"));
}

TEST_CASE("what PyTorch saved is read, and nothing of it is run") {
  const Config reference = reference_of("llama");
  const Folder folder;
  put(folder / "config.json", reference["config"].dump());
  std::filesystem::copy_file(file_named("llama.bin"), folder / "pytorch_model.bin");
  const ForwardPass whole = pass_of(model_of(open_checkpoint(folder.path().string())), tokens_of(reference));
  CHECK(relative_difference(whole.logits, reference["stages"]["logits"]) < rounding_of_sums);

  const Checkpoint training = open_checkpoint(file_named("nanogpt.pt"));
  const ForwardPass pass = pass_of(model_of(training), tokens_of(reference_of("gpt2")));
  CHECK(relative_difference(pass.logits, json_named("nanogpt.json")) < rounding_of_sums);

  CHECK(contains(refusal_of_file(file_named("calling.pt")), "it asks for 'posix.system'"));
  std::filesystem::copy_file(file_named("transposed.pt"), folder / "t.pt");
  CHECK(open_tensors((folder / "t.pt").string()).tensors.size() == 1);
  put(folder / "old.pt", "\x80\x02\x8a\x0a");
  CHECK(contains(refusal_of_file((folder / "old.pt").string()), "PyTorch 1.6"));
}

TEST_CASE("nanoGPT's letters are those of its meta.pkl") {
  const Checkpoint checkpoint = open_checkpoint(file_named("nanogpt.pt"));
  std::vector<std::string> files;
  const std::optional<Tokenizer> tokenizer = tokenizer_of(checkpoint, file_named("meta.pkl"), files);
  REQUIRE(tokenizer.has_value());
  CHECK(tokenizer->encode("a bed,\n") == Tokens{4, 1, 5, 7, 6, 2, 0});
  CHECK(tokenizer->decode({4, 1, 5, 7, 6, 2, 0}) == "a bed,\n");
}

TEST_CASE("SentencePiece's tokens are those of its library, whichever file says what the pieces are") {
  check_tokens(sentencepiece_model(file_named("bpe.model")), "bpe");
  check_tokens(sentencepiece_model(file_named("unigram.model")), "unigram");
  const Tokenizer gguf = gguf_tokenizer(json_named("bpe.json"), "bpe.json");
  check_tokens(gguf, "bpe");
  CHECK(gguf.before == Tokens{1});
  CHECK(gguf.decode(gguf.encode("two  blanks ✗")) == "two  blanks ✗");
  const Tokenizer json = tokenizer_in(file_named("unigram.json"));
  const Config all = json_named("sentencepiece.json");
  for (const std::size_t text :
       {0U, 2U, 3U, 4U, 5U})  // of two blanks at the beginning Metaspace makes no third
    CHECK(json.encode(all["texts"][text].get<std::string>()) == all["unigram"][text].get<Tokens>());
}

TEST_CASE("words of a GGUF file of BERT's are BERT's words") {
  const Checkpoint checkpoint = open_checkpoint(file_named("bert.gguf"));
  std::vector<std::string> files;
  const std::optional<Tokenizer> tokenizer = tokenizer_of(checkpoint, "", files);
  REQUIRE(tokenizer.has_value());
  CHECK(tokenizer->encode("The cats, a cat") == Tokens{5, 7, 9, 10, 6});
  CHECK(tokenizer->encode("ts") == Tokens{12, 8});
  CHECK(tokenizer->before == Tokens{2});
  CHECK(tokenizer->behind == Tokens{3});
  CHECK(tokenizer->mask == 4);
}
