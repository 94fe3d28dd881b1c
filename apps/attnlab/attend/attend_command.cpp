#include "attnlab/attend/attend_command.hpp"

#include <utility>
#include <vector>

#include "attend/attend.hpp"
#include "attnlab/attend/attend_files.hpp"
#include "attnlab/command_line/commands.hpp"

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

/// An experiment over the user's own files, which also saves its arrays one by one.
Command attend_command() {
  Command command = experiment_command(attend_experiment());
  command.kind = Command::Kind::other;
  std::vector<Flag>& report = (command.groups.end() - 2)->flags;
  report.push_back(flag("save-output", "FILE", "出力だけを保存します（npy, npz, json, csv）",
                        "save the output alone: npy, npz, json or csv")
                       .repeated());
  report.push_back(
      flag("save-weights", "FILE", "注意度だけを保存します", "save the weights alone").repeated());
  report.push_back(flag("save-stages", "FILE", "すべての段階を保存します（--data と同じ）",
                        "save every stage, as --data does")
                       .repeated());
  return command;
}

}  // namespace attnlab
