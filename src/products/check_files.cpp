// Which array of which file is compared with which stage.
#include "products/check_files.hpp"

#include "core/error.hpp"
#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"
#include "io/tensor_file.hpp"
#include "model/block_stages.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// "did you mean weights? choose from x, query, ...", for the first of the words that is near a name.
Text choices(const Report& report, const std::vector<std::string>& typed) {
  const std::vector<std::string> names = names_of(report.stages);
  const auto near = std::find_if(typed.begin(), typed.end(), [&](const std::string& word) {
    return did_you_mean(word, names).has_value();
  });
  return near == typed.end() ? choose_from(names) : suggestion_before(*near, names, choose_from(names));
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
  if (find_named(report.stages, name) != nullptr) return {name, word.substr(equals + 1)};
  std::error_code ignored;
  if (fs::exists(word, ignored)) return {"", word};
  refuse_usage(text("--check {}：{} に配列 {} はありません", "--check {}: {} has no array {}",
                    quotation(word), report.experiment, quotation(name)),
               choices(report, {name}));
}

Check shape_check(const Report& report, const NamedArray& submitted, const Wanted& wanted,
                  const StepsInside& inside) {
  if (const std::optional<Check> check = check_by_shape(report.stages, submitted, report.origins, inside))
    return *check;
  std::vector<std::string> shapes;
  shapes.reserve(report.stages.size());
  for (const Stage& stage : report.stages) shapes.push_back(stage.name + " " + shape_text(stage.array.shape));
  refuse_failed(text("{} の形状 {} の配列は {} にありません", "{} has shape {}, and no array of {} has",
                     quotation(wanted.file.string()), shape_text(submitted.array.shape), report.experiment),
                text("配列は {} です。--check 配列名=ファイル で選べます",
                     "the arrays are {}; name one with --check ARRAY=FILE", joined(shapes, ", ")));
}

/// np.savez(file, w) gives the names arr_0, arr_1, ..., which say nothing.
bool is_nameless(const std::string& name) { return name.empty() || name.rfind("arr_", 0) == 0; }

/// The array of the file that a named stage is to be compared with: that of its name, or the only one.
const NamedArray& chosen(const std::vector<NamedArray>& arrays, const TensorFile& opened,
                         const Wanted& wanted, std::vector<Text>& warnings) {
  const std::string file = quotation(wanted.file.string());
  const Text held = first_names(names_of(arrays));
  if (const NamedArray* found = find_named(arrays, wanted.stage)) return *found;
  refuse_foreign(opened, wanted.stage);
  if (arrays.size() > 1) {
    refuse_failed(text("{} に配列 {} がありません", "{} has no array {}", file, wanted.stage),
                  text("入っているのは {} です", "it holds {}", held));
  }
  if (!is_nameless(arrays.front().name)) {
    warnings.emplace_back(text("{} に {} はないので、ただ 1 つの配列 {} を比べます",
                               "{} has no {}; its only array, {}, is compared", file, wanted.stage, held));
  }
  return arrays.front();
}

// --- A file that names no stage ----------------------------------------------------------------------------

/// What of a file was left out, and why.
struct LeftOut {
  std::vector<std::string> unknown;
  std::vector<std::string> differing;
};

Text unknown_arrays(const Report& report, const Wanted& wanted, const std::vector<std::string>& names) {
  const Text hint = choices(report, names);
  const std::string file = quotation(wanted.file.string());
  const Text held = first_names(names);
  return text("{} の配列 {} は {} にないので比べません。{}",
              "{} holds {}, which {} has not: not compared; {}", file, held, report.experiment, hint);
}

Text differing_arrays(const Report& report, const std::vector<std::string>& names) {
  if (stage(report, names.front()).derivation.operation == Derivation::Operation::learned) {
    return text("{} は学習した値で、ほかの計算機では別の値になるので比べません",
                "{} came out of a training, which goes another way on another machine: not compared",
                first_names(names));
  }
  return text("{}{} は実行のたびに時計で測る値なので比べません",
              "{} {} measured anew by every run: not compared", first_names(names),
              Text{"", names.size() == 1 ? "is" : "are"});
}

[[noreturn]] void refuse_differing(const Report& report, const std::vector<std::string>& names) {
  refuse_usage(differing_arrays(report, names), {"ほかの配列を比べてください", "compare another array"});
}

[[noreturn]] void refuse_unknown(const Report& report, const Wanted& wanted,
                                 const std::vector<std::string>& names) {
  const std::string file = quotation(wanted.file.string());
  refuse_failed(text("{} に {} の配列が一つもありません。入っているのは {} です",
                     "{} holds no array of {} but {}", file, report.experiment, first_names(names)),
                choices(report, names));
}

/// A file's only array under a name of its own: it must be the only stage of its shape.
bool fits_one_stage(const Report& report, const NamedArray& submitted) {
  return 1 == std::count_if(report.stages.begin(), report.stages.end(), [&](const Stage& stage) {
           return !differs_by_run(stage) && in_shape(submitted, stage.array.shape).has_value();
         });
}

void check_array(const Report& report, const Wanted& wanted, const NamedArray& array,
                 const StepsInside& inside, CheckedFiles& result, LeftOut& left_out) {
  const std::string stem = wanted.file.stem().string();
  const std::string& name =
      array.name.empty() && find_named(report.stages, stem) != nullptr ? stem : array.name;
  if (find_named(report.stages, name) == nullptr) {
    if (is_nameless(name)) {
      result.checks.push_back(shape_check(report, array, wanted, inside));
    } else {
      left_out.unknown.push_back(name);
    }
  } else if (differs_by_run(stage(report, name))) {
    left_out.differing.push_back(name);
  } else {
    result.checks.push_back(check_stage(report.stages, name, array, report.origins, inside));
  }
}

void check_arrays(const Report& report, const Wanted& wanted, const std::vector<NamedArray>& arrays,
                  const StepsInside& inside, CheckedFiles& result) {
  const std::size_t before = result.checks.size();
  LeftOut left_out;
  for (const NamedArray& array : arrays) check_array(report, wanted, array, inside, result, left_out);
  if (result.checks.size() > before) {
    if (!left_out.unknown.empty())
      result.warnings.push_back(unknown_arrays(report, wanted, left_out.unknown));
    if (!left_out.differing.empty()) result.warnings.push_back(differing_arrays(report, left_out.differing));
  } else if (!left_out.differing.empty()) {
    refuse_differing(report, left_out.differing);
  } else if (arrays.size() == 1 && fits_one_stage(report, arrays.front())) {
    result.checks.push_back(shape_check(report, arrays.front(), wanted, inside));
  } else {
    refuse_unknown(report, wanted, left_out.unknown);
  }
}

/// An array of the run that the file holds as no array of numbers.
void warn_of_foreign(const Report& report, const TensorFile& opened, std::vector<Text>& warnings) {
  for (const StoredTensor& foreign : opened.foreign) {
    if (find_named(report.stages, foreign.name) == nullptr) continue;
    warnings.push_back(text("{} の {} は{}で、数値の配列ではないので比べません",
                            "{} holds {} as {}: no array of numbers, not compared", quotation(opened.name),
                            foreign.name, *foreign.foreign));
  }
}

void check_file(const Report& report, const Wanted& wanted, const StepsInside& inside, CheckedFiles& result) {
  if (!wanted.stage.empty() && differs_by_run(stage(report, wanted.stage)))
    refuse_differing(report, {wanted.stage});
  const TensorFile opened = open_tensors(wanted.file.string());
  const std::vector<NamedArray> arrays = named_arrays(opened);
  result.files.emplace_back(file_of(wanted.file.string()));
  if (wanted.stage.empty()) {
    check_arrays(report, wanted, arrays, inside, result);
    warn_of_foreign(report, opened, result.warnings);
  } else {
    result.checks.push_back(check_stage(report.stages, wanted.stage,
                                        chosen(arrays, opened, wanted, result.warnings), report.origins,
                                        inside));
  }
}

/// Of arrays that no mistake explains: whether they are right for the inputs of another usual seed.
void find_other_seeds(std::vector<Check>& checks, const Experiment& experiment, Arguments arguments) {
  constexpr std::size_t most_values = 1000000;  // of a run that is made again for each seed
  constexpr std::size_t least_values = 3;       // fewer agree by chance
  const auto is_open = [](const Check& check) {
    return check.shape_fits && !agrees(check) && !check.diagnosis &&
           check.submitted.data.size() >= least_values;
  };
  if (find_named(experiment.parameters, "seed") == nullptr) return;
  for (const char* seed : {"0", "1", "2", "3", "4", "5", "7", "42", "123", "1234"}) {
    if (std::none_of(checks.begin(), checks.end(), is_open)) return;
    arguments.set("seed", seed);
    const Report other = run(experiment, arguments);
    std::size_t values = 0;
    for (const Stage& stage : other.stages) values += stage.array.data.size();
    if (values > most_values) return;
    for (Check& check : checks) {
      const Stage* stage = find_named(other.stages, check.stage.name);
      if (!is_open(check) || stage == nullptr || stage->array.shape != check.submitted.shape) continue;
      const auto index = static_cast<std::size_t>(stage - other.stages.data());
      const double largest_score = largest_score_of(other.stages, index);
      if (!compare({"", check.submitted, NamedArray::Storage::float64, {}}, stage->array, largest_score)
               .agrees)
        continue;
      check.diagnosis =
          Diagnosis{"another-seed", check.stage.name, mistake_text("another-seed", {"", "", 0.0, seed})};
    }
  }
}

/// The steps inside the stages of a run over a model, none of another.
StepsInside steps_of_model(const Report& report, const Experiment& experiment, const Arguments& arguments) {
  const UsedParameter* const without = find_named(report.parameters, "without");
  const Stage* const embedding = find_named(report.stages, "embedding");
  if (experiment.name != "model" || embedding == nullptr || (without != nullptr && !without->is_default))
    return {};
  const auto files = std::static_pointer_cast<const ModelFiles>(open_model_files(arguments));
  return steps_inside(files->opened, embedding->array.shape[0]);
}

}  // namespace

CheckedFiles check_files(const Report& report, const std::vector<std::string>& words, const Run& request) {
  CheckedFiles result;
  if (words.empty()) return result;
  const StepsInside inside = steps_of_model(report, *request.experiment, request.arguments);
  for (const std::string& word : words) {
    const Wanted wanted = parsed(report, word);
    const std::size_t before = result.checks.size();
    check_file(report, wanted, inside, result);
    for (std::size_t i = before; i < result.checks.size(); ++i) result.checks[i].file = wanted.file.string();
  }
  find_other_seeds(result.checks, *request.experiment, request.arguments);
  return result;
}

}  // namespace attnlab
