#include "attnlab/documents/documents.hpp"

#include "attention/blas_library.hpp"
#include "attention/streaming/kernel/kernel.hpp"
#include "attnlab/citation.hpp"
#include "attnlab/output/defaults.hpp"
#include "attnlab/terminal/console.hpp"
#include "claims/claim.hpp"
#include "core/json.hpp"
#include "core/terminal_width.hpp"
#include "core/utf8.hpp"
#include "core/version.hpp"
#include "plotting/colour/palette.hpp"

namespace attnlab {
namespace {

/// What the terms mean for whoever passes the program on.
Text about_program() {
  return {
      "attnlab は、ソースコードも実行ファイルも MIT ライセンスです。使っているライブラリには、それぞれのライセンスがあります。図は自由に使えます。",
      "attnlab is under the MIT licence, its source and the program built from it; the libraries that it uses are under theirs. The pictures that it draws are free."};
}

std::string paragraph(const std::string& text, std::size_t indent) {
  constexpr std::size_t page_columns = 100;
  std::string lines;
  for (const std::string& line : wrapped(text, page_columns - indent)) {
    lines += std::string(indent, ' ') + line + "\n";
  }
  return lines;
}

std::string credit_list(const std::vector<Credit>& credits, Language language) {
  std::string text;
  for (const Credit& credit : credits) {
    const std::string terms = credit.author.in(language) + "; " + credit.licence.in(language);
    text += paragraph(credit.name, 2) + paragraph(terms, 6);
  }
  return text;
}

std::string library_list() {
  std::size_t columns = 0;
  for (const LibraryCredit& library : library_credits()) columns = std::max(columns, library.name.size());
  std::string lines;
  for (const LibraryCredit& library : library_credits()) {
    lines += fmt::format("  {:<{}}  {}\n", library.name, columns, library.licence);
  }
  return lines;
}

Text attention_kernel() {
  return text("ストリーミングアテンション：attnlab 自身のカーネル {}（環境変数 ATTNLAB_SIMD で変えられます）",
              "streaming attention: attnlab's own kernel, {} (ATTNLAB_SIMD overrules it)",
              name_of(simd_target()));
}

/// "OpenBLAS 0.3.21, Haswell kernels", and what to do where the processor can run faster ones.
std::string blas_paragraph(Language language) {
  const BlasLibrary blas = blas_library();
  const std::string kernels = language == Language::ja ? "カーネル " + blas.core : blas.core + " kernels";
  const std::optional<Text> hint = faster_kernels(blas);
  return paragraph(fmt::format("{} {}, {}", blas.name, blas.version, kernels), 2) +
         (hint ? paragraph(hint->in(language), 2) : "") + paragraph(attention_kernel().in(language), 2);
}

Json blas_json() {
  const BlasLibrary blas = blas_library();
  const std::optional<Text> hint = faster_kernels(blas);
  return {{"name", blas.name},
          {"version", blas.version},
          {"core", blas.core},
          {"configuration", blas.configuration},
          {"hint", hint ? Json(*hint) : Json()}};
}

std::string citation() {
  return fmt::format("{} ({}). {} (version {}) [Computer software].", cited::authors, cited::year,
                     cited::title, version);
}

std::string bibtex() {
  return fmt::format(
      "@software{{attnlab,\n  author = {{{{{}}}}},\n  title = {{{}}},\n  version = {{{}}},\n  year = {{{}}}\n}}\n",
      cited::authors, cited::title, version, cited::year);
}

/// What the terms mean for whoever shows the pictures.
Text about_pictures() {
  return {
      "図は自由に配布できます。OFL の書体は、文書に埋め込んでもその文書のライセンスに影響しません。ColorBrewer の色を含む製品には、次の一文が求められています（暗い背景用の色と signed-greys は attnlab が変えたものです）。",
      "Pictures may be passed on freely: a font under the OFL leaves the licence of a document that embeds it alone. For products with ColorBrewer's colours its licence asks for the sentence below (attnlab has changed the colours for dark paper and made signed-greys)."};
}

Json json_of(const std::vector<Credit>& credits) {
  Json list = Json::array();
  for (const Credit& credit : credits) {
    list.push_back({{"name", credit.name}, {"author", credit.author}, {"licence", credit.licence}});
  }
  return list;
}

/// Which files of defaults hold here, or what they are.
std::string about_defaults(Language language) {
  const Defaults defaults = read_defaults();
  std::string text = Text{"\n既定値（attnlab.toml）\n", "\nDefaults (attnlab.toml)\n"}.in(language);
  for (const std::filesystem::path& file : defaults.files) text += "  " + printable(file.string()) + "\n";
  for (const auto& [name, value] : defaults.values)
    text += fmt::format("    {} = {}\n", name, printable(value));
  if (!defaults.files.empty()) return text;
  return text + paragraph(Text{"ありません。このフォルダーかその上、または ~/.config/attnlab に置けます。",
                               "None; it may lie in this folder, above it, or in ~/.config/attnlab."}
                              .in(language),
                          2);
}

}  // namespace

Command about_command() {
  return {
      "about",
      command_words("about"),
      {report_group({json_flag()}), general_group()},
      [](const ParsedCommand& parsed, Language language) {
        write_output(parsed.is_set("json") ? about_json() : about_text(language) + about_defaults(language));
        return Ending::done;
      }};
}

std::string about_text(Language language) {
  const bool ja = language == Language::ja;
  std::string text = fmt::format(
      "{}\n{} {}, {}. {}\n", cited::title, ja ? "バージョン" : "version", version,
      ja ? fmt::format("{} ライセンス", cited::licence) : fmt::format("{} License", cited::licence),
      cited::copyright);
  const auto section = [&](const Text& heading, const std::string& body) {
    text += "\n" + heading.in(language) + "\n" + body;
  };
  section({"図に入る書体", "Fonts in the pictures"}, credit_list(font_credits(), language));
  section({"図に入る配色（--palette）", "Colours in the pictures (--palette)"},
          credit_list(palette_credits(), language) + "\n" + paragraph(about_pictures().in(language), 2) +
              paragraph(colour_brewer_notice, 2));
  section({"プログラムに入っているライブラリー", "Libraries in the program"},
          library_list() + "\n" + paragraph(about_program().in(language), 2));
  section({"行列積のライブラリーとカーネル", "The library that multiplies matrices, and its kernels"},
          blas_paragraph(language));
  std::string documents;
  for (const Document document : every_document) documents += "  " + title_of(document).in(language) + "\n";
  section({"実験のもとになった文書", "Documents that the experiments reproduce"}, documents);
  section({"引用のしかた", "How to cite"}, paragraph(citation(), 2) + "\n" + bibtex());
  return text;
}

std::string about_json() {
  Json libraries = Json::array();
  for (const LibraryCredit& library : library_credits()) {
    libraries.push_back({{"name", library.name}, {"licence", library.licence}});
  }
  Json documents = Json::array();
  for (const Document document : every_document) {
    documents.push_back({{"letter", letter_of(document)}, {"title", title_of(document)}});
  }
  return json_line({{"schema", 1},
                    {"name", "attnlab"},
                    {"version", version},
                    {"commit", *cited::commit != 0 ? Json(cited::commit) : Json()},
                    {"licence", cited::licence},
                    {"copyright", cited::copyright},
                    {"fonts", json_of(font_credits())},
                    {"palettes", json_of(palette_credits())},
                    {"notices", {colour_brewer_notice}},
                    {"libraries", libraries},
                    {"blas", blas_json()},
                    {"simd", name_of(simd_target())},
                    {"documents", documents},
                    {"citation", {{"text", citation()}, {"bibtex", bibtex()}}}});
}

}  // namespace attnlab
