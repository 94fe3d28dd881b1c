// A figure for each stage, laid out alike: matrices with the words beside their rows, numbers as on a
// blackboard.
#include "experiments/by_hand/by_hand.hpp"

namespace attnlab {
namespace {

using Names = std::vector<ShortText>;

Tensor<double> of_head(const Tensor<double>& stacked, std::size_t head) { return xt::view(stacked, head); }
Tensor<double> of_head(const ByHandRun& run, const std::string& stage, std::size_t head) {
  return of_head(run.tape.numbers_of(stage), head);
}

MatrixTerm term(const std::string& id, std::string_view symbol, const Tensor<double>& values,
                const Names& rows = {}, const Names& columns = {}) {
  MatrixTerm term = matrix_term(id, formula::read(symbol), values, signed_scale(values), exact_numbers);
  term.shape.clear();
  term.map.row_labels = rows;
  term.map.column_labels = columns;
  return term;
}

/// A stage of the tape.
MatrixTerm term(const ByHandRun& run, const std::string& stage, std::string_view symbol,
                const Names& rows = {}, const Names& columns = {}) {
  return term(stage, symbol, run.tape.numbers_of(stage), rows, columns);
}

MatrixTerm weights_term(const ByHandRun& run, std::size_t head) {
  MatrixTerm weights = term("weights", "A", of_head(run.weights, head), run.words, run.words);
  weights.map.shows.row = head * run.words.size();
  weights.map.scale = {Palette::blues, 0.0, 1.0};
  return weights;
}

MatrixTerm probability_term(const std::string& id, const ByHandRun& run, const Tensor<double>& values) {
  MatrixTerm probability = term(id, "P", values, run.words, run.vocabulary);
  probability.map.scale = {Palette::blues, 0.0, 1.0};
  probability.map.decimals = 2;
  return probability;
}

Text caption_of(const ByHandRun& run) {
  if (run.tape.any_read()) return text("{}。", "{}.", run.tape.described());
  if (run.seed != 0)
    return text("乱数の種 {} の語。底 {}。", "Words drawn with seed {}; base {}.", run.seed, run.base_name);
  return text("手で計算する例。底 {}。", "Example computed by hand; base {}.", run.base_name);
}

Figure stage_figure(const ByHandRun& run, const std::string& id, Text title, Text description) {
  return Figure{id, std::move(title)}
      .described(std::move(description))
      .captioned(caption_of(run))
      .in_columns(1)
      .on_page(10.0, 5.0);
}

// --- From words to queries, keys and values

Figure words_figure(const ByHandRun& run) {
  Chart plane{Axis{run.coordinates.empty() ? Text{"1 つ目の数", "First number"}
                                           : text("{}", "{}", run.coordinates[0])},
              Axis{run.coordinates.empty() ? Text{"2 つ目の数", "Second number"}
                                           : text("{}", "{}", run.coordinates[1])}};
  plane.equal_units = true;
  Arrows arrows{"words"};
  for (std::size_t i = 0; i < run.words.size(); ++i)
    arrows.arrows.push_back({run.x(i, 0),
                             run.x.shape()[1] > 1 ? run.x(i, 1) : 0.0,
                             text("{}", "{}", run.words[i]),
                             {},
                             series_ink(i)});
  plane.layers = {arrows};
  return stage_figure(
             run, "words",
             text("{} つの語を、それぞれ {} つの数で表す", "{} words as vectors of {} numbers",
                  run.words.size(), run.x.shape()[1]),
             text(
                 "左：行が語、列が座標の行列 X。右：最初の 2 つの数を平面の矢印で。",
                 "Left, the matrix X: rows are words, columns are coordinates. Right, the first two numbers as arrows in the plane."))
      .panel({"語の行列", "Words as rows"}, MatrixEquation{{term(run, "x", "X", run.words, run.coordinates)}})
      .panel({"最初の 2 つの数", "The first two numbers"}, plane)
      .in_columns(2);
}

/// X W of head 1.
Figure projection_figure(const ByHandRun& run, const std::string& id, char letter, Text title) {
  return stage_figure(
             run, id, std::move(title),
             text("語の行列 X と W_{0} の積が {0}。行は語、列はヘッド 1 の座標。",
                  "The words X times W_{0} are {0}: rows are words, columns are head 1's coordinates.",
                  letter))
      .panel(MatrixEquation{
          {term(run, "x", "X", run.words, run.coordinates), between("×"),
           term("w_" + id, fmt::format("W_{}", letter), of_head(run, "w_" + id, 0), run.coordinates),
           between("="), term(id, std::string(1, letter), of_head(run, id, 0), run.words)}});
}

// --- From scores to the heads' outputs

MatrixEquation comparison(const ByHandRun& run, std::size_t head) {
  return {{term("query", "Q", of_head(run, "query", head), run.words), between("×"),
           term("key.transposed", "K^T", attnlab::transpose(of_head(run, "key", head)), {}, run.words),
           between("="), term("scores", "S", of_head(run, "scores", head), run.words, run.words)}};
}

bool is_hidden(double score) { return std::isinf(score) && score < 0.0; }

MatrixTerm masked_term(const ByHandRun& run, std::size_t head) {
  MatrixTerm masked = term("masked", "S + M", of_head(run, "masked", head), run.words, run.words);
  masked.map.shows.row = head * run.words.size();
  const std::vector<double>& scores = masked.map.values.values;
  masked.map.hidden.resize(scores.size());
  std::transform(scores.begin(), scores.end(), masked.map.hidden.begin(), is_hidden);
  return masked;
}

Text caption_with_mask(const ByHandRun& run) {
  const Tensor<double> masked = run.tape.numbers_of("masked");
  if (std::none_of(masked.begin(), masked.end(), is_hidden)) return caption_of(run);
  return text("{}斜線：マスクした所（−∞）。", "{} Hatched: masked, −∞.", caption_of(run));
}

/// The scores with the mask, their powers, the sums of their rows, and what each is of its sum.
std::vector<OneOf<MatrixTerm, OperatorTerm>> normalisation(const ByHandRun& run, std::size_t head) {
  const Tensor<double> sums = xt::sum(of_head(run, "powers", head), {1}, xt::keep_dims);
  const std::string powers = fmt::format("{}^{{S + M}}", run.base_name);
  return {masked_term(run, head),
          between("→"),
          term("powers", powers, of_head(run, "powers", head), run.words, run.words),
          between("÷"),
          term("sums", "Σ", sums),
          between("="),
          weights_term(run, head)};
}

MatrixEquation average(const ByHandRun& run, std::size_t head) {
  MatrixTerm value = term("value", "V", of_head(run, "value", head), run.words);
  MatrixTerm output = term("head_output", "A V", of_head(run, "head_output", head), run.words);
  value.map.shows.row = output.map.shows.row = head * run.words.size();
  return {{again(weights_term(run, head)), between("×"), value, between("="), output}};
}

Figure scores_figure(const ByHandRun& run) {
  return stage_figure(
             run, "scores",
             {"スコア：どのクエリが、どのキーと合うか", "Scores: which query matches which key"},
             {"クエリの行列 Q とキーの転置の積がスコア S。行はクエリの語、列はキーの語。",
              "Queries Q times keys transposed are the scores S: rows are queries, columns are keys."})
      .panel(comparison(run, 0));
}

Figure weights_figure(const ByHandRun& run) {
  return stage_figure(
             run, "weights",
             text("{} の累乗を、行の和で割る：{}", "Powers of {}, normalised: {}", run.base_name,
                  reading_of(run, 0)),
             {"左から、マスク M を足したスコア、その累乗、行の和、行の和で割った注意度。マスクした所の累乗は 0。",
              "From the left: the scores plus the mask M, their powers, the sums of their rows, and the weights, each power divided by the sum of its row. Masked words get the power 0."})
      .captioned(caption_with_mask(run))
      .panel(MatrixEquation{normalisation(run, 0)});
}

Figure output_figure(const ByHandRun& run) {
  return stage_figure(run, "output",
                      {"出力は、バリューの加重平均", "The output is a weighted mean of the values"},
                      {"注意度 A とバリュー V の積がヘッド 1 の出力。",
                       "The weights A times the values V are the output of head 1."})
      .panel(average(run, 0));
}

Figure second_head_figure(const ByHandRun& run) {
  MatrixEquation all = average(run, 1);
  all.terms.insert(all.terms.begin(), {masked_term(run, 1), between("→")});
  return stage_figure(
             run, "second-head", text("ヘッド 2：{}", "Head 2: {}", reading_of(run, 1)),
             {"ヘッド 2 の、マスク M を足したスコア、注意度 A、バリュー V、出力。W_Q と W_K はヘッド 1 の逆。",
              "Scores plus the mask M, weights A, values V and output of head 2; its W_Q and W_K are those of head 1, swapped."})
      .captioned(caption_with_mask(run))
      .panel(std::move(all));
}

// --- From the heads to the next word

Figure joined_figure(const ByHandRun& run) {
  return stage_figure(
             run, "joined",
             {"2 つのヘッドを結合して W_O を掛ける", "The heads are concatenated and multiplied by W_O"},
             {"2 つのヘッドの出力を横に並べた行列 Z と W_O の積。",
              "The concatenated outputs of both heads, the matrix Z, times W_O."})
      .panel(MatrixEquation{{term(run, "concat", "Z", run.words), between("×"),
                             term(run, "w_output", "W_O", {}, run.coordinates), between("="),
                             term(run, "output", "Z W_O", run.words, run.coordinates)}});
}

Figure residual_figure(const ByHandRun& run) {
  return stage_figure(
             run, "residual", {"元の語に足す（残差接続）", "The residual connection adds the input back"},
             {"語の行列 X とアテンションの出力 Z W_O の和。", "The words X plus attention's output Z W_O."})
      .panel(MatrixEquation{{term(run, "x", "X", run.words, run.coordinates), between("+"),
                             term(run, "output", "Z W_O", run.words), between("="),
                             term(run, "residual", "R", run.words, run.coordinates)}});
}

Figure norm_figure(const ByHandRun& run) {
  const Tensor<double> residual = run.tape.numbers_of("residual");
  const Tensor<double> roots = xt::sqrt(xt::mean(residual * residual, {1}, xt::keep_dims));
  return stage_figure(run, "norm",
                      {"長さをそろえる：行を √(2 乗の平均) で割る",
                       "Normalisation: each row divided by its root mean square"},
                      {"左から、残差接続の後の行 R、その 2 乗の平均の平方根、割った結果 N。",
                       "From the left: the rows R, the roots of their mean squares, and the quotients N."})
      .panel(MatrixEquation{{term(run, "residual", "R", run.words, run.coordinates), between("÷"),
                             term("roots", "rms", roots), between("="),
                             term(run, "normed", "N", run.words, run.coordinates)}});
}

/// "floods (0.49)", "floods or lends (0.30 each)".
Text answer_of(const ByHandRun& run, const Tensor<double>& probability, std::size_t word) {
  const std::vector<std::size_t> best = likeliest(probability, word);
  const Text names = next_words(run, probability, word);
  const std::string share = fmt::format("{:.2f}", probability(word, best.front()));
  if (best.size() == 1) return text("{}（{}）", "{} ({})", names, share);
  return text("{}（どれも {}）", "{} ({} each)", names, share);
}

Figure logits_figure(const ByHandRun& run) {
  return stage_figure(
             run, "logits", {"ロジット：次に来る語のスコア", "Logits: a score for each possible next word"},
             {"正規化した行 N と W_next の積がロジット L。列は次に来る語。",
              "The normalised rows N times W_next are the logits L: columns are the words that may come next."})
      .panel(MatrixEquation{{term(run, "normed", "N", run.words, run.coordinates), between("×"),
                             term(run, "w_next", "W_{next}", {}, run.vocabulary), between("="),
                             term(run, "logits", "L", {}, run.vocabulary)}});
}

Figure next_figure(const ByHandRun& run) {
  const std::size_t word = asking_word(run, 0);
  return stage_figure(
             run, "next",
             text("「{}」の次は{}", "After {} the next word is {}", run.words[word],
                  answer_of(run, run.probability, word)),
             {"ロジット L の累乗を行の和で割ったものが、次の語の確率 P。",
              "The powers of the logits L, divided by the sums of their rows, are the next word's probabilities P."})
      .panel(MatrixEquation{{term(run, "logits", "L", run.words, run.vocabulary), between("→"),
                             probability_term("probability", run, run.probability)}});
}

Figure mask_figure(const ByHandRun& run) {
  const std::size_t word = asking_word(run, 0);
  const auto panel = [&run](const std::string& suffix, const Tensor<double>& all,
                            const Tensor<double>& probability) {
    MatrixTerm weights = term("weights" + suffix, "A", of_head(all, 0), run.words, run.words);
    weights.map.scale = {Palette::blues, 0.0, 1.0};
    return MatrixEquation{
        {weights, between("→"), probability_term("probability" + suffix, run, probability)}};
  };
  const Text here = answer_of(run, run.probability, word);
  const Text there = answer_of(run, run.other_probability, word);
  Figure figure =
      stage_figure(run, "mask",
                   text("「{0}」の次は、マスクがあれば{1}、なければ{2}",
                        "With the mask, {0} is followed by {1}; without it, by {2}", run.words[word],
                        run.is_masked ? here : there, run.is_masked ? there : here),
                   {"ヘッド 1 の注意度と次の語の確率を、マスクのあるときとないときとで比べる。",
                    "Weights of head 1 and probabilities of the next word, with the mask and without it."});
  const MatrixEquation own = panel("", run.weights, run.probability);
  const MatrixEquation other = panel(".other", run.other_weights, run.other_probability);
  const Text with_mask{"マスクあり", "With the mask"};
  const Text without_mask{"マスクなし", "Without"};
  return std::move(figure)
      .panel(with_mask, run.is_masked ? own : other)
      .panel(without_mask, run.is_masked ? other : own);
}

/// One number has one colour in all the matrices of an equation that are not weights.
void put_on_one_scale(MatrixEquation& equation) {
  double reach = 0.0;
  std::vector<ColourScale*> scales;
  for (auto& each : equation.terms) {
    auto* matrix = std::get_if<MatrixTerm>(&each);
    if (matrix == nullptr || matrix->map.scale.palette != Palette::rdbu) continue;
    scales.push_back(&matrix->map.scale);
    reach = std::max(reach, matrix->map.scale.high);
  }
  for (ColourScale* scale : scales) {
    scale->low = -reach;
    scale->high = reach;
  }
}

}  // namespace

std::vector<Figure> figures(const ByHandRun& run) {
  std::vector<Figure> all{
      words_figure(run),
      projection_figure(run, "query", 'Q', {"クエリ：何を探すか", "Queries: what is a word looking for?"}),
      projection_figure(run, "key", 'K', {"キー：何として見つかるか", "Keys: what can a word be found by?"}),
      projection_figure(run, "value", 'V', {"バリュー：何を伝えるか", "Values: what does a word pass on?"}),
      scores_figure(run),
      weights_figure(run),
      output_figure(run),
      second_head_figure(run),
      joined_figure(run),
      residual_figure(run),
      norm_figure(run),
      logits_figure(run),
      next_figure(run),
      mask_figure(run)};
  for (Figure& figure : all)
    for (Panel& panel : figure.panels)
      if (auto* equation = std::get_if<MatrixEquation>(&panel.content)) put_on_one_scale(*equation);
  return all;
}

}  // namespace attnlab
