// Softmax keeps order and sums to 1; its two wrong forms fail exactly where the exponential says they must.
#include "attention/softmax.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "agreement.hpp"
#include "attention/shape.hpp"
#include "core/agreement.hpp"
#include "core/error.hpp"
#include "random/numpy_random.hpp"
#include "reference.hpp"

using attnlab::disagreement;
using attnlab::dtype_name;
using attnlab::reference_tensor;
using attnlab::reference_values;
using attnlab::rounding_of;
using attnlab::softmax;
using attnlab::softmax_global_maximum;
using attnlab::softmax_naive;
using attnlab::Tensor;
using attnlab::tolerance_for;
using attnlab::values_of;

namespace {

// Odd lengths: a vectorised exponential would treat the last elements of a row by other code than the first.
const std::vector<std::size_t> odd_lengths = {1, 3, 5, 7, 9, 17, 33};

/// `length` scores, `special` at `place` and `others` elsewhere.
template <class T>
Tensor<T> scores_with(std::size_t length, std::size_t place, T special, T others) {
  Tensor<T> scores = Tensor<T>::from_shape({length});
  scores.fill(others);
  scores(place) = special;
  return scores;
}

/// Puts `special` at every place of rows of every odd length; `check` sees the weights and the place.
template <class T, class Softmax, class Check>
void at_every_place(T special, T others, Softmax softmax_form, Check check) {
  for (const std::size_t length : odd_lengths) {
    for (std::size_t place = 0; place < length; ++place) {
      CAPTURE(length);
      CAPTURE(place);
      check(softmax_form(scores_with<T>(length, place, special, others)), place);
    }
  }
}

TEST_CASE("float weights are those of exp in double, in lanes and remainder, down to the last subnormal") {
  for (const std::size_t keys : {1U, 2U, 7U, 8U, 15U, 16U, 17U, 33U, 131U}) {
    for (const float reach : {0.5F, 8.0F, 86.9F, 87.1F, 103.0F, 1e4F}) {
      Tensor<float> scores = Tensor<float>::from_shape({keys});
      for (std::size_t j = 0; j < keys; ++j) {
        scores(j) =
            3.0F - reach * static_cast<float>(j) / static_cast<float>(std::max<std::size_t>(1, keys - 1));
      }
      const Tensor<float> weights = softmax(scores);
      double sum = 0.0;
      for (const float score : scores) sum += std::exp(static_cast<double>(score) - 3.0);
      for (std::size_t j = 0; j < keys; ++j) {
        const double exact = std::exp(static_cast<double>(scores(j)) - 3.0) / sum;
        const double spacing = std::max(exact * 1.2e-7, 1.5e-45);  // float32's, and that of its subnormals
        INFO(keys, " keys, ", reach, " apart, key ", j);
        CHECK(std::abs(static_cast<double>(weights(j)) - exact) <= 6.0 * spacing);
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a row of weights sums to 1 and keeps the order of its scores", T, float, double) {
  attnlab::NumpyRandom random(0);
  for (std::size_t keys = 1; keys <= 40; ++keys) {
    const Tensor<T> scores = random.randn({3, keys}) * 4.0;
    const Tensor<T> weights = softmax(scores);
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0.0;
      for (std::size_t j = 0; j < keys; ++j) {
        sum += static_cast<double>(weights(row, j));
        CHECK(weights(row, j) > 0);
        for (std::size_t l = 0; l < keys; ++l) {
          if (scores(row, j) < scores(row, l)) CHECK(weights(row, j) <= weights(row, l));
        }
      }
      CHECK(std::abs(sum - 1.0) <= rounding_of<T>(keys));
    }
  }
}

TEST_CASE_TEMPLATE("adding a constant to the scores changes no weight", T, float, double) {
  const Tensor<T> scores = {2, -1, 0.5, 3, -0.5};
  for (const T constant : {T(-1000), T(0.25), T(1000), T(30000)}) {
    const Tensor<T> shifted = scores + constant;
    CHECK(disagreement(values_of(softmax(shifted)), values_of(softmax(scores)),
                       tolerance_for<T>(static_cast<double>(std::abs(constant)) + 3.0)) == "");
  }
}

TEST_CASE_TEMPLATE("permuting the keys permutes the weights", T, float, double) {
  const Tensor<T> scores = attnlab::NumpyRandom(0).randn({101});
  Tensor<T> reversed = scores;
  std::reverse(reversed.begin(), reversed.end());
  std::vector<double> weights = values_of(softmax(scores));
  std::reverse(weights.begin(), weights.end());
  CHECK(disagreement(values_of(softmax(reversed)), weights, tolerance_for<T>(4.0)) == "");
}

TEST_CASE_TEMPLATE("a long row of floats still sums to 1", T, float, double) {
  const std::size_t keys = 100'003;
  const Tensor<T> scores = attnlab::NumpyRandom(0).randn({keys});
  const std::vector<double> weights = values_of(softmax(scores));
  // The sum here is one after another in double. By halves: a weight goes through log2(keys / 128) + 128 / 8
  // + 3 < 32 additions, and one division.
  CHECK(std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - 1.0) <=
        rounding_of<T>(32) + rounding_of<double>(keys));
}

TEST_CASE_TEMPLATE("the three forms agree with NumPy", T, float, double) {
  for (const nlohmann::json& stored : attnlab::reference("attention/softmax.json")) {
    CAPTURE(stored.at("name"));
    const Tensor<T> scores = reference_tensor<T>(stored.at("scores"));
    const nlohmann::json& expected = stored.at(dtype_name<T>);
    const double allowed = tolerance_for<T>(attnlab::largest_magnitude(values_of(scores)));
    CHECK(disagreement(values_of(softmax(scores)), reference_values(expected.at("softmax")), allowed) == "");
    CHECK(disagreement(values_of(softmax_naive(scores)), reference_values(expected.at("softmax_naive")),
                       allowed) == "");
    CHECK(disagreement(values_of(softmax_global_maximum(scores)),
                       reference_values(expected.at("softmax_global_maximum")), allowed) == "");
  }
}

// The textbook's first example: exp(2) / (exp(2) + exp(-1) + ...), summed by hand in double.
TEST_CASE("the naive form is right while nothing overflows") {
  const std::vector<double> x = {2, -1, 0.5, 3, -0.5};
  double sum = 0.0;
  for (const double value : x) sum += std::exp(value);
  const Tensor<double> weights = softmax_naive(Tensor<double>{2, -1, 0.5, 3, -0.5});
  for (std::size_t j = 0; j < x.size(); ++j) CHECK(std::abs(weights(j) - std::exp(x[j]) / sum) < 1e-15);
}

// exp(88.72) = 3.3931e38 is below float's largest number 3.4028e38. xsimd's exp would already give inf.
TEST_CASE("the naive form survives a float score of 88.72 at every place of a row") {
  at_every_place(88.72F, 0.0F, softmax_naive<float>, [](const Tensor<float>& weights, std::size_t place) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (j == place) CHECK(weights(j) == 1.0F);
      if (j != place) CHECK(weights(j) == doctest::Approx(std::exp(-88.72)).epsilon(1e-5));
    }
  });
}

TEST_CASE("the naive form turns a float score of 88.73 into NaN at every place of a row") {
  at_every_place(88.73F, 0.0F, softmax_naive<float>, [](const Tensor<float>& weights, std::size_t place) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (j == place) CHECK(std::isnan(weights(j)));
      if (j != place) CHECK(weights(j) == 0.0F);
    }
  });
}

TEST_CASE("the naive form survives a double score of 709.78 at every place of a row") {
  at_every_place(709.78, 0.0, softmax_naive<double>, [](const Tensor<double>& weights, std::size_t place) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (j == place) CHECK(weights(j) == 1.0);
      if (j != place) CHECK(weights(j) / std::exp(-709.78) == doctest::Approx(1.0).epsilon(1e-12));
    }
  });
}

TEST_CASE("the naive form turns a double score of 709.79 into NaN at every place of a row") {
  at_every_place(709.79, 0.0, softmax_naive<double>, [](const Tensor<double>& weights, std::size_t place) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (j == place) CHECK(std::isnan(weights(j)));
      if (j != place) CHECK(weights(j) == 0.0);
    }
  });
}

// A key 103.97 (float) or 745.13 (double) below the maximum still rounds to the smallest subnormal number.
TEST_CASE("a float key 103 below the maximum keeps the smallest weight at every place of a row") {
  const float smallest = std::numeric_limits<float>::denorm_min();
  const auto first_one_wins = [smallest](float far, float expected) {
    for (const std::size_t length : odd_lengths) {
      Tensor<float> scores = Tensor<float>::from_shape({length + 1});
      scores.fill(far);
      scores(length / 2) = 0.0F;
      const Tensor<float> weights = softmax(scores);
      for (std::size_t j = 0; j <= length; ++j) {
        CHECK(weights(j) == (j == length / 2 ? 1.0F : expected * smallest));
      }
    }
  };
  first_one_wins(-103.0F, 1.0F);
  first_one_wins(-103.97F, 1.0F);
  first_one_wins(-103.98F, 0.0F);
  CHECK(softmax(Tensor<float>{0.0F, -88.5F})(1) > 0.0F);  // xsimd's exp gives 0 from -88.38
}

TEST_CASE("a double key 745 below the maximum keeps the smallest weight at every place of a row") {
  const double smallest = std::numeric_limits<double>::denorm_min();
  const auto first_one_wins = [smallest](double far, double expected) {
    for (const std::size_t length : odd_lengths) {
      Tensor<double> scores = Tensor<double>::from_shape({length + 1});
      scores.fill(far);
      scores(length / 2) = 0.0;
      const Tensor<double> weights = softmax(scores);
      for (std::size_t j = 0; j <= length; ++j) {
        CHECK(weights(j) == (j == length / 2 ? 1.0 : expected * smallest));
      }
    }
  };
  first_one_wins(-745.0, 1.0);
  first_one_wins(-745.13, 1.0);
  first_one_wins(-745.14, 0.0);
  CHECK(softmax(Tensor<double>{0.0, -709.5})(1) > 0.0);  // xsimd's exp gives 0 from -709
}

TEST_CASE("five equal large scores give naive weights of 0 without any NaN") {
  Tensor<float> scores32 = Tensor<float>::from_shape({5});
  Tensor<double> scores64 = Tensor<double>::from_shape({5});
  scores32.fill(88.0F);
  scores64.fill(709.5);
  CHECK(std::isfinite(std::exp(88.0F)));
  CHECK(std::isfinite(std::exp(709.5)));
  for (const float weight : softmax_naive(scores32)) CHECK(weight == 0.0F);
  for (const double weight : softmax_naive(scores64)) CHECK(weight == 0.0);
  for (const float weight : softmax(scores32)) CHECK(weight == 0.2F);
  for (const double weight : softmax(scores64)) CHECK(weight == 0.2);
}

TEST_CASE_TEMPLATE("equal scores share the weight equally wherever they stand", T, float, double) {
  for (const std::size_t length : odd_lengths) {
    for (const T score : {T(-745), T(-103), T(0), T(88.72), T(709.78)}) {
      Tensor<T> scores = Tensor<T>::from_shape({length});
      scores.fill(score);
      for (const T weight : softmax(scores)) CHECK(weight == 1 / static_cast<T>(length));
    }
  }
}

TEST_CASE_TEMPLATE("finite scores give finite weights however large they are", T, float, double) {
  const T largest = std::numeric_limits<T>::max();
  const Tensor<T> weights = softmax(Tensor<T>{largest, -largest, 0, largest});
  const Tensor<T> expected = {T(0.5), 0, 0, T(0.5)};
  CHECK(weights == expected);
}

TEST_CASE("one maximum for the whole matrix loses a row that lies far below it") {
  const Tensor<double> scores = {{1000, 999}, {0, -1}};
  const Tensor<double> global = softmax_global_maximum(scores);
  const Tensor<double> by_rows = softmax(scores);
  const double larger = 1.0 / (1.0 + std::exp(-1.0));  // .731
  CHECK(std::abs(global(0, 0) - larger) < 1e-15);
  CHECK(std::abs(global(0, 1) - (1.0 - larger)) < 1e-15);
  CHECK(std::isnan(global(1, 0)));
  CHECK(std::isnan(global(1, 1)));
  for (std::size_t row = 0; row < 2; ++row) {
    CHECK(std::abs(by_rows(row, 0) - larger) < 1e-15);
    CHECK(std::abs(by_rows(row, 1) - (1.0 - larger)) < 1e-15);
  }
}

TEST_CASE_TEMPLATE("NaN anywhere spoils its row alone but with one global maximum the whole matrix", T, float,
                   double) {
  const T missing = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t place = 0; place < 3; ++place) {
    Tensor<T> scores = {{1, 2, 3}, {4, 5, 6}};
    scores(0, place) = missing;
    const Tensor<T> by_rows = softmax(scores);
    const Tensor<T> global = softmax_global_maximum(scores);
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(std::isnan(by_rows(0, j)));
      CHECK(std::isfinite(by_rows(1, j)));
      CHECK(std::isnan(global(0, j)));
      CHECK(std::isnan(global(1, j)));
    }
  }
}

TEST_CASE_TEMPLATE("rows without keys stay empty and a single number is refused", T, float, double) {
  using attnlab::Shape;
  const Tensor<T> no_keys = Tensor<T>::from_shape({3, 0});
  CHECK(attnlab::shape_of(softmax(no_keys)) == Shape{3, 0});
  CHECK(attnlab::shape_of(softmax_naive(no_keys)) == Shape{3, 0});
  CHECK(attnlab::shape_of(softmax_global_maximum(no_keys)) == Shape{3, 0});
  CHECK(attnlab::shape_of(softmax(Tensor<T>::from_shape({0, 3}))) == Shape{0, 3});
  CHECK_THROWS_AS(softmax(Tensor<T>(T(1))), attnlab::Error);
}
