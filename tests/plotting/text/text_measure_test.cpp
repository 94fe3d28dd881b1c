#include "plotting/text/text_measure.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.hpp"

namespace attnlab {

TEST_CASE("Both font families of the figures are installed under any name the locale gives them") {
  CHECK(missing_fonts(Language::ja).empty());
  CHECK(missing_fonts(Language::en).empty());
}

TEST_CASE("Width grows in proportion to the size because nothing is hinted or rounded") {
  const TextExtent small = measure("Attention 注意度", 10.0, Weight::regular);
  const TextExtent large = measure("Attention 注意度", 40.0, Weight::regular);
  CHECK(large.width == doctest::Approx(4.0 * small.width).epsilon(0.002));
}

TEST_CASE("Figures have one width so that numbers stand in columns") {
  CHECK(measure("1111", 20.0, Weight::regular).width ==
        doctest::Approx(measure("8888", 20.0, Weight::regular).width));
}

TEST_CASE("Wrapped lines fit the width and together are the text") {
  const std::string text = "softmax は各行の和を 1 にする。Every row of weights sums to one.";
  const auto lines = wrap(text, 12.0, Weight::regular, 120.0);
  REQUIRE(lines.size() > 1);
  std::string joined;
  for (const std::string& line : lines) {
    CHECK(measure(escape(line), 12.0, Weight::regular).width <= 120.0);
    joined += line;
  }
  const auto without_spaces = [](std::string s) {
    s.erase(std::remove(s.begin(), s.end(), ' '), s.end());
    return s;
  };
  CHECK(without_spaces(joined) == without_spaces(text));
}

TEST_CASE("Japanese lines do not begin with a full stop or a comma") {
  for (int width = 40; width < 160; width += 7)
    for (const std::string& line : wrap("吾輩は猫である。名前は、まだない。どこで生れたか、見当がつかぬ。",
                                        12.0, Weight::regular, width)) {
      CHECK(line.rfind("。", 0) != 0);
      CHECK(line.rfind("、", 0) != 0);
    }
}

TEST_CASE("A Japanese title ends its line after a comma or between words, if that costs no line") {
  const std::string title = "アテンションの演算は増え、ストリーミングで減るのはメモリだけ";
  const double whole = measure(escape(title), 12.0, Weight::bold).width;
  CHECK(wrap(title, 12.0, Weight::bold, 0.97 * whole).front() == "アテンションの演算は増え、");
  CHECK(wrap(title, 12.0, Weight::bold, 0.7 * whole).front() == "アテンションの演算は増え、");
  const std::string words = "ストリーミングで減るのはメモリだけ";
  const double all_words = measure(escape(words), 12.0, Weight::bold).width;
  CHECK(wrap(words, 12.0, Weight::bold, 0.97 * all_words).front() == "ストリーミングで減るのは");
  const std::string panel = "1 次元、スケーリングなし";
  const double all_panel = measure(escape(panel), 12.0, Weight::bold).width;
  CHECK(wrap(panel, 12.0, Weight::bold, 0.75 * all_panel) ==
        std::vector<std::string>{"1 次元、", "スケーリングなし"});
}

TEST_CASE("No line ends within a root or a Japanese loan word that has room on one") {
  for (const double width : {110.0, 130.0, 150.0, 170.0}) {
    for (const std::string whole : {"√(σ² + δ)", "アテンション"}) {
      CAPTURE(width);
      const auto lines = wrap("値 " + whole + "、加法" + whole + "、内積" + whole, 18.0, Weight::bold, width);
      std::size_t found = 0;
      for (const std::string& line : lines) {
        for (std::size_t at = line.find(whole); at != std::string::npos; at = line.find(whole, at + 1))
          ++found;
      }
      CHECK(found == 3);
    }
  }
}

TEST_CASE("A loan word wider than the line is broken nevertheless") {
  for (const std::string& line : wrap("アテンション", 18.0, Weight::bold, 60.0))
    CHECK(text_width(line, 18.0, Weight::bold) <= 60.0);
}

TEST_CASE("A long name is cut with an ellipsis and a short one is left alone") {
  CHECK(elide("猫", 12.0, Weight::regular, 100.0) == "猫");
  const std::string cut = elide("a very long token label that cannot fit", 12.0, Weight::regular, 60.0);
  CHECK(measure(escape(cut), 12.0, Weight::regular).width <= 60.0);
  CHECK(cut.find("…") != std::string::npos);
}

TEST_CASE("Markup characters in a label are text") {
  CHECK(escape("<b>&") == "&lt;b&gt;&amp;");
  CHECK(escape("a\nb") == "a b");
}

TEST_CASE("A single letter carries its subscript, a longer name keeps its underscores") {
  const std::string script = "<span size=\"7168\" rise=\"-1638\">Q</span>";
  CHECK(sentence_markup("W_Q = I", 10.0) == "W" + script + " = I");
  CHECK(sentence_markup("射影 W_Q と x_Q", 10.0) == "射影 W" + script + " と x" + script);
  for (const char* name : {"in_proj_weight", "d_", "_d", "x_1_2", "a < b"})
    CHECK(sentence_markup(name, 10.0) == escape(name));
}

TEST_CASE("Lines with subscripts are no wider than the plain text that was wrapped") {
  for (const double size : {7.0, 14.0}) {
    const std::string text = "d_q 128、d_model 512";
    CHECK(measure(sentence_markup(text, size), size, Weight::regular).width <=
          measure(escape(text), size, Weight::regular).width);
  }
}

TEST_CASE("A character that no font has is named") {
  CHECK(missing_characters("猫 cat √ ᵀ −").empty());
  CHECK(missing_characters("a\xf3\xb0\x80\x80") == "\xf3\xb0\x80\x80");  // U+F0000, private use: in no font
}

TEST_CASE("Invalid UTF-8 is an error and not an empty picture") {
  CHECK_THROWS_AS(measure("\xff\xfe", 12.0, Weight::regular), Error);
}

}  // namespace attnlab
