// From a text to a model's tokens and back.
#pragma once

#include "core/text.hpp"
#include "model/checkpoint/checkpoint.hpp"

namespace attnlab {

using Tokens = std::vector<std::size_t>;

struct Tokenizer {
  std::string kind;                 // "BPE over bytes", "WordPiece"
  std::string source;               // the file that it was read from
  std::size_t size = 0;             // of its vocabulary, tokens that were added among them
  std::vector<std::string> pieces;  // as the vocabulary writes them, printable or not
  std::function<Tokens(const std::string& text)> encode;  // without special tokens
  std::function<std::string(const Tokens& tokens)> decode;
  Tokens before = {};  // what its own template puts before a text, and behind it
  Tokens behind = {};
  std::optional<std::size_t> beginning;  // of a text: what --bos puts first
  std::set<std::size_t> endings = {};    // where generation ends
  std::set<std::size_t> special = {};
  std::optional<std::size_t> mask = {};  // what stands for a word that is to be guessed

  /// What one token stands for, as a reader sees it: a word without the blank before it, bytes as <E5>.
  std::string label(std::size_t token) const;
};

/// The tokenizer of the model: FILE, or what is in the model's file, or lies beside it: tokenizer.json,
/// tokenizer.model, vocab.json with merges.txt, vocab.txt; nothing where there is none. Throws Error (failed)
/// naming what it cannot do: an unknown kind is refused, never guessed.
std::optional<Tokenizer> tokenizer_of(const Checkpoint& checkpoint, const std::string& file,
                                      std::vector<std::string>& files);

inline constexpr std::string_view blank_of_pieces = "\xE2\x96\x81";  // ▁, SentencePiece's

/// What to do where it cannot be read.
inline const Text without_tokenizer{"--tokens ならトークナイザーなしで計算できます",
                                    "--tokens needs no tokenizer"};

/// Throws Error (failed): it has so many tokens, and the model so many.
[[noreturn]] void refuse_vocabulary(const std::string& file, std::size_t tokens, std::size_t vocabulary);

/// The byte that SentencePiece's piece "<0x0A>" stands for; nothing for other pieces.
std::optional<char> byte_of(const std::string& piece);

// --- Of each kind

/// llama2.c's tokenizer.bin: pieces with scores (tokenizer.py, export).
Tokenizer llama2c_tokenizer(const std::string& file, std::size_t vocabulary);

/// Hugging Face's tokenizer.json; `file` is for the messages.
Tokenizer tokenizer_json(const Config& json, const std::string& file);

/// Whether the bytes are tiktoken's ranks, as Llama 3's tokenizer.model holds them: lines "aGVsbG8= 15339".
bool holds_ranks(std::string_view bytes);

/// These ranks with Llama 3's pattern, and as many of its special tokens as the vocabulary has room for.
Tokenizer llama3_ranks(const std::string& file, std::size_t vocabulary);

/// Of llama.cpp's GGUF files, by their values tokenizer.ggml.*: SentencePiece's BPE, byte-level BPE,
/// WordPiece, Unigram.
Tokenizer gguf_tokenizer(const Config& values, const std::string& file);

/// GPT-2's two files.
Tokenizer vocab_and_merges(const std::string& vocabulary, const std::string& merges);

/// The vocabulary of a model that attnlab trained: words between blanks, or characters, ␣ and ⏎ among them;
/// `beginning` is the word that stands before every text and ends it, or "".
Tokenizer word_list(const std::vector<std::string>& words, const std::string& beginning,
                    const std::string& source);

/// The letters of nanoGPT's meta.pkl, beside its data: "itos".
Tokenizer nanogpt_letters(const std::string& file);

/// BERT's list of words; `lowers` as tokenizer_config.json says.
Tokenizer wordpiece_words(const std::string& file, bool lowers);

}  // namespace attnlab
