// Files that were damaged or lie: each is refused with an error of ours, or read; nothing else happens.
#include <doctest/doctest.h>

#include <random>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "model/reference_model.hpp"
#include "model/tokenizer/sentencepiece.hpp"

using namespace attnlab;

namespace {

class Mutations {
 public:
  /// A few bytes changed, a stretch taken out, or the end cut off.
  std::string of(std::string bytes) {
    if (bytes.empty()) return bytes;
    const std::size_t kind = random_() % 4;
    if (kind == 0) bytes.resize(random_() % bytes.size());
    if (kind == 1) bytes.erase(random_() % bytes.size(), 1 + random_() % 40);
    if (kind >= 2) {
      for (std::size_t i = 0; i < 1 + random_() % 4; ++i) bytes[random_() % bytes.size()] = a_byte();
    }
    return bytes;
  }

 private:
  /// Often one that means something in JSON.
  char a_byte() {
    constexpr std::string_view telling = "0123456789-{}[]\",:e.";
    return random_() % 2 == 0 ? telling[random_() % telling.size()] : static_cast<char>(random_() % 256);
  }

  std::minstd_rand random_{7};
};

/// Each file is damaged in so many ways; ATTNLAB_MUTATIONS multiplies them.
std::size_t ways(std::size_t few) {
  const char* const factor = std::getenv("ATTNLAB_MUTATIONS");  // NOLINT(concurrency-mt-unsafe)
  return few * (factor == nullptr ? 1 : number_from<std::size_t>(factor).value_or(1));
}

std::string bytes_of_file(const std::string& name) {
  std::ifstream stream(source_dir() / "tests" / "model" / "reference" / "files" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// 1 where it was.
template <class Work>
std::size_t refused_by(Work work) {
  try {
    work();
    return 0;
  } catch (const Error&) {
    return 1;
  }
}

}  // namespace

TEST_CASE("a damaged model is refused or read") {
  Mutations mutations;
  std::size_t refused = 0;
  for (const char* name : {"llama", "bert"}) {
    const Config reference = reference_of(name);
    const std::string config = reference["config"].dump();
    // Headers are what can lie: of the weights a few are enough.
    const std::string tensors = safetensors_bytes(reference["tensors"]);
    for (std::size_t i = 0; i < ways(150); ++i) {
      const Folder folder;
      const bool in_config = i % 2 == 0;
      put(folder / "config.json", in_config ? mutations.of(config) : config);
      const std::size_t header =
          8 + static_cast<unsigned char>(tensors[0]) + 256U * static_cast<unsigned char>(tensors[1]);
      const std::string damaged = mutations.of(tensors.substr(0, header)) + tensors.substr(header);
      put(folder / "model.safetensors", in_config ? tensors : damaged);
      refused += refused_by(
          [&] { pass_of(model_of(open_checkpoint(folder.path().string())), tokens_of(reference)); });
    }
  }
  CHECK(refused > ways(150));
  CHECK(refused < ways(300));
}

TEST_CASE("a damaged tokenizer is refused or read") {
  Mutations mutations;
  const Config all = reference_of("tokenizers")["tokenizers"];
  std::size_t refused = 0;
  for (const auto& [name, tokenizer] : all.items()) {
    const std::string json = tokenizer["json"].dump();
    for (std::size_t i = 0; i < ways(60); ++i) {
      const Folder folder;
      put(folder / "tokenizer.json", mutations.of(json));
      refused += refused_by([&] { tokenizer_in(folder / "tokenizer.json").encode("the cat's 12 名前"); });
    }
  }
  CHECK(refused > ways(60));
}

TEST_CASE("a damaged file of llama2.c is refused or read") {
  // dim 8, hidden 8, 1 layer, 2 heads, 1 of keys, 5 tokens, 4 positions
  const std::array<std::int32_t, 7> sizes{8, 8, 1, 2, 1, 5, 4};
  const std::size_t numbers = 5 * 8 + 8 + 64 + 2 * 32 + 64 + 8 + 3 * 64 + 8 + 4 * 4;
  std::string bytes(7 * 4 + numbers * 4, '\0');
  std::memcpy(bytes.data(), sizes.data(), 28);
  const Folder folder;
  put(folder / "m.bin", bytes);
  const std::string path = (folder / "m.bin").string();
  CHECK_NOTHROW(pass_of(model_of(open_checkpoint(path)), {1, 2}));
  Mutations mutations;
  for (std::size_t i = 0; i < ways(200); ++i) {
    put(folder / "m.bin", mutations.of(bytes.substr(0, 28)) + bytes.substr(28));
    refused_by([&] { pass_of(model_of(open_checkpoint(path)), {1, 2}); });
  }
  put(folder / "m.bin", bytes + "x");
  CHECK_THROWS_WITH_AS(open_checkpoint(path), doctest::Contains("1 bytes are left over"), Error);
  put(folder / "m.bin", bytes.substr(0, bytes.size() - 4));
  CHECK_THROWS_WITH_AS(open_checkpoint(path), doctest::Contains("end early"), Error);
}

TEST_CASE("a damaged file of PyTorch is refused or read, and nothing in it is run") {
  Mutations mutations;
  std::size_t refused = 0;
  const std::string bytes = bytes_of_file("nanogpt.pt");
  const std::size_t pickle = bytes.find("data.pkl") + 8;
  const std::size_t behind = bytes.find("data/0", pickle);
  const std::size_t directory = bytes.find("PK\1\2");
  for (std::size_t i = 0; i < ways(150); ++i) {
    const Folder folder;
    // Of the pickle and the archive's directory, which describe the rest.
    const std::size_t begin = i % 3 == 0 ? directory : pickle;
    const std::size_t end = i % 3 == 0 ? bytes.size() : behind;
    put(folder / "m.pt",
        bytes.substr(0, begin) + mutations.of(bytes.substr(begin, end - begin)) + bytes.substr(end));
    refused += refused_by([&] { pass_of(model_of(open_checkpoint((folder / "m.pt").string())), {1, 2}); });
  }
  CHECK(refused > ways(50));
}

TEST_CASE("a damaged GGUF file is refused or read") {
  Mutations mutations;
  std::size_t refused = 0;
  for (const char* name : {"llama.gguf", "bert.gguf"}) {
    const std::string bytes = bytes_of_file(name);
    const std::size_t header = bytes.find("blk.1.") + 2000;
    for (std::size_t i = 0; i < ways(100); ++i) {
      const Folder folder;
      put(folder / "m.gguf", mutations.of(bytes.substr(0, header)) + bytes.substr(header));
      refused += refused_by([&] {
        const Checkpoint checkpoint = open_checkpoint((folder / "m.gguf").string());
        pass_of(model_of(checkpoint), {1, 2});
        std::vector<std::string> files;
        if (const auto tokenizer = tokenizer_of(checkpoint, "", files)) tokenizer->encode("the cats");
      });
    }
  }
  CHECK(refused > ways(50));
}

TEST_CASE("damaged pieces of SentencePiece are refused or read") {
  Mutations mutations;
  for (const char* name : {"bpe.model", "unigram.model"}) {
    const std::string bytes = bytes_of_file(name);
    for (std::size_t i = 0; i < ways(100); ++i) {
      const Folder folder;
      put(folder / "t.model", mutations.of(bytes));
      refused_by([&] {
        const Tokenizer tokenizer = sentencepiece_model((folder / "t.model").string());
        tokenizer.decode(tokenizer.encode("Attention, 名前 ✗"));
      });
    }
  }
  const std::string json = bytes_of_file("bpe.json");
  for (std::size_t i = 0; i < ways(60); ++i) {
    const Folder folder;
    put(folder / "t.json", mutations.of(json));
    refused_by([&] {
      gguf_tokenizer(json_of_file((folder / "t.json").string()), "t.json").encode("Attention, 名前 ✗");
    });
  }
}
