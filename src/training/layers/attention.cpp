#include "training/layers/attention.hpp"

#include "attention/lanes.hpp"
#include "training/product.hpp"

namespace attnlab {

template <class T>
void softmax_row(T* scores, std::size_t count, Denominator denominator) {
  const bool has_one_more = denominator == Denominator::sum_plus_one;  // exp(0), of no key
  const T most = largest_of(has_one_more ? T(0) : scores[0], scores, count);
  const T sum = exp_of_nonpositive(scores, most, count, scores) + (has_one_more ? std::exp(-most) : T(0));
  const T share = 1 / sum;
  for (std::size_t i = 0; i < count; ++i) scores[i] *= share;
}

namespace {

/// Scores become weights, key by key: of a column, the queries that may read it.
template <class T>
void weigh_over_queries(Reading reading, StridedMatrix<T> scores) {
  for (std::size_t key = 0; key < scores.columns; ++key) {
    const std::size_t first = reading == Reading::everything ? 0 : key;
    T most = scores.row(first)[key];
    for (std::size_t i = first; i < scores.rows; ++i) most = std::max(most, scores.row(i)[key]);
    T sum = 0;
    for (std::size_t i = first; i < scores.rows; ++i) {
      scores.row(i)[key] = std::exp(scores.row(i)[key] - most);
      sum += scores.row(i)[key];
    }
    for (std::size_t i = 0; i < scores.rows; ++i)
      scores.row(i)[key] = i < first ? T(0) : scores.row(i)[key] / sum;
  }
}

/// Scores become weights, row by row; what may not be read gets 0.
template <class T>
void weigh(Reading reading, SoftmaxForm softmax, StridedMatrix<T> scores) {
  if (softmax.axis == SoftmaxAxis::queries) return weigh_over_queries(reading, scores);
  // As additive masks do it: whole registers are faster than rows of every length.
  const auto taken = [&](std::size_t readable) {
    return std::min(scores.columns, whole_registers<T>(readable));
  };
  const auto readable = [&](std::size_t i) {
    return reading == Reading::everything ? scores.columns : i + 1;
  };
  // All rows first: a register that is read right behind a shorter write waits for it.
  for (std::size_t i = 0; i < scores.rows; ++i) {
    T* const row = scores.row(i);
    std::fill(row + readable(i), row + taken(readable(i)), -std::numeric_limits<T>::infinity());
    std::fill(row + taken(readable(i)), row + scores.columns, T(0));
  }
  for (std::size_t i = 0; i < scores.rows; ++i)
    softmax_row(scores.row(i), taken(readable(i)), softmax.denominator);
}

/// dA becomes dS, key by key.
template <class T>
void weigh_over_queries_backward(Reads<T> weights, StridedMatrix<T> dscores) {
  for (std::size_t key = 0; key < dscores.columns; ++key) {
    T mean = 0;
    for (std::size_t i = 0; i < dscores.rows; ++i) mean += weights.row(i)[key] * dscores.row(i)[key];
    for (std::size_t i = 0; i < dscores.rows; ++i)
      dscores.row(i)[key] = weights.row(i)[key] * (dscores.row(i)[key] - mean);
  }
}

/// dV, and dA becomes dS.
template <class T>
void weigh_backward(const Head<T>& head, const Head<T>& d, SoftmaxForm softmax) {
  product_of_transpose(head.weights, d.output, d.value);
  product_with_transpose(d.output, head.value, d.weights);  // dA
  if (softmax.axis == SoftmaxAxis::queries) return weigh_over_queries_backward(head.weights, d.weights);
  for (std::size_t i = 0; i < d.weights.rows; ++i) {
    const T* a = head.weights.row(i);
    T* ds = d.weights.row(i);
    const T mean = sum_of_products(d.weights.columns, a, ds);
    for (std::size_t j = 0; j < d.weights.columns; ++j) ds[j] = a[j] * (ds[j] - mean);
  }
}

}  // namespace

template <class T>
void attention_forward(const Head<T>& head, T scale, Reading reading, SoftmaxForm softmax) {
  product_with_transpose(head.query, head.key, head.weights, Sum::replaces, scale);
  weigh(reading, softmax, head.weights);
  product(head.weights, head.value, head.output);
}

template <class T>
void attention_backward(const Head<T>& head, const Head<T>& d, T scale, SoftmaxForm softmax) {
  weigh_backward(head, d, softmax);
  product(d.weights, head.key, d.query, Sum::replaces, scale);
  product_of_transpose(d.weights, head.query, d.key, Sum::replaces, scale);
}

template <class T>
void additive_forward(const Head<T>& head, ReadsVector<T> v, Reading reading, SoftmaxForm softmax) {
  for (std::size_t i = 0; i < head.weights.rows; ++i) {
    for (std::size_t j = 0; j < head.weights.columns; ++j) {
      T score = 0;
      for (std::size_t k = 0; k < head.query.columns; ++k)
        score += v[k] * std::tanh(head.query.row(i)[k] + head.key.row(j)[k]);
      head.weights.row(i)[j] = score;
    }
  }
  weigh(reading, softmax, head.weights);
  product(head.weights, head.value, head.output);
}

template <class T>
void additive_backward(const Head<T>& head, const Head<T>& d, ReadsVector<T> v, T* dv, SoftmaxForm softmax) {
  weigh_backward(head, d, softmax);
  fill_zero(d.query);
  fill_zero(d.key);
  for (std::size_t i = 0; i < d.weights.rows; ++i) {
    for (std::size_t j = 0; j < d.weights.columns; ++j) {
      const T ds = d.weights.row(i)[j];
      if (ds == 0) continue;  // hidden
      for (std::size_t k = 0; k < head.query.columns; ++k) {
        const T t = std::tanh(head.query.row(i)[k] + head.key.row(j)[k]);
        const T slope = ds * v[k] * (1 - t * t);
        d.query.row(i)[k] += slope;
        d.key.row(j)[k] += slope;
        dv[k] += ds * t;
      }
    }
  }
}

template void softmax_row(float*, std::size_t, Denominator);
template void softmax_row(double*, std::size_t, Denominator);
template void attention_forward(const Head<float>&, float, Reading, SoftmaxForm);
template void attention_forward(const Head<double>&, double, Reading, SoftmaxForm);
template void attention_backward(const Head<float>&, const Head<float>&, float, SoftmaxForm);
template void attention_backward(const Head<double>&, const Head<double>&, double, SoftmaxForm);
template void additive_forward(const Head<float>&, const float*, Reading, SoftmaxForm);
template void additive_forward(const Head<double>&, const double*, Reading, SoftmaxForm);
template void additive_backward(const Head<float>&, const Head<float>&, const float*, float*, SoftmaxForm);
template void additive_backward(const Head<double>&, const Head<double>&, const double*, double*,
                                SoftmaxForm);

}  // namespace attnlab
