// The dot product in the plane: large when two vectors point the same way, and larger when they are longer.
#pragma once

#include "experiments/framework/experiment_kit.hpp"

namespace attnlab {

/// The vectors a, b and c; a is the query.
constexpr std::array<const char*, 3> vector_names{"a", "b", "c"};

/// Entry (i, j) of a (3, 3) array belongs to the vectors i and j.
struct DotProductRun {
  Tape tape;
  Tensor<double> vectors;      // (3, 2)
  Tensor<double> products;     // (3, 3)
  Tensor<double> lengths;      // (3)
  Tensor<double> angles;       // (3, 3) degrees between the two, 0 to 180
  Tensor<double> projections;  // (3, 3) signed length of vector j along vector i

  static DotProductRun compute(const Arguments& arguments, const Context& context);
};

/// Lengths, angles, products and projections of three vectors, (3, 2), on this tape.
DotProductRun measure_vectors(const Tensor<double>& vectors, Tape tape = {});

/// Which of b and c points more nearly where a points, and whether its product with a is the larger one.
struct Nearness {
  std::size_t near = 1;
  std::size_t far = 2;
  bool same_angle = false;
  bool product_agrees = true;   // the nearer one has the larger product
  bool similar_lengths = true;  // of b and c: the longer one is at most a tenth longer
};
Nearness nearness(const DotProductRun& run);

/// "2.13", "−0.19": three significant digits.
std::string short_number(double value);

/// "a·b"
std::string product_name(std::size_t i, std::size_t j);

std::vector<Invariant> invariants(const DotProductRun& run);
/// Textbook fig. 2.2.4: a with b, and a with c; a with b, and with b twice as long; the textbook's picture of
/// q Kᵀ, the query a against the keys a, b and c.
std::vector<Figure> figures(const DotProductRun& run);

}  // namespace attnlab
