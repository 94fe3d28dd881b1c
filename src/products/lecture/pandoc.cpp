#include "products/lecture/pandoc.hpp"

#include <random>

#include "core/embedded_file.hpp"
#include "core/formula_document.hpp"
#include "core/utf8.hpp"
#include "io/run_program.hpp"
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
       {"--mathml", "--variable=revealjs-url:reveal.js", "--variable=width:1280", "--variable=height:720"}},
      {LectureOutput::docx, "docx", "lecture", "docx", "png"},
      {LectureOutput::epub, "epub3", "lecture", "epub", "svg", {"--mathml"}},
      {LectureOutput::notebook, "ipynb", "notebook", "ipynb", "png"}};
  return outputs;
}

[[noreturn]] void refuse_without_pandoc() {
  refuse_failed({"--to のスライド、文書、ノートブックには pandoc が要ります",
                 "slides, books and notebooks are made by pandoc, which is not installed"},
                {"apt install pandoc で入ります", "install it: apt install pandoc"});
}

/// What pandoc writes by these words into that file of the folder.
std::string written_by_pandoc(std::vector<std::string> words, const std::string& name,
                              const PassingFolder& folder) {
  // The name before all: some words are carried out as they are read.
  words.insert(words.begin(), {"pandoc", "--output=" + name});
  const std::optional<int> code = run_program(words, folder.path());
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
                    const std::vector<BuiltFile>& pictures, const PassingFolder& folder) {
  const std::string mark = unguessable_word();
  folder.write("lecture.md", lecture_markdown(lecture, sections, "", mark));
  // What a page reads: CommonMark with tables, footnotes, strikes, tasks and attributes, and text alone.
  const std::string read =
      "markdown+east_asian_line_breaks+lists_without_preceding_blankline-blank_before_header"
      "-blank_before_blockquote-yaml_metadata_block-pandoc_title_block-raw_html-raw_tex-raw_attribute"
      "-latex_macros-native_divs-native_spans-markdown_in_html_blocks-smart-subscript-superscript-citations"
      "-inline_notes-bracketed_spans-example_lists-fancy_lists-definition_lists-line_blocks-grid_tables"
      "-multiline_tables-simple_tables-table_captions-implicit_header_references-inline_code_attributes";
  const std::string tree =
      written_by_pandoc({"--sandbox", "--from=" + read, "--to=json", "lecture.md"}, "lecture.json", folder);
  std::set<std::string> own;
  for (const BuiltFile& picture : pictures) own.insert(picture.path.string());
  return checked_tree(tree, lecture, own, mark);
}

/// The letters that pandoc has as &amp; and its kin in XML.
std::string without_entities(std::string text) {
  const std::vector<std::pair<std::string, std::string>> letters{
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (const auto& [entity, letter] : letters) text = replaced(std::move(text), entity, letter);
  return text;
}

/// A <math> element of pandoc's as a page of `attnlab build` has it, from the TeX that it carries: pandoc's
/// brackets all stretch, and without a font for mathematics are three lines high. What read_tex does not know
/// stays.
std::string page_formula(const std::string& element) {
  const std::string mark = "application/x-tex\">";
  const std::size_t begin = element.find(mark);
  if (begin == std::string::npos) return element;
  const std::size_t from = begin + mark.size();
  const std::string tex = without_entities(element.substr(from, element.find('<', from) - from));
  const bool is_displayed = element.rfind("<math display=\"block\"", 0) == 0;
  try {
    return to_mathml(formula::read_tex(tex), is_displayed ? MathPlace::displayed : MathPlace::inline_text);
  } catch (const Error&) {
    return element;
  }
}

std::string with_page_formulas(const std::string& html) {
  const std::string close = "</math>";
  std::string result;
  std::size_t at = 0;
  for (std::size_t begin = html.find("<math "); begin != std::string::npos; begin = html.find("<math ", at)) {
    const std::size_t end = html.find(close, begin) + close.size();
    result += html.substr(at, begin - at) + page_formula(html.substr(begin, end - begin));
    at = end;
  }
  return result + html.substr(at);
}

/// The file of that kind. The folder holds the filter and the pictures, of which some are there by PNG and by
/// SVG.
BuiltFile file_of(const PandocOutput& output, const std::string& tree, const Lecture& lecture,
                  const std::map<std::string, std::string>& vectors, const PassingFolder& folder) {
  folder.write("lecture.json", with_pictures(tree, std::string(".") + output.pictures));
  const std::string name = fmt::format("{}.{}.{}", output.stem, code_of(lecture.language), output.ending);
  std::vector<std::string> words{"--standalone",
                                 "--from=json",
                                 fmt::format("--to={}", output.format),
                                 "--slide-level=2",
                                 "--lua-filter=attnlab.lua",
                                 "--metadata=lecture:true",
                                 "--metadata=title:" + lecture.title,
                                 "--metadata=lang:" + code_of(lecture.language),
                                 "--metadata=identifier:" + lecture.file.stem().string(),
                                 "lecture.json"};
  words.insert(words.end(), output.flags.begin(), output.flags.end());
  const bool is_dark = lecture.theme == Theme::dark;
  if (output.output == LectureOutput::revealjs)
    words.push_back(std::string("--variable=theme:") + (is_dark ? "black" : "white"));
  if (output.output == LectureOutput::beamer && is_dark) words.emplace_back("--metadata=dark:true");
  for (const auto& [key, text] : lecture.texts) words.push_back(fmt::format("--metadata={}:{}", key, text));
  if (output.output == LectureOutput::pptx) {
    const std::string reference = "reference.pptx";
    folder.write(reference, slide_design(written_by_pandoc({"--print-default-data-file=" + reference},
                                                           reference, folder),
                                         lecture.theme));
    words.push_back("--reference-doc=" + reference);
  }
  std::string bytes = written_by_pandoc(words, name, folder);
  if (output.output == LectureOutput::pptx) bytes = with_vectors(with_narrow_code(bytes), vectors);
  if (output.output == LectureOutput::revealjs) bytes = with_page_formulas(bytes);
  const bool is_archive = std::set<std::string>{"pptx", "docx", "epub"}.count(output.ending) != 0;
  return {name, is_archive ? undated_archive(bytes) : bytes};
}

bool is_deck(LectureOutput output) {
  return output == LectureOutput::pptx || output == LectureOutput::beamer ||
         output == LectureOutput::revealjs;
}

bool is_picture(const BuiltFile& file) { return *file.path.begin() == "pictures"; }

}  // namespace

bool has_slides(const LectureOutputs& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), is_deck);
}

bool are_all_slides(const LectureOutputs& outputs) {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](LectureOutput output) { return is_deck(output) || picture_format(output).empty(); });
}

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
  if (!run_program({"pandoc", "--version"}, folder.path())) refuse_without_pandoc();
  refuse_if_interrupted();
}

std::vector<BuiltFile> pandocs_files(const Lecture& lecture, const std::vector<BuiltSection>& sections,
                                     const LectureOutputs& outputs, const std::vector<BuiltFile>& files,
                                     const std::vector<BuiltFile>& pictures) {
  std::vector<BuiltFile> made;
  const PassingFolder folder;
  std::map<std::string, std::string> vectors;  // SVG by PNG
  std::map<fs::path, std::string> drawn;
  for (const EmbeddedFile& file : extra_files()) folder.write(file.path, file.text);
  for (const BuiltFile& file : files) {
    if (!is_picture(file)) continue;
    folder.write(file.path, file.bytes);
    drawn[file.path] = file.bytes;
  }
  for (const auto& [path, bytes] : drawn) {
    const auto vector = drawn.find(fs::path(path).replace_extension(".svg"));
    if (path.extension() == ".png" && vector != drawn.end()) vectors[bytes] = vector->second;
  }
  for (const BuiltFile& picture : pictures) folder.write(picture.path, picture.bytes);
  const std::string tree = tree_of(lecture, sections, pictures, folder);
  for (const PandocOutput& output : pandoc_outputs()) {
    if (outputs.count(output.output) != 0) made.push_back(file_of(output, tree, lecture, vectors, folder));
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
