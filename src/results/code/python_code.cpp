// What NumPy's words are in PyTorch.
#include "core/utf8.hpp"
#include "results/code/python_program.hpp"
#include "results/operations/operation.hpp"

namespace attnlab {
namespace {

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
  const OperationKind* kind = kind_of(stage.derivation.operation);
  if (kind == nullptr) return stage.derivation.code;
  if (kind->numpy_of != nullptr) return kind->numpy_of(stage, trace);
  const std::vector<std::string>& operands = stage.derivation.operands;
  const double number = stage.derivation.number;
  return fmt::format(fmt::runtime(kind->numpy), operands.front(), operands.back(), python_repr(number),
                     number);
}

std::string torch_code(const std::string& numpy) {
  std::string code = numpy;
  for (const auto& [word, translated] : translations) code = replaced(std::move(code), word, translated);
  return code;
}

}  // namespace attnlab
