// Reads formulas in TeX: a lecturer's, read_tex("\\frac{QK^\\top}{\\sqrt{d}}"), and the program's own, in
// which letters that stand together are a word: read("softmax(\\frac{Q K^T}{\\sqrt{d}}) V").
#include <cctype>

#include "core/error.hpp"
#include "core/formula_document.hpp"
#include "core/formula_line.hpp"
#include "core/utf8.hpp"

namespace attnlab::formula {
namespace {

/// What letters are that stand together: QK two factors, softmax a word.
enum class Letters { factors, words };

[[noreturn]] void refuse_tex(const Text& problem) {
  refuse_usage(problem,
               {"\\frac、\\sqrt、\\mathrm、添え字、ギリシア文字、\\sum などの記号が使えます",
                "\\frac, \\sqrt, \\mathrm, scripts, Greek letters and signs such as \\sum are known"});
}

constexpr int deepest = 100;      // of groups and of brackets: a formula is written as deep as it is nested
constexpr int most_scripts = 10;  // one on the other

[[noreturn]] void refuse_depth() {
  refuse_tex(text("数式の入れ子が深すぎます（{} 段まで）",
                  "the formula is nested too deep, more than {} times", deepest));
}

/// What is left to read.
class FormulaReader {
 public:
  FormulaReader(std::string_view tex, Letters letters) : left_(tex), letters_(letters) {}

  Formula all() {
    Formula formula = pieces();
    if (!left_.empty()) refuse_tex(text("数式の }} が 1 つ多いです", "the formula has a }} too many"));
    return formula;
  }

 private:
  /// Up to the end, or to what closes a group or a cell.
  Formula pieces() {
    std::vector<Formula> parts;
    for (skip(); !left_.empty() && left_.front() != '}' && !ends_cell(); skip()) parts.push_back(piece());
    return parts.size() == 1 ? std::move(parts.front()) : row(std::move(parts));
  }

  bool ends_cell() const {
    return tables_ > 0 && (left_.front() == '&' || is_one_of(command_ahead(), {"\\", "end"}));
  }

  void skip() {
    while (!left_.empty()) {
      const std::string_view command = command_ahead();
      if (is_one_of(command, {"left", "right"})) {
        left_.remove_prefix(command.size() + 1);
        take(".");  // no bracket
      } else if (is_one_of(
                     command,
                     {"big",  "Big",   "bigl",         "bigr",      "Bigl",   "Bigr",     "bigg",
                      "Bigg", "biggl", "biggr",        ",",         ";",      ":",        "!",
                      " ",    ">",     "displaystyle", "textstyle", "limits", "nolimits", "nonumber"})) {
        left_.remove_prefix(command.size() + 1);
      } else if (std::isspace(static_cast<unsigned char>(left_.front())) != 0 || left_.front() == '~') {
        left_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  /// "frac" where "\frac" comes next, "" where no command does.
  std::string_view command_ahead() const {
    if (left_.size() < 2 || left_.front() != '\\') return {};
    std::size_t size = 1;
    while (size < left_.size() && std::isalpha(static_cast<unsigned char>(left_[size])) != 0) ++size;
    return left_.substr(1, std::max<std::size_t>(size, 2) - 1);
  }

  Formula piece() {
    Formula base = atom();
    for (int scripts = 0;; ++scripts) {
      if (scripts > most_scripts) refuse_depth();
      skip();
      if (take("^")) {
        base = sup(std::move(base), argument());
      } else if (take("_")) {
        // Scripts below stand before those above, however they were typed.
        const bool is_above = base.kind == Formula::Kind::sup;
        if (is_above) {
          base = sup(sub(base.parts[0], argument()), base.parts[1]);
        } else {
          base = sub(std::move(base), argument());
        }
      } else if (take("'")) {
        base = sup(std::move(base), sym("′"));
      } else {
        return base;
      }
    }
  }

  bool take(std::string_view word) {
    if (left_.substr(0, word.size()) != word) return false;
    left_.remove_prefix(word.size());
    return true;
  }

  /// A group in braces or one atom; of a number its first digit, as in \frac12.
  Formula argument() {
    skip();
    if (left_.empty() || left_.front() == '}')
      refuse_tex(text("数式が途中で終わっています", "the formula ends too early"));
    const bool is_number = std::isdigit(static_cast<unsigned char>(left_.front())) != 0;
    return is_number && letters_ == Letters::factors ? symbol_of(1) : atom();
  }

  Formula atom() {
    if (++depth_ > deepest) refuse_depth();
    Formula found = unnested_atom();
    --depth_;
    count_bracket(found);
    return found;
  }

  /// A bracket is a symbol of its line; what writes a line goes into it as deep as its brackets stand open.
  void count_bracket(const Formula& symbol) {
    const std::string closing = closing_of(symbol);
    if (!closing.empty() && ++open_[closing] > deepest) refuse_depth();
    const auto opened = open_.find(symbol.symbol);
    if (opened != open_.end() && opened->second > 0) --opened->second;
  }

  Formula unnested_atom() {
    if (left_.front() == '{') return group();
    if (left_.front() == '\\') return command();
    if (letters_ == Letters::words) return word();
    if (is_one_of(left_.substr(0, 1), {"$", "&", "#", "%", "^", "_"})) {
      refuse_tex(
          text("数式のここに {} は書けません", "the formula cannot have a {} there", left_.substr(0, 1)));
    }
    std::size_t size = 1;
    const auto continues = [&](auto belongs) {
      while (size < left_.size() && belongs(static_cast<unsigned char>(left_[size]))) ++size;
    };
    const auto first = static_cast<unsigned char>(left_.front());
    if (std::isdigit(first) != 0) continues([](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
    if (first >= 0x80) continues([](unsigned char c) { return c >= 0x80 && c < 0xc0; });
    return symbol_of(size);
  }

  Formula group() {
    if (!take("{")) refuse_tex(text("数式に {{…}} が足りません", "the formula lacks a {{...}}"));
    Formula inside = pieces();
    if (!take("}")) refuse_tex(text("数式の {{ が閉じていません", "a {{ of the formula is not closed"));
    return inside;
  }

  /// A word, a number, or one other character, as it stands.
  Formula word() {
    if (take("√") || take("frac"))
      refuse_tex(text("\\sqrt{{}} か \\frac{{}}{{}} と書きます", "write \\sqrt{{}} or \\frac{{}}{{}}"));
    const auto belongs = [](char byte) {
      return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '.' || byte < 0;
    };
    std::size_t size = 0;
    while (size < left_.size() && belongs(left_[size])) ++size;
    const std::string symbol(left_.substr(0, std::max<std::size_t>(size, 1)));
    left_.remove_prefix(symbol.size());
    return sym(symbol);
  }

  Formula symbol_of(std::size_t size) {
    const std::string symbol(left_.substr(0, size));
    left_.remove_prefix(size);
    return sym(symbol == "-" ? "−" : symbol == "*" ? "∗" : symbol);
  }

  Formula command() {
    const std::string name(command_ahead());
    left_.remove_prefix(std::min(name.size() + 1, left_.size()));
    if (is_one_of(name, {"frac", "dfrac", "tfrac"})) {
      Formula numerator = argument();
      return fraction(std::move(numerator), argument());
    }
    if (name == "sqrt") return root(argument());
    if (is_one_of(name, {"mathbf", "boldsymbol", "mathit", "bm", "mathop"})) return argument();
    if (name == "operatorname") take("*");
    if (is_one_of(name, {"mathrm", "text", "operatorname", "textrm", "textbf", "textit", "mathsf", "mathtt"}))
      return upright();
    if (is_one_of(name, {"mathbb", "mathcal", "mathscr"})) return styled(name == "mathbb", argument());
    if (accent_of_command(name) != nullptr) return {Formula::Kind::accent, name, {argument()}};
    if (is_one_of(name, {"overset", "stackrel", "underset"})) {
      Formula script = argument();
      return name == "underset" ? sub(argument(), std::move(script)) : sup(argument(), std::move(script));
    }
    if (name == "begin") return table();
    if (const std::string symbol = symbol_of_command(name); !symbol.empty()) return sym(symbol);
    refuse_tex(text("数式の {} は使えません", "the formula's {} is not known", quotation("\\" + name)));
  }

  /// \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}
  Formula table() {
    static const std::map<std::string, std::string> environments{
        {"aligned", "aligned"}, {"align", "aligned"},   {"align*", "aligned"},  {"split", "aligned"},
        {"cases", "cases"},     {"matrix", "matrix"},   {"array", "matrix"},    {"gathered", "matrix"},
        {"bmatrix", "bmatrix"}, {"pmatrix", "pmatrix"}, {"vmatrix", "vmatrix"}, {"Bmatrix", "Bmatrix"}};
    const std::string name = upright().symbol;
    const auto known = environments.find(name);
    if (known == environments.end())
      refuse_tex(text("数式の {} は使えません", "the formula's {} is not known",
                      quotation("\\begin{" + name + "}")));
    if (name == "array") upright();  // how its columns stand
    ++tables_;
    Formula table{Formula::Kind::table, known->second, {row({pieces()})}};
    while (!left_.empty() && command_ahead() != "end") {
      if (take("&")) {
        table.parts.back().parts.push_back(pieces());
      } else if (take("\\\\")) {
        table.parts.push_back(row({pieces()}));
      } else {
        refuse_tex(text("数式の }} が 1 つ多いです", "the formula has a }} too many"));
      }
    }
    --tables_;
    if (!take("\\end") || upright().symbol != name)
      refuse_tex(text("{} が閉じていません", "{} is not closed", quotation("\\begin{" + name + "}")));
    return table;
  }

  /// A capital letter with doubled strokes, ℝ, or of a script, ℒ; others stay as they are.
  static Formula styled(bool is_doubled, Formula letter) {
    static const std::map<char, char32_t> doubled{{'C', U'ℂ'}, {'H', U'ℍ'}, {'N', U'ℕ'}, {'P', U'ℙ'},
                                                  {'Q', U'ℚ'}, {'R', U'ℝ'}, {'Z', U'ℤ'}};
    static const std::map<char, char32_t> script{{'B', U'ℬ'}, {'E', U'ℰ'}, {'F', U'ℱ'}, {'H', U'ℋ'},
                                                 {'I', U'ℐ'}, {'L', U'ℒ'}, {'M', U'ℳ'}, {'R', U'ℛ'}};
    const bool is_capital = letter.symbol.size() == 1 && letter.symbol[0] >= 'A' && letter.symbol[0] <= 'Z';
    if (!is_capital) return letter;
    const std::map<char, char32_t>& irregular = is_doubled ? doubled : script;
    const auto known = irregular.find(letter.symbol[0]);
    const char32_t first = is_doubled ? U'𝔸' : U'𝒜';
    const auto place = static_cast<char32_t>(letter.symbol[0] - 'A');
    return sym(encode_utf8(known == irregular.end() ? first + place : known->second));
  }

  /// What stands in the braces, as it stands: signs behind a backslash, and no command, which TeX would carry
  /// out.
  Formula upright() {
    skip();
    const std::size_t end = left_.find('}');
    if (!take("{") || end == std::string_view::npos)
      refuse_tex(text("\\mathrm の後に {{…}} がありません", "\\mathrm needs {{...}} after it"));
    std::string words;
    for (const char letter : left_.substr(0, end - 1)) {
      const bool is_escaped = !words.empty() && words.back() == '\\';
      if ((is_escaped && !is_one_of({&letter, 1}, {"_", "%", "#", "&", "$", " ", ","})) || letter == '^') {
        refuse_tex(text("\\mathrm{{…}} の中に {} は書けません", "\\mathrm{{...}} cannot hold {}",
                        quotation(is_escaped ? words.substr(words.size() - 1) + letter : "^")));
      }
      if (is_escaped) words.pop_back();
      words += is_escaped && letter == ',' ? ' ' : letter;
    }
    left_.remove_prefix(end);
    return sym(words);
  }

  std::string_view left_;
  Letters letters_;
  int depth_ = 0;
  int tables_ = 0;                   // that are open
  std::map<std::string, int> open_;  // by their closing bracket: those that are not closed
};

}  // namespace

Formula read_tex(std::string_view tex) { return FormulaReader(tex, Letters::factors).all(); }

Formula read(std::string_view text) {
  try {
    return FormulaReader(text, Letters::words).all();
  } catch (const Error& error) {
    throw std::logic_error("formula " + std::string(text) + ": " + error.message(Language::en));
  }
}

}  // namespace attnlab::formula
