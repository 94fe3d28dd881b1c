// `attnlab build`: a whole lecture from its manifest. The same manifest gives the same bytes.
#include "attnlab/lecture/lecture_building.hpp"
#include "attnlab/output/targets.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/counted.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/file_bytes.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

Lecture read_lecture(const std::string& file) {
  return parse_lecture(bytes_of(file).view, file);
}

/// A file comes before a lecture of that name, a folder behind it: it may be what was built from it.
Lecture load_lecture(const std::string& name) {
  std::error_code problem;
  const bool exists = fs::exists(name, problem);
  if (exists && !fs::is_directory(name, problem)) return read_lecture(name);
  const ShippedLecture* shipped = find_named(shipped_lectures(), name);
  if (shipped != nullptr) return parse_lecture(shipped->toml, name);
  if (exists) return read_lecture(name);
  refuse_failed(text("{} というファイルも講義もありません", "there is neither a file nor a lecture {}",
                     quotation(name)),
                text("付属の講義は {} です", "the lectures that come along are {}",
                     joined(names_of(shipped_lectures()), ", ")));
}

void write_files(const std::vector<BuiltFile>& files, const fs::path& folder) {
  for (const BuiltFile& file : files) {
    const fs::path target = folder / file.path;
    create_folder(target.parent_path());
    write_file(target, file.bytes);
  }
}

/// "book  Attention, from ...", one line each.
std::string lecture_list(Language language) {
  std::string lines;
  for (const ShippedLecture& shipped : shipped_lectures()) {
    const Lecture lecture = parse_lecture(shipped.toml, shipped.name);
    lines += fmt::format("{:<8}  {}\n", shipped.name, lecture.title.in(language));
  }
  return lines;
}

/// The manifest of a lecture that comes along, to start one's own from. Throws Error (usage) for another
/// name.
std::string shipped_manifest(const std::string& name) {
  if (const ShippedLecture* shipped = find_named(shipped_lectures(), name)) return shipped->toml;
  refuse_usage(
      text("付属の講義 {} はありません", "no lecture {} comes along", quotation(name)),
      suggestion_or(name, names_of(shipped_lectures()),
                    {"一覧は attnlab build --list で見られます", "`attnlab build --list` shows them"}));
}

/// All figures are drawn and all targets checked before the first file is written.
Ending run_build(const ParsedCommand& parsed, Language language) {
  if (parsed.given("list")) {
    write_output(lecture_list(language));
    return Ending::done;
  }
  if (parsed.given("print")) {
    write_output(shipped_manifest(parsed.value("print")));
    return Ending::done;
  }
  const std::string manifest = only_topic(
      parsed, {"build に目録がありません", "build needs a lecture"},
      {"例：attnlab build book。付属の講義は attnlab build --list で見られます",
       "for example: attnlab build book; `attnlab build --list` shows the lectures that come along"});
  const fs::path folder = parsed.given("output") ? parsed.value("output") : "lecture";
  const Printing printing = read_printing(parsed);
  Targets targets;
  targets.add_folder(folder);
  targets.check();
  const Lecture lecture = load_lecture(manifest);
  const auto [files, warnings, inputs] = built_folder(lecture, manifest);
  targets.spare(inputs);
  targets.spare({manifest});
  for (const BuiltFile& file : files) {
    const fs::path target = folder / file.path;
    targets.add_below(target.parent_path(), target);
  }
  targets.check();
  write_warnings(warnings, language);
  write_files(files, folder);
  if (printing == Printing::nothing) return Ending::done;
  const fs::path page = writes(lecture, LectureOutput::html) ? folder / "index.html" : folder;
  write_output(text("{} 個のファイルを書きました：{}\n", "{} written: {}\n", counted(files.size(), "file"),
                    page.string())
                   .in(language));
  return Ending::done;
}

}  // namespace

Command build_command() {
  return {
      "build",
      {"講義 1 回分を目録（TOML）から作ります：図、説明文、index.html、PowerPoint のスライド、ノートブック、Beamer と Markdown の断片、データ、SHA256SUMS。付属の目録は名前で選べます（--list）",
       "make a whole lecture from its manifest in TOML: figures, captions, index.html, PowerPoint slides, "
       "notebook, Beamer and Markdown snippets, data, SHA256SUMS; a manifest that comes along goes by its "
       "name (--list)"},
      {{{"出力", "Output"},
        {flag("output", "FOLDER", "書き込むフォルダー（なければ作ります）",
              "folder to write into, created if missing")
             .shortened('o')
             .otherwise("lecture"),
         flag("list", "付属の講義の一覧を表示します", "list the lectures that come along"),
         flag("print", "NAME").offering(names_of(shipped_lectures())), quiet_flag()}},
       general_group()},
      run_build,
      {" 目録.toml|名前", " LECTURE.toml|NAME"},
      [](const std::vector<Command>&) {
        return Offer{names_of(shipped_lectures()), Offer::Paths::files};
      }};
}

}  // namespace attnlab
