// What `masks` says on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/formula.hpp"
#include "experiments/masks/masks.hpp"
#include "experiments/report_body.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_named = 8;

std::size_t readable_keys(const BooleanMask& mask, std::size_t row) {
  const std::size_t keys = mask.shape().back();
  const bool* first = mask.data() + row * keys;
  return static_cast<std::size_t>(std::count(first, first + keys, true));
}

/// "1–6", or "4" where all rows are alike.
std::string readable_range(const BooleanMask& mask) {
  std::size_t least = mask.shape().back();
  std::size_t most = 0;
  for (std::size_t row = 0; row < mask.shape().front(); ++row) {
    least = std::min(least, readable_keys(mask, row));
    most = std::max(most, readable_keys(mask, row));
  }
  return least == most ? std::to_string(most) : fmt::format("{}–{}", least, most);
}

std::string hidden_share(const BooleanMask& mask) {
  return fmt::format("{} / {}", std::count(mask.begin(), mask.end(), false), mask.size());
}

Table masks_table(const MasksRun& run) {
  Table table{{{"マスク", "mask"},
               {"隠れる組", "hidden pairs"},
               {"読めるキー／クエリ", "keys per query"},
               {"漏れの最大", "largest leak"}},
              {}};
  const auto add = [&table](const MaskedAttention& mask) {
    table.rows.push_back({mask.title, hidden_share(mask.mask), readable_range(mask.mask),
                          fmt::format("{:.4g}", largest_leak(mask))});
  };
  for (const MaskedAttention& kind : run.kinds) add(kind);
  if (is_combination(run.settings.choice)) add(run.chosen);
  return table;
}

Table ties_table(const LeakSweep& sweep) {
  Table table{{{"隠す数 M", "M"}, {"半分が漏れるスコアの倍率", "half leaks at scores times"}}, {}};
  for (std::size_t h = 0; h < sweep.hidden_value.size(); ++h) {
    const double tie = sweep.tie(h);
    table.rows.push_back({hidden_name(sweep.hidden_value(h)), std::isinf(tie)
                                                                  ? ShortText(Text{"漏れない", "never"})
                                                                  : ShortText(magnitude_text(tie))});
  }
  return table;
}

Paragraph what_was_drawn(const MasksRun& run) {
  const MasksSettings& s = run.settings;
  const std::string times = s.magnitude == 1.0 ? "" : fmt::format("{:g}", s.magnitude);
  return {
      Role::text,
      {fmt::format("クエリ {} 個、キーとバリュー {} 個（{} 次元）は標準正規分布の乱数です（乱数の種 {}）。"
                   "M は読めるキーで 0、隠すキーで {}。{}",
                   s.queries, s.keys, s.width, s.seed, hidden_name(s.hidden),
                   times.empty() ? "" : fmt::format("スコアはすべて {} 倍しました。", times)),
       fmt::format("{} queries, {} keys and values of width {}, drawn from the standard normal "
                   "distribution (seed {}). M is 0 where the query may read the key and {} where not.{}",
                   s.queries, s.keys, s.width, s.seed, hidden_name(s.hidden),
                   times.empty() ? "" : fmt::format(" All scores are multiplied by {}.", times))}};
}

/// The first row that reads some keys but not all.
Text example_row(const MasksRun& run) {
  const BooleanMask& mask = run.chosen.mask;
  for (std::size_t row = 0; row < run.settings.queries; ++row) {
    const std::size_t readable = readable_keys(mask, row);
    if (readable == 0 || readable == run.settings.keys) continue;
    return {
        fmt::format("クエリ {} は {} 個のうち {} 個のキーだけを読みます。", row, run.settings.keys, readable),
        fmt::format(" Query {} reads {} of {} keys.", row, readable, run.settings.keys)};
  }
  return Text::same("");
}

Paragraph to_say(const MasksRun& run) {
  const double leak = largest_leak(run.chosen);
  if (leak > 0.0) {
    return {
        Role::say,
        {fmt::format("隠すキーに足した {} は −∞ ではありません。スコアがこれほど大きいと、最大で {:.3g} の"
                     "注意度が隠れたキーに漏れます。",
                     hidden_name(run.settings.hidden), leak),
         fmt::format("What was added to hidden keys, {}, is not −∞: with scores this large up to {:.3g} "
                     "of the weight leaks to keys that should be hidden.",
                     hidden_name(run.settings.hidden), leak)}};
  }
  const Text example = example_row(run);
  return {Role::say,
          {fmt::format(
               "マスクは softmax の前のスコアに足します。exp(−∞) = 0 なので、隠れたキーの注意度はちょうど "
               "0 で、残りのキーだけで和が 1 になります。{}",
               example.ja()),
           fmt::format("A mask is added to the scores before softmax: exp(−∞) = 0, so a hidden key gets "
                       "exactly 0, and the remaining keys share the whole 1.{}",
                       example.en())}};
}

Paragraph misunderstanding(const MasksRun& run) {
  const double sum = smallest_sum_when_zeroed_late(run);
  return {Role::misunderstanding,
          {fmt::format(
               "softmax のあとで隠れた注意度を 0 にするのでは、マスクになりません。行の和が 1 ではなくなり、"
               "ここでは最小で {:.3g} まで減ります。",
               sum),
           fmt::format("Setting hidden weights to 0 after softmax is no mask: rows no longer sum to 1; here "
                       "the smallest sum would be {:.3g}.",
                       sum)}};
}

// --- Rows that may read nothing

std::string named_rows(const std::vector<std::size_t>& rows) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), most_named); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", rows[i]);
  }
  return rows.size() > most_named ? text + ", …" : text;
}

Text what_becomes_of_them(const MasksSettings& settings) {
  if (std::isfinite(settings.hidden)) {
    return {
        fmt::format("有限の {} を全部のキーに足しても softmax は変わらないので、マスクがないのと同じ注意度に"
                    "なります（--masked-row は −∞ のときだけ効きます）。",
                    hidden_name(settings.hidden)),
        fmt::format("adding the finite {} to all keys changes no softmax, so they read as though there "
                    "were no mask (--masked-row acts on −inf alone).",
                    hidden_name(settings.hidden))};
  }
  if (settings.masked_row == MaskedRow::zero) {
    return {"--masked-row zero により注意度も出力も 0 です。",
            "--masked-row zero makes weights and output 0."};
  }
  if (settings.masked_row == MaskedRow::uniform) {
    return {"--masked-row uniform により、隠れたキーを均等に読みます。",
            "--masked-row uniform lets them read all hidden keys alike."};
  }
  return {"0/0 で注意度は NaN です（NumPy と同じ）。--masked-row zero か uniform で置き換えられます。",
          "0/0 makes their weights NaN, as in NumPy; --masked-row zero or uniform replaces them."};
}

void add_notes(std::vector<Block>& body, const MasksRun& run) {
  std::vector<const MaskedAttention*> masks;
  for (const MaskedAttention& kind : run.kinds) masks.push_back(&kind);
  if (is_combination(run.settings.choice)) masks.push_back(&run.chosen);
  const Text outcome = what_becomes_of_them(run.settings);
  for (const MaskedAttention* mask : masks) {
    const std::vector<std::size_t> rows = rows_without_keys(mask->mask);
    if (rows.empty()) continue;
    const std::string names = named_rows(rows);
    body.emplace_back(Paragraph{
        Role::note,
        {fmt::format("{}：クエリ {} には読めるキーがありません。{}", mask->title.ja(), names, outcome.ja()),
         fmt::format("{}: quer{} {} may read no key; {}", mask->title.en(), rows.size() == 1 ? "y" : "ies",
                     names, outcome.en())}});
  }
}

}  // namespace

std::vector<Block> masks_body(const MasksRun& run) {
  using formula::sym;
  std::vector<Block> body;
  add_heading(body, "マスク", "Masks");
  const Formula raw = formula::row({sym("Q"), formula::sup(sym("K"), sym("T"))});
  body.emplace_back(Equation{formula::row(
      {formula::call("softmax",
                     formula::row({formula::fraction(raw, formula::root(sym("d"))), sym(" + "), sym("M")})),
       sym("V")})});
  body.emplace_back(what_was_drawn(run));
  body.emplace_back(masks_table(run));
  body.emplace_back(Values{{fmt::format("注意度（--mask {}）", run.chosen.title.ja()),
                            fmt::format("weights (--mask {})", run.chosen.title.en())},
                           to_array(run.chosen.weights, {"queries", "keys"})});
  if (run.sweep) {
    add_text(body, "有限の M は、隠れたスコアが読めるスコアより |M| 以上大きいと漏れます。",
             "A finite M leaks once a hidden score exceeds the readable ones by |M|.");
    body.emplace_back(ties_table(*run.sweep));
  }
  body.emplace_back(to_say(run));
  body.emplace_back(misunderstanding(run));
  add_notes(body, run);
  return body;
}

}  // namespace attnlab
