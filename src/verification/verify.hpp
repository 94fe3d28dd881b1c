// Everything that attnlab can check about itself: the documents' numbers, the invariants, the stored results.
#pragma once

#include "core/embedded_file.hpp"
#include "experiments/framework/expected_values.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/report/terminal.hpp"
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
  std::string subject;  // an experiment, attend, a layer or a function; "" for all
};

/// Every check, section by section. Throws nothing but std::bad_alloc: what fails is a check that fails.
Checks verify(const Evidence& evidence, const Selection& selection = {});

// --- The checks as people and programs read them (verification_text.cpp)

struct Summary {
  std::size_t checks = 0;
  std::size_t failed = 0;
  std::size_t printed = 0;   // numbers that a document prints
  std::size_t computed = 0;  // numbers of a document's formulas and code
};
Summary summary_of(const Checks& checks);

/// A heading per section and a line per stage (see summarised): PASS or FAIL, subject, stage, errors, what is
/// allowed, and where the expected number comes from; at most 120 columns. Then the summary, which tells
/// numbers that documents print from those computed from their code.
std::string verification_text(const Checks& checks, double seconds, Language language, Colouring colouring);

/// {"schema", "version", "checks": [{"section", "subject", "stage", "detail": {"ja", "en"}, "absolute_error",
/// "relative_error", "allowed", "pass"}, ...], "summary": {"checks", "failed", "printed", "computed",
/// "pass"}}, every single check; one of a document's number has its "origin", "printed" or "computed", too.
std::string verification_json(const Checks& checks);

/// What follows from the checks. Throws Error: usage when the selection names nothing, failed when a check
/// does not pass (exit code 1).
void conclude(const Checks& checks, const Selection& selection);

}  // namespace attnlab
