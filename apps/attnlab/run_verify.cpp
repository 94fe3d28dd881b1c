#include "attnlab/verify/verify_command.hpp"

#include <fmt/format.h>

#include <chrono>

#include "attnlab/terminal/console.hpp"
#include "attnlab/suggestions.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "verification/verification_text.hpp"

namespace attnlab {

void conclude(const std::vector<VerifyCheck>& checks, const Selection& selection) {
  if (checks.empty()) {
    throw Error(ErrorKind::usage,
                {fmt::format("--only {} に当てはまる確認がありません", quotation(selection.subject)),
                 fmt::format("no check belongs to --only {}", quotation(selection.subject))},
                {"名前は `attnlab verify` の 2 列目にあります",
                 "the second column of `attnlab verify` has the names"});
  }
  const Summary summary = summary_of(checks);
  if (summary.failed == 0) return;
  throw Error(ErrorKind::failed,
              {fmt::format("{} 件中 {} 件の確認が不合格です", summary.checks, summary.failed),
               fmt::format("{} of {} checks fail", summary.failed, summary.checks)},
              {"FAIL の行を見てください", "see the lines marked FAIL"});
}

void run_verify(const Selection& selection, Printing printing, Language language) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<VerifyCheck> checks = verify(built_in_evidence(), selection);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (!checks.empty() && printing == Printing::json) write_output(verification_json(checks));
  if (!checks.empty() && printing == Printing::report) {
    write_output(verification_text(checks, elapsed.count(), language, output_colouring()));
  }
  conclude(checks, selection);
}

}  // namespace attnlab
