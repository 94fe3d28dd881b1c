#include "training/microgpt/microgpt.hpp"

#include <cmath>

namespace attnlab {
namespace {

using Rows = std::vector<double>;

constexpr double deviation = 0.08;
constexpr std::size_t mlp_factor = 4;

enum Place : std::size_t { tokens_at, places_at, head_at, layers_at };
enum InLayer : std::size_t { query_at, key_at, value_at, output_at, up_at, down_at, matrices_of_layer };

std::size_t matrix_at(std::size_t layer, InLayer which) {
  return layers_at + layer * matrices_of_layer + which;
}

/// y += factor · x
void add(double* y, const double* x, double factor, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] += factor * x[i];
}

double dot(const double* a, const double* b, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

double norm_scale(const double* x, std::size_t width) {
  return 1.0 / std::sqrt(dot(x, x, width) / static_cast<double>(width) + Microgpt::norm_eps);
}

void rms_norm(const Rows& x, Rows& y, std::size_t width) {
  y.resize(x.size());
  for (std::size_t at = 0; at < x.size(); at += width) {
    const double scale = norm_scale(x.data() + at, width);
    for (std::size_t i = 0; i < width; ++i) y[at + i] = scale * x[at + i];
  }
}

/// Adds to d_x: s · dy − x · s³ · (x · dy) / width.
void rms_norm_back(const Rows& x, const Rows& d_y, Rows& d_x, std::size_t width) {
  for (std::size_t at = 0; at < x.size(); at += width) {
    const double scale = norm_scale(x.data() + at, width);
    const double along = dot(x.data() + at, d_y.data() + at, width);
    add(d_x.data() + at, d_y.data() + at, scale, width);
    add(d_x.data() + at, x.data() + at, -scale * scale * scale * along / static_cast<double>(width), width);
  }
}

void softmax_row(double* row, std::size_t count) {
  double most = row[0];
  for (std::size_t i = 1; i < count; ++i) most = std::max(most, row[i]);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    row[i] = std::exp(row[i] - most);
    sum += row[i];
  }
  for (std::size_t i = 0; i < count; ++i) row[i] /= sum;
}

}  // namespace

Microgpt::Microgpt(const MicrogptSizes& sizes, PythonRandom& random) : sizes_(sizes) {
  const auto declare = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    matrices_.push_back({name, parameters_.size(), rows, columns});
    for (std::size_t i = 0; i < rows * columns; ++i) parameters_.push_back(random.gauss(deviation));
  };
  const std::size_t width = sizes.width;
  declare("wte", sizes.vocabulary, width);
  declare("wpe", sizes.block, width);
  declare("lm_head", sizes.vocabulary, width);
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    const std::string begin = "layer" + std::to_string(layer) + ".";
    for (const char* name : {"attn_wq", "attn_wk", "attn_wv", "attn_wo"}) declare(begin + name, width, width);
    declare(begin + "mlp_fc1", mlp_factor * width, width);
    declare(begin + "mlp_fc2", width, mlp_factor * width);
  }
  gradient_.resize(parameters_.size());
  m_.resize(parameters_.size());
  v_.resize(parameters_.size());
  transposed_.resize(parameters_.size());
  for (std::size_t i = head_at; i < matrices_.size(); ++i) turn(i);
  pass_.layers.resize(sizes.layers);
}

void Microgpt::turn(std::size_t matrix) {
  const auto& [name, offset, rows, columns] = matrices_[matrix];
  const double* from = parameters_.data() + offset;
  double* to = transposed_.data() + offset;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
}

void Microgpt::set_parameter(std::size_t index, double value) {
  parameters_[index] = value;
  for (std::size_t i = head_at; i < matrices_.size(); ++i) {
    const std::size_t begin = matrices_[i].offset;
    if (index >= begin && index < begin + matrices_[i].rows * matrices_[i].columns) turn(i);
  }
}

/// out = in · Wᵀ, by positions.
void Microgpt::times(std::size_t matrix, const Rows& in, Rows& out) const {
  const std::size_t rows = matrices_[matrix].rows;
  const std::size_t columns = matrices_[matrix].columns;
  const double* w = turned(matrix);
  out.assign(in.size() / columns * rows, 0.0);
  for (std::size_t t = 0; t * columns < in.size(); ++t) {
    for (std::size_t j = 0; j < columns; ++j)
      add(out.data() + t * rows, w + j * rows, in[t * columns + j], rows);
  }
}

/// Adds to the matrix's gradient and to d_in.
void Microgpt::times_back(std::size_t matrix, const Rows& in, const Rows& d_out, Rows& d_in) {
  const std::size_t rows = matrices_[matrix].rows;
  const std::size_t columns = matrices_[matrix].columns;
  const double* w = of(matrix);
  double* d_w = slope(matrix);
  for (std::size_t t = 0; t * columns < in.size(); ++t) {
    const double* d = d_out.data() + t * rows;
    for (std::size_t i = 0; i < rows; ++i) {
      add(d_in.data() + t * columns, w + i * columns, d[i], columns);
      add(d_w + i * columns, in.data() + t * columns, d[i], columns);
    }
  }
}

void Microgpt::attend(MicrogptPass::Layer& layer) const {
  const std::size_t n = pass_.positions;
  const std::size_t width = sizes_.width;
  const std::size_t part = width / sizes_.heads;
  const double scale = 1.0 / std::sqrt(static_cast<double>(part));
  layer.weights.assign(sizes_.heads * n * n, 0.0);
  layer.mixed.assign(n * width, 0.0);
  for (std::size_t head = 0; head < sizes_.heads; ++head) {
    for (std::size_t t = 0; t < n; ++t) {
      const std::size_t at = t * width + head * part;
      double* row = layer.weights.data() + (head * n + t) * n;
      for (std::size_t s = 0; s <= t; ++s)
        row[s] = scale * dot(layer.query.data() + at, layer.key.data() + s * width + head * part, part);
      softmax_row(row, t + 1);
      for (std::size_t s = 0; s <= t; ++s)
        add(layer.mixed.data() + at, layer.value.data() + s * width + head * part, row[s], part);
    }
  }
}

void Microgpt::attend_back(const MicrogptPass::Layer& layer, const Rows& d_mixed) {
  const std::size_t n = pass_.positions;
  const std::size_t width = sizes_.width;
  const std::size_t part = width / sizes_.heads;
  const double scale = 1.0 / std::sqrt(static_cast<double>(part));
  for (Rows* rows : {&d_query_, &d_key_, &d_value_}) rows->assign(n * width, 0.0);
  std::array<double, 1024> d_row{};  // at most `block` of them
  for (std::size_t head = 0; head < sizes_.heads; ++head) {
    for (std::size_t t = 0; t < n; ++t) {
      const std::size_t at = t * width + head * part;
      const double* row = layer.weights.data() + (head * n + t) * n;
      double mean = 0.0;
      for (std::size_t s = 0; s <= t; ++s) {
        const std::size_t to = s * width + head * part;
        d_row[s] = dot(d_mixed.data() + at, layer.value.data() + to, part);
        mean += row[s] * d_row[s];
        add(d_value_.data() + to, d_mixed.data() + at, row[s], part);
      }
      for (std::size_t s = 0; s <= t; ++s) {
        const std::size_t to = s * width + head * part;
        const double d_score = scale * row[s] * (d_row[s] - mean);
        add(d_query_.data() + at, layer.key.data() + to, d_score, part);
        add(d_key_.data() + to, layer.query.data() + at, d_score, part);
      }
    }
  }
}

const MicrogptPass& Microgpt::read(const int* tokens, std::size_t positions) {
  const std::size_t width = sizes_.width;
  pass_.positions = positions;
  pass_.embedded.resize(positions * width);
  for (std::size_t t = 0; t < positions; ++t) {
    const double* token = of(tokens_at) + static_cast<std::size_t>(tokens[t]) * width;
    const double* place = of(places_at) + t * width;
    for (std::size_t i = 0; i < width; ++i) pass_.embedded[t * width + i] = token[i] + place[i];
  }
  for (std::size_t l = 0; l < sizes_.layers; ++l) {
    MicrogptPass::Layer& layer = pass_.layers[l];
    if (l == 0) {
      rms_norm(pass_.embedded, layer.residual, width);
    } else {
      layer.residual = pass_.layers[l - 1].output;
    }
    rms_norm(layer.residual, layer.normed, width);
    times(matrix_at(l, query_at), layer.normed, layer.query);
    times(matrix_at(l, key_at), layer.normed, layer.key);
    times(matrix_at(l, value_at), layer.normed, layer.value);
    attend(layer);
    times(matrix_at(l, output_at), layer.mixed, layer.attended);
    add(layer.attended.data(), layer.residual.data(), 1.0, layer.attended.size());
    rms_norm(layer.attended, layer.normed_again, width);
    times(matrix_at(l, up_at), layer.normed_again, layer.hidden);
    layer.active.resize(layer.hidden.size());
    for (std::size_t i = 0; i < layer.hidden.size(); ++i) layer.active[i] = std::max(0.0, layer.hidden[i]);
    times(matrix_at(l, down_at), layer.active, layer.output);
    add(layer.output.data(), layer.attended.data(), 1.0, layer.output.size());
  }
  times(head_at, pass_.layers.back().output, pass_.logits);
  pass_.probabilities = pass_.logits;
  for (std::size_t t = 0; t < positions; ++t)
    softmax_row(pass_.probabilities.data() + t * sizes_.vocabulary, sizes_.vocabulary);
  return pass_;
}

double Microgpt::loss(const std::vector<int>& document) {
  const std::size_t n = std::min(sizes_.block, document.size() - 1);
  read(document.data(), n);
  double sum = 0.0;
  for (std::size_t t = 0; t < n; ++t) {
    const double* logits = pass_.logits.data() + t * sizes_.vocabulary;
    const double* top = std::max_element(logits, logits + sizes_.vocabulary);
    const double behind = *top - logits[document[t + 1]];  // finite where the target's p has become 0
    sum += behind - std::log(pass_.probabilities[static_cast<std::size_t>(top - pass_.logits.data())]);
  }
  return sum / static_cast<double>(n);
}

double Microgpt::learn(const std::vector<int>& document) {
  const double mean = loss(document);
  back(document);
  return mean;
}

void Microgpt::back(const std::vector<int>& document) {
  const std::size_t n = pass_.positions;
  const std::size_t width = sizes_.width;
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  d_wide_ = pass_.probabilities;  // by the logits: (p − y) / n
  for (std::size_t t = 0; t < n; ++t)
    d_wide_[t * sizes_.vocabulary + static_cast<std::size_t>(document[t + 1])] -= 1.0;
  for (double& value : d_wide_) value /= static_cast<double>(n);
  d_x_.assign(n * width, 0.0);
  times_back(head_at, pass_.layers.back().output, d_wide_, d_x_);
  for (std::size_t l = sizes_.layers; l-- > 0;) {
    const MicrogptPass::Layer& layer = pass_.layers[l];
    d_wide_.assign(layer.active.size(), 0.0);
    times_back(matrix_at(l, down_at), layer.active, d_x_, d_wide_);
    for (std::size_t i = 0; i < d_wide_.size(); ++i) {
      if (layer.hidden[i] <= 0.0) d_wide_[i] = 0.0;
    }
    d_y_.assign(n * width, 0.0);
    times_back(matrix_at(l, up_at), layer.normed_again, d_wide_, d_y_);
    rms_norm_back(layer.attended, d_y_, d_x_, width);
    d_mixed_.assign(n * width, 0.0);
    times_back(matrix_at(l, output_at), layer.mixed, d_x_, d_mixed_);
    attend_back(layer, d_mixed_);
    d_y_.assign(n * width, 0.0);
    times_back(matrix_at(l, query_at), layer.normed, d_query_, d_y_);
    times_back(matrix_at(l, key_at), layer.normed, d_key_, d_y_);
    times_back(matrix_at(l, value_at), layer.normed, d_value_, d_y_);
    rms_norm_back(layer.residual, d_y_, d_x_, width);
  }
  d_y_.assign(n * width, 0.0);
  rms_norm_back(pass_.embedded, d_x_, d_y_, width);
  for (std::size_t t = 0; t < n; ++t) {
    add(slope(tokens_at) + static_cast<std::size_t>(document[t]) * width, d_y_.data() + t * width, 1.0,
        width);
    add(slope(places_at) + t * width, d_y_.data() + t * width, 1.0, width);
  }
}

void Microgpt::update(std::size_t step, double rate) {
  const auto count = static_cast<double>(step + 1);
  const double mean = rate / (1.0 - std::pow(beta1, count));
  const double spread = 1.0 / (1.0 - std::pow(beta2, count));
  const std::size_t size = parameters_.size();
  double* w = parameters_.data();
  double* m = m_.data();
  double* v = v_.data();
  const double* g = gradient_.data();
  for (std::size_t i = 0; i < size; ++i) {
    m[i] = beta1 * m[i] + (1.0 - beta1) * g[i];
    v[i] = beta2 * v[i] + (1.0 - beta2) * g[i] * g[i];
    w[i] -= mean * m[i] / (std::sqrt(spread * v[i]) + eps);
  }
  for (std::size_t i = head_at; i < matrices_.size(); ++i) turn(i);
}

}  // namespace attnlab
