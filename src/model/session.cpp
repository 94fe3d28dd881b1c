#include "model/session.hpp"

#include "core/error.hpp"
#include "core/named.hpp"
#include "core/pattern.hpp"
#include "core/utf8.hpp"
#include "io/learned_model.hpp"
#include "io/unreadable.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {
namespace {

constexpr long long most_of_any = 1'000'000;

std::shared_ptr<const OpenedModel> opened_model(const std::string& path, const std::string& tokenizer_file) {
  auto opened = std::make_shared<OpenedModel>();
  opened->checkpoint = open_checkpoint(path);
  opened->model = model_of(opened->checkpoint);
  opened->tokenizer = tokenizer_of(opened->checkpoint, tokenizer_file, opened->checkpoint.files);
  return opened;
}

std::vector<Text> about_unknown_keys(const Architecture& a) {
  if (a.unknown_keys.empty()) return {};
  return {text("未知の設定があり、結果が変わるかもしれません：{}",
               "the configuration has unknown keys, which may change the result: {}",
               joined(a.unknown_keys, ", "))};
}

/// When the files were written last, and what they are called: that tells whether they are still the same.
std::string state_of(const std::vector<std::string>& files) {
  std::string state;
  for (const std::string& file : files) {
    std::error_code ignored;
    const auto time = std::filesystem::last_write_time(file, ignored).time_since_epoch().count();
    state += fmt::format("{}\n{} {}\n", file, time, std::filesystem::file_size(file, ignored));
  }
  return state;
}

struct LastOpened {
  std::mutex mutex;
  std::string requested;
  std::string state;
  std::shared_ptr<const OpenedModel> opened;
};

LastOpened& last_opened() {
  static LastOpened last;
  return last;
}

std::string utf8_text(std::string_view bytes, const std::string& name) {
  const std::string_view text = without_byte_order_mark(bytes);
  if (decode_utf8(text)) return std::string(text);
  refuse_file(name, {"UTF-8 ではありません", "it is no UTF-8"},
              {"文字コードを UTF-8 にしてください", "give it in UTF-8"});
}

/// Of a model that comes along in both.
Language language_of(const std::string& text) {
  const auto is_ascii = [](char letter) { return static_cast<unsigned char>(letter) < 0x80; };
  return std::all_of(text.begin(), text.end(), is_ascii) ? Language::en : Language::ja;
}

/// A whole number below `count`.
std::optional<std::size_t> number_in_range(std::string_view digits, std::size_t count) {
  const std::optional<std::size_t> number = number_from<std::size_t>(digits);
  return number && *number < count ? number : std::nullopt;
}

[[noreturn]] void refuse_part(const std::string& part, const Architecture& a) {
  refuse_model("without", {{"part", quotation(part)}, {"layers", a.layers - 1}, {"heads", a.heads - 1}});
}

/// "L5H1,L3M,L7": a head, an MLP, a layer.
Ablation ablation_of(const std::string& words, const Architecture& a) {
  Ablation ablation;
  if (words.empty()) return ablation;
  static const Pattern form(R"(L([0-9]+)(M|H[0-9]+)?\z)");
  for (const std::string& part : split(words, ",")) {
    const std::vector<std::string> match = form.match_at(part, 0);  // the whole, the layer, what is in it
    const auto layer = match.empty() ? std::nullopt : number_in_range(match[1], a.layers);
    if (!layer) refuse_part(part, a);
    if (match[2].empty()) {
      ablation.layers.insert(*layer);
    } else if (match[2] == "M") {
      ablation.mlps.insert(*layer);
    } else {
      const auto head = number_in_range(match[2].substr(1), a.heads);
      if (!head) refuse_part(part, a);
      ablation.heads.insert({*layer, *head});
    }
  }
  return ablation;
}

/// COUNT tokens at random, and the same again: only what stood there before tells the second half.
Tokens repeated_random_tokens(const std::string& count, const OpenedModel& opened, std::uint32_t seed) {
  constexpr std::size_t most = 4096;
  const auto length = number_in_range(count, most + 1);
  if (!length || *length == 0) refuse_model("random", {{"count", quotation(count)}, {"most", most}});
  const std::set<std::size_t> none;
  const std::set<std::size_t>& special = opened.tokenizer ? opened.tokenizer->special : none;
  const std::size_t vocabulary = opened.model.architecture.vocabulary;
  NumpyRandom random(seed);
  Tokens tokens;
  while (tokens.size() < *length) {
    const auto token = static_cast<std::size_t>(random.uniform() * static_cast<double>(vocabulary));
    if (special.count(token) == 0 || special.size() >= vocabulary) tokens.push_back(token);
  }
  const Tokens once = tokens;
  tokens.insert(tokens.end(), once.begin(), once.end());
  return tokens;
}

Tokens typed_tokens(const std::string& typed, const OpenedModel& opened, std::uint32_t seed) {
  constexpr std::string_view at_random = "random:";
  if (typed.rfind(at_random, 0) == 0)
    return repeated_random_tokens(typed.substr(at_random.size()), opened, seed);
  const Architecture& a = opened.model.architecture;
  Tokens tokens;
  for (const std::string& word : split(typed, ",")) {
    const auto token = number_in_range(trimmed(word), a.vocabulary);
    if (!token) refuse_model("token", {{"token", quotation(word)}, {"last", a.vocabulary - 1}});
    tokens.push_back(*token);
  }
  return tokens;
}

/// As the run writes its text: words, or with --tokens numbers.
Tokens written_tokens(const Arguments& arguments, const std::string& written, const ModelFiles& files) {
  if (arguments.is_set("tokens"))
    return typed_tokens(written, *files.opened, static_cast<std::uint32_t>(arguments.count("seed")));
  if (!files.opened->tokenizer)
    refuse_model("no_tokenizer", {{"model", quotation(files.opened->checkpoint.name)}});
  const Tokenizer& tokenizer = *files.opened->tokenizer;
  const std::string& bos = arguments.text("bos");
  Tokens tokens;
  if (bos == "auto") tokens = tokenizer.before;
  if (bos == "yes") {
    if (!tokenizer.beginning) refuse_model("no_bos");
    tokens = {*tokenizer.beginning};
  }
  const Tokens own = tokenizer.encode(written);
  tokens.insert(tokens.end(), own.begin(), own.end());
  if (bos == "auto") tokens.insert(tokens.end(), tokenizer.behind.begin(), tokenizer.behind.end());
  if (tokens.empty()) refuse_model("empty_text");
  return tokens;
}

}  // namespace

Text model_sentence(const std::string& key, const SentenceValues& values) {
  static const Sentences all = read_sentences(*find_file(model_text_files(), "sentences.toml"));
  return filled(all.at(key), values);
}

void refuse_model(const std::string& key, const SentenceValues& values) {
  throw Error(ErrorKind::usage, model_sentence(key, values), model_sentence(key + "_hint", values));
}

std::vector<Parameter> model_parameters() {
  return {
      parameter(
          "model", FileKind{"FOLDER|FILE"}, "",
          "モデル：Hugging Face のフォルダー（config.json と重み）か、.safetensors、.pt、.bin、.gguf のファイル",
          "the model: a folder as Hugging Face saves it (config.json and weights), or a file .safetensors, .pt, .bin or .gguf"),
      parameter("text", SyntaxKind{"TEXT|-"}, "", "モデルに読ませる文。- なら標準入力から読みます",
                "the text that the model reads; - takes it from standard input"),
      parameter(
          "tokens", SyntaxKind{"ID,ID,...|random:COUNT"}, "",
          "文の代わりに、トークンの番号を並べて指定します。トークナイザーは要りません。random:25 なら、ランダムな 25 個を 2 度くり返します",
          "token ids in place of a text; needs no tokenizer. random:25 takes 25 at random, twice over"),
      parameter(
          "tokenizer", FileKind{"FILE"}, "",
          "トークナイザーのファイル（既定値は GGUF の中のもの、またはモデルと同じフォルダーの tokenizer.json、tokenizer.model、vocab.json と merges.txt、vocab.txt）",
          "the file of its tokenizer (default: that in a GGUF file, or tokenizer.json, tokenizer.model, vocab.json with merges.txt, or vocab.txt beside the model)"),
      parameter(
          "bos", ChoiceKind{{"auto", "yes", "no"}}, "auto",
          "文の前後に置くトークン：auto はトークナイザーの定めるとおり、yes は文頭のトークンだけ、no は何も置きません",
          "tokens around the text: auto follows the tokenizer's template, yes adds the beginning-of-text token, no adds none"),
      parameter(
          "layer", IntegerKind{{0, 4095}}, "",
          "描くヘッドの層。0 から数えます（既定値はいちばん目立つヘッド）",
          "layer of the head that is drawn, counted from 0 (default: that of the most distinctive head)"),
      parameter("head", IntegerKind{{0, 4095}}, "",
                "描くヘッド。0 から数えます（既定値はいちばん目立つヘッド）",
                "head that is drawn, counted from 0 (default: the most distinctive one)"),
      parameter(
          "query", SyntaxKind{"WORD|PLACE"}, "",
          "図に出すクエリのトークン：単語か、0 から数えた位置（既定値は最後のトークン。穴埋めのモデルではマスクした語）",
          "the query token that is shown: a word, or its position counted from 0 (default: the last one, or the masked word if there is one)"),
      parameter(
          "without", SyntaxKind{"L5H1,L3M,L7"}, "",
          "取り除いて計算する部分：L5H1 は第 5 層のヘッド 1、L3M は第 3 層の MLP、L7 は第 7 層のすべて。コンマで並べます",
          "compute without these parts: L5H1 is head 1 of layer 5, L3M the MLP of layer 3, L7 all of layer 7; separated by commas"),
      parameter(
          "ablate", SwitchKind{}, "off",
          "ヘッドを 1 つずつ取り除いて、答えへの効きめを測ります（図 ablation。ヘッドの数だけ計算し直します）",
          "ablate one head at a time and measure the effect on the answer (figure ablation; one pass per head)"),
      parameter("token", SyntaxKind{"WORD|ID"}, "",
                "どうしてそのトークンなのかを調べます（図 attribution：既定値は最も確からしいトークン）",
                "explain the logit of this token (figure attribution; default: the most likely token)"),
      parameter("against", SyntaxKind{"WORD|ID"}, "",
                "そのロジットから、このトークンのロジットを引いた差を調べます",
                "explain by how much its logit exceeds that of this token"),
      parameter(
          "corrupt", SyntaxKind{"TEXT"}, "",
          "同じトークン数の、答えの変わる文：1 か所ずつ元の文のベクトルに戻し、答えがどれだけ戻るかを測ります（図 patching）",
          "a text of as many tokens that has another answer: one vector at a time is restored, and the recovered logit difference measured (figure patching)"),
      parameter("generate", IntegerKind{{0, most_of_any}}, "0", "文の続きを生成するトークンの個数",
                "number of tokens to generate"),
      parameter("temperature", NumberKind{{0.0, 100.0}}, "0",
                "生成の温度。0 ならつねに最も確からしいトークンを選びます",
                "sampling temperature; 0 always takes the most likely token"),
      parameter("top-k", IntegerKind{{0, most_of_any}}, "0", "生成で選ぶ候補の数（0 はすべて）",
                "sample from this many of the most likely tokens (0: all)"),
      parameter("top-p", NumberKind{{1e-6, 1.0}}, "1", "生成で選ぶ候補の確率の合計",
                "sample from the fewest tokens that have this probability together"),
      parameter("seed", IntegerKind{{0, 4294967295}}, "0",
                "乱数の種：生成と --tokens random に使います（NumPy の RandomState）",
                "seed of the random numbers: of the choice, and of --tokens random (NumPy's RandomState)"),
  };
}

std::vector<Parameter> some_model_parameters(const std::set<std::string>& names) {
  std::vector<Parameter> some;
  for (Parameter& parameter : model_parameters()) {
    if (names.count(parameter.name) == 0) continue;
    if (parameter.name == "text") parameter.default_text = "the books above the tree";
    some.push_back(std::move(parameter));
  }
  return some;
}

Experiment over_own_model(Experiment experiment, std::vector<DeclaredSlider> (*sliders)(Arguments&)) {
  experiment.kind = ExperimentKind::user_files;
  experiment.open = open_model_files;
  experiment.sliders_of = sliders;
  return experiment;
}

Arguments arguments_of_model(const Arguments& provided) {
  Arguments arguments(model_parameters());
  for (const Parameter& parameter : provided.parameters()) {
    const std::string& name = parameter.name;
    if (find_named(arguments.parameters(), name) == nullptr || provided.text(name).empty()) continue;
    const bool has_tokens = name == "text" && provided.is_set("tokens");  // in the place of the default text
    const bool is_its_own = provided.text(name) == find_named(arguments.parameters(), name)->default_text;
    if (provided.is_set(name) || (!has_tokens && !is_its_own)) arguments.set(name, provided.text(name));
  }
  arguments.sources.files = provided.sources.files;
  arguments.sources.folder = provided.sources.folder;
  return arguments;
}

std::shared_ptr<const OpenedFiles> open_model_files(const Arguments& provided) {
  const Arguments arguments = arguments_of_model(provided);
  const ReadsBelow files_folder(arguments.sources.folder);
  if (!arguments.is_set("model")) refuse_model("no_model");
  const auto files = std::make_shared<ModelFiles>();
  if (arguments.is_set("text") && arguments.text("text") == "-") {
    files->text = utf8_text(bytes_of("-").view, "-");
    if (!files->text.empty() && files->text.back() == '\n') files->text.pop_back();
  } else if (arguments.is_set("text")) {
    files->text = utf8_text(arguments.text("text"), "--text");
  }
  const std::string path = shipped_for(arguments.text("model"), language_of(files->text));
  const std::string tokenizer = arguments.is_set("tokenizer") ? arguments.text("tokenizer") : "";
  LastOpened& last = last_opened();
  {
    const std::lock_guard<std::mutex> lock(last.mutex);
    const std::string requested = path + "\n" + tokenizer;
    const bool is_same =
        last.opened && last.requested == requested && last.state == state_of(last.opened->checkpoint.files);
    if (!is_same) {
      last.opened = nullptr;
      last.opened = opened_model(path, tokenizer);
      last.requested = requested;
      last.state = state_of(last.opened->checkpoint.files);
    }
    files->opened = last.opened;
    files->names = last.opened->checkpoint.files;
    files->warnings = about_unknown_keys(last.opened->model.architecture);
  }
  return files;
}

ModelSettings model_settings(const Arguments& arguments, const Architecture& a) {
  ModelSettings settings;
  const auto place = [&](const char* name, std::size_t count) -> std::optional<std::size_t> {
    if (!arguments.is_set(name)) return std::nullopt;
    const std::size_t found = arguments.count(name);
    if (found >= count)
      refuse_model("place", {{"flag", std::string(name)}, {"place", found}, {"last", count - 1}});
    return found;
  };
  settings.layer = place("layer", a.layers);
  settings.head = place("head", a.heads);
  settings.query = arguments.is_set("query") ? arguments.text("query") : "";
  settings.without_text = arguments.is_set("without") ? arguments.text("without") : "";
  settings.without = ablation_of(settings.without_text, a);
  settings.generate = arguments.count("generate");
  settings.ablates = arguments.is_on("ablate");
  settings.token = arguments.is_set("token") ? arguments.text("token") : "";
  settings.against = arguments.is_set("against") ? arguments.text("against") : "";
  settings.sampling = {arguments.number("temperature"), arguments.count("top-k"), arguments.number("top-p"),
                       static_cast<std::uint32_t>(arguments.count("seed"))};
  return settings;
}

Tokens tokens_of_run(const Arguments& provided, const ModelFiles& files) {
  const Arguments arguments = arguments_of_model(provided);
  if (arguments.is_set("tokens") && arguments.is_set("text")) refuse_model("text_and_tokens");
  if (!arguments.is_set("tokens") && !arguments.is_set("text")) refuse_model("no_text");
  return written_tokens(arguments, arguments.is_set("tokens") ? arguments.text("tokens") : files.text, files);
}

Tokens corrupt_tokens(const Arguments& provided, const ModelFiles& files, std::size_t tokens) {
  const Arguments arguments = arguments_of_model(provided);
  if (!arguments.is_set("corrupt")) return {};
  Tokens corrupt = written_tokens(arguments, utf8_text(arguments.text("corrupt"), "--corrupt"), files);
  if (corrupt.size() != tokens)
    refuse_model("corrupt_length", {{"corrupt", corrupt.size()}, {"tokens", tokens}});
  return corrupt;
}

std::size_t token_of_word(const OpenedModel& opened, const std::string& word, const float* logits) {
  const std::size_t vocabulary = opened.model.architecture.vocabulary;
  std::optional<std::size_t> best;
  for (std::size_t token = 0; opened.tokenizer && token < std::min(vocabulary, opened.tokenizer->size);
       ++token) {
    if (opened.tokenizer->label(token) == word && (!best || logits[token] > logits[*best])) best = token;
  }
  if (!best) best = number_in_range(word, vocabulary);
  if (!best) refuse_model("no_such_word", {{"word", quotation(word)}, {"last", vocabulary - 1}});
  return *best;
}

std::string label_of(const OpenedModel& opened, std::size_t token) {
  return opened.tokenizer ? opened.tokenizer->label(token) : std::to_string(token);
}

}  // namespace attnlab
