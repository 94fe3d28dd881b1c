#include "model/stage_steps.hpp"

#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

constexpr std::size_t largest_matrix = std::size_t{1} << 23U;  // numbers, that is 64 MB

Array vector_of(const Tensor<float>& values) {
  return {{values.size()}, {}, std::vector<double>(values.begin(), values.end())};
}

/// (in, out), or of these columns so many. Throws std::length_error for one that is too large.
Array matrix_of(const StoredMatrix& stored, std::size_t out, const StageSteps::Columns& column) {
  if (stored.in() * stored.out() > largest_matrix) throw std::length_error("a large matrix");
  const Floats values = stored.values();
  Array matrix{{stored.in(), out}, {}, std::vector<double>(stored.in() * out)};
  for (std::size_t i = 0; i < matrix.data.size(); ++i) {
    const std::size_t row = i / out;
    const std::size_t from = column(i % out);
    matrix.data[i] = static_cast<double>(
        values.data[stored.out_in() ? from * stored.in() + row : row * stored.out() + from]);
  }
  return matrix;
}

}  // namespace

std::string python_name(const std::string& tensor) {
  std::string result;
  for (const char letter : tensor)
    result += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return std::isdigit(static_cast<unsigned char>(result.front())) != 0 ? "t_" + result : result;
}

std::string gain_code(const ModelNorm& norm) {
  const std::string name = python_name(norm.gain_name);
  return norm.gain_from_one ? "(1 + " + name + ")" : name;
}

StageSteps& StageSteps::then(const std::string& name, Derivation derivation, const std::string& code) {
  for (const std::string& operand : derivation.operands) {
    const bool is_step = std::any_of(steps_.begin(), steps_.end(),
                                     [&](const auto& step) { return step.first.name == operand; });
    if (!is_step && !operand.empty()) operands_.push_back(operand);
  }
  at_ = prefix_ + name;
  steps_.push_back({{at_, {}, {}, std::move(derivation)}, {}});
  return rewrite(code);
}

StageSteps& StageSteps::project(const std::string& name, const Projection& projection) {
  return project(name, projection, projection.matrix.out(), [](std::size_t i) { return i; });
}

StageSteps& StageSteps::project(const std::string& name, const Projection& projection, std::size_t out,
                                const Columns& column) {
  const StoredMatrix& matrix = projection.matrix;
  const std::string w = weight("w_" + name, [=, &matrix] { return matrix_of(matrix, out, column); });
  then("projected_" + name, derived::product(at_, w),
       "{} @ " + tensor(matrix.name()) + (matrix.out_in() ? ".T" : ""));
  if (!projection.bias) return *this;
  const std::string bias = weight("bias_" + name, [=, &values = *projection.bias] {
    Array used{{out}, {}, {}};
    for (std::size_t i = 0; i < out; ++i) used.data.push_back(static_cast<double>(values.data()[column(i)]));
    return used;
  });
  return then("with_bias_" + name, derived::sum(at_, bias), "{} + " + tensor(projection.bias_name));
}

StageSteps& StageSteps::norm(const std::string& name, const std::optional<ModelNorm>& norm) {
  if (!norm)
    return then(name, derived::worked({at_}, {}, "identity").like(Derivation::Operation::relu), "{}");
  const auto eps = static_cast<double>(norm->eps);
  const std::string gain = weight("gain_" + name, [&norm] { return vector_of(norm->gain); });
  tensor(norm->gain_name);
  const std::string gain_name = gain_code(*norm);
  if (norm->type == NormType::rms)
    return then("rms_" + name, derived::rms_norm(at_, gain, eps),
                fmt::format("rms_norm({{}}, {}, eps={})", gain_name, norm->eps));
  then("centred_" + name, derived::layer_norm(at_, eps), fmt::format("layer_norm({{}}, eps={})", norm->eps));
  then("gained_" + name, derived::worked({at_, gain}, {}, product_of_each), "{} * " + gain_name);
  if (!norm->bias) return *this;
  const std::string bias = weight("bias_of_" + name, [&norm] { return vector_of(*norm->bias); });
  return then("moved_" + name, derived::sum(at_, bias), "{} + " + tensor(norm->bias_name));
}

StageSteps& StageSteps::activate(MlpActivation activation) {
  static const std::map<MlpActivation, std::pair<const char*, const char*>> names{
      {MlpActivation::gelu, {"GELU", "gelu({})"}},
      {MlpActivation::gelu_tanh, {"GELU (tanh)", "gelu_tanh({})"}},
      {MlpActivation::relu, {"ReLU", "relu({})"}},
      {MlpActivation::silu, {"SiLU", "silu({})"}}};
  const auto& [name, code] = names.at(activation);
  return then("activated", derived::worked({at_}, {}, name).like(Derivation::Operation::relu), code);
}

StageSteps& StageSteps::cap(const std::string& name, double c) {
  if (c == 0.0) return *this;
  const std::string number = python_repr(c);
  then("shrunk_" + name, derived::scaled(at_, 1.0 / c), "({}) / " + number);
  then("tanh_of_" + name, derived::tanh(at_), "np.tanh({})");
  return then("capped_" + name, derived::scaled(at_, c), number + " * {}");
}

StageSteps& StageSteps::times(const StageSteps& other) {
  steps_.insert(steps_.begin(), other.steps_.begin(), other.steps_.end());
  tensors_.insert(tensors_.end(), other.tensors_.begin(), other.tensors_.end());
  return then("gated", derived::worked({at_, other.at_}, {}, product_of_each), "{} * (" + other.code_ + ")");
}

StageSteps& StageSteps::rewrite(const std::string& code) {
  code_ = fmt::format(fmt::runtime(code), code_);
  return *this;
}

std::string StageSteps::weight(const std::string& name, Values values) {
  steps_.emplace_back(Stage{prefix_ + name, {}, {}, derived::input("")}, std::move(values));
  return prefix_ + name;
}

std::string StageSteps::tensor(const std::string& name) {
  tensors_.push_back(name);
  return python_name(name);
}

std::vector<Stage> StageSteps::inside(const std::string& name) const {
  std::vector<Stage> stages;
  try {
    for (const auto& [step, values] : steps_) {
      stages.push_back(step);
      if (values) stages.back().array = values();
    }
  } catch (const std::length_error&) {
    return {};
  }
  if (!stages.empty()) stages.back().name = name;
  return stages;
}

}  // namespace attnlab
