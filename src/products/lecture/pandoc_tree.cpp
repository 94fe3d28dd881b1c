#include "products/lecture/pandoc_tree.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/formula_document.hpp"
#include "core/utf8.hpp"
#include "lecture/markdown.hpp"

namespace attnlab {
namespace {

using nlohmann::json;

constexpr std::size_t deepest_tree = 3000;  // three levels for each of lists and quotations

/// An identifier, classes, and pairs of names and values: ["id", ["class"], [["name", "value"]]].
bool is_attributes(const json& node) {
  return node.is_array() && node.size() == 3 && node[0].is_string() && node[1].is_array() &&
         node[2].is_array();
}

class TreeCheck {
 public:
  TreeCheck(const Lecture& lecture, const std::set<std::string>& pictures, const std::string& mark)
      : lecture_(lecture), pictures_(pictures), mark_(mark) {}

  /// `is_ours` inside of what carries the mark: its formulas are the program's.
  void check(json& node, bool is_ours, std::size_t depth) const {
    if (depth > deepest_tree)
      refuse({}, {"文書の入れ子が深すぎます", "the document is nested too deep"},
             {"リストと引用の段を減らしてください", "use fewer levels of lists and quotations"});
    if (is_attributes(node)) return check_attributes(node);
    if (node.is_object() && node.contains("t") && node.contains("c")) {
      json& content = node["c"];
      if (takes_mark(content)) {
        for (std::size_t i = 1; i < content.size(); ++i) check(content[i], true, depth + 1);
        return;
      }
      check_element(node["t"].get<std::string>(), content, is_ours);
    }
    for (json& inner : node) {
      if (inner.is_structured()) check(inner, is_ours, depth + 1);
    }
  }

 private:
  [[noreturn]] void refuse(const std::vector<std::string>& words, const Text& problem,
                           const Text& hint) const {
    throw Error(ErrorKind::failed, problem, hint).at(place_of(lecture_.file, line_of(words)));
  }

  /// Of the first of the words that the document holds as they are; 0 for none.
  std::size_t line_of(const std::vector<std::string>& words) const {
    for (const std::string& word : words) {
      const auto holds = [&](const std::string& line) { return line.find(word) != std::string::npos; };
      const auto found = std::find_if(lecture_.lines.begin(), lecture_.lines.end(), holds);
      if (found != lecture_.lines.end()) return static_cast<std::size_t>(found - lecture_.lines.begin()) + 1;
    }
    return 0;
  }

  /// Whether the element carries the mark, which goes.
  bool takes_mark(json& content) const {
    if (!content.is_array() || content.empty() || !is_attributes(content[0])) return false;
    json& values = content[0][2];
    const json made{"made", mark_};
    const auto found = std::find(values.begin(), values.end(), made);
    if (found == values.end()) return false;
    values.erase(found);
    return true;
  }

  void check_element(const std::string& kind, const json& content, bool is_ours) const {
    if (kind == "Image") {
      const std::string target = content.at(2).at(0);
      if (pictures_.count(std::filesystem::path(target).lexically_normal().string()) != 0) return;
      refuse({target, "![", "["},
             text("文書に画像 {} は置けません", "a document cannot have the picture {}", quotation(target)),
             {"図は ``` {.attnlab} のブロックに書いてください", "figures stand in blocks ``` {.attnlab}"});
    }
    if (kind == "RawBlock" || kind == "RawInline") {
      const std::string code = content.at(1);
      refuse({first_line(code)},
             {"HTML や TeX をそのまま渡すことはできません", "HTML and TeX are not handed on"},
             {"Markdown で書いてください", "write Markdown"});
    }
    if (kind == "Link") at_line_of(content.at(2).at(0), [](const std::string& to) { check_link(to); });
    if (kind == "Math" && !is_ours)
      at_line_of(content.at(1), [](const std::string& tex) { formula::read_tex(tex); });
    if (kind == "Code" && content.at(1).get<std::string>().rfind("{attnlab}", 0) == 0) refuse_hidden_block();
  }

  template <class Work>
  void at_line_of(const std::string& words, const Work& work) const {
    try {
      work(words);
    } catch (const Error& error) {
      throw error.at(place_of(lecture_.file, line_of({first_line(words)})));
    }
  }

  static std::string first_line(const std::string& words) { return split(words, "\n").front(); }

  [[noreturn]] void refuse_hidden_block() const {
    refuse({"attnlab"}, {"ここに図は置けません", "a figure cannot stand there"},
           {"``` {.attnlab} はリストや引用の外に書いてください",
            "write ``` {.attnlab} outside of lists and quotations"});
  }

  /// Some classes make code cells of a notebook, some attributes are scripts or ask a server.
  void check_attributes(const json& attributes) const {
    for (const json& one : attributes[1]) {
      const std::string name = one;
      if (name.find("attnlab") != std::string::npos) refuse_hidden_block();
      if (name == "cell")
        refuse({"." + name, name}, text("クラス {} は使えません", "the class {} cannot be used", name),
               {"コードは ``` python のように書いてください", "write code as in ``` python"});
    }
    for (const json& pair : attributes[2]) {
      const std::string name = pair.at(0);
      const std::string value = pair.at(1);
      const auto is_plain = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '%' || letter == '.';
      };
      const std::set<std::string> known{"width", "height", "lang", "startFrom"};
      if (known.count(name) != 0 && std::all_of(value.begin(), value.end(), is_plain)) continue;
      refuse(
          {fmt::format("{}=", name), name},
          text("属性 {} は使えません", "the attribute {} cannot be used",
               quotation(fmt::format("{}={}", name, value))),
          {"使えるのは width、height、lang、startFrom です", "choose from width, height, lang, startFrom"});
    }
  }

  const Lecture& lecture_;
  const std::set<std::string>& pictures_;
  const std::string& mark_;
};

void add_extension(json& node, const std::string& extension) {
  if (node.is_object() && node.value("t", "") == "Image") {
    auto& target = node["c"][2][0].get_ref<std::string&>();
    if (!std::filesystem::path(target).has_extension()) target += extension;
  }
  for (json& inner : node) {
    if (inner.is_structured()) add_extension(inner, extension);
  }
}

}  // namespace

std::string checked_tree(std::string_view text, const Lecture& lecture, const std::set<std::string>& pictures,
                         const std::string& mark) {
  try {
    json tree = json::parse(text);
    TreeCheck(lecture, pictures, mark).check(tree.at("blocks"), false, 0);
    return tree.dump();
  } catch (const json::exception&) {
    refuse_failed({"pandoc の出力が読めません", "what pandoc wrote cannot be read"},
                  {"pandoc 2.17 以降を入れてください", "install pandoc 2.17 or newer"});
  }
}

std::string with_pictures(std::string_view text, const std::string& extension) {
  json tree = json::parse(text);
  add_extension(tree, extension);
  return tree.dump();
}

}  // namespace attnlab
