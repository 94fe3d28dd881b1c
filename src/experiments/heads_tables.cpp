// The tables of `heads`: the shape trace, the heads side by side, and the shapes of the course.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "attention/linear.hpp"
#include "attention/scaled_dot_product.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/heads/heads.hpp"
#include "experiments/framework/shape_trace.hpp"
#include "results/report/numpy_text.hpp"

namespace attnlab {
namespace {

std::string query_label(const HeadsRun& run) {
  return run.variant == HeadsVariant::book ? "Query 0" : run.labels[0];
}

/// The layer's shapes: this run's, and those of a width of 768 with 12 heads over 1024 tokens.
Table pipeline_table(const HeadsRun& run) {
  const std::size_t batch = run.query_input.shape()[0];
  const std::vector<ShapeStep> small = shape_pipeline(batch, run.queries, run.d_model, run.heads);
  const std::vector<ShapeStep> large = shape_pipeline(1, 1024, 768, 12);
  Table table{
      {{"手順", "step"}, Text::same("N × L × E"), {"この実行", "this run"}, Text::same("E 768, H 12 → D 64")},
      {}};
  for (std::size_t i = 0; i < small.size(); ++i) {
    table.rows.push_back(
        {small[i].step, small[i].letters, shape_text(small[i].shape), shape_text(large[i].shape)});
  }
  return table;
}

Table attention_table(const HeadsRun& run) {
  const std::vector<ShapeStep> small = attention_shapes(run.queries, run.d_model / run.heads);
  const std::vector<ShapeStep> large = attention_shapes(1024, 512);
  Table table{{{"アテンション層", "attention layer"},
               Text::same("N.. × L × D"),
               {"1 ヘッド", "one head"},
               Text::same("1024 × 512")},
              {}};
  for (std::size_t i = 0; i < small.size(); ++i) {
    table.rows.push_back(
        {small[i].step, small[i].letters, shape_text(small[i].shape), shape_text(large[i].shape)});
  }
  return table;
}

/// `linear` and attention take any batch dimensions N..: computed here on zeros of that shape.
Table batches_table(const HeadsRun& run) {
  const std::size_t width = run.d_model / run.heads;
  const Linear<double> layer{Tensor<double>({width, run.d_model}, 0.0), Tensor<double>({width}, 0.0)};
  Table table{{Text::same("N.."),
               Text::same("x: N.. × I"),
               Text::same("linear: N.. × O"),
               Text::same("Q, K, V: N.. × L × D"),
               {"出力", "output"}},
              {}};
  for (const std::vector<std::size_t>& batch : std::vector<std::vector<std::size_t>>{{}, {3}, {2, 3}}) {
    std::vector<std::size_t> tokens = batch;
    tokens.push_back(run.d_model);
    std::vector<std::size_t> sequence = batch;
    sequence.insert(sequence.end(), {run.queries, width});
    const Tensor<double> out = linear(layer, Tensor<double>(tokens, 0.0));
    const Tensor<double> q(sequence, 0.0);
    const Tensor<double> attended = scaled_dot_product_attention(q, q, q).output;
    table.rows.push_back({shape_text(batch), shape_text(tokens),
                          shape_text({out.shape().begin(), out.shape().end()}), shape_text(sequence),
                          shape_text({attended.shape().begin(), attended.shape().end()})});
  }
  return table;
}

}  // namespace

Table heads_shape_trace(const std::vector<Stage>& stages) {
  std::vector<Stage> shown;
  for (const Stage& one : stages) {
    const bool bookkeeping = one.name.rfind("linear_", 0) == 0 || one.name.rfind("bias_", 0) == 0;
    if (!bookkeeping) shown.push_back(one);
  }
  return shape_trace(shown);
}

Table heads_table(const HeadsRun& run) {
  Table table{{{"ヘッド", "head"},
               {"注意度の最小", "smallest weight"},
               {"最大", "largest weight"},
               {"平均エントロピー（nat）", "mean entropy (nats)"},
               {fmt::format("{} の注意度が最大のキー", query_label(run)),
                fmt::format("top key of {}", query_label(run))}},
              {}};
  for (std::size_t head = 0; head < std::min(run.heads, most_heads_in_table); ++head) {
    const Matrix weights = weights_of_head(run, head);
    const auto [low, high] = std::minmax_element(weights.values.begin(), weights.values.end());
    Tensor<double> tensor = Tensor<double>::from_shape({run.queries, run.keys});
    std::copy(weights.values.begin(), weights.values.end(), tensor.begin());
    double sum = 0.0;
    for (const double nats : entropy(tensor)) sum += nats;
    table.rows.push_back({std::to_string(head), fmt::format("{:.4f}", *low), fmt::format("{:.4f}", *high),
                          fmt::format("{:.4f}", sum / static_cast<double>(run.queries)),
                          run.labels[favourite_key(run, head, 0)]});
  }
  return table;
}

Table parity_table(const HeadsRun& run) {
  return {{{"計算の型", "computed in"}, {"PyTorch との差の最大", "largest difference from PyTorch"}},
          {{"float32", fmt::format("{:.2g}", difference_from_pytorch(run.stages.output))},
           {Text{"float64（記事の NumPy）", "float64 (the article's NumPy)"},
            fmt::format("{:.2g}", difference_from_pytorch(run.float64_output))}}};
}

std::vector<Table> course_tables(const HeadsRun& run) {
  return {pipeline_table(run), attention_table(run), batches_table(run)};
}

}  // namespace attnlab
