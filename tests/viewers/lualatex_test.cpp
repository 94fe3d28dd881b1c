// Every TikZ figure as TeX reads it: no error, nothing overfull, no character without a glyph.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/shell.hpp"
#include "programs.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// Typesets a file of the workplace. What TeX complained about is in `complaints` of its log.
void check_typesets(const Workplace& place, const std::string& name) {
  CAPTURE(name);
  CHECK(run_program(fmt::format("lualatex -interaction=nonstopmode -halt-on-error -output-directory={} {}",
                                shell_path(place.path("")), shell_path(place.path(name + ".tex")))) == 0);
  const std::string log = place.read(name + ".log");
  for (const char* complaint :
       {"Overfull", "Underfull", "Missing character", "LaTeX Warning", "LaTeX Font Warning"})
    CHECK_MESSAGE(!contains(log, complaint), log.substr(std::min(log.find(complaint), log.size()), 200));
}

/// Every figure as a picture read into one document.
void check_every_figure(const std::string& language) {
  if (!is_installed("lualatex")) return;
  const Workplace place;
  REQUIRE(place.run({"all", "--format", "tex", "--tex-body", "--lang", language, "--quiet"}).exit_code == 0);
  std::string document =
      "\\documentclass[border=0pt,tikz]{standalone}\n\\usepackage{luatexja}\n\\usepackage{pdfrender}\n"
      "\\usepackage{lmodern}\n\\begin{document}\n";
  for (const fs::path& picture : files_with(place.path("figures"), ".tex")) {
    document += "\\input{" + picture.string() + "}\n";
  }
  place.write("every.tex", document + "\\end{document}\n");
  check_typesets(place, "every");
}

}  // namespace

TEST_CASE("lualatex typesets every English figure") { check_every_figure("en"); }

TEST_CASE("lualatex typesets every Japanese figure") { check_every_figure("ja"); }

TEST_CASE("A figure is a document of its own, whatever its labels hold") {
  if (!is_installed("lualatex")) return;
  const Workplace place;
  const std::string hostile = "50%,a_b,$x$,\\relax,{#1},~^&,<\"'`>,--x,猫,−1";
  for (const char* language : {"ja", "en"}) {
    REQUIRE(place
                .run({"self-attention", "--tokens", "10", "--labels", hostile, "-o", "figure.tex", "--quiet",
                      "--lang", language})
                .exit_code == 0);
    check_typesets(place, "figure");
  }
}

}  // namespace attnlab
