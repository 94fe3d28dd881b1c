// The figures of `masks`: four masks on one scale, rows without keys, and what Lq != Lk means for a causal
// mask.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/colour_range.hpp"
#include "experiments/masks/masks.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ColourScale weights_scale(double largest) {
  return {Palette::blues, 0.0, largest, {"注意度", "Weight"}};
}

/// The largest finite weight of several matrices.
double largest_weight(const std::vector<const MaskedAttention*>& masks) {
  double largest = 0.0;
  for (const MaskedAttention* mask : masks) {
    for (const double weight : mask->weights) {
      if (std::isfinite(weight)) largest = std::max(largest, weight);
    }
  }
  return largest > 0.0 ? largest : 1.0;
}

int digits_that_fit(std::size_t keys) {
  return keys <= 8 ? 2 : no_numbers;
}

HeatMap weights_map(const std::string& id, const MaskedAttention& attention, double largest) {
  return {id,
          to_matrix(attention.weights),
          {},
          {},
          {"クエリ", "Query"},
          {"キー", "Key"},
          weights_scale(largest),
          digits_that_fit(attention.weights.shape().back()),
          true,
          [&attention] {
            std::vector<bool> hidden;
            for (const bool may_read : attention.mask) hidden.push_back(!may_read);
            return hidden;
          }()};
}

const Text struck_out{"斜線：隠れたキー（注意度 0）。", " Struck out: hidden keys, weight 0."};
const Text struck_or_framed{"斜線：隠れたキー（注意度 0）。枠：隠したのに漏れた注意度。",
                            " Struck out: hidden keys, weight 0. Framed: weight leaked to hidden keys."};

Text joined(const Text& one, const Text& two) {
  return {one.ja() + two.ja(), one.en() + two.en()};
}

// --- Four masks

std::vector<const MaskedAttention*> shown_masks(const MasksRun& run) {
  std::vector<const MaskedAttention*> masks;
  for (const MaskedAttention& kind : run.kinds) masks.push_back(&kind);
  if (is_combination(run.settings.choice)) masks.push_back(&run.chosen);
  return masks;
}

double largest_leak_of(const std::vector<const MaskedAttention*>& masks) {
  double largest = 0.0;
  for (const MaskedAttention* mask : masks) largest = std::max(largest, largest_leak(*mask));
  return largest;
}

Text weights_title(const MasksSettings& settings, double leak) {
  if (leak == 0.0) {
    return {"隠れたキーの注意度は 0、残りのキーで和が 1",
            "Hidden keys get 0, and the rest of each row sums to 1"};
  }
  return {fmt::format("{} で隠したキーに、最大 {:.3g} の注意度が漏れる", hidden_name(settings.hidden), leak),
          fmt::format("Hidden by {}, keys still get up to {:.3g}", hidden_name(settings.hidden), leak)};
}

Figure weights_figure(const MasksRun& run) {
  const std::vector<const MaskedAttention*> masks = shown_masks(run);
  const double largest = largest_weight(masks);
  const double leak = largest_leak_of(masks);
  std::vector<Panel> panels;
  std::string ja;
  std::string en;
  for (const MaskedAttention* mask : masks) {
    const std::string id = mask->name.empty() ? "weights" : "weights_" + mask->name;
    panels.push_back({mask->title, weights_map(id, *mask, largest)});
    const auto hidden = std::count(mask->mask.begin(), mask->mask.end(), false);
    ja += fmt::format("{}：{} 個の組が隠れる。", mask->title.ja(), hidden);
    en += fmt::format(" {}: {} pairs hidden.", mask->title.en(), hidden);
  }
  return {"weights",
          weights_title(run.settings, leak),
          {fmt::format("同じスコアからマスクを変えて計算した注意度のヒートマップ。行はクエリ、列はキー、"
                       "色の範囲は共通。{}",
                       ja),
           fmt::format("Heat maps of the weights that the same scores give under different masks; rows are "
                       "queries, columns keys, one colour scale.{}",
                       en)},
          joined(inputs_caption(run.settings), leak > 0.0 ? struck_or_framed : struck_out),
          panels,
          0,
          weights_scale(largest),
          {16.0, masks.size() == 4 ? 6.0 : 9.0},
          true};
}

// --- Unequal lengths

struct Lengths {
  std::size_t few = 1;
  std::size_t many = 2;
};

/// The run's own lengths, or where they are equal two thirds of them beside them.
Lengths unequal(const MasksSettings& settings) {
  const std::size_t few = std::min(settings.queries, settings.keys);
  const std::size_t many = std::max(settings.queries, settings.keys);
  if (few < many) return {few, many};
  if (many == 1) return {1, 2};
  return {many - std::max<std::size_t>(1, many / 3), many};
}

MasksSettings with_lengths(MasksSettings settings, std::size_t queries, std::size_t keys) {
  settings.queries = queries;
  settings.keys = keys;
  settings.hidden = -infinity;
  return settings;
}

MaskedAttention causal_attention(const MasksSettings& settings, CausalAlignment alignment) {
  return attend_masked(draw_inputs(settings), settings, "", Text::same(""),
                       causal_mask(settings.queries, settings.keys, alignment));
}

Figure alignment_figure(const MasksSettings& settings) {
  const Lengths lengths = unequal(settings);
  std::vector<Panel> panels;
  std::vector<MaskedAttention> attentions;
  std::vector<Text> titles;
  for (const auto& [queries, keys] :
       {std::pair(lengths.few, lengths.many), std::pair(lengths.many, lengths.few)}) {
    const MasksSettings these = with_lengths(settings, queries, keys);
    for (const CausalAlignment alignment : {CausalAlignment::bottom_right, CausalAlignment::top_left}) {
      const bool bottom_right = alignment == CausalAlignment::bottom_right;
      attentions.push_back(causal_attention(these, alignment));
      titles.emplace_back(
          fmt::format("{} × {}、{}", queries, keys, bottom_right ? "右下揃え" : "左上揃え"),
          fmt::format("{} × {}, {}", queries, keys, bottom_right ? "bottom-right" : "top-left"));
    }
  }
  double largest = 0.0;
  for (const MaskedAttention& attention : attentions)
    largest = std::max(largest, largest_weight({&attention}));
  for (std::size_t i = 0; i < attentions.size(); ++i) {
    panels.push_back({titles[i], weights_map(fmt::format("alignment[{}]", i), attentions[i], largest)});
  }
  const std::size_t empty = lengths.many - lengths.few;
  return {
      "alignment",
      {fmt::format("因果マスクの揃え方：最後のクエリが読むキーは {} 個か {} 個か", lengths.many, lengths.few),
       fmt::format("Which corner? The last query reads {} keys, or only {}", lengths.many, lengths.few)},
      {fmt::format(
           "因果マスクの注意度 4 枚。クエリ {0} 個とキー {1} 個：右下揃えでは最後のクエリが全部のキーを読み、"
           "左上揃えでは最後の {2} 個のキーを誰も読まない。クエリ {1} 個とキー {0} 個：右下揃えでは最初の "
           "{2} 個のクエリに読めるキーがなく、左上揃えではどのクエリにもある。",
           lengths.few, lengths.many, empty),
       fmt::format("Weights under a causal mask, four heat maps. {0} queries and {1} keys: bottom-right "
                   "lets the last query read every key, top-left leaves the last {2} keys to nobody. {1} "
                   "queries and {0} keys: bottom-right leaves the first {2} queries without a key, "
                   "top-left gives each at least one.",
                   lengths.few, lengths.many, empty)},
      joined(joined(inputs_caption(settings), struck_out),
             {"見出しはクエリ数 × キー数。", " Above: queries × keys, alignment."}),
      panels,
      2,
      weights_scale(largest),
      {13.0, 10.0}};
}

// --- Rows without keys

/// The run itself when its mask leaves a row without keys, else a causal mask with more queries than keys.
MasksSettings with_empty_rows(const MasksRun& run, BooleanMask& mask) {
  MasksSettings settings = with_lengths(run.settings, run.settings.queries, run.settings.keys);
  mask = run.chosen.mask;
  if (!rows_without_keys(mask).empty()) return settings;
  const Lengths lengths = unequal(run.settings);
  mask = causal_mask(lengths.many, lengths.few);
  return with_lengths(run.settings, lengths.many, lengths.few);
}

Figure masked_row_figure(const MasksRun& run) {
  BooleanMask mask;
  MasksSettings settings = with_empty_rows(run, mask);
  const MaskInputs inputs = draw_inputs(settings);
  const std::vector<std::size_t> empty = rows_without_keys(mask);
  const double share = 1.0 / static_cast<double>(settings.keys);
  const std::vector<std::pair<MaskedRow, Text>> rules{
      {MaskedRow::nan, {"nan：0/0、NumPy と同じ", "nan: 0/0, as in NumPy"}},
      {MaskedRow::zero, {"zero：何も読まず出力も 0", "zero: reads nothing, output 0"}},
      {MaskedRow::uniform,
       {fmt::format("uniform：どのキーも {:.3g}", share), fmt::format("uniform: {:.3g} each", share)}},
  };
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    settings.masked_row = rules[i].first;
    const MaskedAttention attention = attend_masked(inputs, settings, "", rules[i].second, mask);
    HeatMap map = weights_map(fmt::format("masked_row[{}]", i), attention, 1.0);
    for (const std::size_t row : empty) {  // what stands in these rows is the lesson: show it unmarked
      for (std::size_t key = 0; key < settings.keys; ++key) map.hidden[row * settings.keys + key] = false;
    }
    panels.push_back({rules[i].second, map});
  }
  const std::string rows = empty.size() == 1 ? fmt::format("{}", empty.front())
                                             : fmt::format("{}–{}", empty.front(), empty.back());
  return {
      "masked-row",
      {fmt::format("読めるキーのないクエリが {} 個：注意度は NaN か、0 か、均等か", empty.size()),
       fmt::format("{} quer{} with no key to read: NaN, zeros or equal weights?", empty.size(),
                   empty.size() == 1 ? "y" : "ies")},
      {fmt::format(
           "同じマスクの注意度 3 枚。読めるキーのない行（{}）は、1 枚目では NaN、2 枚目では 0、3 枚目では "
           "{:.3g} ずつ。ほかの行は 3 枚とも同じ。",
           rows, share),
       fmt::format("The weights of one mask three times. The rows without a key, {}, hold NaN in the "
                   "first, zeros in the second, {:.3g} each in the third; all other rows are the same.",
                   rows, share)},
      joined(
          joined(inputs_caption(settings), struck_out),
          {fmt::format("クエリ {}、キー {}。uniform は隠れたキーを読む。", settings.queries, settings.keys),
           fmt::format(" {} queries, {} keys. Uniform reads hidden keys.", settings.queries, settings.keys)}),
      panels,
      0,
      weights_scale(1.0),
      {14.0, 6.5},
      true};
}

}  // namespace

Text inputs_caption(const MasksSettings& settings) {
  return {fmt::format("乱数の種 {}、d = {}。", settings.seed, settings.width),
          fmt::format("Seed {}, d = {}.", settings.seed, settings.width)};
}

std::vector<Figure> masks_figures(const MasksRun& run) {
  std::vector<Figure> figures{weights_figure(run)};
  if (run.sweep) figures.push_back(masks_leak_figure(*run.sweep, run.settings));
  figures.push_back(masked_row_figure(run));
  figures.push_back(alignment_figure(run.settings));
  return figures;
}

}  // namespace attnlab
