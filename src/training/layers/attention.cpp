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
void weigh_backward(Reads<T> value, SoftmaxForm softmax, Reads<T> weights, Reads<T> doutput,
                    StridedMatrix<T> dscores, StridedMatrix<T> dvalue) {
  product_of_transpose(weights, doutput, dvalue);
  product_with_transpose(doutput, value, dscores);  // dA
  if (softmax.axis == SoftmaxAxis::queries) return weigh_over_queries_backward(weights, dscores);
  for (std::size_t i = 0; i < dscores.rows; ++i) {
    const T* a = weights.row(i);
    T* d = dscores.row(i);
    const T mean = sum_of_products(dscores.columns, a, d);
    for (std::size_t j = 0; j < dscores.columns; ++j) d[j] = a[j] * (d[j] - mean);
  }
}

}  // namespace

template <class T>
void attention_forward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reading reading,
                       SoftmaxForm softmax, StridedMatrix<T> weights, StridedMatrix<T> output) {
  product_with_transpose(query, key, weights, Sum::replaces, scale);
  weigh(reading, softmax, weights);
  product(weights, value, output);
}

template <class T>
void attention_backward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, SoftmaxForm softmax,
                        Reads<T> weights, Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                        StridedMatrix<T> dkey, StridedMatrix<T> dvalue) {
  weigh_backward(value, softmax, weights, doutput, dscores, dvalue);
  product(dscores, key, dquery, Sum::replaces, scale);
  product_of_transpose(dscores, query, dkey, Sum::replaces, scale);
}

template <class T>
void additive_forward(Reads<T> query, Reads<T> key, Reads<T> value, ReadsVector<T> v, Reading reading,
                      SoftmaxForm softmax, StridedMatrix<T> weights, StridedMatrix<T> output) {
  for (std::size_t i = 0; i < weights.rows; ++i) {
    for (std::size_t j = 0; j < weights.columns; ++j) {
      T score = 0;
      for (std::size_t k = 0; k < query.columns; ++k)
        score += v[k] * std::tanh(query.row(i)[k] + key.row(j)[k]);
      weights.row(i)[j] = score;
    }
  }
  weigh(reading, softmax, weights);
  product(weights, value, output);
}

template <class T>
void additive_backward(Reads<T> query, Reads<T> key, Reads<T> value, ReadsVector<T> v, SoftmaxForm softmax,
                       Reads<T> weights, Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                       StridedMatrix<T> dkey, StridedMatrix<T> dvalue, T* dv) {
  weigh_backward(value, softmax, weights, doutput, dscores, dvalue);
  for (std::size_t i = 0; i < dquery.rows; ++i) {
    std::fill_n(dquery.row(i), dquery.columns, T(0));
    std::fill_n(dkey.row(i), dkey.columns, T(0));
  }
  for (std::size_t i = 0; i < dscores.rows; ++i) {
    for (std::size_t j = 0; j < dscores.columns; ++j) {
      const T d = dscores.row(i)[j];
      if (d == 0) continue;  // hidden
      for (std::size_t k = 0; k < query.columns; ++k) {
        const T t = std::tanh(query.row(i)[k] + key.row(j)[k]);
        const T slope = d * v[k] * (1 - t * t);
        dquery.row(i)[k] += slope;
        dkey.row(j)[k] += slope;
        dv[k] += d * t;
      }
    }
  }
}

template void softmax_row(float*, std::size_t, Denominator);
template void softmax_row(double*, std::size_t, Denominator);
template void attention_forward(Reads<float>, Reads<float>, Reads<float>, float, Reading, SoftmaxForm,
                                StridedMatrix<float>, StridedMatrix<float>);
template void attention_forward(Reads<double>, Reads<double>, Reads<double>, double, Reading, SoftmaxForm,
                                StridedMatrix<double>, StridedMatrix<double>);
template void attention_backward(Reads<float>, Reads<float>, Reads<float>, float, SoftmaxForm, Reads<float>,
                                 Reads<float>, StridedMatrix<float>, StridedMatrix<float>,
                                 StridedMatrix<float>, StridedMatrix<float>);
template void attention_backward(Reads<double>, Reads<double>, Reads<double>, double, SoftmaxForm,
                                 Reads<double>, Reads<double>, StridedMatrix<double>, StridedMatrix<double>,
                                 StridedMatrix<double>, StridedMatrix<double>);

template void additive_forward(Reads<float>, Reads<float>, Reads<float>, const float*, Reading, SoftmaxForm,
                               StridedMatrix<float>, StridedMatrix<float>);
template void additive_forward(Reads<double>, Reads<double>, Reads<double>, const double*, Reading,
                               SoftmaxForm, StridedMatrix<double>, StridedMatrix<double>);
template void additive_backward(Reads<float>, Reads<float>, Reads<float>, const float*, SoftmaxForm,
                                Reads<float>, Reads<float>, StridedMatrix<float>, StridedMatrix<float>,
                                StridedMatrix<float>, StridedMatrix<float>, float*);
template void additive_backward(Reads<double>, Reads<double>, Reads<double>, const double*, SoftmaxForm,
                                Reads<double>, Reads<double>, StridedMatrix<double>, StridedMatrix<double>,
                                StridedMatrix<double>, StridedMatrix<double>, double*);

}  // namespace attnlab
