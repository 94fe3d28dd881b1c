// `attnlab build`: a whole lecture from its documents. The same documents give the same bytes.
#include "attnlab/lecture/block_command.hpp"
#include "attnlab/lecture/written_folder.hpp"
#include "attnlab/output/watch.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/counted.hpp"
#include "core/embedded_file.hpp"
#include "core/similar_words.hpp"
#include "core/utf8.hpp"
#include "io/file_bytes.hpp"
#include "io/tensor_file.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// A lecture that comes along, in the order of its pages; empty where there is none of that name.
std::vector<Lecture> shipped_lecture(const std::string& name) {
  std::vector<Lecture> lectures;
  for (const Language language : {Language::ja, Language::en}) {
    const std::string file = name + "." + code_of(language) + ".md";
    if (const EmbeddedFile* document = find_file(lecture_documents(), file))
      lectures.push_back(parse_lecture(document->text, file));
  }
  return lectures;
}

/// "article", "book", "slides".
std::vector<std::string> shipped_names() {
  std::set<std::string> names;
  for (const EmbeddedFile& document : lecture_documents())
    names.emplace(document.path.substr(0, document.path.find('.')));
  return {names.begin(), names.end()};
}

/// A file comes before a lecture of that name, a folder behind it: it may be what was built from it.
std::vector<Lecture> read_lecture(const std::string& name, std::optional<Language> spoken) {
  std::error_code problem;
  const bool exists = name == "-" || fs::exists(name, problem);
  const bool is_folder = fs::is_directory(name, problem);
  if (!exists || is_folder) {
    std::vector<Lecture> shipped = shipped_lecture(name);
    if (!shipped.empty()) return shipped;
  }
  if (exists) return {parse_lecture(bytes_of(name).view, name, spoken)};
  refuse_failed(
      text("{} というファイルも講義もありません", "there is neither a file nor a lecture {}",
           quotation(name)),
      text("付属の講義は {} です", "the lectures that come along are {}", joined(shipped_names(), ", ")));
}

/// One document in each language; the first one's page is index.html.
std::vector<Lecture> read_lectures(const ParsedCommand& parsed) {
  std::optional<Language> spoken;
  if (parsed.is_set("lang")) spoken = language_named(parsed.value("lang"));
  std::vector<Lecture> lectures;
  for (const std::string& name : parsed.topics) {
    for (Lecture& lecture : read_lecture(name, spoken)) lectures.push_back(std::move(lecture));
  }
  for (std::size_t i = 1; i < lectures.size(); ++i) {
    if (i == 1 && lectures[1].language != lectures[0].language) continue;
    refuse_usage({"講義の文書が同じ言語で 2 つあります", "two documents of the lecture have one language"},
                 {"日本語と英語を 1 つずつ指定してください（lang: ja、lang: en）",
                  "give one in each language (lang: ja, lang: en)"});
  }
  return lectures;
}

/// "book  Attention, from ...", one line each.
std::string lecture_list(Language language) {
  std::string lines;
  for (const std::string& name : shipped_names()) {
    for (const Lecture& lecture : shipped_lecture(name)) {
      if (lecture.language == language) lines += fmt::format("{:<8}  {}\n", name, lecture.title);
    }
  }
  return lines;
}

/// The document of a lecture that comes along, to start one's own from. Throws Error (usage) for another
/// name.
std::string shipped_document(const std::string& name, Language language) {
  if (const EmbeddedFile* document = find_file(lecture_documents(), name + "." + code_of(language) + ".md"))
    return std::string(document->text);
  refuse_usage(
      text("付属の講義 {} はありません", "no lecture {} comes along", quotation(name)),
      suggestion_or(name, shipped_names(),
                    {"一覧は attnlab build --list で見られます", "`attnlab build --list` shows them"}));
}

const std::vector<std::string>& output_names() {  // in the order of LectureOutput
  static const std::vector<std::string> names{"html",   "figures",  "data", "code", "markdown", "pptx",
                                              "beamer", "revealjs", "docx", "epub", "notebook"};
  return names;
}

LectureOutputs read_outputs(const ParsedCommand& parsed) {
  if (!parsed.is_set("to")) return {LectureOutput::html, LectureOutput::figures, LectureOutput::data};
  const std::vector<std::string>& names = output_names();
  LectureOutputs outputs;
  for (const std::string& word : split(joined(parsed.all("to"), ","), ",")) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      refuse_usage(text("--to に {} は使えません", "--to cannot be {}", quotation(word)),
                   suggestion_or(word, names, choose_from(names)));
    }
    outputs.insert(static_cast<LectureOutput>(found - names.begin()));
  }
  return outputs;
}

BuiltFolder build(const std::vector<Lecture>& lectures, const LectureOutputs& outputs) {
  ProgressBar bar;
  return built_folder(lectures, outputs, read_block, [&](double share) { bar.show(share, "build"); });
}

/// What a document may name, whether there is such a file or not: a build that fails does not come to ask.
void add_words_like_files(const Lecture& lecture, std::vector<fs::path>& files) {
  constexpr const char* marks = " \t,='\"`";
  for (const std::string& line : lecture.lines) {
    for (std::size_t at = 0; (at = line.find_first_not_of(marks, at)) != std::string::npos;) {
      const std::size_t end = std::min(line.find_first_of(marks, at), line.size());
      const std::string word = line.substr(at, end - at);
      if (word.find('.') != std::string::npos) files.push_back(lecture.file.parent_path() / file_of(word));
      at = end;
    }
  }
}

/// All figures are drawn and all targets checked before the first file is written.
void build_once(const ParsedCommand& parsed, const LectureOutputs& outputs, Printing printing,
                Language language, Watched& watched) {
  const fs::path folder = parsed.is_set("output") ? parsed.value("output") : "lecture";
  Targets targets;
  targets.add_folder(folder);
  targets.check();
  std::vector<Lecture> lectures = read_lectures(parsed);
  for (const Lecture& lecture : lectures) add_words_like_files(lecture, watched.inputs);
  for (Lecture& lecture : lectures) lecture.theme = theme_of_look(lecture);
  const BuiltFolder built = build(lectures, outputs);
  watched = {built.inputs};
  watched.inputs.insert(watched.inputs.end(), parsed.topics.begin(), parsed.topics.end());
  targets.spare(watched.inputs);
  write_folder(built, folder, targets, language);
  const bool has_page = outputs.count(LectureOutput::html) != 0;
  if (printing != Printing::nothing) {
    const fs::path page = has_page ? folder / "index.html" : folder;
    write_output(text("{} 個のファイルを書きました：{}\n", "{} written: {}\n",
                      counted(built.files.size(), "file"), page.string())
                     .in(language));
  }
  if (has_page) watched.page = folder / "index.html";
  for (const BuiltFile& file : built.files) watched.made.push_back(folder / file.path);
}

Ending run_build(const ParsedCommand& parsed, Language language) {
  if (parsed.is_set("list")) {
    write_output(lecture_list(language));
    return Ending::done;
  }
  if (parsed.is_set("print")) {
    write_output(shipped_document(parsed.value("print"), language));
    return Ending::done;
  }
  if (parsed.topics.empty() || parsed.topics.front().empty()) {
    refuse_usage(
        {"build に講義がありません", "build needs a lecture"},
        {"例：attnlab build book。付属の講義は attnlab build --list で見られます",
         "for example: attnlab build book; `attnlab build --list` shows the lectures that come along"});
  }
  const LectureOutputs outputs = read_outputs(parsed);
  const bool is_text = outputs == LectureOutputs{LectureOutput::markdown} && !parsed.is_set("output");
  const bool is_figure = outputs == LectureOutputs{LectureOutput::figures} && parsed.value("output") == "-";
  if (parsed.topics.front() == "-" && (is_text || is_figure)) {  // as pandoc's filter asks
    const Lecture lecture = read_lectures(parsed).front();
    theme_of_look(lecture);
    write_output(is_text ? resolved_document(lecture, read_block) : first_figure(lecture, read_block));
    return Ending::done;
  }
  if (!parsed.is_set("watch")) {
    Watched ignored;
    build_once(parsed, outputs, read_printing(parsed), language, ignored);
    return Ending::done;
  }
  require_files({parsed.topics.begin(), parsed.topics.end()});
  return watch(
      [&](bool is_first, Watched& watched) {
        build_once(parsed, outputs, is_first ? read_printing(parsed) : Printing::nothing, language, watched);
      },
      language);
}

}  // namespace

Command build_command() {
  return {
      "build",
      {"講義 1 回分を Markdown の文書から作ります：ページ（index.html）、図、データ。--to でスライド（PowerPoint, Beamer, reveal.js）、Word、EPUB、ノートブックも作ります（pandoc が要ります）。付属の講義は名前で選べます（--list）",
       "make a whole lecture from its document in Markdown: page (index.html), figures, data; with --to slides (PowerPoint, Beamer, reveal.js), Word, EPUB and notebook, too, by pandoc; a lecture that comes along goes by its name (--list)"},
      {{{"出力", "Output"},
        {flag("output", "FOLDER", "書き込むフォルダー（なければ作ります）",
              "folder to write into, created if missing")
             .shortened('o')
             .otherwise("lecture"),
         flag("to", "LIST", "作るもの。コンマで並べます：" + joined(output_names(), ", "),
              "what to make, with commas between: " + joined(output_names(), ", "))
             .otherwise("html,figures,data")
             .offering(output_names())
             .repeated(),
         flag("list", "付属の講義の一覧を表示します", "list the lectures that come along"),
         flag("print", "NAME").offering(shipped_names()), flag("watch"), quiet_flag()}},
       general_group()},
      run_build,
      {" 講義.md ...|名前", " LECTURE.md ...|NAME"},
      [](const std::vector<Command>&) {
        return Offer{shipped_names(), Offer::Paths::files};
      }};
}

}  // namespace attnlab
