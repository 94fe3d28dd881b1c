#include "sweep/attempt.hpp"

namespace attnlab {

Attempt attempt(const Experiment& experiment, const Arguments& arguments, const Context& context) {
  std::optional<Report> report;
  try {
    report = run(experiment, arguments, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return {{}, error};
  }
  require_invariants(*report);
  drop_recorded(report->figures);
  return {std::move(report), {}};
}

std::string listed(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 8;
  if (texts.size() <= most) return joined(texts, ", ");
  return fmt::format("{}, {}, ..., {}", texts[0], texts[1], texts.back());
}

Text no_frame_for(const std::string& parameter, const std::vector<std::string>& values,
                  const Error& refusal) {
  const std::string name = fmt::format("{} = {}", parameter, listed(values));
  return text("{} のコマを省きました（{}）", "no frame for {}: {}", name, refusal.message());
}

}  // namespace attnlab
