// `attnlab grade`: every handed-in file against its student's own numbers.
#include "attnlab/exercise/class_flags.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/counted.hpp"
#include "core/utf8.hpp"
#include "exercise/class_exercise.hpp"
#include "exercise/class_figure.hpp"
#include "io/atomic_file.hpp"
#include "io/file_bytes.hpp"
#include "io/tensor_file.hpp"
#include "products/render.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_submission = std::uintmax_t{64} << 20U;  // bytes

struct GradeRequest {
  fs::path submissions;
  StudentList list;
  ClassExercise exercise;
  std::vector<fs::path> tables;  // none, and no picture: standard output
  std::vector<fs::path> pictures;
  Look look;
  Language language = Language::en;
  Printing printing = Printing::report;
};

/// What lies in the folder, by student; why nothing can be graded of a student who handed something in; and
/// what else is passed over, with the reason.
struct Submissions {
  std::map<std::string, std::vector<fs::path>> by_id;
  std::map<std::string, Text> refused;
  std::vector<Text> passed_over;
};

Text passed_over(const fs::path& file, const Text& why) {
  return text("{} は採点しません：{}", "{} is not graded: {}", quotation(file.string()), why);
}

/// Why the entry cannot be anybody's; nothing where it may be graded.
std::optional<Text> objection_to(const fs::directory_entry& entry, const std::set<std::string>& ids) {
  std::error_code problem;
  if (entry.is_symlink(problem)) return Text{"シンボリックリンクです", "it is a symbolic link"};
  if (entry.is_directory(problem)) return Text{"フォルダーです", "it is a folder"};
  if (!entry.is_regular_file(problem)) return Text{"ふつうのファイルではありません", "it is no regular file"};
  if (ids.count(entry.path().stem().string()) == 0) {
    return Text{"名簿にこの名前の id がありません", "no student on the list has this id"};
  }
  if (!format_of_name(entry.path().string())) {
    return text("拡張子が {} のどれでもありません", "its extension is none of {}", readable_extensions);
  }
  if (entry.file_size(problem) > largest_submission || problem) {
    return Text{"64 MiB を超えます", "it has more than 64 MiB"};
  }
  return std::nullopt;
}

Submissions submissions_in(const fs::path& folder, const StudentList& list) {
  std::error_code problem;
  fs::directory_iterator entries(folder, problem);
  if (problem) {
    refuse_failed(
        text("フォルダー {} を読めません（{}）", "cannot read the folder {}: {}", quotation(folder.string()),
             system_reason(problem.value())),
        {"提出されたファイルのあるフォルダーを指定してください", "name the folder with what was handed in"});
  }
  std::vector<fs::directory_entry> sorted(fs::begin(entries), fs::end(entries));
  std::sort(sorted.begin(), sorted.end());
  std::set<std::string> ids;
  for (const Student& student : list.students) ids.insert(student.id);
  Submissions found;
  for (const fs::directory_entry& entry : sorted) {
    if (!objection_to(entry, ids)) found.by_id[entry.path().stem().string()].push_back(entry.path());
  }
  for (const fs::directory_entry& entry : sorted) {
    const std::optional<Text> why = objection_to(entry, ids);
    if (!why) continue;
    const std::string id = entry.path().stem().string();
    const Text reported = passed_over(entry.path(), *why);
    const bool decides = ids.count(id) > 0 && found.by_id.count(id) == 0;
    if (!decides || !found.refused.emplace(id, reported).second) found.passed_over.push_back(reported);
  }
  return found;
}

Mark unreadable(const Student& student, const Text& why) { return {student, Handing::unreadable, 0.0, why}; }

Mark mark_of(const Student& student, const Submissions& submissions, const std::vector<AnswerKey>& everyone,
             const GradeRequest& request) {
  if (const auto why = submissions.refused.find(student.id); why != submissions.refused.end()) {
    return unreadable(student, why->second);
  }
  const auto found = submissions.by_id.find(student.id);
  if (found == submissions.by_id.end()) return {student};
  const std::vector<fs::path>& files = found->second;
  if (files.size() > 1) {
    return unreadable(student, text("ファイルが {} 個あります。1 つだけにしてください",
                                    "there are {} files; one is needed", files.size()));
  }
  std::vector<NamedArray> provided;
  std::map<std::string, Text> foreign;
  try {
    // Not by open_tensors: to it a colon in the path would name a tensor.
    const std::string file = files.front().string();
    const TensorFile handed_in = tensors_in(bytes_of(file), *format_of_name(file), file);
    provided = named_arrays(handed_in);
    for (const StoredTensor& other : handed_in.foreign) foreign.emplace(other.name, *other.foreign);
  } catch (const Error& error) {
    return unreadable(student, error.message());
  }
  return graded(student, run_of(request.exercise, student.id), request.exercise.requested, provided, everyone,
                foreign);
}

AnswerKey key_for(const Student& student, const ClassExercise& exercise) {
  const Report report = run_of(exercise, student.id);
  AnswerKey key{student.id, {}};
  for (const std::string& name : exercise.requested) key.answers.push_back(stage(report, name));
  return key;
}

std::vector<Mark> mark_all(const Submissions& submissions, const GradeRequest& request) {
  const std::vector<Student>& students = request.list.students;
  std::vector<Mark> marks(students.size());
  ProgressBar progress;
  const ForEach for_each = on_all_processors([&](double share) { progress.show(share, "grade"); });
  std::vector<AnswerKey> everyone(students.size());
  for_each(marks.size(), [&](std::size_t i) { everyone[i] = key_for(students[i], request.exercise); });
  for_each(marks.size(),
           [&](std::size_t i) { marks[i] = mark_of(students[i], submissions, everyone, request); });
  return marks;
}

/// "30 students: 27 right, 0 partly, 2 wrong, 1 missing, 0 unreadable".
std::string summary(const std::vector<Mark>& marks, Language language) {
  const auto count = [&](Handing status) {
    return std::count_if(marks.begin(), marks.end(), [&](const Mark& mark) { return mark.status == status; });
  };
  return text("{} 人：正しい {}、一部正しい {}、間違い {}、未提出 {}、読めない {}\n",
              "{}: {} right, {} partly, {} wrong, {} missing, {} unreadable\n",
              counted(marks.size(), "student"), count(Handing::right), count(Handing::partly),
              count(Handing::wrong), count(Handing::missing), count(Handing::unreadable))
      .in(language);
}

bool is_picture(const fs::path& file) {
  static const std::set<std::string> endings{".png", ".svg", ".pdf"};
  return endings.count(lower_case(file.extension().string())) > 0;
}

/// Laid out before anything is written.
Rendering drawn_class(const std::vector<Mark>& marks, const GradeRequest& request) {
  if (request.pictures.empty()) return {};
  const std::string command = "attnlab grade";
  RenderedPage drawn =
      render_page(class_figure(marks, request.exercise.experiment->shows), command, request.look);
  const auto page = std::make_shared<Page>(std::move(drawn.page));
  Rendering rendering{{}, std::move(drawn.warnings)};
  for (const fs::path& file : request.pictures)
    rendering.files.push_back({file, format_of(file), {page}, command});
  return rendering;
}

GradeRequest read_grade_request(const ParsedCommand& parsed, Language language) {
  GradeRequest request;
  request.submissions =
      only_topic(parsed, {"grade にフォルダーがありません", "grade needs a folder"},
                 {"例：attnlab grade submissions --students list.csv -o marks.csv",
                  "for example: attnlab grade submissions --students list.csv -o marks.csv"});
  request.list = read_students(parsed);
  const fs::path sheets = parsed.is_set("sheets") ? parsed.value("sheets") : "sheets";
  request.exercise = read_record(sheets / class_record);
  for (const fs::path& file : parsed.files("output"))
    (is_picture(file) ? request.pictures : request.tables).push_back(file);
  request.look.language = language;
  request.language = language;
  request.printing = read_printing(parsed);
  return request;
}

void check_marks(const GradeRequest& request, const Submissions& submissions, const fs::path& list) {
  Targets targets;
  targets.add(request.tables);
  targets.add(request.pictures);
  targets.spare({list});
  for (const auto& [id, files] : submissions.by_id) targets.spare(files);
  targets.check();
}

Ending run_grade(const ParsedCommand& parsed, Language language) {
  const GradeRequest request = read_grade_request(parsed, language);
  const Submissions submissions = submissions_in(request.submissions, request.list);
  check_marks(request, submissions, parsed.value("students"));
  const std::vector<Mark> marks = mark_all(submissions, request);
  const std::string csv = marks_csv(marks, language, request.list.has_mark);
  write_warnings(submissions.passed_over, language);
  std::size_t unreadable_files = 0;
  for (const Mark& mark : marks) {
    if (mark.status != Handing::unreadable) continue;
    ++unreadable_files;
    write_warnings({text("{}：{}", "{}: {}", mark.student.id, mark.diagnosis)}, language);
  }
  const Rendering pictures = drawn_class(marks, request);
  write_warnings(pictures.warnings, language);
  for (const fs::path& file : request.tables) write_file(file, csv);
  std::vector<fs::path> written = request.tables;
  for (const RenderedFile& file : pictures.files) {
    write_target(file.path, paint(file, request.look));
    written.push_back(file.path);
  }
  if (request.printing != Printing::nothing) {
    write_output(written.empty() ? csv : summary(marks, language) + "\n" + lines_of(written));
  }
  return submissions.passed_over.empty() && unreadable_files == 0 ? Ending::done : Ending::disagreement;
}

}  // namespace

Command grade_command() {
  return {
      "grade",
      command_words("grade"),
      {{{"クラス", "Class"},
        {flag("students", "FILE"), flag("sheets", "FOLDER").otherwise("sheets"),
         flag(
             "output", "FILE",
             "結果の CSV：id,name,status,mark,diagnosis（なければ標準出力に書きます）。class.png（svg, pdf）なら、どの間違いが何人かの図",
             "the marks as a CSV: id,name,status,mark,diagnosis (without it: on standard output); class.png (svg, pdf): which mistake was made how often")
             .shortened('o')
             .repeated()}},
       report_group({quiet_flag()}),
       general_group()},
      run_grade,
      {" フォルダー", " FOLDER"},
      [](const std::vector<Command>&) {
        return Offer{{}, Offer::Paths::folders};
      }};
}

}  // namespace attnlab
