#include "plotting/backends/tikz/tex_text.hpp"

#include <doctest/doctest.h>

#include "core/formula.hpp"
#include "plotting/text/text_runs.hpp"

namespace attnlab {
namespace {

std::string in_tex(const std::string& markup) {
  Label label;
  label.markup = markup;
  label.size = 12.0;
  return tex_text(runs_of(label).runs);
}

}  // namespace

TEST_CASE("TeX's own characters stand for themselves") {
  CHECK(tex_text("50% of a_b & {c} #1 $x$") == "50\\% of a\\_b \\& \\{c\\} \\#1 \\$x\\$");
  CHECK(tex_text("\\^~") == "\\textbackslash{}\\textasciicircum{}\\textasciitilde{}");
  CHECK(
      tex_text("<a> | \"b\" 'c' `") ==
      "\\textless{}a\\textgreater{} \\textbar{} \\textquotedbl{}b\\textquotedbl{} \\textquotesingle{}c\\textquotesingle{} \\textasciigrave{}");
}

TEST_CASE("TeX makes no dash of two hyphens and no single space of several") {
  CHECK(tex_text("--count -1") == "-\\mbox{}-count -1");
  CHECK(tex_text("a  b") == "a \\ b");
  CHECK(tex_text(" a") == " a");
}

TEST_CASE("Signs that text fonts lack become mathematics, other scripts stay") {
  CHECK(tex_text("−0.5") == "$-$0.5");
  CHECK(tex_text("d → α ≤ 36°") == "d $\\to$ $\\alpha$ $\\le$ 36$^{\\circ}$");
  CHECK(tex_text("注意度 é") == "注意度 é");
}

TEST_CASE("Raised and lowered runs become scripts") {
  using namespace formula;
  CHECK(in_tex(to_markup(sub(sym("W"), sym("Q")), 12.0)) == "W\\textsubscript{Q}");
  CHECK(in_tex(to_markup(row({sup(sym("QK"), sym("T")), sym("+ 1")}), 12.0)) == "QK\\textsuperscript{T} + 1");
  CHECK(in_tex("重み W<span size=\"8192\" rise=\"-2048\">注意 Q</span>") == "重み W\\textsubscript{注意 Q}");
}

TEST_CASE("Latin letters among Japanese ones are no superscript") {
  CHECK(in_tex("最大 0.212 の softmax") == "最大 0.212 の softmax");
}

TEST_CASE("What stands under the line of a root becomes its radicand") {
  CHECK(in_tex("q·k / √<span overline=\"single\">d</span> = 1") == "q$\\cdot$k / $\\sqrt{\\mbox{d}}$ = 1");
  CHECK(in_tex("√<span overline=\"single\">d<span size=\"8192\" rise=\"-2048\">k</span></span>") ==
        "$\\sqrt{\\mbox{d\\textsubscript{k}}}$");
  CHECK(in_tex("√d + 1") == "$\\sqrt{\\mbox{d}}$ + 1");
  CHECK(in_tex("√ の記号") == "$\\surd$ の記号");
}

TEST_CASE("luatexja is needed for Japanese alone") {
  CHECK(is_japanese("softmax の出力"));
  CHECK(is_japanese("（1）"));
  CHECK_FALSE(is_japanese("Token 0: −1 ≤ α, é, √d"));
}

}  // namespace attnlab
