// What each operation is in NumPy, and what NumPy's words are in PyTorch.
#include "core/named.hpp"
#include "results/code/python_program.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

/// How `code` multiplies by the number, as the formula has it: 1 / √8 is a division by math.sqrt(8), 1 / n
/// one by n; 0.5 may be either, or a factor.
std::string scaled_code(const std::string& code, double number, const std::string& formula) {
  if (number == 1.0) return code;
  const double square = std::round(1.0 / (number * number));
  const double whole = std::round(1.0 / number);
  const bool is_small = number > 0.0 && number < 1.0 && square < 1e6;
  if (is_small && formula.find("√") != std::string::npos && 1.0 / std::sqrt(square) == number)
    return fmt::format("{} / math.sqrt({:.0f})", code, square);
  if (is_small && formula.find('/') != std::string::npos && 1.0 / whole == number)
    return fmt::format("{} / {:.0f}", code, whole);
  return fmt::format("{} * {}", python_repr(number), code);
}

std::string transposed_code(const std::string& name, const std::vector<Stage>& trace) {
  const Stage* operand = find_named(trace, name);
  const std::size_t rank = operand == nullptr ? 2 : operand->array.shape.size();
  if (rank < 2) return name;
  return rank == 2 ? name + ".T" : name + ".swapaxes(-1, -2)";
}

/// What PyTorch calls otherwise; np. itself stands last.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> translations{{
    {"axis=", "dim="},
    {"keepdims=", "keepdim="},
    {"np.newaxis", "None"},
    {"np.inf", "math.inf"},
    {"np.nan", "math.nan"},
    {"np.array(", "torch.tensor("},
    {"np.asarray(", "torch.as_tensor("},
    {"np.concatenate(", "torch.cat("},
    {"np.transpose(", "torch.permute("},
    {"np.power(", "torch.pow("},
    {"np.repeat(", "torch.repeat_interleave("},
    {".astype(", ".to("},
    {".copy()", ".clone()"},
    {"np.float64(", "float("},
    {"np.random.", "numpy.random."},
    {"np.", "torch."},
}};

}  // namespace

std::string numpy_code(const Stage& stage, const std::vector<Stage>& trace) {
  const Derivation& derivation = stage.derivation;
  const std::vector<std::string>& names = derivation.operands;
  const auto call = [&](const char* function) { return fmt::format("{}({})", function, names.front()); };
  const double number = derivation.number;
  switch (derivation.operation) {
    case Operation::product: return names[0] + " @ " + names[1];
    case Operation::product_with_transpose: return names[0] + " @ " + transposed_code(names[1], trace);
    case Operation::sum: return names[0] + " + " + names[1];
    case Operation::difference: return names[0] + " - " + names[1];
    case Operation::scaled: return scaled_code(names[0], number, to_terminal(stage.formula));
    case Operation::softmax: return call("softmax");
    case Operation::power:
      return derivation.is_of_e() ? call("np.exp") : fmt::format("{} ** {}", python_repr(number), names[0]);
    case Operation::row_share: return fmt::format("{0} / {0}.sum(axis=-1, keepdims=True)", names[0]);
    case Operation::tanh: return call("np.tanh");
    case Operation::relu: return call("relu");
    case Operation::layer_norm: return fmt::format("layer_norm({}, eps={})", names[0], python_repr(number));
    case Operation::rms_norm:
      return fmt::format("rms_norm({}, {}, eps={})", names[0], names[1], python_repr(number));
    case Operation::rotary_pairs: return fmt::format("rotary_pairs({}, {})", names[0], names[1]);
    case Operation::rotary_halves: return fmt::format("rotary_halves({}, {})", names[0], names[1]);
    case Operation::split_heads: return fmt::format("split_heads({}, {})", names[0], number);
    case Operation::join_heads: return call("join_heads");
    case Operation::row_entropy: return call("row_entropy");
    default: return derivation.code;
  }
}

std::string torch_code(const std::string& numpy) {
  std::string code = numpy;
  for (const auto& [word, translated] : translations) {
    for (std::size_t at = code.find(word); at != std::string::npos;
         at = code.find(word, at + translated.size())) {
      code.replace(at, word.size(), translated);
    }
  }
  return code;
}

}  // namespace attnlab
