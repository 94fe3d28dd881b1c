#include "model/block_lines.hpp"

#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using worked::entry;
using worked::equation;
using worked::factor;
using worked::number;
using worked::together;

/// One line for each of the first entries: all of them would be as long as the model's own work.
template <class Line>
std::vector<Chain> lines(std::size_t entries, Line line) {
  constexpr std::size_t most = 3;
  return worked::lines(std::min(entries, most), line);
}

/// Σ a · b with the numbers of both.
template <class Left, class Right>
Written dot(std::size_t count, Left left, Right right) {
  return worked::sum(count, [&](std::size_t k) {
    const auto first = static_cast<double>(left(k));
    return together({k == 0 ? number(first) : factor(first), "·", factor(static_cast<double>(right(k)))});
  });
}

/// x W + b for one row and one column.
Written projected(const float* x, const Projection& projection, std::size_t column) {
  const StoredMatrix& matrix = projection.matrix;
  const std::vector<float> weights = matrix.column(column);
  Written product = dot(
      weights.size(), [&](std::size_t k) { return x[k]; }, [&](std::size_t k) { return weights[k]; });
  if (!projection.bias) return product;
  return together({product, "+", factor(static_cast<double>(projection.bias->data()[column]))});
}

}  // namespace

std::vector<Chain> projected_lines(const std::string& name, const Tensor<float>& x,
                                   const Projection& projection, const Tensor<float>& y) {
  return lines(y.shape()[0], [&](std::size_t row) {
    return equation(entry(name, {row, 0}),
                    {projected(&x(row, 0), projection, 0), static_cast<double>(y(row, 0))});
  });
}

std::vector<Chain> head_lines(const std::string& name, const Tensor<float>& x, const Projection& projection,
                              const HeadColumns& columns, const Tensor<float>& y) {
  return lines(y.shape()[0], [&](std::size_t head) {
    return equation(entry(name, {head, 0, 0}), {projected(x.data(), projection, columns.begin(head)),
                                                static_cast<double>(y(head, 0, 0))});
  });
}

std::vector<Chain> normed_lines(const std::string& name, const Tensor<float>& x, const ModelNorm& norm,
                                const Tensor<float>& y) {
  const std::size_t width = x.shape()[1];
  const bool is_layer = norm.type == NormType::layer;
  return lines(x.shape()[0], [&](std::size_t row) {
    const float* const values = x.data() + row * width;
    const auto count = static_cast<double>(width);
    const double mean = is_layer ? std::accumulate(values, values + width, 0.0) / count : 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < width; ++i) square += (values[i] - mean) * (values[i] - mean) / count;
    const Written centred = is_layer ? together({number(static_cast<double>(values[0])), "−", factor(mean)})
                                     : number(static_cast<double>(values[0]));
    const Written spread =
        worked::root(together({number(square), "+", number(static_cast<double>(norm.eps))}));
    Written scaled =
        together({worked::quotient(centred, spread), "·", factor(static_cast<double>(norm.gain.data()[0]))});
    if (norm.bias) scaled = together({scaled, "+", factor(static_cast<double>(norm.bias->data()[0]))});
    return equation(entry(name, {row, 0}), {scaled, static_cast<double>(y.data()[row * width])});
  });
}

std::vector<Chain> score_lines(const std::string& name, const LayerStages& stages, const Architecture& a) {
  if (a.score_cap > 0.0) return {};
  const std::size_t last = stages.query.shape()[1] - 1;
  return lines(a.heads, [&](std::size_t head) {
    const float* const query = &stages.query(head, last, 0);
    const float* const key = &stages.key(head / (a.heads / a.kv_heads), last, 0);
    const Written product = dot(
        a.head_width, [&](std::size_t k) { return query[k]; }, [&](std::size_t k) { return key[k]; });
    const Written scaled =
        a.scales ? worked::quotient(product, worked::root(number(static_cast<double>(a.score_width))))
                 : product;
    return equation(entry(name, {head, last, last}),
                    {scaled, static_cast<double>(stages.scores(head, last, last))});
  });
}

}  // namespace attnlab
