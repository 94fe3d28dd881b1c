// The measures that experiments and claims share: their values, and that NaN never passes for a small error.
#include "experiments/framework/tensor_measures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
TEST_CASE("the largest magnitude is that of a finite value") {
  CHECK(largest_magnitude(Tensor<double>{{1.0, -3.0}, {2.0, 0.0}}) == 3.0);
  CHECK(largest_magnitude(Tensor<double>{1.0, infinity, not_a_number, -2.0}) == 2.0);
  CHECK(largest_magnitude(Tensor<double>{not_a_number, -infinity}) == 0.0);
}

TEST_CASE("the largest difference takes a NaN beside a number as infinite, beside another NaN as none") {
  CHECK(largest_difference(Tensor<double>{{1.0, 2.0}, {3.0, 4.0}}, Tensor<double>{{1.0, 2.5}, {1.0, 4.0}}) ==
        2.0);
  CHECK(largest_difference(Tensor<double>{1.0, not_a_number}, Tensor<double>{1.25, not_a_number}) == 0.25);
  CHECK(largest_difference(Tensor<double>{not_a_number, 2.0}, Tensor<double>{1.0, 2.0}) == infinity);
  CHECK(largest_difference(Tensor<double>{1.0, 2.0}, Tensor<double>{1.0, not_a_number}) == infinity);
  CHECK(largest_difference(Tensor<double>{infinity}, Tensor<double>{infinity}) == 0.0);
  CHECK(largest_difference(Tensor<double>{infinity}, Tensor<double>{-infinity}) == infinity);
}

TEST_CASE("the error of the row sums is that of the worst row, of any rank") {
  CHECK(row_sum_error(Tensor<double>{0.5, 0.25}) == 0.25);
  CHECK(row_sum_error(Tensor<double>{{0.5, 0.5}, {0.75, 0.75}}) == 0.5);
  CHECK(row_sum_error(Tensor<double>{{{1.0, 0.0}, {0.5, 0.5}}, {{0.0, 1.0}, {0.0, 0.0}}}) == 1.0);
}

TEST_CASE("a NaN among the weights makes the row sums wrong, whatever row it stands in") {
  CHECK(row_sum_error(Tensor<double>{{not_a_number, 0.5}, {0.5, 0.5}}) == infinity);
  CHECK(row_sum_error(Tensor<double>{{0.5, 0.5}, {0.5, not_a_number}}) == infinity);
  CHECK(row_sum_error(Tensor<double>{{infinity, 0.5}, {0.5, 0.5}}) == infinity);
}

TEST_CASE("the standard deviation divides by the number of values") {
  CHECK(standard_deviation(Tensor<double>{{1.0, 3.0}, {1.0, 3.0}}) == 1.0);
  CHECK(standard_deviation(Tensor<double>{5.0}) == 0.0);
  CHECK(standard_deviation(Tensor<double>{1e9 + 1.0, 1e9 - 1.0}) == 1.0);
  CHECK(std::isnan(standard_deviation(Tensor<double>{1.0, not_a_number})));
}

TEST_CASE("the rank counts independent rows") {
  CHECK(rank_of(Tensor<double>{{1.0, 2.0}, {2.0, 4.0}}) == 1);
  CHECK(rank_of(Tensor<double>{{0.0, 1.0}, {1.0, 0.0}}) == 2);
  CHECK(rank_of(Tensor<double>{{0.0, 0.0}, {0.0, 0.0}}) == 0);
  CHECK(rank_of(Tensor<double>{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}}) == 2);
  CHECK(rank_of(Tensor<double>{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}) == 2);
}

TEST_CASE("the most one-sided pair is the one furthest from symmetry") {
  const OneSided most = most_one_sided(Tensor<double>{{9.0, 1.0, 2.0}, {1.5, 9.0, 4.0}, {2.0, 1.0, 9.0}});
  CHECK(most.first == 1);
  CHECK(most.second == 2);
  CHECK(most.difference == 3.0);
  CHECK(most_one_sided(Tensor<double>{{0.0, 1.0}, {1.0, 0.0}}).difference == 0.0);
  CHECK(most_one_sided(Tensor<double>{{0.0, not_a_number}, {1.0, 0.0}}).difference == infinity);
}

TEST_CASE("the largest value stands at the first of equal places, in row-major order") {
  const Tensor<double> weights{{0.25, 0.5}, {0.75, 0.75}};
  CHECK(largest(weights) == 0.75);
  CHECK(largest_index(weights) == 2);
  CHECK(sum_of(weights) == 2.25);
}

TEST_CASE("the disorder is the deepest fall of a weight below that of any lower score") {
  const Tensor<double> scores{3.0, -1.0, 0.5, 2.0};
  CHECK(disorder(scores, Tensor<double>{0.5, 0.1, 0.1, 0.3}) == 0.0);
  CHECK(disorder(scores, Tensor<double>{0.25, 0.75, 0.5, 0.5}) == 0.5);  // of the score 3 below -1
  CHECK(disorder(scores, Tensor<double>{0.5, 0.1, not_a_number, 0.3}) == infinity);
}

TEST_CASE("values are handed out whole and by rows along the last axis") {
  const Tensor<double> pages{{{1.0, 2.0}, {3.0, 4.0}}, {{5.0, 6.0}, {7.0, 8.0}}};
  CHECK(values_of(pages) == std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0});
  CHECK(values_of(pages, 2) == std::vector<double>{5.0, 6.0});
}

}  // namespace attnlab
