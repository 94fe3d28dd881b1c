// What the vectors experiment says in the terminal: first of all the numbers that the book prints.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "experiments/report_body.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/vectors/vectors.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {
namespace {

using Blocks = std::vector<Block>;

/// softmax(scores) V, under the name of the output.
Equation attention_equation(const VectorsRun& run, const std::string& output, const std::string& query) {
  using namespace formula;
  return {row({sym(output), sym("="), call("softmax", scores_formula(run, sym(query))), sym("V")})};
}

/// Row `i` of a matrix, as NumPy prints what one query gives.
Array row_of(const Tensor<double>& matrix, std::size_t i) {
  const std::size_t columns = matrix.shape().back();
  const double* begin = &matrix(i, 0);
  return {{columns}, {"columns"}, {begin, begin + columns}, DType::float64};
}

double sum_of(const Array& row) {
  double sum = 0.0;
  for (const double value : row.data) sum += value;
  return sum;
}

/// "v2（番号 1、36°）" / "v2 (index 1, 36°)": the book's name counts from 1, indices from 0.
Text name_of(const VectorsRun& run, std::size_t index) {
  return {fmt::format("v{}（番号 {}、{:g}°）", index + 1, index, degrees_of(run, index)),
          fmt::format("v{} (index {}, {:g}°)", index + 1, index, degrees_of(run, index))};
}

/// Names of the keys with the largest weight; above two only how many they are.
Text names_of(const VectorsRun& run, const std::vector<std::size_t>& keys) {
  if (keys.size() > 2) return angles_text(run, keys);
  Text names = name_of(run, keys.front());
  if (keys.size() == 1) return names;
  const Text second = name_of(run, keys.back());
  return {names.ja() + "と " + second.ja(), names.en() + " and " + second.en()};
}

void one_query(Blocks& blocks, const VectorsRun& run) {
  const Array weights = row_of(run.asked.attention.weights, 0);
  const Array output = row_of(run.asked.attention.output, 0);
  const std::size_t n = weights.data.size();
  add_heading(blocks, "1 つのクエリ（コード 2.2.3）", "One query (code 2.2.3)");
  blocks.emplace_back(attention_equation(run, "o", "q"));
  add_text(blocks,
           fmt::format("キー・バリュー：長さ 1 のベクトル {} 個（{:g}° ごと）。クエリ：長さ 1、{:g}°。", n,
                       degrees_of(run, 1), run.asked.degrees.front()),
           fmt::format("keys = values: {} vectors of length 1, {:g}° apart; query: length 1 at {:g}°", n,
                       degrees_of(run, 1), run.asked.degrees.front()));
  blocks.emplace_back(Values{{"出力ベクトル o", "output o"}, output});
  blocks.emplace_back(Values{{"注意度", "weights"}, weights});
  const std::string sum = fmt::format("{:.10g}", sum_of(weights));
  add_text(blocks, "注意度の和：" + sum, "sum of the weights: " + sum);
  const std::vector<std::size_t> best = largest_keys(run.asked.attention.weights, 0);
  const Text names = names_of(run, best);
  const double largest = weights.data[best.front()];
  add_text(blocks, fmt::format("最大は {}の注意度 {:.4f} です。", names.ja(), largest),
           fmt::format("The largest weight, {:.4f}, is that of {}.", largest, names.en()));
}

std::string joined_degrees(const AskedQueries& asked) {
  std::string joined;
  for (const double degrees : asked.degrees) {
    joined += fmt::format("{}{:g}°", joined.empty() ? "" : ", ", degrees);
  }
  return joined;
}

void several_queries(Blocks& blocks, const VectorsRun& run) {
  const AttentionStages<double>& attention = run.several.attention;
  Array sums{{run.several.degrees.size()}, {"queries"}, {}, DType::float64};
  for (std::size_t i = 0; i < run.several.degrees.size(); ++i) {
    sums.data.push_back(sum_of(row_of(attention.weights, i)));
  }
  const bool one = run.several.degrees.size() == 1;
  add_heading(blocks, one ? "1 行の行列としてのクエリ（コード 2.2.4）" : "複数のクエリ（コード 2.2.4）",
              one ? "The query as a matrix of one row (code 2.2.4)" : "Several queries (code 2.2.4)");
  blocks.emplace_back(attention_equation(run, "O", "Q"));
  add_text(blocks, "クエリ：" + joined_degrees(run.several), "queries: " + joined_degrees(run.several));
  const std::vector<std::size_t> output(attention.output.shape().begin(), attention.output.shape().end());
  const std::vector<std::size_t> weights(attention.weights.shape().begin(), attention.weights.shape().end());
  add_text(blocks, "出力の形：" + shape_text(output) + "   注意度行列の形：" + shape_text(weights),
           "shape of the output: " + shape_text(output) + "   shape of the weights: " + shape_text(weights));
  blocks.emplace_back(Values{{"注意度の行ごとの和", "row sums of the weights"}, sums});
  blocks.emplace_back(Values{{"出力 O", "output O"}, to_array(attention.output, {"queries", "coordinates"})});
}

void long_vector(Blocks& blocks, const VectorsRun& run) {
  if (!run.lengthened) return;
  const Lengthened& one = *run.lengthened;
  const WeightChange& change = one.change;
  const Text name = name_of(run, change.index);
  add_heading(blocks, "1 つだけ長さの違うベクトル", "One vector of another length");
  add_text(blocks,
           fmt::format("{}の長さを {:g} にすると、注意度は {:.4f} から {:.4f} に変わります。", name.ja(),
                       one.length, change.before, change.after),
           fmt::format("With {} of length {:g}, its weight goes from {:.4f} to {:.4f}.", name.en(),
                       one.length, change.before, change.after));
  blocks.emplace_back(Values{{"注意度", "weights"}, row_of(one.attention.weights, 0)});
  blocks.emplace_back(Values{{"出力ベクトル o", "output o"}, row_of(one.attention.output, 0)});
  // With very many vectors nothing happens within the digits shown.
  if (!one.opposite || std::abs(one.opposite->after - one.opposite->before) < 0.0001) return;
  const WeightChange& other = *one.opposite;
  const Text instead = name_of(run, other.index);
  const bool negative = run.asked.attention.raw_scores(0, other.index) < 0.0;
  add_text(
      blocks,
      fmt::format("代わりに {}の長さを {:g} にすると、{:.4f} から {:.4f} になります。クエリとの内積が{}"
                  "だからです。",
                  instead.ja(), one.length, other.before, other.after, negative ? "負" : "正"),
      fmt::format("With {} of length {:g} instead, its weight would go from {:.4f} to {:.4f}, because its "
                  "dot product with the query is {}.",
                  instead.en(), one.length, other.before, other.after, negative ? "negative" : "positive"));
}

Paragraph sentence_to_say(const VectorsRun& run) {
  const Tensor<double>& weights = run.asked.attention.weights;
  const std::vector<std::size_t> best = largest_keys(weights, 0);
  const double largest = weights(0, best.front());
  const double query = run.asked.degrees.front();
  const Text angles = angles_text(run, best);
  if (best.size() > 2) {
    return {
        Role::say,
        {fmt::format("スコアの差が小さすぎるため、{} のキーの注意度が等しく最大（{:.3g}）です。出力は、"
                     "注意度を重みにしたバリューの平均です。",
                     angles.ja(), largest),
         fmt::format("The scores are so close that {} keys share the largest weight, {:.3g}. The output is "
                     "the mean of the values, weighted by attention.",
                     angles.en(), largest)}};
  }
  if (best.size() == 2) {
    return {
        Role::say,
        {fmt::format("{:g}° のクエリに最も近い {} のキーの注意度が等しく最大（{:.3f}）です。出力は、注意度を"
                     "重みにしたバリューの平均です。",
                     query, angles.ja(), largest),
         fmt::format("The keys nearest to the query at {:g}°, those at {}, share the largest weight, "
                     "{:.3f}. The output is the mean of the values, weighted by attention.",
                     query, angles.en(), largest)}};
  }
  return {Role::say,
          {fmt::format(
               "{:g}° のクエリに最も近い {} のキーの注意度が {:.3f} で最大です。出力は、注意度を重みにした"
               "バリューの平均です。",
               query, angles.ja(), largest),
           fmt::format(
               "The key nearest to the query at {:g}°, the one at {}, has the largest weight, {:.3f}. The "
               "output is the mean of the values, weighted by attention.",
               query, angles.en(), largest)}};
}

Paragraph misunderstanding(const VectorsRun& run) {
  const Tensor<double>& output = run.asked.attention.output;
  const double length = std::hypot(output(0, 0), output(0, 1));
  const double rest = 1.0 - run.asked.attention.weights(0, largest_key(run.asked.attention.weights, 0));
  if (rest < 0.0005) {
    return {Role::misunderstanding,
            {"アテンションが最も近いキーのバリューを 1 つ選び出すように見えるのは、スコアの差が大きすぎるから"
             "です。実際には、すべてのバリューを注意度で混ぜます。",
             "Attention seems to pick the value of the nearest key, but only because the scores are so far "
             "apart: it mixes all values."}};
  }
  return {
      Role::misunderstanding,
      {fmt::format(
           "アテンションは、最も近いキーのバリューを 1 つ選び出すのではなく、すべてのバリューを注意度で混ぜ"
           "ます。注意度が最大のキー 1 つを除いた残りの注意度は合わせて {:.3f} で、出力の長さは {:.3f} です"
           "（バリューの長さは 1）。",
           rest, length),
       fmt::format(
           "Attention does not pick the value of the nearest key; it mixes all values: all keys but the one "
           "with the largest weight share {:.3f}, and the output has length {:.3f}, where each value has "
           "length 1.",
           rest, length)}};
}

Paragraph left_out() {
  return {Role::note,
          {fmt::format("ベクトルが {} 個、クエリが {} 個を超えると、図 matrix と queries は省きます。",
                       most_matrix_keys, most_matrix_queries),
           fmt::format("The figures matrix and queries are left out above {} vectors or {} queries.",
                       most_matrix_keys, most_matrix_queries)}};
}

}  // namespace

std::vector<Block> vectors_body(const VectorsRun& run) {
  Blocks blocks;
  one_query(blocks, run);
  several_queries(blocks, run);
  long_vector(blocks, run);
  blocks.emplace_back(sentence_to_say(run));
  blocks.emplace_back(misunderstanding(run));
  if (!fits_matrix_figures(run)) blocks.emplace_back(left_out());
  return blocks;
}

}  // namespace attnlab
