#include "attnlab/flag_parameters.hpp"

#include <algorithm>

#include "plotting/colour/palette.hpp"
#include "plotting/preset.hpp"
#include "verification/check.hpp"

namespace attnlab {

Parameter language_parameter() {
  return {"lang",
          ChoiceKind{{"ja", "en"}},
          "",
          {"言語（既定値はロケールから）", "language (default: from the locale)"}};
}

Parameter theme_parameter() {
  return {"theme",
          ChoiceKind{{"light", "dark", "print"}},
          "light",
          {"配色。print は白黒印刷用（灰色と模様）",
           "colours; print: greys and patterns, for paper without colour"}};
}

Parameter preset_parameter() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return {"preset",
          ChoiceKind{names},
          "",
          {"用途に合わせた大きさ、文字、線、余白。スライドの文字は 18 pt 以上、book と column "
           "では説明文を省きます",
           "size, letters, lines and margins for a purpose; slides have 18 pt and more, book and column "
           "leave the "
           "caption to the text"}};
}

std::vector<std::string> palette_names() {
  std::vector<std::string> names;
  for (const Palette palette : palettes()) names.push_back(name_of(palette));
  for (const SeriesPalette palette : series_palettes()) names.push_back(name_of(palette));
  return names;
}

Parameter dpi_parameter() {
  return {"dpi",
          NumberKind{{36.0, 1200.0}},
          "144",
          {"png の 1 インチあたりのピクセル数", "pixels per inch of a png"}};
}

Parameter row_parameter() {
  return {"row",
          IntegerKind{{0, 999999}},
          "0",
          {"--explain で書き出す行（0 から数えます）", "the row that --explain writes out, counted from 0"}};
}

Parameter show_as_parameter() {
  return {"show-as",
          ChoiceKind{{"auto", "text", "kitty", "iterm", "sixel"}},
          "auto",
          {"--show の描き方：文字か、端末の画像形式。auto "
           "は端末に合わせ、分からなければ文字にします（--show を兼ねます）",
           "how to --show: with characters, or as pixels in a protocol of the terminal; auto asks the "
           "terminal's environment; implies --show"}};
}

Parameter seed_parameter() {
  return {"seed",
          IntegerKind{{0, 4294967295}},
          "",
          {"乱数を使わない実験なので、指定しても結果は変わりません",
           "no effect: this experiment draws no random numbers"}};
}

bool declares(const Experiment& experiment, const std::string& name) {
  return std::any_of(experiment.parameters.begin(), experiment.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

Parameter section_parameter() {
  std::vector<std::string> names;
  names.reserve(sections.size());
  for (const Section section : sections) names.push_back(name_of(section));
  return {"section",
          ChoiceKind{names},
          "",
          {"1 種類の確認だけを行います（既定値はすべて）", "one kind of check alone (default: all)"}};
}

Parameter document_parameter() {
  return {"document",
          ChoiceKind{{"A", "B", "C", "D", "E"}},
          "",
          {"1 つの文書だけ。A 教科書、B 講座、C ノートブック、D 記事、E スライド",
           "one document alone: A textbook, B course, C notebook, D article, E slides"}};
}

Parameter fps_parameter() {
  return {"fps", NumberKind{{0.1, 50.0}}, "", {"1 秒あたりのコマ数", "frames per second"}};
}

Parameter seconds_parameter() {
  return {"seconds",
          NumberKind{{0.1, 600.0}},
          "",
          {"全体の秒数（--fps の代わり。既定値は約 4 秒。最後のコマはさらに 1 秒止まります）",
           "length of the film instead of --fps (default: about 4; the last frame stands a second longer)"}};
}

}  // namespace attnlab
