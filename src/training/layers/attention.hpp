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

/// What one head computes with over one sequence, or the gradients by it: query (tokens, width of the head),
/// key and value (keys, width), weights (tokens, keys), output (tokens, width).
template <class T>
struct Head {
  StridedMatrix<T> query;
  StridedMatrix<T> key;
  StridedMatrix<T> value;
  StridedMatrix<T> weights;
  StridedMatrix<T> output;
};

/// weights = softmax(scale · Q Kᵀ), output = weights V: scaled_dot_product_attention() on strided matrices.
template <class T>
void attention_forward(const Head<T>& head, T scale, Reading reading, SoftmaxForm softmax);

/// With A the weights and dO = d.output the gradient by the output:
///   dV = Aᵀ dO
///   dA = dO Vᵀ
///   dS = A ∘ (dA − Σ_keys A ∘ dA)      the gradient of softmax along its axis, of either denominator
///   dQ = scale · dS K,   dK = scale · dSᵀ Q
/// d.query, d.key and d.value are replaced, and so is d.weights, by dS. What a mask hides has a weight of 0,
/// and so a gradient of 0.
template <class T>
void attention_backward(const Head<T>& head, const Head<T>& d, T scale, SoftmaxForm softmax);

/// Additive scores (Bahdanau et al. 2015; the projections stand before): s_ij = v · tanh(q_i
/// + k_j), weights = softmax(s), output = weights V. v (width of the head).
template <class T>
void additive_forward(const Head<T>& head, ReadsVector<T> v, Reading reading, SoftmaxForm softmax);

/// dS as above, and with t = tanh(q_i + k_j):
///   dq_i = Σ_j dS_ij v ∘ (1 − t²),   dk_j = Σ_i dS_ij v ∘ (1 − t²),   dv += Σ_ij dS_ij t
template <class T>
void additive_backward(const Head<T>& head, const Head<T>& d, ReadsVector<T> v, T* dv, SoftmaxForm softmax);

/// The softmax of `count` >= 1 numbers, in place.
template <class T>
void softmax_row(T* scores, std::size_t count, Denominator denominator = Denominator::sum);

}  // namespace attnlab
