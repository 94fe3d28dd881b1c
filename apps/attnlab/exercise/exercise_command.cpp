// `attnlab exercise`: a sheet for each student, and the answers.
#include "attnlab/exercise/class_flags.hpp"
#include "attnlab/experiment/experiment_request.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "exercise/class_exercise.hpp"
#include "exercise/sheet_pages.hpp"
#include "io/atomic_file.hpp"
#include "io/report_files.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* key_folder = "keys";
constexpr const char* key_file = "keys.pdf";

struct ExerciseRequest {
  ClassExercise exercise;
  std::vector<Student> students;
  fs::path folder;
  Language language = Language::en;
  std::string command;  // as it can be typed again
  Printing printing = Printing::report;
};

struct StudentFiles {
  std::string sheet;  // pdf
  std::string key;    // json
  SheetPages answers;
  std::string provided;  // npz; empty where nothing is given
  std::vector<Text> warnings;
};

/// What is computed from files is no exercise of the class.
bool is_parameter(const Parameter& parameter) {
  return parameter.name != "input" && !std::holds_alternative<FileKind>(parameter.kind);
}

/// What `attnlab exercise` sets where no experiment is named, by what is at hand to solve it.
struct Level {
  const char* name;
  const char* experiment;
  std::map<std::string, std::string> parameters;
  std::vector<std::string> requested;
};

const std::vector<Level>& levels() {
  static const std::vector<Level> all{
      {"hand", "by-hand", {}, {"weights", "head_output", "residual"}},
      {"calculator", "by-hand", {{"base", python_repr(std::exp(1.0))}}, {"weights", "normed", "probability"}},
      {"computer", "self-attention", {{"scale", "10"}}, {"weights", "output"}}};
  return all;
}

ClassExercise exercise_of_level(const ParsedCommand& parsed) {
  const Level& level = *find_named(levels(), parsed.checked("level").text("level"));
  return {find_experiment(level.experiment), level.parameters, 0, level.requested};
}

ClassExercise read_exercise(const ParsedCommand& parsed, const Experiment& experiment) {
  ClassExercise exercise;
  exercise.experiment = &experiment;
  const Arguments arguments = read_arguments(parsed, experiment);
  for (const UsedParameter& used : used_parameters(arguments)) {
    if (used.name == "seed") continue;
    if (arguments.is_set(used.name)) exercise.parameters[used.name] = arguments.text(used.name);
  }
  const bool has_seed = find_named(experiment.parameters, "seed") != nullptr;
  if (has_seed && std::holds_alternative<long long>(arguments.value("seed"))) {
    exercise.seed = arguments.integer("seed");  // some have another for each of their variants
  }
  return exercise;
}

void check_requested(const std::vector<std::string>& requested) {
  const std::set<std::string> once(requested.begin(), requested.end());
  if (once.size() == requested.size()) return;
  refuse_usage(
      text("--ask {} に同じ配列が二度あります", "--ask {} names an array twice", joined(requested, ",")),
      {"一つずつ書いてください", "name each once"});
}

/// The files of a student beside those of the class.
void check_ids(const std::vector<Student>& students, const std::string& list) {
  for (const Student& student : students) {
    if (lower_case(student.id) != key_folder) continue;
    refuse_failed(text("{} の id {} は解答のファイル名と重なります",
                       "the id {1} in {0} is the name of the file with the answers", quotation(list),
                       quotation(student.id)),
                  {"別の id にしてください", "give the student another id"});
  }
}

std::string command_words(const ParsedCommand& parsed, const ClassExercise& exercise, Language language) {
  std::vector<TypedFlag> flags;
  const bool is_of_level = parsed.topics.empty();
  for (const auto& [name, words] : exercise.parameters)
    if (!is_of_level) flags.push_back({name, words});
  for (const char* name : {"level", "seed", "ask", "decimals", "students"}) {
    if (parsed.is_set(name)) flags.push_back({name, parsed.value(name)});
  }
  flags.push_back({"lang", code_of(language)});
  return command_with(is_of_level ? "attnlab exercise" : "attnlab exercise " + exercise.experiment->name,
                      flags);
}

ExerciseRequest read_class_request(const ParsedCommand& parsed, Language language) {
  ExerciseRequest request;
  if (parsed.topics.empty()) {
    request.exercise = exercise_of_level(parsed);
  } else {
    request.exercise = read_exercise(
        parsed, experiment_behind(parsed, "attnlab exercise self-attention --students list.csv -o sheets"));
  }
  request.exercise.decimals = static_cast<int>(parsed.checked("decimals").integer("decimals"));
  if (parsed.is_set("ask")) request.exercise.requested = split(parsed.value("ask"), ",");
  check_requested(request.exercise.requested);
  request.students = read_students(parsed).students;
  check_ids(request.students, parsed.value("students"));
  request.folder = parsed.is_set("output") ? parsed.value("output") : "sheets";
  request.language = language;
  request.command = command_words(parsed, request.exercise, language);
  request.printing = read_printing(parsed);
  return request;
}

void check_targets(const ExerciseRequest& request, const fs::path& list) {
  Targets targets;
  targets.add_folder(request.folder);
  for (const Student& student : request.students) {
    for (const char* ending : {".pdf", ".npz"}) {
      targets.add_below(request.folder, request.folder / (student.id + ending));
    }
    targets.add_below(request.folder / key_folder, request.folder / key_folder / (student.id + ".json"));
  }
  targets.add_below(request.folder, request.folder / key_file);
  targets.add_below(request.folder, request.folder / class_record);
  targets.spare({list});
  targets.check();
}

/// The parameters that the lengths of the printed arrays follow, as flags.
std::vector<std::string> sizes_of(const Exercise& problem, const Experiment& experiment) {
  std::vector<Stage> printed = problem.provided;
  printed.insert(printed.end(), problem.requested.begin(), problem.requested.end());
  std::vector<std::string> sizes;
  for (const Stage& stage : printed) {
    for (const std::string& axis : stage.array.axes) {
      const bool is_new = std::find(sizes.begin(), sizes.end(), "--" + axis) == sizes.end();
      if (is_new && find_named(experiment.parameters, axis) != nullptr) sizes.push_back("--" + axis);
    }
  }
  return sizes;
}

/// Nobody copies more from paper.
void check_size(const Exercise& problem, const Experiment& experiment) {
  const std::size_t cells = printed_cells(problem);
  if (cells <= most_printed_cells) return;
  const Text earlier = {"--ask で手前の配列を選んでください", "choose an earlier array with --ask"};
  const std::vector<std::string> sizes = sizes_of(problem, experiment);
  refuse_usage(
      text("{} の問題用紙には {} 個の数値が要ります（{} 個まで）",
           "a sheet of {} would hold {} numbers; {} is the most", experiment.name, cells, most_printed_cells),
      sizes.empty() ? earlier
                    : text("{} を小さくするか、{}", "make {} smaller, or {}", joined(sizes, ", "), earlier));
}

/// Of the run these arrays alone.
Report part_of(const Report& report, const std::vector<Stage>& stages) {
  Report part;
  part.experiment = report.experiment;
  part.parameters = report.parameters;
  part.stages = stages;
  return part;
}

Chapter chapter_with(const std::vector<Page>& pages, const std::string& title) {
  Chapter chapter{title, {}};
  for (const Page& page : pages) chapter.pages.push_back(&page);
  return chapter;
}

StudentFiles files_for(const Student& student, const ExerciseRequest& request) {
  const Report report = run_of(request.exercise, student.id);
  require_invariants(report);
  const Exercise problem =
      exercise_of(report, request.exercise.experiment->shows, request.exercise.requested);
  StudentFiles files;
  const SheetPages sheet = exercise_sheet(problem, student, request.command, request.language);
  files.sheet = paint_pdf({chapter_with(sheet.pages, "")}, sheet.pages.front().metadata);
  files.key = arrays_json(part_of(report, problem.requested));
  if (!problem.provided.empty()) files.provided = arrays_npz(part_of(report, problem.provided));
  files.answers = answer_sheet(problem, student, request.command, request.language);
  files.warnings = sheet.warnings;
  return files;
}

std::vector<StudentFiles> files_for_all(const ExerciseRequest& request) {
  std::vector<StudentFiles> files(request.students.size());
  ProgressBar progress;
  const ForEach for_each =
      on_all_processors([&](double share) { progress.show(share, request.exercise.experiment->name); });
  for_each(files.size(), [&](std::size_t i) { files[i] = files_for(request.students[i], request); });
  return files;
}

/// One pdf for the lecturer; its outline names the students.
std::string key_pdf(const std::vector<StudentFiles>& files, const ExerciseRequest& request) {
  std::vector<Chapter> chapters;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Student& student = request.students[i];
    chapters.push_back(chapter_with(files[i].answers.pages, student.id + " " + student.name));
  }
  return paint_pdf(chapters, chapters.front().pages.front()->metadata);
}

std::vector<fs::path> write_all(const std::vector<StudentFiles>& files, const ExerciseRequest& request) {
  const fs::path& folder = request.folder;
  std::vector<fs::path> paths;
  const auto write = [&](const fs::path& path, const std::string& bytes) {
    write_file(path, bytes);
    paths.push_back(path);
  };
  const std::string answers = key_pdf(files, request);
  create_folder(folder / key_folder);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& id = request.students[i].id;
    write(folder / (id + ".pdf"), files[i].sheet);
    if (!files[i].provided.empty()) write(folder / (id + ".npz"), files[i].provided);
    write(folder / key_folder / (id + ".json"), files[i].key);
  }
  write(folder / key_file, answers);
  write(folder / class_record, record_of(request.exercise));
  return paths;
}

/// The best that a sheet can hold.
std::string question_of(const Report& report, const Experiment& experiment) {
  const std::vector<std::string> names = questions(report);
  if (names.empty()) {
    refuse_usage(text("{} には問題にできる配列がありません", "{} computes no array that could be asked",
                      report.experiment),
                 {"--ask で配列を選んでください", "choose one with --ask"});
  }
  const auto fitting = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return printed_cells(exercise_of(report, experiment.shows, {name})) <= most_printed_cells;
  });
  return fitting == names.end() ? names.front() : *fitting;
}

/// Where nothing is drawn at random.
bool all_equal(const std::vector<StudentFiles>& files) {
  return files.size() > 1 && std::all_of(files.begin(), files.end(), [&](const StudentFiles& other) {
           return other.provided == files.front().provided;
         });
}

Ending run_exercise(const ParsedCommand& parsed, Language language) {
  ExerciseRequest request = read_class_request(parsed, language);
  check_targets(request, parsed.value("students"));
  const Report first = run_of(request.exercise, request.students.front().id);
  const Experiment& experiment = *request.exercise.experiment;
  if (request.exercise.requested.empty()) request.exercise.requested = {question_of(first, experiment)};
  check_size(exercise_of(first, experiment.shows, request.exercise.requested), experiment);
  const std::vector<StudentFiles> files = files_for_all(request);
  std::vector<Text> warnings;
  for (const StudentFiles& student : files) {
    for (const Text& warning : student.warnings) add_once(warnings, warning);
  }
  if (all_equal(files)) {
    warnings.push_back(text("{} のこの条件では乱数を使わないので、全員が同じ問題になります",
                            "{} draws no random numbers here: every student gets the same problem",
                            experiment.name));
  }
  write_warnings(warnings, language);
  const std::vector<fs::path> paths = write_all(files, request);
  if (request.printing != Printing::nothing) write_output(lines_of(paths));
  return Ending::done;
}

}  // namespace

Command exercise_command(const Experiment* experiment) {
  Command command;
  command.name = "exercise";
  command.shows = command_words("exercise");
  command.groups = {
      {{"クラス", "Class"},
       {flag("students", "FILE"),
        flag(
            "output", "FOLDER",
            "書き出すフォルダー：id.pdf、id.npz（与える数値）、keys/id.json（解答）、keys.pdf（全員の解答）、exercise.json（grade が読みます）",
            "where to write ID.pdf, ID.npz (its numbers), keys/ID.json (answers), keys.pdf (everyone's) and "
            "exercise.json (for grade)")
            .shortened('o')
            .otherwise("sheets"),
        flag("ask", "ARRAY,..."), flag("decimals", IntegerKind{{1, most_given_decimals}}, "3")}},
      report_group({quiet_flag()}),
      general_group()};
  command.run = run_exercise;
  command.of_word = of_experiment<exercise_command, ExperimentKind::book>;
  command = with_experiment(std::move(command), experiment);
  if (experiment == nullptr) {
    std::vector<Flag>& of_class = command.groups.front().flags;
    of_class.insert(of_class.begin() + 1, flag("level", ChoiceKind{names_of(levels())}, "hand"));
    return command;
  }
  std::vector<Flag>& own = command.groups[1].flags;
  own.erase(std::remove_if(own.begin(), own.end(),
                           [](const Flag& flag) { return flag.parameter && !is_parameter(*flag.parameter); }),
            own.end());
  return command;
}

}  // namespace attnlab
