// Everything that attnlab can check about itself: the documents' numbers, the invariants, the stored results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/embedded_file.hpp"
#include "experiments/framework/expected_values.hpp"
#include "experiments/framework/experiment.hpp"
#include "verification/check.hpp"

namespace attnlab {

/// What is verified. The tests put a wrong number here and expect it to be found.
struct Evidence {
  std::vector<ExpectedValue> expected;
  std::vector<Experiment> experiments;
  std::vector<EmbeddedFile> files;
};

/// All that is built into the program.
Evidence built_in_evidence();

/// What is left out is not computed. Nothing chosen: everything.
struct Selection {
  std::optional<Section> section;
  std::string subject;  // an experiment, a layer or a function; "" for all
};

/// Every check, section by section. Throws nothing but std::bad_alloc: what fails is a check that fails.
Checks verify(const Evidence& evidence, const Selection& selection = {});

}  // namespace attnlab
