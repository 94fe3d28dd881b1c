#include "products/lecture/pandoc.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "core/embedded_file.hpp"
#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/file_bytes.hpp"
#include "io/interruption.hpp"
#include "io/zip_archive.hpp"
#include "products/lecture/pandoc_tree.hpp"
#include "products/lecture/slide_design.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

struct PandocOutput {
  LectureOutput output;
  const char* format;  // as pandoc calls it
  const char* stem;    // of the file: slides.en.pptx
  const char* ending;
  const char* pictures;
  std::vector<std::string> flags = {};
};

const std::vector<PandocOutput>& pandoc_outputs() {
  static const std::vector<PandocOutput> outputs{
      {LectureOutput::pptx, "pptx", "slides", "pptx", "png"},
      {LectureOutput::beamer, "beamer", "slides", "tex", "pdf", {"--variable=aspectratio:169"}},
      {LectureOutput::revealjs,
       "revealjs",
       "slides",
       "html",
       "svg",
       {"--mathml", "--variable=revealjs-url:reveal.js"}},
      {LectureOutput::docx, "docx", "lecture", "docx", "png"},
      {LectureOutput::epub, "epub3", "lecture", "epub", "svg", {"--mathml"}},
      {LectureOutput::notebook, "ipynb", "notebook", "ipynb", "png"}};
  return outputs;
}

/// A folder of our own, which goes with all that is in it: while it stands, signals ask.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (fs::temp_directory_path() / "attnlab-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      refuse_failed(system_reason(errno), {"TMPDIR を確かめてください", "look at TMPDIR"});
    path_ = name;
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder(PassingFolder&&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  PassingFolder& operator=(PassingFolder&&) = delete;
  ~PassingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  void write(const fs::path& file, std::string_view bytes) const {
    fs::create_directories((path_ / file).parent_path());
    write_file(path_ / file, bytes);
  }
  std::string read(const fs::path& file) const { return std::string(bytes_of((path_ / file).string()).view); }
  const fs::path& path() const { return path_; }

 private:
  InterruptionAsks asks_{{SIGINT, SIGTERM, SIGHUP}, AgainSignalled::asks};
  fs::path path_;
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// This one, and a date that does not change.
std::vector<std::string> environment_of_pandoc() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  if (std::getenv("SOURCE_DATE_EPOCH") == nullptr) variables.emplace_back("SOURCE_DATE_EPOCH=315532800");
  return variables;
}

/// Of a child and what it has started, which end when they are told to, or a second later.
int status_of(pid_t id) {
  constexpr std::chrono::milliseconds between_looks{5};
  constexpr int looks_before_killing = 200;
  int status = 0;
  for (int looks = 0;; ++looks) {
    const pid_t ended = ::waitpid(id, &status, WNOHANG);
    if (ended == id || (ended < 0 && errno != EINTR)) return status;
    if (!InterruptionAsks::asked()) looks = 0;
    if (looks == 1) ::kill(-id, SIGTERM);
    if (looks == looks_before_killing) ::kill(-id, SIGKILL);
    std::this_thread::sleep_for(between_looks);
  }
}

/// In the folder; what it says goes into the file "said" there. Its exit code, or none where there is no
/// pandoc.
std::optional<int> run_pandoc(std::vector<std::string> words, const fs::path& folder) {
  words.insert(words.begin(), "pandoc");
  std::vector<std::string> variables = environment_of_pandoc();
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addchdir_np(&streams, folder.c_str());
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&streams, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t group;  // of its own, which ends with it
  posix_spawnattr_init(&group);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  pid_t id = 0;
  const int problem = posix_spawnp(&id, words.front().c_str(), &streams, &group, pointers_to(words).data(),
                                   pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&streams);
  posix_spawnattr_destroy(&group);
  if (problem != 0) return std::nullopt;
  const int status = status_of(id);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

[[noreturn]] void refuse_without_pandoc() {
  refuse_failed({"--to のスライド、文書、ノートブックには pandoc が要ります",
                 "slides, books and notebooks are made by pandoc, which is not installed"},
                {"apt install pandoc で入ります", "install it: apt install pandoc"});
}

void refuse_if_interrupted() {
  if (!InterruptionAsks::asked()) return;
  refuse_failed({"中断しました", "interrupted"}, {"何も書いていません", "nothing was written"});
}

/// What pandoc writes by these words into that file of the folder.
std::string written_by_pandoc(std::vector<std::string> words, const std::string& name,
                              const PassingFolder& folder) {
  words.insert(words.begin(), "--output=" + name);  // before all: some words are carried out as they are read
  const std::optional<int> code = run_pandoc(words, folder.path());
  if (!code) refuse_without_pandoc();
  refuse_if_interrupted();
  if (*code != 0) {
    refuse_failed(text("pandoc が {} を作れませんでした", "pandoc could not make {}", name),
                  Text::same(quotation(folder.read("said"))));
  }
  return folder.read(name);
}

/// Nobody who wrote a document knows it.
std::string unguessable_word() {
  std::random_device source;
  std::string word = "m";
  for (int i = 0; i < 4; ++i) word += fmt::format("{:08x}", source());
  return word;
}

/// The lecture's document in pandoc's own form, whose pictures have no extension.
std::string tree_of(const Lecture& lecture, const std::vector<BuiltSection>& sections,
                    const PassingFolder& folder) {
  const std::string mark = unguessable_word();
  folder.write("lecture.md", lecture_markdown(lecture, sections, "", mark));
  const std::string text_alone =
      "markdown-yaml_metadata_block-pandoc_title_block-raw_html-raw_tex-raw_attribute-latex_macros"
      "-native_divs-native_spans-markdown_in_html_blocks";
  const std::string tree = written_by_pandoc({"--sandbox", "--from=" + text_alone, "--to=json", "lecture.md"},
                                             "lecture.json", folder);
  return checked_tree(tree, lecture, mark);
}

/// The file of that kind. The folder holds the filter and the pictures.
BuiltFile file_of(const PandocOutput& output, const std::string& tree, const Lecture& lecture,
                  const PassingFolder& folder) {
  folder.write("lecture.json", with_pictures(tree, std::string(".") + output.pictures));
  const std::string name = fmt::format("{}.{}.{}", output.stem, code_of(lecture.language), output.ending);
  std::vector<std::string> words{"--standalone",
                                 "--from=json",
                                 fmt::format("--to={}", output.format),
                                 "--slide-level=2",
                                 "--lua-filter=attnlab.lua",
                                 "--metadata=title:" + lecture.title,
                                 "--metadata=lang:" + code_of(lecture.language),
                                 "--metadata=identifier:" + lecture.file.stem().string(),
                                 "lecture.json"};
  words.insert(words.end(), output.flags.begin(), output.flags.end());
  for (const auto& [key, text] : lecture.texts) words.push_back(fmt::format("--metadata={}:{}", key, text));
  if (output.output == LectureOutput::pptx) {
    const std::string reference = "reference.pptx";
    folder.write(reference, slide_design(written_by_pandoc({"--print-default-data-file=" + reference},
                                                           reference, folder)));
    words.push_back("--reference-doc=" + reference);
  }
  const std::string bytes = written_by_pandoc(words, name, folder);
  const bool is_archive = std::set<std::string>{"pptx", "docx", "epub"}.count(output.ending) != 0;
  return {name, is_archive ? undated_archive(bytes) : bytes};
}

bool is_picture(const BuiltFile& file) { return *file.path.begin() == "pictures"; }

}  // namespace

std::string picture_format(LectureOutput output) {
  if (output == LectureOutput::markdown) return "svg";
  for (const PandocOutput& one : pandoc_outputs()) {
    if (one.output == output) return one.pictures;
  }
  return "";
}

bool makes_pandocs(const LectureOutputs& outputs) {
  const std::vector<PandocOutput>& known = pandoc_outputs();
  return std::any_of(known.begin(), known.end(),
                     [&](const PandocOutput& one) { return outputs.count(one.output) != 0; });
}

void require_pandoc() {
  const PassingFolder folder;
  if (!run_pandoc({"--version"}, folder.path())) refuse_without_pandoc();
  refuse_if_interrupted();
}

std::vector<BuiltFile> pandocs_files(const Lecture& lecture, const std::vector<BuiltSection>& sections,
                                     const LectureOutputs& outputs, const std::vector<BuiltFile>& files) {
  std::vector<BuiltFile> made;
  const PassingFolder folder;
  for (const EmbeddedFile& file : extra_files()) folder.write(file.path, file.text);
  for (const BuiltFile& file : files) {
    if (is_picture(file)) folder.write(file.path, file.bytes);
  }
  const std::string tree = tree_of(lecture, sections, folder);
  for (const PandocOutput& output : pandoc_outputs()) {
    if (outputs.count(output.output) != 0) made.push_back(file_of(output, tree, lecture, folder));
  }
  if (outputs.count(LectureOutput::notebook) != 0) made.push_back({"attnlab.py", folder.read("attnlab.py")});
  return made;
}

bool is_left_beside(const BuiltFile& file, const LectureOutputs& outputs) {
  const auto has = [&](LectureOutput output) { return outputs.count(output) != 0; };
  const fs::path extension = file.path.extension();
  return !is_picture(file) || (extension == ".pdf" && has(LectureOutput::beamer)) ||
         (extension == ".svg" && (has(LectureOutput::markdown) || has(LectureOutput::revealjs)));
}

}  // namespace attnlab
