// The figures of `masks`: four masks on one scale, the leak of finite ones, rows without keys, and what
// Lq != Lk means for a causal mask.
#include "core/counted.hpp"
#include "experiments/masks/masks.hpp"

namespace attnlab {
namespace {

// --- What they share

HeatMap weights_map(const std::string& id, const MaskedAttention& attention, const ColourScale& colours) {
  std::vector<bool> hidden;
  for (const bool may_read : attention.mask) hidden.push_back(!may_read);
  return HeatMap{id, to_matrix(attention.weights)}
      .rows({"クエリ", "Query"})
      .columns({"キー", "Key"})
      .coloured(colours)
      .with_numbers(2)
      .hiding(hidden);
}

/// "Seed 0, d = 8.", and what comes after it.
Text caption(const MasksRun& run, const Text& more) {
  return text("{}、d = {}。{}", "{}, d = {}.{}", run.tape.described(), run.settings.width, more);
}

/// The scores of other lengths, always drawn.
Tensor<double> drawn_scores(const MasksSettings& settings) {
  Tape inputs;
  inputs.start(settings.rng, settings.seed);
  return draw_inputs(settings, inputs).scores;
}

Text caption_of_drawn(const MasksSettings& settings, const Text& more) {
  return text("{}、d = {}。{}", "{}, d = {}.{}", seed_text(settings.seed, settings.rng), settings.width,
              more);
}

// --- Four masks, or the one that was asked for

Text weights_title(const MasksRun& run, double leak, std::size_t hidden, bool reads_everywhere) {
  if (leak > 0.0) {
    return text("{} ではマスクしたキーに、最大 {:.3g} の注意度が漏れる",
                "Keys masked with {} still get up to {:.3g}", hidden_name(run.settings.hidden), leak);
  }
  if (hidden == 0) return {"マスクなし：どの行の和も 1", "No key is masked: each row sums to 1"};
  if (!reads_everywhere) {
    return {"マスクしたキーの注意度は 0、参照できるキーのある行の和は 1",
            "Masked keys get 0; each row with a visible key sums to 1"};
  }
  return {"マスクしたキーの注意度は 0、残りのキーで和が 1", "Masked keys get 0; each row still sums to 1"};
}

Figure weights_figure(const MasksRun& run) {
  const std::vector<MaskedAttention> masks = run.has_requested ? std::vector{run.chosen()} : shown_masks(run);
  const ColourScale colours = weight_colours();
  Figure figure{"weights"};
  Text counts = Text::none();
  double leak = 0.0;
  std::size_t all_hidden = 0;
  bool reads_everywhere = true;
  for (const MaskedAttention& one : masks) {
    leak = std::max(leak, one.largest_leak);
    const auto hidden = static_cast<std::size_t>(std::count(one.mask.begin(), one.mask.end(), false));
    all_hidden += hidden;
    reads_everywhere &= one.rows_without_keys.empty();
    counts = text("{}{}：{} 個の組をマスク。", "{} {}: {} pairs masked.", counts, one.title, hidden);
    const std::string id = one.name.empty() ? "weights" : "weights_" + one.name;
    figure.panels.push_back({one.title, weights_map(id, one, colours)});
  }
  figure.title = weights_title(run, leak, all_hidden, reads_everywhere);
  const Text marks = note_on_hidden(figure);
  return std::move(figure)
      .described(
          masks.size() == 1
              ? text("マスクをかけた注意度のヒートマップ。行はクエリ、列はキー。{}",
                     "A heat map of the masked weights; rows are queries, columns keys.{}", counts)
              : text(
                    "同じスコアからマスクを変えて計算した注意度のヒートマップ。行はクエリ、列はキー、色の範囲は共通。{}",
                    "Heat maps of the weights that the same scores give under different masks; rows are queries, columns keys, one colour scale.{}",
                    counts))
      .captioned(caption(run, marks))
      .sharing_scale(colours)
      .sharing_axes()
      .on_page(masks.size() == 1 ? 8.0 : 16.0, masks.size() < 5 ? 6.0 : 9.0);
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
  return settings;
}

Figure alignment_figure(const MasksSettings& settings) {
  const auto [few, many] = unequal(settings);
  std::vector<MaskedAttention> attentions;
  for (const auto& [queries, keys] : {std::pair(few, many), std::pair(many, few)}) {
    const MasksSettings these = with_lengths(settings, queries, keys);
    for (const CausalAlignment alignment : {CausalAlignment::bottom_right, CausalAlignment::top_left}) {
      const bool bottom_right = alignment == CausalAlignment::bottom_right;
      const Text corner =
          bottom_right ? Text{"右下揃え", "bottom\u00a0right"} : Text{"左上揃え", "top\u00a0left"};
      attentions.push_back(attend_masked(drawn_scores(these), causal_mask(queries, keys, alignment),
                                         minus_infinity, these.masked_row));
      attentions.back().title = text("{} × {}、{}", "{} × {}, {}", queries, keys, corner);
    }
  }
  const ColourScale colours = weight_colours();
  Figure figure{"alignment", text("因果マスクの揃え方：最後のクエリが参照するキーは {} 個か {} 個か",
                                  "Last query: {} keys if aligned bottom right, {} if top left", many, few)};
  for (std::size_t i = 0; i < attentions.size(); ++i) {
    const std::string id = fmt::format("alignment[{}]", i);
    HeatMap map = weights_map(id, attentions[i], colours);
    map.row_title = map.column_title = Text::none();  // the caption says it for all four
    figure.panels.push_back({attentions[i].title, std::move(map)});
  }
  const Text marks = note_on_hidden(figure);
  return std::move(figure)
      .described(text(
          "因果マスクの注意度 4 枚。クエリ {0} 個とキー {1} 個：右下揃えでは最後のクエリが全部のキーを参照し、左上揃えでは最後の {2} 個のキーをどのクエリも参照しない。クエリ {1} 個とキー {0} 個：右下揃えでは最初の {2} 個のクエリに参照できるキーがなく、左上揃えではどのクエリにもある。",
          "Weights under a causal mask, four heat maps. {0} queries and {1} keys: bottom-right lets the last query attend to every key, top-left leaves the last {2} keys without a query. {1} queries and {0} keys: bottom-right leaves the first {2} queries without a key, top-left gives each at least one.",
          few, many, many - few))
      .captioned(caption_of_drawn(settings, text("{}見出しはクエリ数（行）× キー数（列）。",
                                                 "{} Above: queries (rows) × keys (columns).", marks)))
      .in_columns(2)
      .sharing_scale(colours)
      .on_page(13.0, 10.0);
}

// --- Rows without keys

Figure masked_row_figure(const MasksRun& run) {
  // the run itself when its mask leaves a row without keys, else a causal mask with more queries than keys
  const Lengths lengths = unequal(run.settings);
  const bool has_empty_rows = !run.chosen().rows_without_keys.empty();
  const BooleanMask mask = has_empty_rows ? run.chosen().mask : causal_mask(lengths.many, lengths.few);
  const MasksSettings settings = with_lengths(run.settings, mask.shape()[0], mask.shape()[1]);
  const double share = 1.0 / static_cast<double>(settings.keys);
  const std::vector<std::pair<MaskedRow, Text>> rules{
      {MaskedRow::nan, {"nan：0/0、NumPy と同じ", "nan: 0/0, as in NumPy"}},
      {MaskedRow::zero, {"zero：何も参照せず出力も 0", "zero: attends to nothing, output 0"}},
      {MaskedRow::uniform, text("uniform：どのキーも {:.3g}", "uniform: {:.3g} each", share)},
  };
  Figure figure{"masked-row"};
  std::vector<std::size_t> empty;
  const Tensor<double> scores = has_empty_rows ? run.drawn.scores : drawn_scores(settings);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const MaskedAttention attention = attend_masked(scores, mask, minus_infinity, rules[i].first);
    HeatMap map = weights_map(fmt::format("masked_row[{}]", i), attention, weight_colours());
    empty = attention.rows_without_keys;
    for (const std::size_t row : empty) {  // what stands in these rows is the lesson: show it unmarked
      for (std::size_t key = 0; key < settings.keys; ++key) map.hidden[row * settings.keys + key] = false;
    }
    figure.panels.push_back({rules[i].second, map});
  }
  const bool one = empty.size() == 1;
  figure.title = text("参照できるキーのない{}が {} 個：注意度は NaN か、0 か、均等か",
                      "{1} {0} without a visible key: NaN, 0 or uniform weights?",
                      one ? Text{"クエリ", "query"} : Text{"クエリ", "queries"}, empty.size());
  const std::string rows =
      one ? fmt::format("{}", empty.front()) : fmt::format("{}–{}", empty.front(), empty.back());
  const Text lengths_text = text("{}クエリ {}、キー {}。uniform はマスクしたキーを参照する。",
                                 "{} {}, {}. Uniform attends to masked keys.", note_on_hidden(figure),
                                 counted(settings.queries, "query"), counted(settings.keys, "key"));
  return std::move(figure)
      .described(text(
          "同じマスクの注意度 3 枚。参照できるキーのない行（{}）は、1 枚目では NaN、2 枚目では 0、3 枚目では {:.3g} ずつ。ほかの行は 3 枚とも同じ。",
          "The weights of one mask three times. The rows without a visible key, {}, hold NaN in the first, zeros in the second, {:.3g} each in the third; all other rows are the same.",
          rows, share))
      .captioned(has_empty_rows ? caption(run, lengths_text) : caption_of_drawn(settings, lengths_text))
      .sharing_scale(weight_colours())
      .sharing_axes()
      .on_page(14.0, 6.5);
}

}  // namespace

std::vector<Figure> figures(const MasksRun& run) {
  return {weights_figure(run), masked_row_figure(run), alignment_figure(run.settings)};
}

}  // namespace attnlab
