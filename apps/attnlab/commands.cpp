#include "attnlab/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "attnlab/attend/attend_command.hpp"
#include "attnlab/documents/completion.hpp"
#include "attnlab/flag_groups.hpp"
#include "attnlab/flag_parameters.hpp"

namespace attnlab {
namespace {

using Takes = Flag::Takes;

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

}  // namespace attnlab
