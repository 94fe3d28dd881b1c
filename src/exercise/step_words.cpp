#include "exercise/step_words.hpp"

#include <cctype>

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

/// Whether every function of the expression is NumPy's own: those of results/code/helpers.py are not at hand
/// where a sheet is solved.
bool is_plain_numpy(const std::string& code) {
  for (std::size_t open = code.find('('); open != std::string::npos; open = code.find('(', open + 1)) {
    std::size_t begin = open;
    const auto is_letter = [&](std::size_t place) {
      const auto letter = static_cast<unsigned char>(code[place]);
      return std::isalnum(letter) != 0 || letter == '_' || letter == '.';
    };
    while (begin > 0 && is_letter(begin - 1)) --begin;
    const std::string name = code.substr(begin, open - begin);
    if (!name.empty() && name.rfind("np.", 0) != 0 && name.rfind("math.", 0) != 0) return false;
  }
  return !code.empty();
}

Text worked_words(const Stage& stage) {
  if (is_plain_numpy(stage.derivation.code)) {
    return text("NumPy で書けば {}", "in NumPy {}", stage.derivation.code);
  }
  return text("{} から、上の式のとおり", "from {}, as the formula says",
              joined(stage.derivation.operands, ", "));
}

/// "weights (4, 4): queries × keys".
std::string headline_of(const std::string& stage, const std::vector<std::size_t>& shape,
                        const std::vector<std::string>& axes) {
  const std::string names = joined(axes, " × ");
  return stage + " " + shape_text(shape) + (names.empty() ? "" : ": " + names);
}

}  // namespace

bool can_be_told(const Stage& stage) {
  const Derivation& derivation = stage.derivation;
  if (derivation.operation == Operation::worked) {
    return !derivation.operands.empty() && is_plain_numpy(derivation.code);
  }
  return derivation.is_computed();
}

Text words_of(const Stage& stage) {
  const Derivation& derivation = stage.derivation;
  const std::string a = derivation.operands.empty() ? "" : derivation.operands.front();
  const std::string b = derivation.operands.size() < 2 ? "" : derivation.operands[1];
  const std::string number = fmt::format("{:.8g}", derivation.number);
  switch (derivation.operation) {
    case Operation::product: return text("行列の積 {} @ {}", "the matrix product {} @ {}", a, b);
    case Operation::product_with_transpose:
      return text("{0} と、{1} の転置との行列の積（{0} の行と {1} の行の内積）",
                  "the matrix product of {0} and the transpose of {1} (rows of {0} times rows of {1})", a, b);
    case Operation::sum: return text("和 {} + {}", "the sum {} + {}", a, b);
    case Operation::difference: return text("差 {} − {}", "the difference {} − {}", a, b);
    case Operation::scaled:
      if (derivation.number == 1.0) return text("{} と同じ", "the same as {}", a);
      return text("{} を {} 倍する", "{} times {}", a, number);
    case Operation::softmax:
      return text("{} の行（最後の軸）ごとの softmax。どの行の和も 1",
                  "the softmax of {} along its rows (the last axis); every row sums to 1", a);
    case Operation::power:
      return text("{0} の要素ごとの {1} の累乗（{1} を底とし、要素を指数とする）",
                  "{1} to the power of every element of {0}", a, derivation.is_of_e() ? "e" : number);
    case Operation::row_share:
      return text("{} の各要素を、その行の和で割る", "every element of {} over the sum of its row", a);
    case Operation::tanh: return text("{} の要素ごとの tanh", "tanh of every element of {}", a);
    case Operation::relu: return text("{} の要素ごとの max(0, x)", "max(0, x) of every element of {}", a);
    case Operation::layer_norm:
      return text("{} の行ごとに、平均を引き √(分散 + {}) で割る（分散は個数で割ったもの）",
                  "every row of {} minus its mean, over √(variance + {}); the variance is a mean, too", a,
                  number);
    case Operation::rms_norm:
      if (derivation.number < 1e-9) {
        return text("{0} を、{1} の長さごとに √(2 乗の平均) で割り、{1} を掛ける",
                    "{0} over √(mean square) of each stretch as long as {1}, times {1}", a, b);
      }
      return text("{0} を、{1} の長さごとに √(2 乗の平均 + {2}) で割り、{1} を掛ける",
                  "{0} over √(mean square + {2}) of each stretch as long as {1}, times {1}", a, b, number);
    case Operation::rotary_pairs:
      return text("{} の隣り合う 2 つの座標の組を、{} の角度だけ回す",
                  "every pair of neighbouring coordinates of {} turned by the angles {}", a, b);
    case Operation::rotary_halves:
      return text("{} の前半と後半の同じ番号の座標の組を、{} の角度だけ回す",
                  "the pairs of coordinates i of both halves of {} turned by the angles {}", a, b);
    case Operation::split_heads:
      return text("{} の列を {} 等分し、ヘッドに 1 つずつ渡す",
                  "the columns of {} cut into {} equal pieces, one for each head", a, number);
    case Operation::join_heads:
      return text("{} の各ヘッドの同じ行を横に並べる", "the same row of every head of {}, side by side", a);
    case Operation::row_entropy:
      return text("{} の行ごとのエントロピー −Σ p ln p", "the entropy −Σ p ln p of every row of {}", a);
    case Operation::worked: return worked_words(stage);
    case Operation::given:
    case Operation::measured:
    case Operation::learned: return {"与えられた値", "given"};
  }
  return Text::none();
}

Text sentence_of(const ExerciseStep& step, std::size_t number) {
  const std::string formula = to_terminal(step.formula);
  const std::string name = headline_of(step.stage, step.shape, step.axes);
  if (formula.empty()) return text("{}. {}\n{}。", "{}. {}\n{}.", number, name, step.what);
  return text("{}. {}\n{} … {}。", "{}. {}\n{} ... {}.", number, name, formula, step.what);
}

Text task_of(const Exercise& exercise) {
  std::vector<std::string> given;
  std::vector<std::string> asked;
  for (const Stage& stage : exercise.given) given.push_back(stage.name);
  for (const Stage& stage : exercise.asked) asked.push_back(stage.name);
  const std::string names = joined(asked, ", ");
  if (given.empty()) {
    return text("次の手順で {} を計算し、小数第 4 位まで求めなさい。",
                "Compute {} in these steps, to 4 decimals.", names);
  }
  return text("下の {} から、次の手順で {} を計算し、小数第 4 位まで求めなさい。",
              "From {} below, compute {} in these steps, to 4 decimals.", joined(given, ", "), names);
}

}  // namespace attnlab
