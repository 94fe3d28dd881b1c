// OpenBLAS's own choice of kernels is replaced where it is a fallback.
#include "attention/blas_library.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "attention/matmul.hpp"
#include "random/numpy_random.hpp"

extern "C" {
int openblas_get_num_threads();
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

TEST_CASE("OpenBLAS has no threads of its own beside ours") { CHECK(openblas_get_num_threads() == 1); }

TEST_CASE("where OpenBLAS fell back on old kernels, better ones are taken, and they multiply alike") {
  // A library or a processor for which there is nothing to choose; or the user has chosen.
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr || !__builtin_cpu_supports("avx2")) return;
  attnlab::NumpyRandom random(6);
  const attnlab::Tensor<double> a = random.randn({70, 90});
  const attnlab::Tensor<double> b = random.randn({90, 50});

  setenv("OPENBLAS_CORETYPE", "Prescott", 1);  // as OpenBLAS chooses on a processor that it does not know
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  CHECK(attnlab::blas_library().core == "Prescott");
  const attnlab::Tensor<double> old = attnlab::matmul(a, b);
  attnlab::choose_blas_kernels();
  CHECK(attnlab::blas_library().core == "Prescott");  // the variable is set: the user's choice stays
  CHECK(!attnlab::chosen_kernels());

  unsetenv("OPENBLAS_CORETYPE");
  attnlab::choose_blas_kernels();
  CHECK(attnlab::blas_library().core != "Prescott");
  CHECK(!attnlab::faster_kernels(attnlab::blas_library()));
  REQUIRE(attnlab::chosen_kernels());
  CHECK(attnlab::chosen_kernels()->in(attnlab::Language::en).find("Prescott") != std::string::npos);
  CHECK(std::getenv("OPENBLAS_CORETYPE") == nullptr);
  const attnlab::Tensor<double> chosen = attnlab::matmul(a, b);
  for (std::size_t i = 0; i < old.size(); ++i) CHECK(std::abs(old.flat(i) - chosen.flat(i)) < 1e-12);
}
