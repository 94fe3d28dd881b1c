// NumPy's newer generator: np.random.default_rng(s).standard_normal and .normal, of which programs with
// np.random.seed(s) get nothing.
#pragma once

#include <array>
#include <cstdint>

namespace attnlab {

/// The stream of np.random.default_rng(seed): PCG64 (O'Neill 2014), its seed mixed by SeedSequence. Source:
/// NumPy 1.24, bit_generator.pyx, pcg64.h and distributions.c.
class NumpyGenerator {
 public:
  explicit NumpyGenerator(std::uint32_t seed);

  /// A standard normal, to 4e-15 as NumPy's tables give it, by the ziggurat (Marsaglia and Tsang 2000) of 256
  /// layers.
  double normal();

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t bits();
  double uniform();

  Wide state_ = 0;
  Wide increment_ = 0;
};

}  // namespace attnlab
