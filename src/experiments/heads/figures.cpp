// The figures of `heads` with numbers: the weights of every head on one scale and as lines, and what W_O
// makes of the joined heads.
#include "core/counted.hpp"
#include "experiments/framework/arcs.hpp"
#include "experiments/framework/learned_sentence.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

// --- Maps

Text weights_title(const HeadsRun& run) {
  if (run.heads == 1) return {"ヘッドが 1 つなら見方も 1 つ", "One head gives one view of the tokens"};
  const std::size_t different = disagreements(run);
  if (different == 0) {
    return {"注意度が最大のキーは全ヘッドで同じ", "All heads agree on the top key of every query"};
  }
  if (different == run.queries) {
    return text("クエリ {} 個すべてで、注意度が最大のキーがヘッドによって違う",
                "For all {} queries the heads disagree on the top key", different);
  }
  return text("クエリ {0} 個中 {1} 個で、注意度が最大のキーがヘッドによって違う",
              "For {1} of {0} queries the heads disagree on the top key", run.queries, different);
}

Text weights_description(const HeadsRun& run) {
  Text favourites = Text::none();
  for (std::size_t head = 0; head < run.heads; ++head) {
    favourites = text("{}{}ヘッド {} は「{}」", "{}{}head {}: {}", favourites,
                      head == 0 ? Text::none() : Text{"、", ", "}, head,
                      key_name(run, favourite_key(run, head, shown_query(run))));
  }
  return text(
      "{0} 個のヘッドの注意度のヒートマップ。各図は {1} × {5}、行はクエリ、列はキー、色の範囲は共通。値は {2}。クエリ「{3}」の注意度が最大のキー：{4}。",
      "Heat maps of the weights of {0} heads, {1} by {5} each; rows are queries, columns are keys, one colour scale for all. The weights run from {2}. Top key of query {3}: {4}.",
      run.heads, run.queries, range_text(run.data), query_name(run), favourites, run.keys);
}

/// "Seed 0, first batch entry.": what was drawn.
Text drawn_from(const HeadsRun& run) {
  if (run.variant == HeadsVariant::parity) {
    return {"X の種 42、重みの種 0。", "Seeds 42 (X) and 0 (weights)."};
  }
  const bool several = batch_size(run) > 1;
  return text("{}{}。", "{}{}.", run.tape.described(),
              several ? Text{"、バッチの先頭", ", first batch entry"} : Text::none());
}

/// Of random numbers whose rows have almost the entropy of uniform weights.
bool is_almost_uniform(const HeadsRun& run) {
  constexpr double almost = 0.98;
  if (run.tape.any_read() || run.mask) return false;
  const Tensor<double> spread = entropy(run.attention.weights);
  const double share = sum_of(spread) / static_cast<double>(spread.size()) / std::log(run.keys);
  return share >= almost;
}

Text weights_caption(const HeadsRun& run) {
  const Text mask = run.variant == HeadsVariant::course && !run.has_user_mask
                        ? Text{"ヘッド h は h + 1 個前まで参照する。", " Head h attends back h + 1 tokens."}
                        : Text::none();
  return text("{}{}枠：各クエリの最大の注意度。{}{}", "{}{} Framed: the largest weight of each query.{}{}",
              drawn_from(run), note_on_untrained(is_almost_uniform(run)), mask,
              note_on_labels(run.labels_are_words && !run.tape.any_read()));
}

HeatMap head_map(const HeadsRun& run, std::size_t head) {
  const auto labels = run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  std::vector<bool> top_keys(run.queries * run.keys, false);
  for (std::size_t query = 0; query < run.queries; ++query) {
    top_keys[query * run.keys + favourite_key(run, head, query)] = true;
  }
  return HeatMap{fmt::format("weights[{}]", head), weights_of_head(run, head)}
      .rows({"クエリ", "Query"}, labels)
      .columns({"キー", "Key"}, labels)
      .coloured(weight_colours())
      .with_numbers(2)
      .marking(top_keys)
      .showing({"weights", head * run.queries});
}

HeatMap signed_map(const std::string& id, const Tensor<double>& values) {
  return HeatMap{id, to_matrix(values)}
      .rows({"トークン", "Token"})
      .columns({"次元", "Dimension"})
      .coloured(signed_scale(values));
}

/// The first `columns` numbers of the first row, as a row.
Tensor<double> beginning(const Tensor<double>& values, std::size_t columns) {
  return to_tensor(std::vector<double>(values.data(), values.data() + columns), {1, columns});
}

/// 3.7e-09 as "4 × 10⁻⁹", for a title.
std::string in_one_digit(double value) {
  return to_terminal(written(std::stod(fmt::format("{:.0e}", value))).formula);
}

// --- Matrix equations

/// Light for the first head's numbers 1 to 3, dark for the second's 4 to 6.
const ColourScale head_colours{Palette::blues, 0.0, 7.0};

/// One token that two heads read with weight 1, as (1, 2, 3) and as (4, 5, 6): the book's example, computed
/// by the layer itself.
MultiHeadStages<double> concat_example(const Tensor<double>& w_output) {
  MultiHeadWeights<double> weights;
  weights.query = Tensor<double>({2, 1, 1}, 1.0);
  weights.key = Tensor<double>({2, 1, 1}, 1.0);
  weights.value = {{{1, 2, 3}}, {{4, 5, 6}}};
  weights.output = w_output;
  const Tensor<double> token({1, 1}, 1.0);
  return multi_head_attention(weights, token, token, token);
}

/// Six numbers in, four out: the first three add the heads number by number, the last is a mean of both
/// heads' first numbers.
MatrixEquation adjusting() {
  const Tensor<double> narrowing = {{1, 0, 0, 0.5}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                    {1, 0, 0, 0.5}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  const MultiHeadStages<double> example = concat_example(narrowing);
  const auto term = [](const char* id, const char* name, const Tensor<double>& values,
                       const ColourScale& scale) {
    MatrixTerm matrix = matrix_term(id, formula::read(name), values, scale, 1);
    matrix.map.shows.stage = "by hand";  // none of the run's, which have these names
    return matrix;
  };
  return {{term("concat", "[o_1 , o_2]", example.concat, head_colours), between("×"),
           term("w_output", "W_O", narrowing, {Palette::blues, 0.0, 2.0}), between("="),
           term("output", "Y", example.output, {Palette::blues, 0.0, 18.0})}};
}

/// How many numbers of an output the equation of its parts shows.
std::size_t shown_width(const HeadsRun& run) { return std::min<std::size_t>(run.d_model, 8); }

/// The heads' shares of the first query's output.
Tensor<double> shown_shares(const HeadsRun& run) {
  return xt::view(contributions(run), xt::all(), xt::range(std::size_t{0}, shown_width(run)));
}

Tensor<double> shown_output(const HeadsRun& run) { return beginning(run.output, shown_width(run)); }

/// One for all its matrices.
ColourScale scale_of_mixing(const HeadsRun& run) {
  const ColourScale of_shares = signed_scale(shown_shares(run));
  const ColourScale of_output = signed_scale(shown_output(run));
  return of_output.high > of_shares.high ? of_output : of_shares;
}

/// The first query's output as a sum over the heads.
MatrixEquation mixing(const HeadsRun& run, const ColourScale& scale) {
  const Formula share = formula::read("o_i W_O^{(i)}");
  Formula sum = formula::row({formula::sym("Σ "), share});
  MatrixTerm heads = matrix_term("contributions", share, shown_shares(run), scale, no_numbers);
  for (std::size_t head = 0; head < run.heads; ++head) {
    heads.map.row_labels.emplace_back(text("ヘッド {}", "Head {}", head));
  }
  MatrixEquation equation{{heads}};
  if (const std::optional<Tensor<double>> bias = output_bias(run)) {
    sum = formula::row({sum, formula::read("+ b_O")});
    equation.terms.emplace_back(between(","));
    equation.terms.emplace_back(matrix_term("bias_output", formula::read("b_O"),
                                            beginning(*bias, shown_width(run)), scale, no_numbers));
  }
  equation.terms.emplace_back(between("→"));
  MatrixTerm output = matrix_term("sum", sum, shown_output(run), scale, no_numbers);
  output.map.shows.stage = "output";
  equation.terms.emplace_back(std::move(output));
  return equation;
}

// --- The figures

/// All heads of a layer that has learned, with what the next word would be worth without each of them.
Figure heads_of(const LearnedSentence& sentence) {
  Figure figure =
      Figure{"sentence", text("ヘッド {}：{}", "Head {}: {}", sentence.head, title_of(sentence))}
          .described(text(
              "{0} 個のヘッドの注意度のヒートマップ。「{1}」の {2} トークン。行はクエリ、列はキー、色の範囲は共通。次の語「{3}」の確率 {4:.3f} は、ヘッド {5} を除くと {6:.3f}。",
              "Heat maps of the weights of {0} heads over the {2} tokens of “{1}”; rows are queries, columns are keys, one colour scale for all. The probability of the next word, “{3}”, is {4:.3f}, and {6:.3f} without head {5}.",
              sentence.without.size(), sentence.text, sentence.labels.size(), sentence.next,
              sentence.probability, sentence.head, sentence.without[sentence.head]))
          .captioned(text("{}かっこの中：そのヘッドを除いたときの「{}」の確率。",
                          "{} In brackets: the probability of “{}” without that head.", caption_of(sentence),
                          sentence.next))
          .sharing_scale(weight_colours())
          .sharing_axes()
          .in_columns(2)
          .on_page(11.0, 10.0);
  figure.panels.reserve(sentence.without.size());
  for (std::size_t head = 0; head < sentence.without.size(); ++head) {
    const Text heading = text("ヘッド {}（{:.3f}）", "Head {} ({:.3f})", head, sentence.without[head]);
    figure.panels.push_back({heading, map_of(sentence, head)});
  }
  return figure;
}

/// Article's figure: one panel of weights per head, one colour scale.
Figure weights_figure(const HeadsRun& run) {
  const PageSize page = page_for_maps(run.heads);
  Figure figure = Figure{"weights", weights_title(run)}
                      .described(weights_description(run))
                      .captioned(weights_caption(run))
                      .sharing_scale(weight_colours())
                      .sharing_axes()
                      .on_page(page.width, page.height);
  for (std::size_t head = 0; head < run.heads; ++head) {
    figure.panels.push_back({text("ヘッド {}", "Head {}", head), head_map(run, head)});
  }
  constexpr std::size_t words_beside_four = 8;  // maps in a row: of more words only some would be named
  const bool in_two_rows = run.labels_are_words && run.heads == 4 && run.keys > words_beside_four;
  if (in_two_rows) return std::move(figure).in_columns(2).on_page(11.0, 10.0);
  return figure;
}

/// The same as lines between the words, one colour a head.
Figure words_figure(const HeadsRun& run) {
  const auto words = run.labels_are_words ? short_texts(run.labels) : std::vector<ShortText>{};
  WordWeights attending{words_or_numbers(words, 0, run.queries), words_or_numbers(words, 0, run.keys), {}};
  std::vector<double> weights;
  for (std::size_t head = 0; head < run.heads; ++head) {
    const Matrix of_head = weights_of_head(run, head);
    weights.insert(weights.end(), of_head.values.begin(), of_head.values.end());
    attending.heads.push_back(text("ヘッド {}", "Head {}", head));
  }
  attending.weights = to_tensor(weights, {run.heads, run.queries, run.keys});
  attending.shows.stage = "weights";
  return arcs_figure(attending, arc_title(attending), drawn_from(run));
}

/// PyTorch's output beside ours, and the difference.
Figure parity_figure(const HeadsRun& run) {
  const Tensor<double>& output = run.output;
  const double largest = largest_difference(output, run.pytorch_output);
  return Figure{"parity", text("PyTorch との差は最大 {}（出力は最大 {:.3f}）",
                               "PyTorch differs by at most {} from outputs up to {:.3f}",
                               in_one_digit(largest), largest_magnitude(output))}
      .described(text(
          "同じ重みと入力による出力（{0} × {1}）の 3 枚のヒートマップ。数式どおりの実装、nn.MultiheadAttention、両者の差。差は最大 {2:.1e}。",
          "Three heat maps of the output ({0} x {1}) for the same weights and tokens: the formulas, nn.MultiheadAttention, and their difference, at most {2:.1e}.",
          run.queries, run.d_model, largest))
      .captioned({"float32。X の種 42、重みの種 0。差の図だけ色の範囲が違う。",
                  "float32. Seeds 42 (X) and 0 (weights). The difference has colours of its own."})
      .panel({"数式どおり", "The formulas"}, signed_map("output", output))
      .panel(Text::same("PyTorch"), signed_map("pytorch_output", run.pytorch_output))
      .panel({"差", "Difference"}, signed_map("difference", output - run.pytorch_output))
      .on_page(14.0, 5.0);
}

/// What W_O is for: it adjusts the width, and it mixes the heads.
Figure roles_figure(const HeadsRun& run) {
  const ColourScale scale = scale_of_mixing(run);
  return Figure{"roles",
                {"出力層の 2 つの役割：幅を合わせ、ヘッドを混ぜる",
                 "The output layer sets the width and mixes the heads"}}
      .described(text(
          "上：結合した 6 次元に 6 × 4 の W_O を掛けると 4 次元になる。下：クエリ 0 の出力は {} 個のヘッドそれぞれと W_O の積の和で、どの成分にもすべてのヘッドが加わる。",
          "Above: six joined numbers times W_O (6 x 4) give four. Below: the output of query 0 is the sum of {} parts, one per head; every number has a share of every head.",
          run.heads))
      .captioned(text(
          "上は手で作った例。下はクエリ 0 の先頭 {0} 次元（色の範囲 −{2:.2g}～{2:.2g}）。o_i はヘッド i の出力、W_O⁽ⁱ⁾ はそれに掛かる {1} 行。",
          "Above: by hand. Below: query 0, first {0} numbers (colours: −{2:.2g} to {2:.2g}). o_i: what head i found; W_O⁽ⁱ⁾: the {1} rows that meet it.",
          shown_width(run), run.width, scale.high))
      .panel({"1. 次元の調整", "1. Adjust the width"}, adjusting())
      .panel({"2. 情報の統合", "2. Mix the heads"}, mixing(run, scale))
      .in_columns(1)
      .on_page(14.0, 8.0);
}

}  // namespace

std::vector<Figure> figures(const HeadsRun& run) {
  std::vector<Figure> all{weights_figure(run), heads_blocks_figure(run), heads_shapes_figure(run)};
  if (run.variant == HeadsVariant::book) std::swap(all[0], all[1]);
  if (run.variant == HeadsVariant::course) {
    std::rotate(all.begin(), all.begin() + 2, all.end());
    all.push_back(heads_place_figure());
  }
  if (run.variant == HeadsVariant::parity) all.insert(all.begin(), parity_figure(run));
  all.push_back(words_figure(run));
  if (run.is_documents) all.insert(all.begin(), sentence_figure(heads_of));
  all.push_back(roles_figure(run));
  if (can_be_mixed(run)) all.push_back(heads_mixing_figure(run));
  if (run.heads > 1 && run.variant != HeadsVariant::model) all.push_back(heads_views_figure(run));
  all.push_back(heads_inputs_figure(run));
  return all;
}

}  // namespace attnlab
