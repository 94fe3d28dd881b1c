// Formulas typed in TeX, and as MathML.
#include "core/formula_document.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

namespace attnlab {
namespace {

std::string read_and_set(const std::string& tex) { return to_terminal(formula::read_tex(tex)); }

std::string mathml(const std::string& tex) {
  return to_mathml(formula::read_tex(tex), MathPlace::inline_text);
}

/// Whether every element is closed by its own name.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::string name = xml.substr(at + 1, xml.find_first_of(" >", at) - at - 1);
    if (name.front() != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

}  // namespace

TEST_CASE("TeX is read as it is set on paper") {
  CHECK(read_and_set("\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right) V") ==
        to_terminal(formula::read("softmax(\\frac{Q K^T}{\\sqrt{d_k}}) V")));
  CHECK(read_and_set("a_1 v_1 + \\cdots + a_n v_n") == to_terminal(formula::read("a_1 v_1 + ⋯ + a_n v_n")));
  CHECK(read_and_set("10000^{2i/D}") == to_terminal(formula::read("10000^{2 i / D}")));
  CHECK(read_and_set("\\frac12") == "1 / 2");
  CHECK(read_and_set("x^2_i") == read_and_set("x_i^2"));
}

TEST_CASE("What TeX could not be read is named") {
  const auto reported_of = [](const char* tex) -> std::string {
    try {
      formula::read_tex(tex);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return error.message(Language::en);
    }
    return "";
  };
  CHECK(reported_of("\\input{/etc/passwd}").find("'\\input'") != std::string::npos);
  CHECK(reported_of("{a").find("not closed") != std::string::npos);
  CHECK(reported_of("a}").find("too many") != std::string::npos);
  CHECK(reported_of("a^").find("too early") != std::string::npos);
  CHECK(reported_of("{a_}").find("too early") != std::string::npos);
  CHECK(reported_of("\\frac{a}").find("too early") != std::string::npos);
  CHECK(reported_of("\\mathrm a").find("needs {") != std::string::npos);
  CHECK(reported_of("a $ b").find("cannot have a $") != std::string::npos);
  CHECK(reported_of("\\").find("'\\'") != std::string::npos);
  CHECK(reported_of(std::string(5000, '{').c_str()).find("too deep") != std::string::npos);
}

TEST_CASE("No formula is nested deeper than it is written, whatever nests in it") {
  const auto many = [](int count, const std::string& words) {
    std::string all;
    for (int i = 0; i < count; ++i) all += words;
    return all;
  };
  for (const char* nesting :
       {"(", "[", "\\{", "\\langle ", "(]", "{", "\\frac{1}{", "\\sqrt{", "a^{", "'", "^a", "_a"}) {
    CAPTURE(nesting);
    CHECK_THROWS_AS(formula::read_tex("x" + many(20000, nesting)), Error);
  }
  CHECK_THROWS_AS(formula::read_tex(many(20000, "(") + "y" + many(20000, ")")), Error);
  CHECK_THROWS_AS(formula::read_tex(many(90, "{x") + many(90, "}" + std::string(11, '\''))), Error);
  const std::string deep = mathml(many(100, "(") + "y" + many(100, ")"));
  CHECK(deep.find("<mi>y</mi>") != std::string::npos);
  CHECK(mathml(many(20000, "(a)") + "x''").find("<mi>x</mi>") != std::string::npos);  // beside each other
}

TEST_CASE("Words in a formula hold signs and no command") {
  CHECK(read_and_set("\\mathrm{d\\_model}") == "d_model");
  CHECK(read_and_set("\\text{50\\% \\& more}") == "50% & more");
  for (const char* command :
       {"\\mathrm{\\input x}", "\\text{a \\directlua b}", "\\mathrm{^^5cinput}", "\\text{\\\\}"}) {
    CAPTURE(command);
    CHECK_THROWS_AS(formula::read_tex(command), Error);
  }
}

TEST_CASE("MathML has the tree of the formula") {
  CHECK(mathml("\\frac{a}{2}") ==
        "<math><mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac></math>");
  CHECK(mathml("K^\\top") ==
        "<math><msup><mrow><mi class=\"K\">K</mi></mrow><mi mathvariant=\"normal\">T</mi></msup></math>");
  CHECK(mathml("a < b") == "<math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>");
  CHECK(mathml("\\exp(-\\infty)").find("(</mo><mo form=\"prefix\">−</mo><mi>∞</mi>") != std::string::npos);
  const std::string low = "<mo stretchy=\"false\">(</mo>";
  CHECK(mathml("f(x) g_{(a)} \\frac{1}{2}").find("<mi>f</mi><mrow>" + low + "<mi>x</mi>") !=
        std::string::npos);  // as high as x, not as the fraction
  CHECK(mathml("f(\\frac{a}{b})").find("<mi>f</mi><mrow><mo>(</mo><mfrac>") != std::string::npos);
  CHECK(mathml("f(x)_m").find(low + "<mi>x</mi>") != std::string::npos);
  CHECK(mathml("((a) + (b))").find(")</mo></mrow><mo>+</mo><mrow>" + low) != std::string::npos);
  CHECK(mathml("a - b").find("<mo>−</mo>") != std::string::npos);
  CHECK(mathml("a, \\quad b").find("<mo>,</mo><mspace width=\"1em\">") != std::string::npos);
  CHECK(mathml("\\sum_{i=1}^{n} x_i").find("<munderover>") != std::string::npos);
  CHECK(mathml("\\mathrm{注意度}").find("<mtext>注意度</mtext>") != std::string::npos);
  CHECK(to_mathml(formula::read_tex("a"), MathPlace::displayed).find("<math display=\"block\">") == 0);
}

TEST_CASE("The formulas of papers and books on attention are read") {
  const std::vector<const char*> formulas{
      // Vaswani et al. 2017
      R"(\mathrm{Attention}(Q, K, V) = \mathrm{softmax}(\frac{QK^T}{\sqrt{d_k}})V)",
      R"(\mathrm{MultiHead}(Q, K, V) = \mathrm{Concat}(\mathrm{head_1}, ..., \mathrm{head_h})W^O)",
      R"(\text{where } \mathrm{head_i} = \mathrm{Attention}(QW^Q_i, KW^K_i, VW^V_i))",
      R"(W^Q_i \in \mathbb{R}^{d_{\text{model}} \times d_k})",
      R"(W^O \in \mathbb{R}^{hd_v \times d_{\text{model}}})",
      R"(\mathrm{FFN}(x)=\max(0, xW_1 + b_1) W_2 + b_2)",
      R"(PE_{(pos,2i)} = sin(pos / 10000^{2i/d_{\text{model}}}))",
      R"(lrate = d_{\text{model}}^{-0.5} \cdot \min({step\_num}^{-0.5}, {step\_num} \cdot {warmup\_steps}^{-1.5}))",
      R"(q \cdot k = \sum_{i=1}^{d_k} q_ik_i)", R"(O(n^2 \cdot d))", R"(\epsilon_{ls} = 0.1)",
      // Dive into Deep Learning, chapter 11
      R"(\mathcal{D} \stackrel{\textrm{def}}{=} \{(\mathbf{k}_1, \mathbf{v}_1), \ldots (\mathbf{k}_m, \mathbf{v}_m)\})",
      R"(\textrm{Attention}(\mathbf{q}, \mathcal{D}) \stackrel{\textrm{def}}{=} \sum_{i=1}^m \alpha(\mathbf{q}, \mathbf{k}_i) \mathbf{v}_i)",
      R"(\alpha(\mathbf{q}, \mathbf{k}_i) = \frac{\exp(a(\mathbf{q}, \mathbf{k}_i))}{\sum_j \exp(a(\mathbf{q}, \mathbf{k}_j))})",
      R"(\alpha(\mathbf{q}, \mathbf{k}) = \exp\left(-\frac{1}{2} \|\mathbf{q} - \mathbf{k}\|^2 \right))",
      R"(\begin{aligned} \alpha(\mathbf{q}, \mathbf{k}) & = 1 \textrm{ if } \|\mathbf{q} - \mathbf{k}\| \leq 1 && \textrm{Boxcar;} \\ \alpha(\mathbf{q}, \mathbf{k}) & = \mathop{\mathrm{max}}\left(0, 1 - \|\mathbf{q} - \mathbf{k}\|\right) && \textrm{Epanechikov.} \end{aligned})",
      R"(f(\mathbf{q}) = \sum_i \mathbf{v}_i \frac{\alpha(\mathbf{q}, \mathbf{k}_i)}{\sum_j \alpha(\mathbf{q}, \mathbf{k}_j)}.)",
      R"(\mathbf{v} \in \mathbb{R}^v, \quad i \in \{1, \dots, n\})",
      R"(a(\mathbf{q}, \mathbf{k}_i) = -\frac{1}{2} \|\mathbf{q} - \mathbf{k}_i\|^2  = \mathbf{q}^\top \mathbf{k}_i -\frac{1}{2} \|\mathbf{k}_i\|^2  -\frac{1}{2} \|\mathbf{q}\|^2)",
      R"(a(\mathbf{q}, \mathbf{k}) = \mathbf{w}_v^\top \textrm{tanh}(\mathbf{W}_q\mathbf{q} + \mathbf{W}_k \mathbf{k}) \in \mathbb{R})",
      R"(\mathrm{softmax}\left(\frac{\mathbf Q \mathbf K^\top }{\sqrt{d}}\right) \mathbf V \in \mathbb{R}^{n\times v})",
      R"(\mathbf{c}_{t'} = \sum_{t=1}^{T} \alpha(\mathbf{s}_{t' - 1}, \mathbf{h}_{t}) \mathbf{h}_{t})",
      R"(\mathbf{h}_i = f(\mathbf W_i^{(q)}\mathbf q, \mathbf W_i^{(k)}\mathbf k,\mathbf W_i^{(v)}\mathbf v) \in \mathbb R^{p_v})",
      R"(\mathbf W_o \begin{bmatrix}\mathbf h_1\\\vdots\\\mathbf h_h\end{bmatrix} \in \mathbb{R}^{p_o})",
      R"(\begin{aligned} p_{i, 2j} &= \sin\left(\frac{i}{10000^{2j/d}}\right),\\p_{i, 2j+1} &= \cos\left(\frac{i}{10000^{2j/d}}\right).\end{aligned})",
      R"(\begin{bmatrix} \cos(\delta \omega_j) & \sin(\delta \omega_j) \\  -\sin(\delta \omega_j) & \cos(\delta \omega_j) \\ \end{bmatrix} \begin{bmatrix} p_{i, 2j} \\  p_{i, 2j+1} \\ \end{bmatrix})",
      R"(\omega_j = 1/10000^{2j/d})", R"(\mathcal{O}(knd^2))",
      // slides, the textbook, and what stands in lectures beside them
      R"(\mathrm{SM}(x)_m = \frac{\exp(x_m)}{\sum_{l=1}^{N} \exp(x_l)})",
      R"(\hat{y}, \bar{x}, \tilde{h}_t, \vec{v}, \dot{x}, \widehat{xy}, \overline{ab})",
      R"(\lVert x \rVert_2 \leq \lvert y \rvert)", R"(\underbrace{a+b}_{c} + \overbrace{d}^{e})",
      R"(\tfrac12 \dfrac{a}{b})", R"(x \sim \mathcal{N}(0, \sigma^2))",
      R"(\begin{pmatrix} a & b \\ c & d \end{pmatrix})",
      R"(f(x) = \begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases})",
      R"(\argmax_x f(x), \operatorname*{arg\,max}_{\theta} \log p_\theta(x))",
      R"(\mathbb{E}_{x \sim p}[f(x)] = \int p(x) f(x) dx)",
      R"(\nabla_\theta L = \frac{\partial L}{\partial \theta})",
      R"(\mathrm{KL}(p \| q) = \sum_x p(x) \log \frac{p(x)}{q(x)})",
      R"(\forall x \in A \cup B, \exists y \notin C \cap D)",
      R"(A \subseteq B \Rightarrow A \setminus B = \emptyset)", R"(\lfloor n/2 \rfloor, \lceil n/2 \rceil)",
      R"(x \odot y, x \otimes y, x \oplus y, f \circ g)",
      R"(\left\{ \begin{array}{ll} 1 & i \ge j \\ -\infty & i < j \end{array} \right.)",
      R"(\lim_{n \to \infty} \left(1 + \frac{1}{n}\right)^n = e)",
      R"(\theta^\ast = \arg\min_\theta \mathcal{L}(\theta))",
      R"(\mathrm{LN}(x) = \gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta)",
      R"(\mathrm{RMSNorm}(x) = \frac{x}{\sqrt{\frac{1}{d}\sum_{i} x_i^2}})",
      R"(\boldsymbol{\alpha} = (\alpha_1, \ldots, \alpha_n)^\top)",
      R"(m_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases})",
      R"(S_t = S_{t-1} + k_t v_t^\top, \qquad o_t = q_t^\top S_t)",
      R"(\cos\theta = \frac{\langle u, v \rangle}{\lVert u \rVert \, \lVert v \rVert})",
      R"(p(x_{1:T}) = \prod_{t=1}^{T} p(x_t \mid x_{<t}))",
      R"(\text{注意度} = \mathrm{softmax}(\text{スコア}))",
      R"(a \approx b \equiv c \propto d \ne e \ll f \gg g)", R"(2^{\ell} \pm 10^{-3} \times 5)",
      R"(\Pr(A \land \neg B) \triangleq 1)", R"(\underset{i}{\operatorname{max}} x_i \overset{?}{=} y)",
      R"(\begin{vmatrix} a & b \\ c & d \end{vmatrix} = ad - bc)"};
  CHECK(formulas.size() == 60);
  for (const char* tex : formulas) {
    CAPTURE(tex);
    const std::string set = mathml(tex);
    CHECK(set.find('\\') == std::string::npos);
    CHECK(is_well_formed(set));
  }
}

TEST_CASE("Accents, braces, alphabets and tables have MathML's own elements") {
  CHECK(mathml("\\hat{y}") ==
        "<math><mover accent=\"true\"><mrow><mi>y</mi></mrow><mo>^</mo></mover></math>");
  CHECK(read_and_set("\\bar x + \\hat{y}") == "x\u0304 + y\u0302");
  CHECK(mathml("\\underbrace{a}_{b}").find("<math><munder><munder accentunder=\"true\">") == 0);
  CHECK(mathml("\\mathbb{R}^n").find("<mi>ℝ</mi>") != std::string::npos);
  CHECK(mathml("\\mathbb{E}").find("<mi>𝔼</mi>") != std::string::npos);
  CHECK(mathml("\\mathcal{LN}").find("<mi>ℒ</mi>") == std::string::npos);  // a word stays one
  CHECK(mathml("\\mathcal{L} \\mathcal{D}").find("<mi>ℒ</mi><mi>𝒟</mi>") != std::string::npos);
  const std::string matrix = mathml("\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}");
  CHECK(matrix ==
        "<math><mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
        "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo></mrow></math>");
  CHECK(to_latex(formula::read_tex("\\begin{cases}1&a\\\\2&b\\end{cases}")) ==
        "\\begin{cases} 1 & a \\\\ 2 & b \\end{cases}");
  CHECK(to_latex(formula::read_tex("\\hat{y}")) == "\\hat{y}");
  for (const char* wrong :
       {"\\begin{aligned} a", "\\begin{aligned} a \\end{cases}", "\\begin{tikzpicture}", "a & b", "a \\\\ b",
        "\\begin{matrix} } \\end{matrix}", "\\begin{matrix}{a & b}\\end{matrix}"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(formula::read_tex(wrong), Error);
  }
}

}  // namespace attnlab
