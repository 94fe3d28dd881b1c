#include "attnlab/attend/attend_command.hpp"

#include <utility>

#include "attend/attend.hpp"
#include "attnlab/attend/attend_files.hpp"

namespace attnlab {
namespace {

/// Only what is too long to be kept is divided: that may take seconds, and says how far it is.
Report run_attend(const Arguments& arguments, const Context& given) {
  Context context = given;
  context.for_each = on_all_processors(given.progress);
  const AttendSettings settings = attend_settings(arguments);
  std::vector<OpenedInput> opened = open_inputs(arguments);
  if (computing_type(opened, settings.precision) == DType::float32) {
    return attend(read_inputs<float>(std::move(opened), arguments, settings), settings, context);
  }
  return attend(read_inputs<double>(std::move(opened), arguments, settings), settings, context);
}

}  // namespace

const Experiment& attend_experiment() {
  static const Experiment attend{
      "attend",
      {"手持ちの Q, K, V（または X と重み）のアテンションを、どんな長さでも計算する",
       "attention over your own Q, K, V, or X and its projections, of any length"},
      {"手持ちのファイル", "your own files"},
      attend_parameters(),
      run_attend};
  return attend;
}

}  // namespace attnlab
