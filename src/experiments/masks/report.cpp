// What `masks` says on a terminal.
#include "core/counted.hpp"
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

/// "1–6", or "4" where all rows are alike.
std::string readable_range(const BooleanMask& mask) {
  const std::vector<std::size_t> readable = readable_keys(mask);
  const auto [least, most] = std::minmax_element(readable.begin(), readable.end());
  return *least == *most ? std::to_string(*most) : fmt::format("{}–{}", *least, *most);
}

Table masks_table(const MasksRun& run) {
  Table table{{{"マスク", "mask"},
               {"マスクした組", "masked pairs"},
               {"参照できるキー／クエリ", "visible keys per query"},
               {"漏れの最大", "largest leak"}}};
  for (const MaskedAttention& one : shown_masks(run)) {
    const auto hidden = std::count(one.mask.begin(), one.mask.end(), false);
    table.rows.push_back({one.title, fmt::format("{} / {}", hidden, one.mask.size()),
                          readable_range(one.mask), fmt::format("{:.4g}", one.largest_leak)});
  }
  return table;
}

Paragraph what_was_drawn(const MasksRun& run) {
  const MasksSettings& s = run.settings;
  const Text times = s.magnitude == 1.0 ? Text::none()
                                        : text("スコアはすべて {:g} 倍しました。",
                                               " All scores are multiplied by {:g}.", s.magnitude);
  const Text origin = run.tape.any_read()
                          ? text("です（{}）", " ({})", run.tape.described())
                          : text("は標準正規分布の乱数です（乱数の種 {}）",
                                 ", drawn from the standard normal distribution (seed {})", s.seed);
  return Paragraph::plain(
      "クエリ {} 個、キーとバリュー {} 個（{} 次元）{}。M は参照できるキーで 0、マスクするキーで {}。{}",
      "{}, {} with values, of width {}{}. M is 0 where the query may attend to the key and {} elsewhere.{}",
      counted(s.queries, "query"), counted(s.keys, "key"), s.width, origin, hidden_name(s.hidden), times);
}

/// The first row that reads some keys but not all.
Text example_row(const MasksRun& run) {
  const std::size_t keys = run.settings.keys;
  const std::vector<std::size_t> readable = readable_keys(run.chosen().mask);
  const auto some = std::find_if(readable.begin(), readable.end(),
                                 [keys](std::size_t count) { return count > 0 && count < keys; });
  if (some == readable.end()) return Text::none();
  return text("クエリ {0} は {1} 個のうち {2} 個のキーだけを参照します。",
              " Query {0} attends to {2} of {1}.", some - readable.begin(), counted(keys, "key"), *some);
}

Paragraph to_say(const MasksRun& run) {
  const double leak = run.chosen().largest_leak;
  if (leak > 0.0) {
    return Paragraph::say(
        "マスクするキーに足した {} は −∞ ではありません。スコアがこれほど大きいと、最大で {:.3g} の注意度がマスクしたキーに漏れます。",
        "What is added to masked keys, {}, is not −∞: with scores this large up to {:.3g} of the weight leaks to them.",
        hidden_name(run.settings.hidden), leak);
  }
  return Paragraph::say(
      "マスクは softmax の前のスコアに足します。exp({}) {} なので、マスクしたキーの注意度はちょうど 0 で、残りのキーだけで和が 1 になります。{}",
      "A mask is added to the scores before softmax: exp({}) {}, so a masked key gets exactly 0, and the remaining keys share the total of 1.{}",
      std::isfinite(run.settings.hidden) ? hidden_name(run.settings.hidden) : "−∞",
      std::isfinite(run.settings.hidden) ? Text{"は 0 に丸められる", "is rounded to 0"} : Text::same("= 0"),
      example_row(run));
}

// --- Rows that may read nothing

/// "0, 1, 2", of more than eight the first ones.
std::string named_rows(const std::vector<std::size_t>& rows) {
  constexpr std::ptrdiff_t most_named = 8;
  if (rows.size() <= most_named) return joined(rows, ", ");
  return fmt::format("{}, …", joined(std::vector(rows.begin(), rows.begin() + most_named), ", "));
}

Text what_becomes_of_them(const MasksSettings& settings) {
  if (std::isfinite(settings.hidden)) {
    return text(
        "有限の {} を全部のキーに足しても softmax は変わらないので、マスクがないのと同じ注意度になります（--masked-row は −∞ のときだけ効きます）。",
        "adding the finite {} to all keys does not change softmax, so the weights are those without a mask (--masked-row applies to −inf only).",
        hidden_name(settings.hidden));
  }
  if (settings.masked_row == MaskedRow::zero) {
    return {"--masked-row zero により注意度も出力も 0 です。",
            "--masked-row zero makes weights and output 0."};
  }
  if (settings.masked_row == MaskedRow::uniform) {
    return {"--masked-row uniform により、マスクしたキーを均等に参照します。",
            "--masked-row uniform lets them attend uniformly to all masked keys."};
  }
  return {"0/0 で注意度は NaN です（NumPy と同じ）。--masked-row zero か uniform で置き換えられます。",
          "0/0 makes their weights NaN, as in NumPy; --masked-row zero or uniform replaces them."};
}

Paragraph note_on_rows(const MasksRun& run, const MaskedAttention& one) {
  const std::vector<std::size_t>& rows = one.rows_without_keys;
  const Text queries = rows.size() == 1 ? Text{"クエリ", "query"} : Text{"クエリ", "queries"};
  return Paragraph::note("{}：{} {} には参照できるキーがありません。{}", "{}: {} {} may attend to no key; {}",
                         one.title, queries, named_rows(rows), what_becomes_of_them(run.settings));
}

}  // namespace

std::vector<Block> body(const MasksRun& run, const std::vector<Stage>& /*stages*/) {
  const Formula logits =
      formula::row({formula::read("\\frac{Q K^T}{\\sqrt{d}}"), formula::sym(" + "), formula::sym("M")});
  std::vector<Block> blocks{
      Paragraph::heading("マスク", "Masks"),
      Equation{formula::row({formula::call("softmax", logits), formula::sym("V")})},
      what_was_drawn(run),
      masks_table(run),
      Values{text("注意度（--mask {}）", "weights (--mask {})", run.chosen().title),
             to_array(run.chosen().weights, {"queries", "keys"})},
  };
  blocks.emplace_back(to_say(run));
  const double late = smallest_sum_when_zeroed_late(run);
  blocks.emplace_back(Paragraph::misunderstanding(
      "softmax のあとで注意度を 0 にしても、マスクにはなりません。{}",
      "Setting weights to 0 after softmax is not masking: {}",
      late < 1.0 ? text("行の和が 1 ではなくなり、ここでは最小で {:.3g} まで減ります。",
                        "rows no longer sum to 1; here the smallest sum would be {:.3g}.", late)
                 : Text{"行の和が 1 ではなくなります（ここでは、マスクしたキーに注意度がありません）。",
                        "rows no longer sum to 1 (here no masked key has weight)."}));
  for (const MaskedAttention& one : shown_masks(run)) {
    if (!one.rows_without_keys.empty()) blocks.emplace_back(note_on_rows(run, one));
  }
  return blocks;
}

}  // namespace attnlab
