// Reads a formula as it is typed: formula::read("softmax(Q K^T / √{d}) V").
#include <cctype>

#include "core/formula.hpp"

namespace attnlab::formula {
namespace {

/// What is left to read.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// Pieces up to the end, or to a closing brace.
  Formula pieces() {
    std::vector<Formula> parts;
    for (skip_blanks(); !text_.empty() && text_.front() != '}'; skip_blanks()) parts.push_back(piece());
    return parts.size() == 1 ? std::move(parts.front()) : row(std::move(parts));
  }

  bool at_end() const { return text_.empty(); }

 private:
  void skip_blanks() {
    while (take(" ")) continue;
  }

  bool take(std::string_view word) {
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  Formula group() {
    if (!take("{")) throw std::logic_error("formula: expected { before " + std::string(text_));
    Formula inside = pieces();
    if (!take("}")) throw std::logic_error("formula: expected } before " + std::string(text_));
    return inside;
  }

  Formula piece() {
    Formula base = take("√") ? root(group()) : take("frac") ? two_groups() : atom();
    while (true) {
      if (take("^")) {
        base = sup(std::move(base), script());
      } else if (take("_")) {
        base = sub(std::move(base), script());
      } else {
        return base;
      }
    }
  }

  Formula two_groups() {
    Formula numerator = group();
    return fraction(std::move(numerator), group());
  }

  Formula script() { return !text_.empty() && text_.front() == '{' ? group() : atom(); }

  /// A word, a number, or one other character.
  Formula atom() {
    if (!text_.empty() && text_.front() == '{') return group();
    std::size_t size = 0;
    while (size < text_.size() && is_of_word(text_[size])) ++size;
    if (size == 0) size = 1;
    const std::string symbol(text_.substr(0, size));
    text_.remove_prefix(size);
    return sym(symbol);
  }

  static bool is_of_word(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '.' || byte < 0;
  }

  std::string_view text_;
};

}  // namespace

Formula read(std::string_view text) {
  Reader reader(text);
  Formula formula = reader.pieces();
  if (!reader.at_end()) throw std::logic_error("formula: a } too many in " + std::string(text));
  return formula;
}

}  // namespace attnlab::formula
