#include "attention/blas_library.hpp"

#include <sstream>

// As OpenBLAS's own cblas.h has them, which clashes with xtensor-blas's.
extern "C" {
char* openblas_get_config();
char* openblas_get_corename();
}

namespace attnlab {
namespace {

enum class VectorUnit { plain, avx2, avx512 };

VectorUnit vector_unit() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return VectorUnit::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorUnit::avx2;
#endif
  return VectorUnit::plain;
}

/// Kernels from before AVX2. An OpenBLAS falls back on some of them where it is older than the processor.
bool is_before_avx2(std::string_view core) {
  constexpr std::array<std::string_view, 10> before{"Prescott",     "Core2",    "Penryn",      "Dunnington",
                                                    "Nehalem",      "Atom",     "Sandybridge", "Barcelona",
                                                    "Opteron_SSE3", "Bulldozer"};
  return std::find(before.begin(), before.end(), core) != before.end();
}

}  // namespace

BlasLibrary blas_library() {
  BlasLibrary library;
  library.configuration = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY Haswell ..."
  library.core = openblas_get_corename();
  std::istringstream words(library.configuration);
  words >> library.name >> library.version;
  return library;
}

std::optional<Text> faster_kernels(const BlasLibrary& library) {
  const VectorUnit unit = vector_unit();
  if (unit == VectorUnit::plain || !is_before_avx2(library.core)) return std::nullopt;
  return text(
      "このプロセッサーにはより速いカーネルがあります。環境変数 OPENBLAS_CORETYPE={} で選べます（数値は最後の桁まで同じとは限りません）",
      "this processor can run faster kernels: set OPENBLAS_CORETYPE={} in the environment (the last digits of numbers may differ)",
      unit == VectorUnit::avx512 ? "SkylakeX" : "Haswell");
}

}  // namespace attnlab
