// One line of `attnlab verify`: what was compared with what, and how far they are apart.
#pragma once

#include "core/agreement.hpp"
#include "core/text.hpp"
#include "experiments/framework/expected_values.hpp"

namespace attnlab {

/// What a check compares a result with, in the order in which `verify` prints them and --section names them.
enum class Section {
  expected,     // the numbers of the documents
  invariants,   // what must hold of every run
  derivations,  // each stage, computed again from earlier ones by plain loops
  attend,       // NumPy's and PyTorch's outputs for given tensors (data/reference/attend)
  layers,       // PyTorch's stages of every layer (data/reference/layers)
  runs,         // NumPy's arrays of whole experiments (data/reference/<experiment>)
  functions,    // NumPy's results for single functions (data/reference/attention, random)
};
constexpr std::array<Section, 7> sections = {Section::expected, Section::invariants, Section::derivations,
                                             Section::attend,   Section::layers,     Section::runs,
                                             Section::functions};

/// "expected", "invariants", ...: the interface of --section and --json.
std::string name_of(Section section);

/// Its heading.
Text title_of(Section section);

/// Passes when it agrees. `relative` is NaN where there is nothing to relate the error to.
struct VerifyCheck : Deviation {
  Section section = Section::expected;
  std::string subject;         // an experiment, a layer or a function: "softmax", "multi_head float32"
  std::string stage;           // the array or scalar
  Text detail = Text::none();  // which case, or where the number stands
  std::optional<NumberSource> origin = std::nullopt;  // of a document's number
};
using Checks = std::vector<VerifyCheck>;

void append(Checks& checks, const Checks& more);

/// A check that could not even be made: something threw, or a file holds what nobody reads.
VerifyCheck failed_check(Section section, const std::string& subject, const std::string& stage,
                         const Text& why);

/// One check for each (section, subject, stage) whose cases all pass: the one nearest to its limit, its
/// detail the number of cases. A case that fails stays a line of its own.
Checks summarised(const Checks& checks);

}  // namespace attnlab
