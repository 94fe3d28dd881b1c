#include "io/words_file.hpp"

#include "core/json.hpp"
#include "core/utf16.hpp"
#include "core/utf8.hpp"
#include "io/tensor_file.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

/// Lines end in \n, \r\n or \r.
std::vector<std::string> lines_of(std::string_view bytes) {
  const std::optional<std::string> converted = utf8_of_utf16(bytes);
  const std::string_view text = without_byte_order_mark(converted ? *converted : bytes);
  std::vector<std::string> lines = split(text, text.find('\n') == std::string_view::npos ? "\r" : "\n");
  if (lines.back().empty()) lines.pop_back();  // behind the end of the last line
  for (std::string& line : lines)
    if (!line.empty() && line.back() == '\r') line.pop_back();
  return lines;
}

std::vector<std::string> words_in_metadata(const std::string& text) {
  const Json list = Json::parse(text, nullptr, false);
  const bool is_list = list.is_array() && std::all_of(list.begin(), list.end(),
                                                      [](const Json& item) { return item.is_string(); });
  return is_list ? list.get<std::vector<std::string>>() : lines_of(text);
}

/// `name` "" for the only one.
std::vector<std::string> words_in(const TensorFile& file, const std::string& name) {
  std::map<std::string, std::function<std::vector<std::string>()>> all;
  for (const StoredTensor& array : file.foreign)
    if (array.words) all[array.name] = array.words;
  for (const auto& [key, text] : file.metadata) all[key] = [&text = text] { return words_in_metadata(text); };
  const auto chosen = name.empty() && all.size() == 1 ? all.begin() : all.find(name);
  if (chosen != all.end()) return chosen->second();
  if (all.empty())
    refuse_file(file.name, {"語の配列がありません", "it holds no array of words"},
                {"np.array([\"the\", \"cat\"]) のような配列か、1 行に 1 語のテキストにしてください",
                 "save them as np.array([\"the\", \"cat\"]), or as a text with a word a line"});
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& [key, words] : all) names.push_back(key);
  refuse_file(file.name, text("語の配列は {} です", "its arrays of words are {}", first_names(names)),
              text("{}:{} のように 1 つを選んでください", "choose one, as in {}:{}", printable(file.name),
                   names.front()));
}

}  // namespace

bool is_words_file(const std::string& words) {
  std::error_code ignored;
  const std::string file = file_of(words);
  return std::filesystem::exists(file, ignored) && !std::filesystem::is_directory(file, ignored);
}

std::vector<std::string> words_of_file(const std::string& words) {
  const std::string file = file_of(words);
  const std::optional<TensorFormat> format = format_of_name(file);
  const std::string name = words.substr(std::min(words.size(), file.size() + 1));
  if (format && *format != TensorFormat::csv) return words_in(open_anything(file), name);
  std::vector<std::string> lines = lines_of(bytes_of(file).view);
  if (lines.empty())
    refuse_file(file, {"ラベルがありません", "it holds no label"},
                {"1 行に 1 つのラベルを UTF-8 で書いてください", "write one label per line, in UTF-8"});
  return lines;
}

}  // namespace attnlab
