// What `attend` prints: what was read, the shapes, and a table of the heads.
#include "attend/run.hpp"
#include "core/counted.hpp"
#include "core/named.hpp"
#include "experiments/framework/trace.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_heads_in_table = 32;

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
  std::vector<Text> masks;
  const ReadableKeys& rule = run.settings.readable;
  if (rule.causal) masks.emplace_back("因果マスク", "causal");
  if (rule.reach) masks.push_back(text("窓 ±{}", "window of {} to either side", *rule.reach));
  if (rule.padded > 0) masks.push_back(text("パディング {} 個", "padding of {} keys", rule.padded));
  for (const std::string& file : run.settings.mask_files) masks.push_back(Text::same(without_folders(file)));
  if (run.settings.alibi) masks.push_back(Text::same("ALiBi"));
  return masks.empty() ? Text{"マスクなし", "no mask"} : listed(masks);
}

Paragraph summary(const AttendRun& run) {
  const Text shared =
      run.kv_heads == run.heads ? Text::none() : attend_sentence("shared_kv", {{"heads", run.kv_heads}});
  const Text heads =
      run.has_heads ? attend_sentence("heads", {{"heads", counted(run.heads, "head")}, {"shared", shared}})
                    : Text::none();
  const std::string type = run.dtype == DType::float32 ? "float32" : "float64";
  return {
      Role::text,
      attend_sentence("summary", {{"heads", heads},
                                  {"queries", counted(run.queries, "query")},
                                  {"keys", counted(run.keys, "key")},
                                  {"width", run.key_width},
                                  {"scale", run.scale},
                                  {"masks", masks_text(run)},
                                  {"type", type},
                                  {"way", run.weights_kept ? Text::none() : attend_sentence("streamed")}})};
}

/// What happens to queries and keys before they meet; only said where something does.
std::vector<Block> turns_and_norms(const AttendRun& run) {
  std::vector<Block> words;
  if (run.norms) {
    const bool adds_one = run.settings.norm_gain == NormGain::plus_one;
    words.emplace_back(Paragraph{
        Role::text,
        attend_sentence("norms", {{"eps", run.settings.norm_eps.value_or(usual_norm_eps)},
                                  {"gain", adds_one ? attend_sentence("plus_one") : Text::none()}})});
  }
  if (!run.settings.rotary) return words;
  const Rotary& rotary = *run.settings.rotary;
  const std::size_t width = rotary.width == 0 ? run.key_width : rotary.width;
  const std::int64_t first = place_among_keys(0, run.queries, run.keys, run.settings.readable.alignment);
  const bool halves = rotary.pairing == RotaryPairing::halves;
  words.emplace_back(Paragraph{
      Role::text, attend_sentence("rotary", {{"pairs", attend_sentence(halves ? "halves" : "pairs")},
                                             {"base", rotary.base},
                                             {"width", width},
                                             {"all", run.key_width},
                                             {"first", std::to_string(first)}})});
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
  body.emplace_back(Paragraph{
      Role::text,
      attend_sentence("may_be_saved",
                      {{"name", name}, {"label", label}, {"shape", shape_text(stage->array.shape)}})});
}

/// How even a head is: e^H of its keys.
Paragraph to_say(const AttendRun& run) {
  std::vector<ShownMatrix> shown = all_matrices(run);
  const auto entropy = [&](const ShownMatrix& matrix) {
    return run.summaries[matrix.index].statistics.entropy;
  };
  const auto is_nan = [&](const ShownMatrix& matrix) { return std::isnan(entropy(matrix)); };
  shown.erase(std::remove_if(shown.begin(), shown.end(), is_nan), shown.end());
  if (shown.empty()) return {Role::say, attend_sentence("even_reader")};
  const auto less = [&](const ShownMatrix& a, const ShownMatrix& b) { return entropy(a) < entropy(b); };
  const auto sharpest = std::min_element(shown.begin(), shown.end(), less);
  const auto evenest = std::max_element(shown.begin(), shown.end(), less);
  const bool is_one = shown.size() == 1 || sharpest == evenest;
  return {Role::say,
          attend_sentence(is_one ? "one_reader" : "two_readers", {{"entry", of_entry(run)},
                                                                  {"sharpest", sharpest->name},
                                                                  {"few", std::exp(entropy(*sharpest))},
                                                                  {"evenest", evenest->name},
                                                                  {"many", std::exp(entropy(*evenest))},
                                                                  {"keys", run.keys}})};
}

}  // namespace

Table files_table(const AttendRun& run) {
  Table table{{{"入力", "Input"}, {"ファイル", "File"}, {"形状", "Shape"}, {"型", "Type"}}, {}};
  for (const InputFile& file : run.files) {
    table.rows.push_back({file.role, file.file, shape_text(file.shape), file.type});
  }
  return table;
}

Formula attend_scores_formula(const AttendRun& run) {
  Formula product = formula::read("Q K^T");
  const bool plain = run.settings.temperature == 1.0;
  if (plain && run.settings.scale_text == "none") return product;
  if (plain && run.settings.scale_text == "default") {
    return formula::fraction(product, formula::read("\\sqrt{d_k}"));
  }
  return formula::row({formula::sym(fmt::format("{:.6g} ", run.scale)), product});
}

std::vector<Block> attend_body(const AttendRun& run) {
  std::vector<Block> body{
      Paragraph{Role::heading, attend_sentence("heading")},
      Equation{formula::row({formula::call("softmax", attend_scores_formula(run)), formula::sym("V")})},
      files_table(run)};
  for (const Text& sentence : run.recognised) body.emplace_back(Paragraph{Role::text, sentence});
  body.emplace_back(summary(run));
  for (Block& block : turns_and_norms(run)) body.push_back(std::move(block));
  if (run.weights_kept) body.emplace_back(shape_trace(run.stages));
  body.emplace_back(Paragraph{Role::heading, attend_sentence("statistics")});
  body.emplace_back(Paragraph{Role::text, attend_sentence("means", {{"entry", of_entry(run)}})});
  body.emplace_back(heads_table(run));
  const std::size_t rows = all_matrices(run).size();
  if (rows > most_heads_in_table)
    body.emplace_back(
        Paragraph{Role::note, attend_sentence("more_rows", {{"rows", rows - most_heads_in_table}})});
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
  if (any_nan) warnings.push_back(attend_sentence("nan_weights"));
  if (!run.finitely_hidden.empty())
    warnings.push_back(attend_sentence("finite_rows", {{"rows", flagged_rows(run, run.finitely_hidden)}}));
  const std::size_t empty = count_without_keys(run);
  const Stage* const output = find_named(run.stages, "output");
  const bool is_finite =
      output == nullptr || std::all_of(output->array.data.begin(), output->array.data.end(),
                                       [](double value) { return std::isfinite(value); });
  if (!any_nan && empty == 0 && !is_finite) warnings.push_back(attend_sentence("odd_output"));
  if (empty == 0 || !run.settings.masked_row || *run.settings.masked_row != MaskedRow::nan) return warnings;
  warnings.push_back(attend_sentence(
      "empty_rows", {{"rows", flagged_rows(run, run.nothing_read)},
                     {"hint", attend_sentence(run.mask_is_boolean ? "turn_mask" : "change_rows")}}));
  return warnings;
}

}  // namespace attnlab
