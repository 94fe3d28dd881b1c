// The checks as people and programs read them.
#pragma once

#include <cstddef>
#include <string>

#include "core/text.hpp"
#include "results/report/terminal.hpp"
#include "verification/check.hpp"

namespace attnlab {

struct Summary {
  std::size_t checks = 0;
  std::size_t failed = 0;
};
Summary summary_of(const Checks& checks);

/// A heading per section and a line per stage (see summarised): PASS or FAIL, subject, stage, errors, what is
/// allowed, and where the expected number comes from; at most 120 columns. Then the summary.
std::string verification_text(const Checks& checks, double seconds, Language language, Colouring colouring);

/// {"schema", "version", "checks": [{"section", "subject", "stage", "detail": {"ja", "en"}, "absolute_error",
/// "relative_error", "allowed", "pass"}, ...], "summary": {"checks", "failed", "pass"}}, every single check.
std::string verification_json(const Checks& checks);

}  // namespace attnlab
