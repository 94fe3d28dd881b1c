// Scaled dot-product attention of one head over one sequence, and its gradient.
#pragma once

#include "training/strided_matrix.hpp"

namespace attnlab {

/// Which keys a query may read: all, or none that comes after it.
enum class Reading { everything, what_came_before };

/// weights = softmax(scale · Q Kᵀ), output = weights V: scaled_dot_product_attention() on strided matrices.
/// query, key and value (tokens, width of the head), weights (tokens, tokens), output (tokens, width).
template <class T>
void attention_forward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reading reading,
                       StridedMatrix<T> weights, StridedMatrix<T> output);

/// With A the weights and dO the gradient by the output:
///   dV = Aᵀ dO
///   dA = dO Vᵀ
///   dS = A ∘ (dA − Σ_keys A ∘ dA)      the gradient of softmax, by rows
///   dQ = scale · dS K,   dK = scale · dSᵀ Q
/// dquery, dkey and dvalue are replaced; dscores (tokens, tokens) is room for dS. What a mask hides has a
/// weight of 0, and so a gradient of 0.
template <class T>
void attention_backward(Reads<T> query, Reads<T> key, Reads<T> value, T scale, Reads<T> weights,
                        Reads<T> doutput, StridedMatrix<T> dscores, StridedMatrix<T> dquery,
                        StridedMatrix<T> dkey, StridedMatrix<T> dvalue);

/// The softmax of `count` >= 1 numbers, in place.
template <class T>
void softmax_row(T* scores, std::size_t count);

}  // namespace attnlab
