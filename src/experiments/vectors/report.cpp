// What the vectors experiment says in the terminal, first of all the numbers that the book prints; and what
// must hold.
#include "experiments/vectors/vectors.hpp"

namespace attnlab {
namespace {

using Blocks = std::vector<Block>;

/// softmax(scores) V, under the name of the output.
Equation attention_equation(const VectorsRun& run, const char* output, const char* query) {
  using namespace formula;
  return {row({sym(output), sym("="), call("softmax", scores_formula(run, sym(query))), sym("V")})};
}

/// What the first query gives, as NumPy prints it.
Values first_row(Text label, const Tensor<double>& matrix) {
  return {std::move(label), {{matrix.shape().back()}, {"columns"}, values_of(matrix, 0)}};
}

/// "v2（番号 1、36°）" / "v2 (index 1, 36°)": the book's name counts from 1, indices from 0.
Text name_of(const VectorsRun& run, std::size_t index) {
  return text("v{}（番号 {}、{:g}°）", "v{} (index {}, {:g}°)", index + 1, index, degrees_of(run, index));
}

/// Names of the keys with the largest weight; above two only how many they are.
Text names_of(const VectorsRun& run, const std::vector<std::size_t>& keys) {
  if (keys.size() > 2) return angles_text(run, keys);
  if (keys.size() == 1) return name_of(run, keys.front());
  return text("{}と {}", "{} and {}", name_of(run, keys.front()), name_of(run, keys.back()));
}

void one_query(Blocks& blocks, const VectorsRun& run) {
  const Tensor<double>& weights = run.requested.attention.weights;
  const std::vector<std::size_t> best = largest_keys(weights, 0);
  blocks.emplace_back(Paragraph::heading("1 つのクエリ（コード 2.2.3）", "One query (code 2.2.3)"));
  blocks.emplace_back(attention_equation(run, "o", "q"));
  const std::size_t count = run.vectors.shape().front();
  const Text where =
      run.tape.any_read() ? run.tape.described() : text("{:g}° ごと", "{:g}° apart", degrees_of(run, 1));
  blocks.emplace_back(
      Paragraph::plain("キー・バリュー：長さ 1 のベクトル {} 個（{}）。クエリ：長さ 1、{:g}°。",
                       "keys = values: {} vectors of length 1, {}; query: length 1 at {:g}°", count, where,
                       run.requested.degrees.front()));
  blocks.emplace_back(first_row({"出力ベクトル o", "output o"}, run.requested.attention.output));
  blocks.emplace_back(first_row({"注意度", "weights"}, weights));
  blocks.emplace_back(
      Paragraph::plain("注意度の和：{:.10g}", "sum of the weights: {:.10g}", row_sum(weights, 0)));
  blocks.emplace_back(Paragraph::plain("最大は {0}の注意度 {1:.4f} です。",
                                       "The largest weight, {1:.4f}, is that of {0}.", names_of(run, best),
                                       weights(0, best.front())));
}

void several_queries(Blocks& blocks, const VectorsRun& run) {
  const AttentionStages<double>& attention = run.several.attention;
  const std::size_t count = run.several.degrees.size();
  std::string degrees;
  Array sums{{count}, {"queries"}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    degrees += fmt::format("{}{:g}°", i == 0 ? "" : ", ", run.several.degrees[i]);
    sums.data.push_back(row_sum(attention.weights, i));
  }
  blocks.emplace_back(
      count == 1 ? Paragraph::heading("1 行の行列としてのクエリ（コード 2.2.4）",
                                      "The query as a matrix of one row (code 2.2.4)")
                 : Paragraph::heading("複数のクエリ（コード 2.2.4）", "Several queries (code 2.2.4)"));
  blocks.emplace_back(attention_equation(run, "O", "Q"));
  blocks.emplace_back(Paragraph::plain("クエリ：{}", "queries: {}", degrees));
  blocks.emplace_back(Paragraph::plain(
      "出力の形：{}   注意度行列の形：{}", "shape of the output: {}   shape of the weights: {}",
      shape_text({count, 2}), shape_text({count, run.vectors.shape().front()})));
  blocks.emplace_back(Values{{"注意度の行ごとの和", "row sums of the weights"}, sums});
  blocks.emplace_back(Values{{"出力 O", "output O"}, to_array(attention.output, {"queries", "coordinates"})});
}

void long_vector(Blocks& blocks, const VectorsRun& run, const Lengthened& one) {
  const WeightChange& change = one.change;
  blocks.emplace_back(Paragraph::heading("1 つだけ長さの違うベクトル", "One vector of another length"));
  blocks.emplace_back(Paragraph::plain("{}の長さを {:g} にすると、注意度は {:.4f} から {:.4f} に変わります。",
                                       "With {} of length {:g}, its weight goes from {:.4f} to {:.4f}.",
                                       name_of(run, change.index), one.length, change.before, change.after));
  blocks.emplace_back(first_row({"注意度", "weights"}, one.attention.weights));
  blocks.emplace_back(first_row({"出力ベクトル o", "output o"}, one.attention.output));
  // With very many vectors nothing happens within the digits shown.
  if (!one.opposite || std::abs(one.opposite->after - one.opposite->before) < 0.0001) return;
  const WeightChange& other = *one.opposite;
  const bool negative = run.requested.attention.raw_scores(0, other.index) < 0.0;
  blocks.emplace_back(Paragraph::plain(
      "代わりに {}の長さを {:g} にすると、{:.4f} から {:.4f} になります。クエリとの内積が{}だからです。",
      "With {} of length {:g} instead, its weight would go from {:.4f} to {:.4f}, because its dot product with the query is {}.",
      name_of(run, other.index), one.length, other.before, other.after,
      negative ? Text{"負", "negative"} : Text{"正", "positive"}));
}

Paragraph sentence_to_say(const VectorsRun& run) {
  const Tensor<double>& weights = run.requested.attention.weights;
  const std::vector<std::size_t> best = largest_keys(weights, 0);
  const double largest = weights(0, best.front());
  const double query = run.requested.degrees.front();
  const Text angles = angles_text(run, best);
  if (best.size() > 2) {
    return Paragraph::say(
        "スコアの差が小さすぎるため、{} のキーの注意度が等しく最大（{:.3g}）です。出力は、注意度を重みにしたバリューの平均です。",
        "The scores are so close that {} keys share the largest weight, {:.3g}. The output is the mean of the values, weighted by attention.",
        angles, largest);
  }
  if (best.size() == 2) {
    return Paragraph::say(
        "{:g}° のクエリに最も近い {} のキーの注意度が等しく最大（{:.3f}）です。出力は、注意度を重みにしたバリューの平均です。",
        "The keys nearest to the query at {:g}°, those at {}, share the largest weight, {:.3f}. The output is the mean of the values, weighted by attention.",
        query, angles, largest);
  }
  return Paragraph::say(
      "{:g}° のクエリに最も近い {} のキーの注意度が {:.3f} で最大です。出力は、注意度を重みにしたバリューの平均です。",
      "The key nearest to the query at {:g}°, the one at {}, has the largest weight, {:.3f}. The output is the mean of the values, weighted by attention.",
      query, angles, largest);
}

Paragraph misunderstanding(const VectorsRun& run) {
  const Tensor<double>& weights = run.requested.attention.weights;
  const Tensor<double>& output = run.requested.attention.output;
  const double length = std::hypot(output(0, 0), output(0, 1));
  const double rest = 1.0 - weights(0, largest_key(weights, 0));
  if (rest < 0.0005) {
    return Paragraph::misunderstanding(
        "アテンションが最も近いキーのバリューを 1 つ選び出すように見えるのは、スコアの差が大きすぎるからです。実際には、すべてのバリューを注意度で混ぜます。",
        "Attention seems to pick the value of the nearest key, but only because the scores are so far apart: it mixes all values.");
  }
  return Paragraph::misunderstanding(
      "アテンションは、最も近いキーのバリューを 1 つ選び出すのではなく、すべてのバリューを注意度で混ぜます。注意度が最大のキー 1 つを除いた残りの注意度は合わせて {:.3f} で、出力の長さは {:.3f} です（バリューの長さは 1）。",
      "Attention does not pick the value of the nearest key; it mixes all values: all keys but the one with the largest weight share {:.3f}, and the output has length {:.3f}, where each value has length 1.",
      rest, length);
}

/// How far an output lies beyond the longest vector: a weighted mean of vectors is no longer than any.
double beyond_longest(const Tensor<double>& vectors, const Tensor<double>& output) {
  const auto length = [](const Tensor<double>& points, std::size_t i) {
    return std::hypot(points(i, 0), points(i, 1));
  };
  const double longest = worst_of(vectors.shape()[0], [&](std::size_t i) { return length(vectors, i); });
  return worst_of(output.shape()[0], [&](std::size_t i) { return length(output, i) - longest; });
}

/// How far a weight falls where the vector is nearer to the query: for unit vectors, cos of the angle.
double nearness_disorder(const VectorsRun& run) {
  const Tensor<double>& weights = run.requested.attention.weights;
  std::vector<std::pair<double, double>> by_angle;
  for (std::size_t j = 0; j < weights.shape()[1]; ++j) {
    const double between = run.requested.degrees.front() - degrees_of(run, j);
    by_angle.emplace_back(std::abs(std::remainder(between, 360.0)), weights(0, j));
  }
  std::sort(by_angle.begin(), by_angle.end());
  return worst_of(by_angle.size() - 1,
                  [&](std::size_t i) { return by_angle[i + 1].second - by_angle[i].second; });
}

}  // namespace

std::vector<Invariant> invariants(const VectorsRun& run) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto count = static_cast<double>(run.vectors.shape().front());
  const double rounding = epsilon * (count + 2.0);  // each weight and each addition is rounded once
  // A score is off by a few roundings of its size, and exp makes that a relative error of the weight.
  const double length_error = run.tape.any_read() ? 2.0 * longest_error_of_own : 0.0;
  const double score_rounding =
      epsilon * (16.0 + 16.0 * scale_factor(run)) + length_error * scale_factor(run);
  const AttentionStages<double>& attention = run.requested.attention;
  std::vector<Invariant> result{
      invariant("weights_sum_to_one", row_sum_error(attention.weights), rounding, "注意度の各行の和は 1",
                "every row of the weights sums to 1"),
      invariant("output_within_circle", beyond_longest(run.vectors, attention.output), rounding,
                "出力は単位円の中", "the output lies within the unit circle"),
      invariant("nearer_keys_weigh_more", nearness_disorder(run), score_rounding,
                "クエリとの角度が小さいキーほど注意度が大きい",
                "the smaller the angle to the query, the larger the weight"),
  };
  if (run.lengthened) {
    const Lengthened& one = *run.lengthened;
    result.push_back(invariant("long_weights_sum_to_one", row_sum_error(one.attention.weights), rounding,
                               "1 つだけ長さを変えても注意度の各行の和は 1",
                               "with one vector of another length every row still sums to 1"));
    result.push_back(invariant("long_output_no_longer_than_vectors",
                               beyond_longest(one.vectors, one.attention.output),
                               rounding * std::max(1.0, one.length), "出力は最も長いベクトルより長くならない",
                               "the output is no longer than the longest vector"));
  }
  return result;
}

std::vector<Block> body(const VectorsRun& run, const std::vector<Stage>& /*stages*/) {
  Blocks blocks;
  one_query(blocks, run);
  several_queries(blocks, run);
  if (run.lengthened) long_vector(blocks, run, *run.lengthened);
  blocks.emplace_back(sentence_to_say(run));
  blocks.emplace_back(misunderstanding(run));
  if (!fits_matrix_figures(run)) {
    blocks.emplace_back(
        Paragraph::note("ベクトルが {} 個、クエリが {} 個を超えると、図 matrix と queries は省きます。",
                        "The figures matrix and queries are left out above {} vectors or {} queries.",
                        most_matrix_keys, most_matrix_queries));
  }
  return blocks;
}

}  // namespace attnlab
