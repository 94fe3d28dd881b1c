// Which array of which file is compared with which stage.
#include "attnlab/check_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "attnlab/suggestions.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/array_files.hpp"
#include "results/numpy_text.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> stage_names(const Report& report) {
  std::vector<std::string> names;
  for (const Stage& stage : report.stages) names.push_back(stage.name);
  return names;
}

bool has_stage(const Report& report, const std::string& name) {
  return std::any_of(report.stages.begin(), report.stages.end(),
                     [&](const Stage& stage) { return stage.name == name; });
}

/// "did you mean weights? choose from x, query, ...".
Text choices(const Report& report, const std::string& name) {
  const std::vector<std::string> names = stage_names(report);
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  const std::optional<std::string> meant = did_you_mean(name, names);
  if (!meant) return {fmt::format("選べるのは {} です", known), fmt::format("choose from {}", known)};
  return {fmt::format("{} のことですか。選べるのは {} です", *meant, known),
          fmt::format("did you mean {}? choose from {}", *meant, known)};
}

struct Wanted {
  std::string stage;  // "" when none was named
  fs::path file;
};

/// A file's own name may hold an equals sign.
Wanted parsed(const Report& report, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return {"", word};
  const std::string name = word.substr(0, equals);
  if (has_stage(report, name)) return {name, word.substr(equals + 1)};
  std::error_code ignored;
  if (fs::exists(word, ignored)) return {"", word};
  throw Error(
      ErrorKind::usage,
      {fmt::format("--check {}：{} に配列 {} はありません", quotation(word), report.experiment,
                   quotation(name)),
       fmt::format("--check {}: {} has no array {}", quotation(word), report.experiment, quotation(name))},
      choices(report, name));
}

Check named_check(const Report& report, const std::string& stage, const NamedArray& given,
                  const Wanted& wanted) {
  Check check = check_stage(report.stages, stage, given);
  check.file = wanted.file.string();
  return check;
}

Check shape_check(const Report& report, const NamedArray& given, const Wanted& wanted) {
  std::optional<Check> check = check_by_shape(report.stages, given);
  if (check) {
    check->file = wanted.file.string();
    return *check;
  }
  std::vector<std::string> shapes;
  shapes.reserve(report.stages.size());
  for (const Stage& stage : report.stages) shapes.push_back(stage.name + " " + shape_text(stage.array.shape));
  const std::string known = fmt::format("{}", fmt::join(shapes, ", "));
  throw Error(ErrorKind::failed,
              {fmt::format("{} の形状 {} の配列は {} にありません", quotation(wanted.file.string()),
                           shape_text(given.array.shape), report.experiment),
               fmt::format("{} has shape {}, and no array of {} has", quotation(wanted.file.string()),
                           shape_text(given.array.shape), report.experiment)},
              {fmt::format("配列は {} です。--check 配列名=ファイル で選べます", known),
               fmt::format("the arrays are {}; name one with --check ARRAY=FILE", known)});
}

/// The array of the file that a named stage is to be compared with.
const NamedArray& chosen(const std::vector<NamedArray>& arrays, const Wanted& wanted) {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const NamedArray& array) { return array.name == wanted.stage; });
  if (found != arrays.end()) return *found;
  if (arrays.size() == 1) return arrays.front();
  std::vector<std::string> names;
  names.reserve(arrays.size());
  for (const NamedArray& array : arrays) names.push_back(array.name);
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  throw Error(ErrorKind::failed,
              {fmt::format("{} に配列 {} がありません", quotation(wanted.file.string()), wanted.stage),
               fmt::format("{} has no array {}", quotation(wanted.file.string()), wanted.stage)},
              {fmt::format("入っているのは {} です", known), fmt::format("it holds {}", known)});
}

Text unknown_array(const Report& report, const Wanted& wanted, const std::string& name) {
  const Text hint = choices(report, name);
  return {fmt::format("{} の配列 {} は {} にないので比べません。{}", quotation(wanted.file.string()),
                      quotation(name), report.experiment, hint.ja()),
          fmt::format("{} holds {}, which {} has not: not compared; {}", quotation(wanted.file.string()),
                      quotation(name), report.experiment, hint.en())};
}

/// np.savez(file, w) gives the names arr_0, arr_1, ..., which say nothing.
bool is_nameless(const std::string& name) {
  return name.empty() || name.rfind("arr_", 0) == 0;
}

[[noreturn]] void refuse_unknown_arrays(const Report& report, const Wanted& wanted,
                                        const std::vector<NamedArray>& arrays) {
  throw Error(
      ErrorKind::failed,
      {fmt::format("{} に {} の配列が一つもありません", quotation(wanted.file.string()), report.experiment),
       fmt::format("{} holds no array of {}", quotation(wanted.file.string()), report.experiment)},
      choices(report, arrays.empty() ? "" : arrays.front().name));
}

void check_file(const Report& report, const Wanted& wanted, CheckedFiles& result) {
  const std::vector<NamedArray> arrays = read_arrays(wanted.file);
  if (!wanted.stage.empty()) {
    result.checks.push_back(named_check(report, wanted.stage, chosen(arrays, wanted), wanted));
    return;
  }
  const std::string stem = wanted.file.stem().string();
  std::size_t unknown = 0;
  for (const NamedArray& array : arrays) {
    const bool by_stem = array.name.empty() && has_stage(report, stem);
    if (by_stem || has_stage(report, array.name)) {
      result.checks.push_back(named_check(report, by_stem ? stem : array.name, array, wanted));
    } else if (is_nameless(array.name)) {
      result.checks.push_back(shape_check(report, array, wanted));
    } else {
      result.warnings.push_back(unknown_array(report, wanted, array.name));
      ++unknown;
    }
  }
  if (unknown == arrays.size()) refuse_unknown_arrays(report, wanted, arrays);
}

}  // namespace

CheckedFiles check_files(const Report& report, const std::vector<std::string>& words) {
  CheckedFiles result;
  for (const std::string& word : words) check_file(report, parsed(report, word), result);
  return result;
}

}  // namespace attnlab
