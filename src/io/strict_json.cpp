// Walks through the text once without keeping its values.
#include <nlohmann/json.hpp>

#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

using AnyJson = nlohmann::json;

constexpr std::size_t deepest = 40;  // 32 axes inside the objects around them

const Text save_again{"JSON として保存し直してください", "save it again as JSON"};

class Guard : public nlohmann::json_sax<AnyJson> {
 public:
  Guard(std::string_view text, const JsonLimits& limits, std::size_t offset, const std::string& file)
      : text_(text), limits_(limits), offset_(offset), file_(file) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    std::set<std::string>& keys = keys_.back();
    if (!keys.insert(name).second) {
      refuse_file(file_, attnlab::text("キー {} が二度あります", "the key {} occurs twice", quotation(name)),
                  {"名前を一つずつにしてください", "give every name once"});
    }
    if (keys.size() > limits_.members) {
      refuse(attnlab::text("名前が {} 個を超えます", "there are more than {} names", limits_.members));
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception&) override {
    const std::string found = quotation(token);
    const std::string_view rest = text_.substr(std::min(position == 0 ? 0 : position - 1, text_.size()));
    if (rest.substr(0, 3) == "NaN" || rest.substr(0, 8) == "Infinity") {
      refuse_file(file_, at_byte(offset_ + position - 1),
                  {"JSON には NaN も Infinity もありません", "JSON has no NaN and no Infinity"},
                  {"\"nan\", \"inf\", \"-inf\" と書くか、numpy.save で保存してください",
                   "write \"nan\", \"inf\", \"-inf\", or save the array with numpy.save"});
    }
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
      refuse_file(file_, {"中身がありません", "it is empty"}, save_again);
    refuse_file(
        file_, at_byte(offset_ + (position == 0 ? 0 : position - 1)),
        attnlab::text("JSON として正しくありません（{} のところ）", "it is not valid JSON: found {}", found),
        save_again);
  }

 private:
  [[noreturn]] void refuse(const Text& problem) const {
    refuse_file(file_, problem,
                {"npy か safetensors のファイルに保存してください", "save it to an npy or safetensors file"});
  }

  bool count() {
    if (++values_ <= limits_.values) return true;
    refuse(attnlab::text("値が {} 個を超えます", "there are more than {} values", limits_.values));
  }

  bool open() {
    keys_.emplace_back();
    if (keys_.size() > deepest) {
      refuse(attnlab::text("入れ子が {} 段を超えます", "it is nested more than {} levels deep", deepest));
    }
    return count();
  }

  bool close() {
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  JsonLimits limits_;
  std::size_t offset_;
  const std::string& file_;
  std::size_t values_ = 0;
  std::vector<std::set<std::string>> keys_;  // of what is open
};

}  // namespace

void check_json_text(std::string_view text, const JsonLimits& limits, std::size_t offset,
                     const std::string& file) {
  Guard guard(text, limits, offset, file);
  AnyJson::sax_parse(text.begin(), text.end(), &guard);
}

}  // namespace attnlab
