// Reads a lecture's manifest with toml++, and names the line of whatever is wrong with it.
#include <toml++/toml.h>

#include <cctype>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "lecture/lecture.hpp"

namespace attnlab {
namespace {

using Keys = std::vector<std::string_view>;

struct OutputName {
  LectureOutput output;
  std::string_view name;
};
constexpr std::array<OutputName, 9> output_names{{{LectureOutput::figures, "figures"},
                                                  {LectureOutput::html, "html"},
                                                  {LectureOutput::captions, "captions"},
                                                  {LectureOutput::beamer, "beamer"},
                                                  {LectureOutput::markdown, "markdown"},
                                                  {LectureOutput::pptx, "pptx"},
                                                  {LectureOutput::notebook, "notebook"},
                                                  {LectureOutput::data, "data"},
                                                  {LectureOutput::code, "code"}}};
constexpr std::array<std::string_view, 3> format_names{"svg", "pdf", "png"};

/// Turns TOML nodes into a lecture; knows the file's name, for messages.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Lecture lecture(const toml::table& root) const {
    check_keys(root, {"title", "languages", "formats", "outputs", "look", "section"});
    Lecture lecture;
    lecture.title = text(root, "title");
    lecture.languages = languages(root);
    lecture.formats = formats(root);
    lecture.outputs = outputs(root);
    lecture.look = flags(root, "look");
    if (const toml::node* look = root.get("look")) lecture.look_line = look->source().begin.line;
    for (const toml::table* section : tables(root, "section"))
      lecture.sections.push_back(this->section(*section));
    if (lecture.sections.empty()) {
      refuse(root, {"図が 1 つもありません", "the lecture has no figures"},
             {"[[section]] と [[section.figure]] を書いてください",
              "write a [[section]] with a [[section.figure]]"});
    }
    return lecture;
  }

  /// toml++ follows a key of ten thousand dots until the stack ends.
  void check_depth(std::string_view toml) const {
    constexpr std::ptrdiff_t deepest = 1000;
    std::size_t number = 0;
    for (const std::string& line : split(toml, "\n")) {
      ++number;
      if (std::count(line.begin(), line.end(), '.') <= deepest) continue;
      refuse(
          number,
          attnlab::text("この行には点が {} 個より多くあります", "this line has more than {} dots", deepest),
          {"表の入れ子は 3 段までです", "tables are nested three deep at most"});
    }
  }

  [[noreturn]] void refuse_syntax(const toml::parse_error& error) const {
    const std::string place = fmt::format("{}:{}", file_, error.source().begin.line);
    const std::string reason(error.description());
    throw Error(ErrorKind::failed,
                {place + " は TOML として読めません（" + reason + "）", place + " is no TOML: " + reason},
                {"文字列は引用符で囲み、表は [[section]] のように書きます",
                 "strings need quotes, tables look like [[section]]"});
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, const Text& problem, const Text& hint) const {
    refuse(node.source().begin.line, problem, hint);
  }

  [[noreturn]] void refuse(std::size_t number, const Text& problem, const Text& hint) const {
    const std::string place = fmt::format("{}:{}: ", file_, number);
    throw Error(ErrorKind::failed, {place + problem.ja(), place + problem.en()}, hint);
  }

  void check_keys(const toml::table& table, const Keys& known) const {
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      refuse(value, attnlab::text("{} という項目はありません", "there is no key {}", quotation(name)),
             attnlab::text("使えるのは {} です", "choose from {}", fmt::join(known, ", ")));
    }
  }

  const toml::node& required(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      refuse(table, attnlab::text("{} がありません", "{} is missing", key),
             attnlab::text("{} を書いてください", "give it a {}", key));
    }
    return *node;
  }

  std::string word(const toml::node& node, std::string_view key) const {
    const std::optional<std::string> value = node.value_exact<std::string>();
    if (value && decode_utf8(*value)) return *value;
    refuse(node, attnlab::text("{} は文字列で書きます", "{} must be a string", key),
           attnlab::text("例：{} = \"…\"", "for example {} = \"...\"", key));
  }

  /// Titles and captions stand in one line, however they are written in the manifest.
  std::string line(const toml::node& node, std::string_view key) const {
    const std::u32string letters = decode_utf8(word(node, key)).value_or(U"");
    std::string line;
    for (const char32_t letter : letters) {
      const bool is_space = letter == U' ' || letter == U'\t' || letter == U'\n' || letter == U'\r';
      if (!is_space && is_control(letter)) {
        refuse(node, attnlab::text("{} に制御文字があります", "{} has a control character", key),
               {"文字だけで書いてください", "use letters, marks and spaces alone"});
      }
      if (!is_space) line += encode_utf8(letter);
      if (is_space && !line.empty() && line.back() != ' ') line += ' ';
    }
    if (!line.empty() && line.back() == ' ') line.pop_back();
    constexpr std::size_t longest = 2000;
    if (letters.size() > longest) {
      refuse(node, attnlab::text("{} が {} 字あります", "{} has {} characters", key, letters.size()),
             attnlab::text("{} 字までにしてください", "write {} at most", longest));
    }
    return line;
  }

  /// Part of the names of files, of ids in pages and of paths in TeX.
  std::string file_stem(const toml::table& table, std::string_view key) const {
    constexpr std::size_t longest = 100;
    std::string stem = optional_word(table, key);
    const bool is_plain = std::all_of(stem.begin(), stem.end(), [](unsigned char letter) {
      return letter == '-' || letter == '_' || (letter < 0x80 && std::isalnum(letter) != 0);
    });
    if (is_plain && stem.size() <= longest) return stem;
    refuse(*table.get(key),
           attnlab::text("{} {} はファイル名に使えません", "the {} {} cannot be that of files", key,
                         quotation(stem)),
           attnlab::text("英数字と - と _ を {} 字まで使えます",
                         "use up to {} of a to z, A to Z, 0 to 9, - and _", longest));
  }

  std::string optional_word(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? "" : word(*node, key);
  }

  /// Both languages, or one string for both.
  Text text(const toml::node& node, std::string_view key) const {
    if (node.is_string()) return Text::same(line(node, key));
    const toml::table* both = node.as_table();
    if (both == nullptr || both->get("ja") == nullptr || both->get("en") == nullptr) {
      refuse(node, attnlab::text("{} には日本語と英語が要ります", "{} needs ja and en", key),
             attnlab::text("例：{} = {{ ja = \"…\", en = \"…\" }}",
                           "for example {} = {{ ja = \"...\", en = \"...\" }}", key));
    }
    check_keys(*both, {"ja", "en"});
    return {line(*both->get("ja"), "ja"), line(*both->get("en"), "en")};
  }
  Text text(const toml::table& table, std::string_view key) const { return text(required(table, key), key); }

  template <class Names>
  std::vector<std::string> choices(const toml::table& table, std::string_view key, const Names& known) const {
    std::vector<std::string> chosen;
    const toml::node* node = table.get(key);
    if (node == nullptr) return chosen;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty()) {
      refuse(*node,
             attnlab::text("{} は [\"{}\"] のような並びで書きます", "{} must be a list such as [\"{}\"]", key,
                           known.front()),
             attnlab::text("選べるのは {} です", "choose from {}", fmt::join(known, ", ")));
    }
    for (const toml::node& entry : *list) {
      const std::string name = word(entry, key);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        refuse(entry, attnlab::text("{} に {} は使えません", "{} cannot have {}", key, quotation(name)),
               attnlab::text("選べるのは {} です", "choose from {}", fmt::join(known, ", ")));
      }
      if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
    }
    return chosen;
  }

  std::vector<Language> languages(const toml::table& table) const {
    std::vector<Language> found;
    for (const std::string& name : choices(table, "languages", std::array<std::string_view, 2>{"ja", "en"}))
      found.push_back(name == "ja" ? Language::ja : Language::en);
    return found.empty() ? std::vector{Language::ja, Language::en} : found;
  }

  std::vector<std::string> formats(const toml::table& table) const {
    const std::vector<std::string> found = choices(table, "formats", format_names);
    return found.empty() ? std::vector<std::string>{"svg", "pdf"} : found;
  }

  std::vector<LectureOutput> outputs(const toml::table& table) const {
    std::array<std::string_view, output_names.size()> known{};
    std::transform(output_names.begin(), output_names.end(), known.begin(),
                   [](const OutputName& output) { return output.name; });
    const std::vector<std::string> chosen = choices(table, "outputs", known);
    std::vector<LectureOutput> found;
    for (const OutputName& output : output_names) {
      const bool wanted = std::find(chosen.begin(), chosen.end(), output.name) != chosen.end();
      const bool by_itself = chosen.empty() && output.output != LectureOutput::code;
      if (by_itself || wanted) found.push_back(output.output);
    }
    return found;
  }

  /// As one would type it after the flag.
  std::string flag_text(const toml::node& node) const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
    if (const auto value = node.value_exact<double>()) return fmt::format("{}", *value);
    if (const auto value = node.value_exact<bool>()) return *value ? "on" : "off";
    if (const toml::array* list = node.as_array()) {
      std::vector<std::string> items;
      for (const toml::node& item : *list) items.push_back(flag_text(item));
      return joined(items, ",");
    }
    refuse(node, {"値として読めません", "this is no value for a flag"},
           {"数、文字列、true、またはそれらの並びを書いてください",
            "use a number, a string, true, or a list of them"});
  }

  FlagTexts flags(const toml::table& table, std::string_view key) const {
    FlagTexts found;
    const toml::node* node = table.get(key);
    if (node == nullptr) return found;
    const toml::table* entries = node->as_table();
    if (entries == nullptr) {
      refuse(*node, attnlab::text("{} は表で書きます", "{} must be a table", key),
             attnlab::text("例：{} = {{ seed = 7 }}", "for example {} = {{ seed = 7 }}", key));
    }
    for (const auto& [name, value] : *entries) found[std::string(name.str())] = flag_text(value);
    return found;
  }

  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) const {
    std::vector<const toml::table*> found;
    const toml::node* node = table.get(key);
    if (node == nullptr) return found;
    const toml::array* list = node->as_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const toml::table* entry = list->get(i)->as_table()) found.push_back(entry);
    }
    if (list == nullptr || found.size() != list->size()) {
      refuse(*node, attnlab::text("{} は [[…]] の表で書きます", "{} must be tables", key),
             attnlab::text("例：[[{}]]", "for example [[{}]]", key));
    }
    return found;
  }

  LectureSection section(const toml::table& table) const {
    check_keys(table, {"title", "figure"});
    LectureSection section{text(table, "title"), {}};
    for (const toml::table* entry : tables(table, "figure")) section.figures.push_back(figure(*entry));
    if (section.figures.empty()) {
      refuse(table, {"節に図がありません", "the section has no figures"},
             {"[[section.figure]] を書いてください", "write a [[section.figure]]"});
    }
    return section;
  }

  LectureFigure figure(const toml::table& table) const {
    check_keys(table, {"experiment", "figure", "parameters", "look", "caption", "name"});
    LectureFigure figure;
    figure.experiment = word(required(table, "experiment"), "experiment");
    figure.figure = optional_word(table, "figure");
    figure.parameters = flags(table, "parameters");
    figure.look = flags(table, "look");
    if (const toml::node* caption = table.get("caption")) figure.caption = text(*caption, "caption");
    figure.name = file_stem(table, "name");
    figure.line = table.source().begin.line;
    if (figure.figure.empty() && (figure.caption || !figure.name.empty())) {
      refuse(table, {"name と caption は 1 枚の図に付けるものです", "name and caption belong to one figure"},
             {"figure で図を選んでください", "choose it with figure"});
    }
    return figure;
  }

  std::string file_;
};

}  // namespace

Lecture parse_lecture(std::string_view toml, const std::filesystem::path& file) {
  const Reader reader(printable(file.string()));
  reader.check_depth(toml);
  try {
    Lecture lecture = reader.lecture(toml::parse(toml, file.string()));
    lecture.folder = file.parent_path();
    return lecture;
  } catch (const toml::parse_error& error) {
    reader.refuse_syntax(error);
  }
}

}  // namespace attnlab
