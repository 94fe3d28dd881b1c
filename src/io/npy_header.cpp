// A parser of that one dictionary: nothing of what a file says is run.
#include "io/npy_header.hpp"

#include <charconv>
#include <optional>

#include "core/utf8.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_axes = 32;  // NumPy's own limit

/// As the keys were met.
struct Parts {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::size_t>> shape;
};

class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t offset, const std::string& file)
      : text_(text), offset_(offset), file_(file) {}

  NpyHeader parse() {
    Parts header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      read_value(header, key);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (at_ < text_.size()) fail({"ヘッダーの終わり", "the end of the header"});
    if (!header.descr || !header.fortran_order || !header.shape) {
      fail({"キー 'descr', 'fortran_order', 'shape'", "the keys 'descr', 'fortran_order' and 'shape'"});
    }
    return {*header.descr, *header.fortran_order, *header.shape};
  }

  [[noreturn]] void fail(const Text& needed) const {
    const std::string next = quotation(text_.substr(at_, 12));
    const Text found =
        at_ < text_.size() ? Text{next + " があります", next} : Text{"続きがありません", "nothing"};
    refuse_file(file_, at_byte(offset_ + at_),
                attnlab::text("ヘッダーに{}。ここに必要なのは {} です",
                              "the header has {} where {} is needed", found, needed),
                save_npy_again());
  }

 private:
  void read_value(Parts& header, const std::string& key) {
    if (key == "descr" && !header.descr) {
      header.descr = descr();
    } else if (key == "fortran_order" && !header.fortran_order) {
      header.fortran_order = boolean();
    } else if (key == "shape" && !header.shape) {
      header.shape = shape();
    } else {
      fail({"キー 'descr', 'fortran_order', 'shape' を 1 つずつ",
            "one each of the keys 'descr', 'fortran_order' and 'shape'"});
    }
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool accept(char character) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != character) return false;
    ++at_;
    return true;
  }

  void expect(char character) {
    if (!accept(character)) fail(Text::same(std::string("'") + character + "'"));
  }

  std::string quoted() {
    skip_spaces();
    const char mark = at_ < text_.size() ? text_[at_] : ' ';
    if (mark != '\'' && mark != '"') fail({"引用符で囲んだ語", "a word in quotation marks"});
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string_view::npos) fail({"閉じる引用符", "a closing quotation mark"});
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  std::string descr() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[') {
      refuse_file(file_, at_byte(offset_ + at_),
                  {"構造化配列（レコード）です", "it is a structured array (records)"},
                  {"数値だけの配列を保存してください", "save an array of plain numbers"});
    }
    return quoted();
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    fail({"True か False", "True or False"});
  }

  std::size_t length() {
    skip_spaces();
    std::size_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail({"軸の長さ", "the length of an axis"});
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 10L
    return value;
  }

  std::vector<std::size_t> shape() {
    std::vector<std::size_t> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(length());
      if (lengths.size() > most_axes) fail({"32 個以下の軸", "at most 32 axes"});
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return lengths;
  }

  std::string_view text_;
  std::size_t offset_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

Text save_npy_again() {
  return {"np.save で保存し直してください", "save the array again with np.save"};
}

NpyHeader parse_npy_header(std::string_view text, std::size_t offset, const std::string& file) {
  return HeaderParser(text, offset, file).parse();
}

}  // namespace attnlab
