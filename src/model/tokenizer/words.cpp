#include "model/tokenizer/words.hpp"

#include "core/error.hpp"
#include "core/pattern.hpp"
#include "core/unicode.hpp"
#include "core/utf8.hpp"
#include "io/unreadable.hpp"
#include "model/tokenizer/character_map.hpp"

namespace attnlab {
namespace {

[[noreturn]] void refuse_kind(const std::string& file, const Text& what, const std::string& kind) {
  refuse_file(file, text("{} {} は知られていません", "the {} {} is not known", what, quotation(kind)),
              {"トークンの列を --tokens で指定すれば、トークナイザーなしで計算できます",
               "give the tokens themselves with --tokens, which needs no tokenizer"});
}

std::u32string characters_of(const std::string& text) { return decode_utf8(text).value_or(U""); }

std::string utf8(const std::u32string& characters) {
  std::string text;
  for (const char32_t character : characters) text += encode_utf8(character);
  return text;
}

bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool is_bert_punctuation(char32_t c) {
  const bool is_ascii =
      (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
  return is_ascii || is_punctuation(c);
}

std::string lowered(const std::string& text) {
  std::string result;
  for (const char32_t character : characters_of(text)) result += utf8(in_lower_case(character));
  return result;
}

std::string without(bool (*is_of_kind)(char32_t), const std::string& text) {
  std::u32string kept;
  for (const char32_t character : characters_of(text)) {
    if (!is_of_kind(character)) kept += character;
  }
  return utf8(kept);
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to,
                     const Growth& growth) {
  if (from.empty()) return text;
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, done)) {
    growth.check(result.size() + to.size());
    result.append(text, done, at - done).append(to);
    done = at + from.size();
  }
  return result.append(text, done);
}

/// Two blanks or more become `to`.
std::string without_runs_of_blanks(const std::string& text, const std::string& to, const Growth& growth) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t run = std::min(text.find_first_not_of(' ', at), text.size()) - at;
    growth.check(result.size() + to.size());
    result += run > 1 ? to : text.substr(at, 1);
    at += std::max<std::size_t>(run, 1);
  }
  return result;
}

/// Without the white space at these ends.
std::string stripped(std::string_view text, bool left, bool right) {
  const auto is_space = [](std::string_view character) {
    const auto decoded = decode_utf8(character);
    return decoded && !decoded->empty() && is_white_space(decoded->front());
  };
  while (left && is_space(first_character(text))) text.remove_prefix(first_character(text).size());
  while (right && is_space(last_character(text))) text.remove_suffix(last_character(text).size());
  return std::string(text);
}

/// {"String": "x"}, or the one regular expression that stands for runs of blanks.
Normalise replacing(const Config& json, const std::string& file) {
  const auto pattern = json.find("pattern");
  const bool is_object = pattern != json.end() && pattern->is_object();
  const std::string to = word_in(json, "content");
  if (is_object && pattern->contains("String")) {
    return [from = word_in(*pattern, "String"), to](const std::string& text, const Growth& growth) {
      return replaced(text, from, to, growth);
    };
  }
  const std::string expression = is_object ? word_in(*pattern, "Regex") : "";
  if (expression == " {2,}") {
    return [to](const std::string& text, const Growth& growth) {
      return without_runs_of_blanks(text, to, growth);
    };
  }
  refuse_kind(file, {"置き換えの正規表現", "pattern of Replace"}, expression);
}

/// BERT's: no control characters, every white space a blank, blanks around Chinese characters, without
/// accents, in lower case.
struct BertNormalising {
  bool cleans = true;
  bool spaces_chinese = true;
  bool strips_accents = true;
  bool lowers = true;
};

std::string bert_normalised(const std::string& text, const BertNormalising& steps) {
  std::u32string result;
  for (const char32_t c : characters_of(text)) {
    const bool is_line = c == U'\t' || c == U'\n' || c == U'\r';  // controls that count as white space
    if (steps.cleans && !is_line && (c == 0 || c == 0xFFFD || is_other(c))) continue;
    const bool is_spaced = steps.spaces_chinese && is_chinese(c);
    if (is_spaced) result += U' ';
    result += steps.cleans && is_white_space(c) ? U' ' : c;
    if (is_spaced) result += U' ';
  }
  std::string normalised = utf8(result);
  if (steps.strips_accents)
    normalised = without(is_nonspacing_mark, normal_form(normalised, NormalForm::nfd));
  return steps.lowers ? lowered(normalised) : normalised;
}

Normalise bert_normaliser(const Config& json) {
  BertNormalising steps;
  steps.cleans = truth_in(json, "clean_text", true);
  steps.spaces_chinese = truth_in(json, "handle_chinese_chars", true);
  steps.lowers = truth_in(json, "lowercase", true);
  steps.strips_accents = truth_in(json, "strip_accents", steps.lowers);
  return [steps](const std::string& text, const Growth& /*growth*/) { return bert_normalised(text, steps); };
}

/// The steps of a Sequence, each of which may be one: `key` names them.
std::size_t steps_in(const Config& json, const char* key) {
  const auto list = json.find(key);
  if (list == json.end()) return 1;
  std::size_t steps = 0;
  for (const Config& one : *list) steps += steps_in(one, key);
  return steps;
}

/// Whether it is a Sequence of them.
bool is_sequence(const Config& json, const char* key, const std::string& file) {
  constexpr std::size_t most = 64;
  if (word_in(json, "type") != "Sequence" || !json.contains(key) || !json[key].is_array()) return false;
  if (const std::size_t steps = steps_in(json, key); steps > most) {
    refuse_file(file, text("{} が {} 段あります", "it has {1} steps of {0}", quotation(key), steps),
                text("{} 段までです", "{} at most can be taken", most));
  }
  return true;
}

const std::map<std::string, NormalForm>& normal_forms() {
  static const std::map<std::string, NormalForm> forms{{"NFC", NormalForm::nfc},
                                                       {"NFD", NormalForm::nfd},
                                                       {"NFKC", NormalForm::nfkc},
                                                       {"NFKD", NormalForm::nfkd}};
  return forms;
}

// --- Cutting

/// Every word by itself, one after another.
Words cut_each(const Words& words, const Cut& cut, const Passage& passage) {
  Words all;
  std::size_t bytes = 0;
  bool begins_text = passage.begins_text;
  for (const std::string& word : words) {
    for (std::string& part : cut(word, {passage.growth, begins_text})) {
      bytes += part.size();
      all.push_back(std::move(part));
    }
    passage.growth.check(bytes);
    begins_text = false;
  }
  return all;
}

Cut cut_by(const std::string& expression) {
  return [pattern = CuttingPattern(expression)](const std::string& word, const Passage& /*passage*/) {
    const std::vector<std::string_view> pieces = pattern.pieces(word);
    return Words(pieces.begin(), pieces.end());
  };
}

Cut metaspace(const Config& json) {
  const std::string mark =
      word_in(json, "replacement").empty() ? "\xE2\x96\x81" : word_in(json, "replacement");
  const std::string scheme = word_in(json, "prepend_scheme");
  const bool prepends = scheme.empty() ? truth_in(json, "add_prefix_space", true) : scheme != "never";
  const bool splits = truth_in(json, "split", true);
  return [=](const std::string& word, const Passage& passage) {
    std::string marked = replaced(word, " ", mark, passage.growth);
    const bool takes_mark = prepends && (scheme != "first" || passage.begins_text);
    if (takes_mark && !marked.empty() && marked.rfind(mark, 0) != 0) marked = mark + marked;
    if (!splits) return Words{marked};
    Words parts;
    std::size_t begin = 0;
    for (std::size_t at = marked.find(mark, 1); at != std::string::npos; at = marked.find(mark, at + 1)) {
      parts.push_back(marked.substr(begin, at - begin));
      begin = at;
    }
    parts.push_back(marked.substr(begin));
    return parts;
  };
}

/// Whether the pattern is of a tokenizer that is known: GPT-2's, Llama 3's, Qwen's and their kin.
bool is_known_pattern(const std::string& pattern) {
  static const std::set<std::string> known{
      gpt2_pattern,
      llama3_pattern,
      qwen_pattern,
      // Mistral's NeMo and GPT-4o
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
  };
  return known.count(pattern) == 1;
}

Cut split_of(const Config& json, const std::string& file) {
  const auto pattern = json.find("pattern");
  const bool is_regex = pattern != json.end() && pattern->is_object() && pattern->contains("Regex");
  const std::string expression = is_regex ? word_in(*pattern, "Regex") : "";
  if (!is_known_pattern(expression)) refuse_kind(file, {"分割の正規表現", "splitting pattern"}, expression);
  const std::string behaviour = word_in(json, "behavior");
  // "Removed" with "invert" removes what lies between matches: nothing, under these patterns.
  if (behaviour != "Isolated" && !(behaviour == "Removed" && truth_in(json, "invert", false)))
    refuse_kind(file, {"分割のしかた", "behavior of Split"}, behaviour);
  return cut_by(expression);
}

/// At white space, which goes, and around every character of that kind.
Cut cut_at_blanks(bool (*stands_alone)(char32_t)) {
  return [stands_alone](const std::string& text, const Passage& /*passage*/) {
    Words words;
    std::string word;
    for (const char32_t c : characters_of(text + " ")) {
      const bool is_alone = stands_alone(c);
      if (!is_alone && !is_white_space(c)) {
        word += encode_utf8(c);
        continue;
      }
      if (!word.empty()) words.push_back(std::exchange(word, ""));
      if (is_alone) words.push_back(encode_utf8(c));
    }
    return words;
  };
}

Cut digits(const Config& json) {
  return cut_by(truth_in(json, "individual_digits", false) ? R"(\p{N})" : R"(\p{N}+)");
}

/// Adds the steps of a "pre_tokenizer". Returns whether words are bytes behind them.
bool add_cuts(const Config& json, const std::string& file, std::vector<Cut>& cuts) {
  if (json.is_null()) return false;
  const std::string type = word_in(json, "type");
  if (is_sequence(json, "pretokenizers", file)) {
    bool over_bytes = false;
    for (const Config& one : json["pretokenizers"]) over_bytes = add_cuts(one, file, cuts) || over_bytes;
    return over_bytes;
  }
  if (type == "ByteLevel") {
    if (truth_in(json, "add_prefix_space", true)) {
      cuts.emplace_back([](const std::string& word, const Passage& /*passage*/) {
        return Words{word.rfind(' ', 0) == 0 ? word : " " + word};
      });
    }
    if (truth_in(json, "use_regex", true)) cuts.push_back(cut_by(gpt2_pattern));
  } else if (type == "WhitespaceSplit") {
    cuts.push_back(cut_at_blanks([](char32_t) { return false; }));
  } else if (type == "BertPreTokenizer") {
    cuts.push_back(cut_at_blanks(is_bert_punctuation));
  } else if (type == "Metaspace") {
    cuts.push_back(metaspace(json));
  } else if (type == "Split") {
    cuts.push_back(split_of(json, file));
  } else if (type == "Digits") {
    cuts.push_back(digits(json));
  } else {
    refuse_kind(file, {"前処理", "pre_tokenizer"}, type);
  }
  return type == "ByteLevel";
}

/// One step of a "normalizer".
Normalise normalising_step(const Config& json, const std::string& file) {
  using Same = std::string (*)(const std::string&);
  const auto step = [](Same normalised) {
    return [normalised](const std::string& text, const Growth& /*growth*/) { return normalised(text); };
  };
  const std::string type = word_in(json, "type");
  if (const auto form = normal_forms().find(type); form != normal_forms().end()) {
    return [form = form->second](const std::string& text, const Growth& /*growth*/) {
      return normal_form(text, form);
    };
  }
  if (type == "BertNormalizer") return bert_normaliser(json);
  if (type == "Precompiled") {
    const std::string bytes = from_base64(word_in(json, "precompiled_charsmap"));
    if (bytes.empty()) return step([](const std::string& text) { return text; });
    return [map = CharacterMap(bytes, file)](const std::string& text, const Growth& /*growth*/) {
      return map.normalised(text);
    };
  }
  if (type == "Lowercase") return step(lowered);
  if (type == "StripAccents") return step([](const std::string& text) { return without(is_mark, text); });
  if (type == "Strip") {
    return [left = truth_in(json, "strip_left", true), right = truth_in(json, "strip_right", true)](
               const std::string& text, const Growth& /*growth*/) { return stripped(text, left, right); };
  }
  if (type == "Prepend") {
    return [mark = word_in(json, "prepend")](const std::string& text, const Growth& growth) {
      growth.check(text.size() + mark.size());
      return text.empty() ? text : mark + text;
    };
  }
  if (type == "Replace") return replacing(json, file);
  refuse_kind(file, {"正規化", "normalizer"}, type);
}

void add_normalising(const Config& json, const std::string& file, std::vector<Normalise>& steps) {
  if (json.is_null()) return;
  if (is_sequence(json, "normalizers", file)) {
    for (const Config& one : json["normalizers"]) add_normalising(one, file, steps);
  } else {
    steps.push_back(normalising_step(json, file));
  }
}

}  // namespace

const std::string gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

const std::string llama3_pattern =  // and GPT-4's
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

const std::string qwen_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

void Growth::check(std::size_t bytes) const {
  if (made_ + bytes <= 64 * text_ + 4096) return;
  refuse_file(
      file_,
      text("{} バイトの文から {} バイト以上を作ります", "it makes {1} bytes or more of a text of {0} bytes",
           text_, made_ + bytes),
      {"作ってよいのは 1 バイトにつき 64 バイトまでです。--tokens ならトークナイザーなしで計算できます",
       "64 of each byte are the most; --tokens needs no tokenizer"});
}

Normalise normaliser_of(const Config& json, const std::string& file) {
  std::vector<Normalise> steps;
  add_normalising(json, file, steps);
  return [steps = std::move(steps)](const std::string& text, const Growth& growth) {
    std::string result = text;
    for (const Normalise& step : steps) {
      result = step(result, growth);
      growth.check(result.size());
    }
    return result;
  };
}

Cutting cutting_of(const Config& json, const std::string& file) {
  std::vector<Cut> cuts;
  const bool over_bytes = add_cuts(json, file, cuts);
  return {[cuts = std::move(cuts)](const std::string& text, const Passage& passage) {
            Words words{text};
            for (const Cut& cut : cuts) words = cut_each(words, cut, passage);
            return words;
          },
          over_bytes};
}

}  // namespace attnlab
