#include "attnlab/flag_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attnlab/attend/attend_command.hpp"
#include "attnlab/flag_parameters.hpp"
#include "sweep/sweep_values.hpp"

namespace attnlab {
namespace {

using Takes = Flag::Takes;

/// What can be swept, for the help of --over.
Text sweepable(const Experiment* experiment) {
  if (experiment == nullptr) return Text::same("");
  std::string names;
  for (const Parameter& parameter : experiment->parameters) {
    if (takes_number(parameter)) names += (names.empty() ? "" : ", ") + parameter.name;
  }
  return {"。数値のパラメータ：" + names, "; numeric parameters: " + names};
}

}  // namespace

Flag help_flag() {
  return {"help", 'h', Takes::nothing, "", "", {"この説明を表示します", "show this help"}};
}

Flag quiet_flag() {
  return {"quiet", 0,  Takes::nothing,
          "",      "", {"標準出力に何も表示しません", "print nothing on standard output"}};
}

Flag json_flag() {
  return {"json", 0,  Takes::nothing,
          "",     "", {"標準出力に JSON だけを書きます", "print JSON and nothing else"}};
}

Flag output_dir_flag() {
  return {"output-dir",
          0,
          Takes::one_value,
          "FOLDER",
          "figures",
          {"図を置くフォルダー（なければ作ります）", "folder for the figures, created if missing"}};
}

Flag format_flag() {
  return {"format",
          0,
          Takes::one_value,
          "png,svg,pdf,tex",
          "png",
          {"フォルダーに置く図の形式（いくつでも）", "formats of the figures in the folder, one or more"}};
}

FlagGroup general_group() {
  return {{"全般", "General"}, {flag_for(language_parameter()), help_flag()}};
}

FlagGroup parameter_group(const Experiment& experiment) {
  FlagGroup group{{"この実験のオプション", "Options of this experiment"}, {}};
  for (const Parameter& parameter : experiment.parameters) group.flags.push_back(flag_for(parameter));
  const bool reads_files = &experiment == &attend_experiment();
  if (!declares(experiment, "seed") && !reads_files) group.flags.push_back(flag_for(seed_parameter()));
  return group;
}

std::vector<Flag> look_flags() {
  return {
      flag_for(preset_parameter()),
      flag_for(theme_parameter()),
      {"palette",
       0,
       Takes::one_value,
       "NAME,...",
       "",
       {fmt::format("色の並び。{}。連続、正負、系列から 1 つずつ選べます。bands は名前で呼べる 6 色",
                    fmt::join(palette_names(), ", ")),
        fmt::format("colours: {}; one for numbers, one around zero, one for series; bands has six that can "
                    "be named",
                    fmt::join(palette_names(), ", "))},
       palette_names()},
      {"range",
       0,
       Takes::one_value,
       "0:1|data|A:B",
       "",
       {"色の両端の値。data は描かれた値の最小と最大（既定値は図ごと）",
        "the numbers at both ends of the colours; data: those drawn (default: each figure's own)"}},
      {"log-colour",
       0,
       Takes::nothing,
       "",
       "",
       {"色を対数目盛にします。小さな値の違いが見えます",
        "logarithmic colours, which tell small values apart"}},
      {"without-first-token",
       0,
       Takes::nothing,
       "",
       "",
       {"色の範囲を先頭のキーを除いて決めます（注意度が先頭に集まるモデル用）",
        "leave the first key out of the range of the colours, for models that rest their weight on it"}},
      {"annotate",
       0,
       Takes::nothing,
       "",
       "",
       {"図に数値と形状を書き込みます", "write numbers and shapes into the figures"}},
      {"size",
       0,
       Takes::one_value,
       "WxH",
       "",
       {"図の大きさ。例：12inx12in, 30x20cm, 1728x1728px（既定値は図ごと、または --preset のもの）",
        "page size: 12inx12in, 30x20cm, 1728x1728px (default: the preset's, or each figure's own)"}},
      flag_for(dpi_parameter()),
      {"svg-text",
       0,
       Takes::nothing,
       "",
       "",
       {"svg の文字を、輪郭ではなく文字として書きます（検索・編集できます。表示にはフォント Inter と BIZ "
        "UDPゴシックが要ります）",
        "write the words of an svg as text instead of outlines: they can be searched and edited, and need "
        "the fonts Inter and BIZ UDPGothic where they are shown"}},
      {"tex-body",
       0,
       Takes::nothing,
       "",
       "",
       {"tex に tikzpicture だけを書きます（自分の文書に \\input で読み込むため）",
        "write only the tikzpicture into a tex, to \\input into a document of your own"}},
      {"blank",
       0,
       Takes::nothing,
       "",
       "",
       {"数値を消した練習用の図を描きます（名前-blank.png）",
        "draw the figures without their numbers, as an exercise sheet (NAME-blank.png)"}}};
}

FlagGroup figure_group() {
  FlagGroup group{{"図", "Figures"}, {}};
  group.flags = {
      {"output",
       'o',
       Takes::values,
       "FILE",
       "",
       {"図のファイル。拡張子 png, svg, pdf, "
        "tex で形式が決まります。何度でも指定できます。図がいくつもあれば主な図（pdf は全図が各ページ）",
        "figure file, may be repeated; the extension png, svg, pdf or tex chooses the format; of several "
        "figures it takes the main one (a pdf takes all as pages)"}},
      output_dir_flag(),
      format_flag(),
      {"figure",
       0,
       Takes::one_value,
       "NAME|all",
       "",
       {"描く図を名前で選びます。all と -o x.png では x-名前.png になります",
        "choose a figure by name; all with -o x.png writes x-NAME.png"}},
      {"no-figure", 0, Takes::nothing, "", "", {"図を描きません", "draw no figure"}},
      {"steps",
       0,
       Takes::one_value,
       "FOLDER",
       "",
       {"クエリから出力までを 1 段階ずつ、同じ配置の図にします（順にめくるスライド用）",
        "the way from the queries to the output as one figure per stage, laid out alike, to click through"}},
      {"show",
       0,
       Takes::nothing,
       "",
       "",
       {"主な図（または --figure の図）を端末に表示します。-o、--output-dir、--format "
        "がなければファイルは書きません",
        "draw the main figure (or --figure's) in the terminal; without -o, --output-dir and --format "
        "no file is written"}},
      flag_for(show_as_parameter())};
  for (const Flag& flag : look_flags()) group.flags.push_back(flag);
  return group;
}

FlagGroup study_group() {
  return {{"学習", "Study"},
          {{"explain",
            0,
            Takes::nothing,
            "",
            "",
            {"結果の代わりに、この入力での計算を式と数値で一段階ずつ書きます",
             "instead of the report, write out the computation for these inputs step by step"}},
           flag_for(row_parameter()),
           {"explain-to",
            0,
            Takes::values,
            "FILE",
            "",
            {"その説明を保存します。拡張子は md（Markdown）か tex（LaTeX）",
             "save that explanation; the extension is md (Markdown) or tex (LaTeX)"}},
           {"check",
            0,
            Takes::values,
            "[ARRAY=]FILE",
            "",
            {"自分で計算した配列（npy, npz, csv, json, "
             "safetensors）を比べ、違えば原因を推定します。終了コードは一致なら 0、"
             "不一致なら 1。何度でも指定できます",
             "compare your own array (npy, npz, csv, json or safetensors) and, where it differs, say why; "
             "exit code 0 if it agrees, "
             "1 if not; may be repeated"}}}};
}

FlagGroup report_group() {
  return {{"結果", "Report"},
          {quiet_flag(),
           json_flag(),
           {"data",
            0,
            Takes::values,
            "FILE",
            "",
            {"配列を保存します。拡張子 json, npz, csv で形式が決まります。何度でも指定できます",
             "save the arrays, may be repeated; the extension json, npz or csv chooses the format"}}}};
}

FlagGroup film_group(const Experiment* experiment) {
  const Text names = sweepable(experiment);
  const Flag over{"over",
                  0,
                  Takes::one_value,
                  "NAME=FROM:TO[:lin|log][:FRAMES]",
                  "",
                  {"変えるパラメータと値の範囲。例：high-dim=2:1024:log:40。NAME=A,B,C なら値を並べます。"
                   "--mask window:@ --over mask=1:6 のように書くと、@ に値が入ります" +
                       names.ja(),
                   "the parameter and its values, for example high-dim=2:1024:log:40; NAME=A,B,C lists them; "
                   "with --mask window:@ --over mask=1:6 they take the place of the @" +
                       names.en()}};
  return {{"動画", "Film"},
          {over,
           flag_for(fps_parameter()),
           flag_for(seconds_parameter()),
           {"bounce", 0, Takes::nothing, "", "", {"往復させます", "run forth and back"}},
           {"once",
            0,
            Takes::nothing,
            "",
            "",
            {"繰り返さず、一度で止まります", "run once instead of again and again"}}}};
}

FlagGroup film_figure_group() {
  FlagGroup group{{"図", "Figures"}, {}};
  group.flags = {
      {"output",
       'o',
       Takes::values,
       "FILE",
       "",
       {"動画のファイル。拡張子 gif, webp, png（apng）で形式が決まります。何度でも指定できます（既定値 "
        "figures/実験名-図-パラメータ.gif）",
        "film file, may be repeated; the extension gif, webp or png (apng) chooses the format (default "
        "figures/EXPERIMENT-FIGURE-NAME.gif)"}},
      {"figure",
       0,
       Takes::one_value,
       "NAME",
       "",
       {"描く図（既定値は、値とともに変わる最初の図）",
        "the figure (default: the first that changes with the values)"}}};
  for (Flag flag : look_flags()) {
    if (flag.name == "svg-text" || flag.name == "tex-body") continue;  // films are pixels
    if (flag.name == "dpi") {
      flag.default_text = "";
      flag.help = {
          "1 インチあたりのピクセル数（--size, --preset, --dpi のどれもなければ、960x640 と同じ画素数）",
          "pixels per inch (without --size, --preset and --dpi: as many pixels as 960x640)"};
    }
    group.flags.push_back(flag);
  }
  return group;
}

}  // namespace attnlab
