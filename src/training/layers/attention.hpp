// Scaled dot-product attention of one head over one sequence, and its gradient.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// Which keys a query may read: all, or none that comes after it.
enum class Reading { everything, what_came_before };

/// What a softmax runs over. Over the queries is a mistake that `train mistakes` shows: the weights of a key
/// on all queries sum to 1, and those of a query depend on the queries behind it. In the order of
/// --softmax-axis's words.
enum class SoftmaxAxis { keys, queries };

/// What the exponentials are divided by: their sum; or one more than it, so that a query need not give all of
/// its weight (Miller 2023, "Attention is off by one"). In the order of --softmax's words.
enum class Denominator { sum, sum_plus_one };

struct SoftmaxForm {
  SoftmaxAxis axis = SoftmaxAxis::keys;
  Denominator denominator = Denominator::sum;  // over the keys alone
};

/// weights = softmax(scale · Q Kᵀ), output = weights V: scaled_dot_product_attention() on strided matrices.
/// query, key and value (tokens, width of the head), weights (tokens, tokens), output (tokens, width).
template <class T>
void attention_forward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reading reading,
                       SoftmaxForm softmax, StridedMatrix<T> weights, StridedMatrix<T> output);

/// With A the weights and dO the gradient by the output:
///   dV = Aᵀ dO
///   dA = dO Vᵀ
///   dS = A ∘ (dA − Σ_keys A ∘ dA)      the gradient of softmax along its axis, of either denominator
///   dQ = scale · dS K,   dK = scale · dSᵀ Q
/// dquery, dkey and dvalue are replaced; dscores (tokens, tokens) is room for dS. What a mask hides has a
/// weight of 0, and so a gradient of 0.
template <class T>
void attention_backward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, SoftmaxForm softmax,
                        Reads<T> weights, Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                        StridedMatrix<T> dkey, StridedMatrix<T> dvalue);

/// Additive scores (Bahdanau et al. 2015; the projections stand before): s_ij = v · tanh(q_i
/// + k_j), weights = softmax(s), output = weights V. v (width of the head).
template <class T>
void additive_forward(Reads<T> query, Reads<T> key, Reads<T> value, ReadsVector<T> v, Reading reading,
                      SoftmaxForm softmax, StridedMatrix<T> weights, StridedMatrix<T> output);

/// dS as above, and with t = tanh(q_i + k_j):
///   dq_i = Σ_j dS_ij v ∘ (1 − t²),   dk_j = Σ_i dS_ij v ∘ (1 − t²),   dv += Σ_ij dS_ij t
template <class T>
void additive_backward(Reads<T> query, Reads<T> key, Reads<T> value, ReadsVector<T> v, SoftmaxForm softmax,
                       Reads<T> weights, Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                       StridedMatrix<T> dkey, StridedMatrix<T> dvalue, T* dv);

/// The softmax of `count` >= 1 numbers, in place.
template <class T>
void softmax_row(T* scores, std::size_t count, Denominator denominator = Denominator::sum);

}  // namespace attnlab
