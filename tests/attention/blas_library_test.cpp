// OpenBLAS, as attnlab starts it.
#include "attention/blas_library.hpp"

#include <doctest/doctest.h>

#include "attention/streaming/kernel/kernel.hpp"

extern "C" int openblas_get_num_threads();

TEST_CASE("OpenBLAS has no threads of its own beside ours") { CHECK(openblas_get_num_threads() == 1); }

TEST_CASE("kernels from before AVX2 are told of with the variable that chooses better ones, others are not") {
  if (!attnlab::can_run(attnlab::SimdTarget::avx2)) return;
  attnlab::BlasLibrary library = attnlab::blas_library();
  library.core = "Prescott";
  REQUIRE(attnlab::faster_kernels(library));
  CHECK(attnlab::faster_kernels(library)->en().find("OPENBLAS_CORETYPE=") != std::string::npos);
  library.core = "Haswell";
  CHECK(!attnlab::faster_kernels(library));
}
