// What `attend` prints: what was read, the shapes, and a table of the heads.
#include "attend/run.hpp"
#include "core/counted.hpp"
#include "core/named.hpp"
#include "experiments/framework/trace.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_heads_in_table = 32;

Table files_table(const AttendRun& run) {
  Table table{{{"入力", "Input"}, {"ファイル", "File"}, {"形状", "Shape"}, {"型", "Type"}}, {}};
  for (const GivenFile& file : run.files) {
    table.rows.push_back({file.role, file.file, shape_text(file.shape), file.type});
  }
  return table;
}

Table heads_table(const AttendRun& run) {
  Table table{{run.has_heads ? Text{"ヘッド", "Head"} : Text{"要素", "Entry"}}, {}};
  for (const Statistic& statistic : statistics()) table.header.push_back(statistic.column);
  const std::vector<ShownMatrix> shown = all_matrices(run);
  for (std::size_t i = 0; i < std::min(shown.size(), most_heads_in_table); ++i) {
    std::vector<ShortText> cells{ShortText(std::to_string(i))};
    for (const Statistic& statistic : statistics()) {
      const double value = run.summaries[shown[i].index].statistics.*statistic.of;
      cells.emplace_back(std::isnan(value) ? "nan" : fmt::format("{:.3f}", value));  // not -nan
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Text masks_text(const AttendRun& run) {
  Text list = Text::none();
  const auto add = [&](const Text& mask) {
    list = list.en().empty() ? mask : text("{}、{}", "{}, {}", list, mask);
  };
  const ReadableKeys& rule = run.settings.readable;
  if (rule.causal) add({"因果マスク", "causal"});
  if (rule.reach) add(text("窓 ±{}", "window of {} to either side", *rule.reach));
  if (rule.padded > 0) add(text("パディング {} 個", "padding of {} keys", rule.padded));
  for (const std::string& file : run.settings.mask_files) add(Text::same(without_folders(file)));
  if (run.settings.alibi) add(Text::same("ALiBi"));
  return list.en().empty() ? Text{"マスクなし", "no mask"} : list;
}

Paragraph summary(const AttendRun& run) {
  const Text shared = run.kv_heads == run.heads
                          ? Text::none()
                          : text("（キーとバリューは {} ヘッド）", " ({} of keys and values)", run.kv_heads);
  const Text heads =
      run.has_heads ? text("{} ヘッド{}、", "{}{}, ", counted(run.heads, "head"), shared) : Text::none();
  const std::string type = run.settings.precision == Precision::float16 ? "float16"
                           : run.dtype == DType::float32                ? "float32"
                                                                        : "float64";
  const Text way = run.weights_kept ? Text::none()
                                    : Text{"注意度は残さず、キーのブロックごとに計算しました。",
                                           " Weights were not kept: streamed block by block."};
  return Paragraph::plain(
      "{}クエリ {} 個、キー {} 個、1 ヘッドの幅 {}、スコアの倍率 {:.6g}、{}、{} で計算。{}",
      "{}{}, {}, head width {}, scores times {:.6g}, {}, computed in {}.{}", heads,
      counted(run.queries, "query"), counted(run.keys, "key"), run.key_width, run.scale, masks_text(run),
      type, way);
}

/// What happens to queries and keys before they meet; only said where something does.
std::vector<Block> turns_and_norms(const AttendRun& run) {
  std::vector<Block> words;
  if (run.norms) {
    const bool adds_one = run.settings.norm_gain == NormGain::plus_one;
    words.emplace_back(Paragraph::plain(
        "クエリやキーを、重みの RMS 正規化（ε = {0:g}{1}）に通します。",
        "Queries or keys go through the weights' RMS norm (eps = {0:g}{1}).",
        run.settings.norm_eps.value_or(usual_norm_eps),
        adds_one ? Text{"、γ = 1 + 保存された値", ", γ = 1 + what is stored"} : Text::none()));
  }
  if (!run.settings.rotary) return words;
  const Rotary& rotary = *run.settings.rotary;
  const std::size_t width = rotary.width == 0 ? run.key_width : rotary.width;
  const std::int64_t first = place_among_keys(0, run.queries, run.keys, run.settings.readable.alignment);
  const bool halves = rotary.pairing == RotaryPairing::halves;
  words.emplace_back(Paragraph::plain(
      "回転位置（RoPE）：{0}、底 {1:g}、{3} のうち {2} の幅。位置はキーが 0 から、クエリが {4} から。",
      "Rotary positions: {0}, base {1:g}, {2} of {3} coordinates; positions count from 0 for keys and from "
      "{4} for queries.",
      halves ? Text{"前半と後半の組", "pairs of two halves"} : Text{"隣どうしの組", "neighbouring pairs"},
      rotary.base, width, run.key_width, first));
  return words;
}

/// An array that a screen can hold; the others are for files.
void add_values(std::vector<Block>& body, const AttendRun& run, const std::string& name, const Text& label) {
  constexpr std::size_t most_values = 256;
  const Stage* stage = find_named(run.stages, name);
  if (stage == nullptr) return;
  if (stage->array.data.size() <= most_values) {
    body.emplace_back(Values{label, stage->array});
    return;
  }
  const std::string shape = shape_text(stage->array.shape);
  body.emplace_back(Paragraph::plain("{1} {2} は --save-{0} FILE で保存できます。",
                                     "--save-{} FILE saves the {} {}.", name, label, shape));
}

/// How even a head is: e^H of its keys.
Paragraph to_say(const AttendRun& run) {
  std::vector<ShownMatrix> shown = all_matrices(run);
  const auto entropy = [&](const ShownMatrix& matrix) {
    return run.summaries[matrix.index].statistics.entropy;
  };
  const auto is_nan = [&](const ShownMatrix& matrix) { return std::isnan(entropy(matrix)); };
  shown.erase(std::remove_if(shown.begin(), shown.end(), is_nan), shown.end());
  if (shown.empty()) {
    return Paragraph::say("エントロピーの指数は、均等に読んだとしたときのキーの個数です。",
                          "The exponential of the entropy is the number of keys an even reader would read.");
  }
  const auto less = [&](const ShownMatrix& a, const ShownMatrix& b) { return entropy(a) < entropy(b); };
  const auto sharpest = std::min_element(shown.begin(), shown.end(), less);
  const auto evenest = std::max_element(shown.begin(), shown.end(), less);
  const double few = std::exp(entropy(*sharpest));
  const double many = std::exp(entropy(*evenest));
  if (shown.size() == 1 || sharpest == evenest) {
    return Paragraph::say(
        "{}エントロピーの指数は、均等に読んだとしたときのキーの個数です。ここでは平均で {:.1f} 個（{} "
        "個中）です。",
        "{}The exponential of the entropy is the number of keys an even reader would read: here about {:.1f} "
        "of {}.",
        of_entry(run), few, run.keys);
  }
  return Paragraph::say(
      "{}{} は平均で約 {:.1f} 個のキーしか読まず、{} は約 {:.1f} 個を読みます（エントロピーの指数。キーは {} "
      "個）。",
      "{}{} reads about {:.1f} keys, {} about {:.1f} (the exponential of the entropy; there are {} keys).",
      of_entry(run), sharpest->name, few, evenest->name, many, run.keys);
}

}  // namespace

Formula attend_scores_formula(const AttendRun& run) {
  Formula product = formula::read("Q K^T");
  const bool plain = run.settings.temperature == 1.0;
  if (plain && run.settings.scale_text == "none") return product;
  if (plain && run.settings.scale_text == "default") {
    return formula::fraction(product, formula::read("√{d_k}"));
  }
  return formula::row({formula::sym(fmt::format("{:.6g} ", run.scale)), product});
}

std::vector<Block> attend_body(const AttendRun& run) {
  std::vector<Block> body{
      Paragraph::heading("手持ちの Q, K, V のアテンション", "Attention over your own Q, K, V"),
      Equation{formula::row({formula::call("softmax", attend_scores_formula(run)), formula::sym("V")})},
      files_table(run)};
  for (const Text& sentence : run.recognised) body.emplace_back(Paragraph{Role::text, sentence});
  body.emplace_back(summary(run));
  for (Block& block : turns_and_norms(run)) body.push_back(std::move(block));
  if (run.weights_kept) body.emplace_back(shape_trace(run.stages));
  body.emplace_back(Paragraph::heading("ヘッドごとの統計", "The heads in numbers"));
  body.emplace_back(
      Paragraph::plain("{}クエリについての平均。エントロピー（nat）、最大の注意度、読む距離、先頭・自分・1 "
                       "つ前のキーへの注意度。",
                       "{}Means over the queries: entropy in nats, largest weight, distance read, and the "
                       "weight on the first key, the query's own place and the one before it.",
                       of_entry(run)));
  body.emplace_back(heads_table(run));
  const std::size_t rows = all_matrices(run).size();
  if (rows > most_heads_in_table) {
    const std::size_t left_out = rows - most_heads_in_table;
    body.emplace_back(Paragraph::note("ほか {} 行は --json か --data で見られます。",
                                      "{} more rows are in --json and --data.", left_out));
  }
  add_values(body, run, "weights", {"注意度", "weights"});
  add_values(body, run, "output", {"出力", "output"});
  body.emplace_back(to_say(run));
  return body;
}

std::vector<Text> attend_warnings(const AttendRun& run) {
  std::vector<Text> warnings;
  const bool any_nan = std::any_of(run.summaries.begin(), run.summaries.end(), [](const WeightSummary& s) {
    return s.statistics.queries > 0 && std::isnan(s.statistics.entropy);
  });
  if (any_nan) {
    warnings.emplace_back(
        "読めるキーのある行にも NaN の注意度があります。入力の NaN や ∞ "
        "か、あふれたスコアのためです（attnlab inspect で確かめられます）",
        "rows that read keys have weights that are NaN: the inputs hold NaN or infinities, or the scores "
        "overflow (attnlab inspect shows which)");
  }
  const std::size_t empty = count_without_keys(run);
  if (empty == 0 || !run.settings.masked_row || *run.settings.masked_row != MaskedRow::nan) return warnings;
  const Text rows = rows_without_keys(run);
  const Text hint = run.mask_is_boolean ? Text{"--bool-mask を逆にするか、--masked-row zero を使えます",
                                               "turn --bool-mask round, or use --masked-row zero"}
                                        : Text{"--masked-row zero か uniform で変えられます",
                                               "--masked-row zero or uniform changes that"};
  warnings.emplace_back(text("読めるキーのない行は NaN になります：{}（{}）",
                             "rows without any readable key become NaN: {} ({})", rows, hint));
  return warnings;
}

}  // namespace attnlab
