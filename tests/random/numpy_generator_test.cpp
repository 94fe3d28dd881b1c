// np.random.default_rng against NumPy 1.24 itself.
#include "random/numpy_generator.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using attnlab::NumpyGenerator;

TEST_CASE("default_rng's normals are NumPy's to 1e-14, in the tail and the wedges, too") {
  struct Stream {
    std::uint32_t seed;
    std::vector<double> first;
    double at_199999;
  };
  // [repr(float(x)) for x in np.random.default_rng(seed).standard_normal(200000)]
  const std::vector<Stream> streams{
      {0,
       {0.1257302210933933, -0.1321048632913019, 0.6404226504432821, 0.10490011715303971},
       -0.26553977625065545},
      {1,
       {0.345584192064786, 0.8216181435011584, 0.33043707618338714, -1.303157231604361},
       -0.04415526720711728},
      {42,
       {0.30471707975443135, -1.0399841062404955, 0.7504511958064572, 0.9405647163912139},
       0.26900288242347326},
      {4294967295U, {-0.027271763074256376, 0.2153539268318988, -0.6669252679186933}, -1.0592661974519928}};
  for (const Stream& stream : streams) {
    CAPTURE(stream.seed);
    NumpyGenerator generator(stream.seed);
    double value = 0.0;
    for (std::size_t i = 0; i < 200000; ++i) {
      value = generator.normal();
      if (i < stream.first.size()) CHECK(std::abs(value - stream.first[i]) <= 1e-14);
    }
    CHECK(std::abs(value - stream.at_199999) <=
          1e-14);  // the number of draws rejected before it is NumPy's as well
  }
}
