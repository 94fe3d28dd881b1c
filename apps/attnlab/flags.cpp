// The table of subcommands and flags; an experiment's own flags come from its parameters.
#include "attnlab/flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "attnlab/attend_command.hpp"
#include "attnlab/completion.hpp"
#include "plotting/palette.hpp"
#include "plotting/preset.hpp"
#include "sweep/sweep_values.hpp"
#include "verification/check.hpp"

namespace attnlab {
namespace {

using Takes = Flag::Takes;

Flag flag_for(const Parameter& parameter) {
  if (std::holds_alternative<SwitchKind>(parameter.kind)) {
    return {parameter.name, 0, Takes::nothing, "", shown_default(parameter), parameter.help};
  }
  const bool repeats = std::holds_alternative<ItemsKind>(parameter.kind);
  const auto* choice = std::get_if<ChoiceKind>(&parameter.kind);
  return {parameter.name,
          0,
          repeats ? Takes::values : Takes::one_value,
          form_of(parameter),
          shown_default(parameter),
          parameter.help,
          choice == nullptr ? std::vector<std::string>{} : choice->choices};
}

Flag help_flag() {
  return {"help", 'h', Takes::nothing, "", "", {"この説明を表示します", "show this help"}};
}

Flag quiet_flag() {
  return {"quiet", 0,  Takes::nothing,
          "",      "", {"標準出力に何も表示しません", "print nothing on standard output"}};
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

Flag json_flag() {
  return {"json", 0,  Takes::nothing,
          "",     "", {"標準出力に JSON だけを書きます", "print JSON and nothing else"}};
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

FlagGroup& report_group_of(Command& command) {
  return *std::find_if(command.groups.begin(), command.groups.end(),
                       [](const FlagGroup& group) { return group.title.en() == "Report"; });
}

Command experiment_command(const Experiment& experiment) {
  const Text shows = {experiment.shows.ja() + "（" + experiment.source.ja() + "）",
                      experiment.shows.en() + " (" + experiment.source.en() + ")"};
  return {Command::Kind::experiment,
          experiment.name,
          shows,
          {parameter_group(experiment), study_group(), figure_group(), report_group(), general_group()},
          &experiment};
}

/// An experiment over the user's own files, which also saves its arrays one by one.
Command attend_command() {
  Command command = experiment_command(attend_experiment());
  command.kind = Command::Kind::attend;
  std::vector<Flag>& flags = report_group_of(command).flags;
  const auto save = [](const char* name, const Text& help) {
    return Flag{name, 0, Takes::values, "FILE", "", help};
  };
  flags.push_back(save("save-output", {"出力だけを保存します（npy, npz, json, csv）",
                                       "save the output alone: npy, npz, json or csv"}));
  flags.push_back(save("save-weights", {"注意度だけを保存します", "save the weights alone"}));
  flags.push_back(
      save("save-stages", {"すべての段階を保存します（--data と同じ）", "save every stage, as --data does"}));
  return command;
}

Command all_command() {
  const Flag lecture{"output",
                     'o',
                     Takes::one_value,
                     "FILE.pdf",
                     "",
                     {"すべての図を 1 つの pdf にまとめます（1 図 1 ページ、実験ごとのしおりつき）",
                      "put every figure into one pdf, a page each, with an outline by experiment"}};
  FlagGroup figures{{"図", "Figures"}, {lecture, output_dir_flag(), format_flag()}};
  for (const Flag& flag : look_flags()) figures.flags.push_back(flag);
  return {Command::Kind::all,
          "all",
          {"すべての実験の図をすべて描きます", "draw every figure of every experiment"},
          {figures, {{"結果", "Report"}, {quiet_flag()}}, general_group()}};
}

Command verify_command() {
  FlagGroup choice{{"範囲", "What to verify"}, {flag_for(section_parameter())}};
  choice.flags.push_back({"only",
                          0,
                          Takes::one_value,
                          "NAME",
                          "",
                          {"1 つの実験、層または関数だけを確かめます。例：heads, multi_head",
                           "one experiment, layer or function alone: heads, multi_head"}});
  return {
      Command::Kind::verify,
      "verify",
      {"文書の数値、性質、NumPy と PyTorch の結果をすべて計算し直して確かめます（不合格があれば終了コード "
       "1）",
       "recompute every number of the documents, every invariant, and NumPy's and PyTorch's results; exit "
       "code 1 if one fails"},
      {choice, {{"結果", "Report"}, {quiet_flag(), json_flag()}}, general_group()}};
}

Command claims_command() {
  return {Command::Kind::claims,
          "claims",
          {"文書の文を実際に計算して確かめ、根拠の数値、判定、訂正を示します",
           "run the documents' own sentences: evidence in numbers, a verdict, and the corrected sentence"},
          {{{"範囲", "Which claims"}, {flag_for(document_parameter())}},
           {{"結果", "Report"}, {quiet_flag(), json_flag()}},
           general_group()}};
}

Command inspect_command() {
  const Flag full{"full",
                  0,
                  Takes::nothing,
                  "",
                  "",
                  {"大きなファイルでも、すべての値を読みます（既定では合計 64 MiB まで）",
                   "read every value of a large file, too (default: of 64 MiB in all)"}};
  return {Command::Kind::inspect,
          "inspect",
          {"ファイル（npy, npz, csv, json, safetensors）の中のテンソルを、形状、型、値の範囲、NaN と無限大の"
           "個数とともに表示します。ファイル名:配列名 で 1 つを選べます。- は標準入力です",
           "list the tensors of an npy, npz, csv, json or safetensors file: shape, type, range, NaNs and "
           "infinities; FILE:NAME chooses one of them, - is standard input"},
          {{{"範囲", "Which values"}, {full}}, {{"結果", "Report"}, {json_flag()}}, general_group()},
          nullptr,
          {" ファイル[:配列名]", " FILE[:NAME]"}};
}

Command build_command() {
  FlagGroup target{{"出力", "Output"},
                   {{"output",
                     'o',
                     Takes::one_value,
                     "FOLDER",
                     "lecture",
                     {"書き込むフォルダー（なければ作ります）", "folder to write into, created if missing"}},
                    {"list",
                     0,
                     Takes::nothing,
                     "",
                     "",
                     {"付属の講義の一覧を表示します", "list the lectures that come along"}},
                    quiet_flag()}};
  return {
      Command::Kind::build,
      "build",
      {"講義 1 回分を目録（TOML）から作ります：図、説明文、index.html、Beamer と Markdown の断片、データ、"
       "SHA256SUMS。付属の目録は名前で選べます（--list）",
       "make a whole lecture from its manifest in TOML: figures, captions, index.html, Beamer and Markdown "
       "snippets, data, SHA256SUMS; a manifest that comes along goes by its name (--list)"},
      {target, general_group()},
      nullptr,
      {" 目録.toml|名前", " LECTURE.toml|NAME"}};
}

/// What can be swept, for the help of --over.
Text sweepable(const Experiment* experiment) {
  if (experiment == nullptr) return Text::same("");
  std::string names;
  for (const Parameter& parameter : experiment->parameters) {
    if (takes_number(parameter)) names += (names.empty() ? "" : ", ") + parameter.name;
  }
  return {"。数値のパラメータ：" + names, "; numeric parameters: " + names};
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

Command completion_command() {
  return {Command::Kind::completion,
          "completion",
          {"シェルの補完スクリプトを表示します：サブコマンド、オプション、その値",
           "print the script with which a shell completes subcommands, flags and values"},
          {general_group()},
          nullptr,
          Text::same(fmt::format(" {}", fmt::join(shell_names(), "|")))};
}

Command man_command() {
  return {Command::Kind::man,
          "man",
          {"マニュアルページを roff で表示します：attnlab man | man -l -",
           "print the manual page in roff: attnlab man | man -l -"},
          {general_group()}};
}

Command about_command() {
  return {Command::Kind::about,
          "about",
          {"バージョン、図に入る書体と配色のライセンス、使用ライブラリー、引用のしかたを表示します",
           "show the version, the licences of the fonts and colours in the pictures, the libraries, and how "
           "to cite attnlab"},
          {{{"結果", "Report"}, {json_flag()}}, general_group()}};
}

}  // namespace

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

Command attnlab_command() {
  const Flag version{"version", 0, Takes::nothing, "", "", {"バージョンを表示します", "show the version"}};
  return {Command::Kind::attnlab,
          "",
          {"アテンションと Transformer を実験で学ぶツール",
           "attention and the Transformer, experiment by experiment"},
          {{{"全般", "General"}, {flag_for(language_parameter()), version, help_flag()}}}};
}

Command sweep_command(const Experiment* experiment) {
  const Text shows = {
      "パラメータを少しずつ変えながら図を描き、動画（GIF, WebP, APNG）にします。軸と色の範囲は全コマ共通です",
      "draw a figure for many values of a parameter, as a film (GIF, WebP or APNG) with the same axes and "
      "colours in all frames"};
  Command command{Command::Kind::sweep, "sweep", shows, {}, experiment, {" 実験名", " EXPERIMENT"}};
  command.groups = {
      film_group(experiment), film_figure_group(), {{"結果", "Report"}, {quiet_flag()}}, general_group()};
  if (experiment == nullptr) return command;
  command.argument = Text::same(" " + experiment->name);
  command.groups.insert(command.groups.begin() + 1, parameter_group(*experiment));
  return command;
}

std::vector<Command> subcommands(const std::vector<Experiment>& experiments) {
  std::vector<Command> commands = {
      {Command::Kind::list,
       "list",
       {"実験の一覧を、教科書の順に表示します", "list the experiments in book order"},
       {general_group()}},
      all_command(),
      verify_command(),
      claims_command(),
      attend_command(),
      inspect_command(),
      build_command(),
      sweep_command(nullptr),
      completion_command(),
      man_command(),
      about_command(),
      {Command::Kind::help,
       "help",
       {"サブコマンドの説明を表示します（help 実験名）", "explain a subcommand: help NAME"},
       {general_group()},
       nullptr,
       {" 実験名", " NAME"}}};
  for (const Experiment& experiment : experiments) commands.push_back(experiment_command(experiment));
  return commands;
}

const Flag* find_flag(const Command& command, const std::string& name) {
  for (const FlagGroup& group : command.groups) {
    for (const Flag& flag : group.flags) {
      if (flag.name == name) return &flag;
    }
  }
  return nullptr;
}

bool declares(const Experiment& experiment, const std::string& name) {
  return std::any_of(experiment.parameters.begin(), experiment.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

std::string usage_of(const Flag& flag) {
  std::string usage = flag.letter == 0 ? "" : std::string("-") + flag.letter + ", ";
  usage += "--" + flag.name;
  return flag.form.empty() ? usage : usage + " " + flag.form;
}

}  // namespace attnlab
