#include "attnlab/output/figure_flags.hpp"

#include <unistd.h>

#include "core/utf8.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

bool names_figures(const ParsedCommand& parsed) { return !typed_files(parsed).figures.empty(); }

}  // namespace

TypedFiles typed_files(const ParsedCommand& parsed) {
  TypedFiles typed;
  const std::map<std::string, std::vector<fs::path>*> kinds{{".html", &typed.pages},
                                                            {".md", &typed.explanations},
                                                            {".tex", &typed.explanations},
                                                            {".py", &typed.programs}};
  for (const fs::path& file : parsed.files("output")) {
    const auto kind = kinds.find(lower_case(file.extension().string()));
    (kind == kinds.end() ? typed.figures : *kind->second).push_back(file);
  }
  return typed;
}

bool names_standard_output(const ParsedCommand& parsed) {
  const std::vector<fs::path> files = parsed.files("output");
  return std::any_of(files.begin(), files.end(), is_standard_output);
}

void check_standard_output(const OutputOptions& options) {
  if (!writes_standard_output(options)) return;
  const Format format = format_of("-", options);
  if (format == Format::svg || ::isatty(STDOUT_FILENO) == 0) return;
  refuse_usage(
      attnlab::text("{} は端末には書けません", "a {} cannot go to a terminal",
                    extension_of(format).substr(1)),
      attnlab::text(
          "ファイル（-o figure.{0}）かパイプ（-o - --format {0} | ...）に書くか、--show で表示してください",
          "write a file (-o figure.{0}), pipe it (-o - --format {0} | ...), or look at it with --show",
          extension_of(format).substr(1)));
}

Text alone_on_standard_output() {
  return {"標準出力には図だけを書きます。どちらか一方をファイルにしてください",
          "standard output takes the figure alone: send one of them to a file"};
}

Flag figure_output(Flag output) {
  return output.shortened('o')
      .excluding({"output-dir"},
                 {"-o のファイル名にフォルダーを書いてください", "write the folder into the name after -o"},
                 names_figures)
      .excluding(
          {"format"},
          {"-o の形式は拡張子で決まります。-o は何度でも書けます",
           "the extension after -o chooses the format, and -o may be repeated"},
          [](const ParsedCommand& parsed) { return names_figures(parsed) && !names_standard_output(parsed); })
      .excluding({"json", "verbose", "explain", "check", "show", "watch"}, alone_on_standard_output(),
                 names_standard_output);
}

std::vector<Flag> folder_flags() {
  return {flag("output-dir", "FOLDER").otherwise("figures"), flag("format", "png,svg,pdf").otherwise("png")};
}

OutputOptions read_output(const ParsedCommand& parsed, const std::vector<fs::path>& files) {
  OutputOptions output;
  output.files = files;
  if (parsed.is_set("output-dir")) output.folder = parsed.value("output-dir");
  if (parsed.is_set("format")) output.formats = parse_formats(parsed.value("format"));
  output.figure = parsed.value("figure");
  output.drawing = parsed.is_set("no-figure") ? Drawing::nothing : Drawing::figures;
  if (writes_standard_output(output) && output.formats.size() > 1) {
    refuse_usage({"標準出力（-o -）に入る形式は 1 つです", "standard output (-o -) holds one format"},
                 {"--format に 1 つだけ書いてください", "name one after --format"});
  }
  for (const fs::path& file : files) format_of(file, output);
  return output;
}

void check_format_flags(const ParsedCommand& parsed, const OutputOptions& output) {
  if (!parsed.is_set("svg-text") || writes(output, Format::svg)) return;
  refuse_usage({"--svg-text は svg の図に使います", "--svg-text needs a figure in svg"},
               {"--format svg を付けるか、-o figure.svg のように書いてください",
                "add --format svg, or write -o figure.svg"});
}

}  // namespace attnlab
