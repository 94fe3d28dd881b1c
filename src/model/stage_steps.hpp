// What a stage of a model's trace is computed by, operation by operation. Written once, it is the line of
// NumPy over the file's tensors (--code) and the steps with the weights' values that --check makes mistakes
// in.
#pragma once

#include "model/weights.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// "h.0.ln_1.weight" as a name of Python's.
std::string python_name(const std::string& tensor);

/// The gain of a norm, as a factor of Python's.
std::string gain_code(const ModelNorm& norm);

class StageSteps {
 public:
  using Columns = std::function<std::size_t(std::size_t column)>;
  using Values = std::function<Array()>;

  /// Begins with that stage of the trace, or with nothing. Names of steps get the prefix.
  StageSteps(std::string prefix, const std::string& from)
      : prefix_(std::move(prefix)), at_(from), code_(from) {}
  /// One expression over stages of the trace, without steps.
  StageSteps(std::vector<std::string> operands, std::string code)
      : code_(std::move(code)), operands_(std::move(operands)) {}
  /// A stage of one operation, which the trace itself can tell: no steps inside.
  StageSteps(Derivation whole) : whole_(std::move(whole)) {}  // NOLINT(google-explicit-constructor)

  /// One more operation; in `code` {} is the line so far. What it takes and no step has made is a stage of
  /// the trace.
  StageSteps& then(const std::string& name, Derivation derivation, const std::string& code);
  /// x W + b, or of these columns so many.
  StageSteps& project(const std::string& name, const Projection& projection);
  StageSteps& project(const std::string& name, const Projection& projection, std::size_t out,
                      const Columns& column);
  /// The same x where there is no norm.
  StageSteps& norm(const std::string& name, const std::optional<ModelNorm>& norm);
  StageSteps& activate(MlpActivation activation);
  /// c tanh(x / c); the same x where c is 0.
  StageSteps& cap(const std::string& name, double c);
  /// Element by element.
  StageSteps& times(const StageSteps& other);
  StageSteps& rewrite(const std::string& code);

  /// A weight, whose values are read when they are needed: its name as a step.
  std::string weight(const std::string& name, Values values);
  /// A stored tensor: its name in the line.
  std::string tensor(const std::string& name);

  const std::string& at() const { return at_; }  // the last step
  Derivation derivation() const { return whole_ ? *whole_ : derived::worked(operands_, {}, code_); }
  const std::vector<std::string>& tensors() const { return tensors_; }
  /// With the weights' values; the last gets the name of the stage that they make. None where a matrix would
  /// take too much memory.
  std::vector<Stage> inside(const std::string& name) const;

 private:
  std::string prefix_;
  std::string at_;
  std::string code_;
  std::vector<std::string> operands_;
  std::vector<std::pair<Stage, Values>> steps_;
  std::vector<std::string> tensors_;
  std::optional<Derivation> whole_;
};

}  // namespace attnlab
