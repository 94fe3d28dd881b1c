// What the processor can run, and what the user wants of it.
#include "attention/streaming/kernel/kernel.hpp"

#include "core/error.hpp"

namespace attnlab {
namespace {

#ifdef __x86_64__
constexpr const char* baseline_name = "sse2";
#else
constexpr const char* baseline_name = "baseline";
#endif

constexpr std::array every_target{SimdTarget::baseline, SimdTarget::avx2, SimdTarget::avx512};

std::string runnable_names() {
  std::string names;
  for (const SimdTarget target : every_target) {
    if (can_run(target)) names += (names.empty() ? "" : ", ") + std::string(name_of(target));
  }
  return names;
}

SimdTarget wanted_target(std::string_view name) {
  for (const SimdTarget target : every_target) {
    if (name == name_of(target) && can_run(target)) return target;
  }
  const bool is_known = name == "sse2" || name == "avx2" || name == "avx512";
  const std::string runnable = runnable_names();
  refuse_usage(is_known ? text("環境変数 ATTNLAB_SIMD は {} ですが、このプロセッサーにその命令はありません",
                               "ATTNLAB_SIMD is {}, whose instructions this processor does not have", name)
                        : text("環境変数 ATTNLAB_SIMD の値 '{}' は命令セットの名前ではありません",
                               "ATTNLAB_SIMD is '{}', which names no vector instructions", name),
               text("{} のどれかにするか、設定を外してください", "set one of {}, or unset it", runnable));
}

}  // namespace

const char* name_of(SimdTarget target) {
  switch (target) {
    case SimdTarget::avx2: return "avx2";
    case SimdTarget::avx512: return "avx512";
    case SimdTarget::baseline: break;
  }
  return baseline_name;
}

bool can_run(SimdTarget target) {
#ifdef __x86_64__
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (target == SimdTarget::avx2) return avx2;
  if (target == SimdTarget::avx512) {
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq");
  }
#endif
  return target == SimdTarget::baseline;
}

SimdTarget simd_target() {
  static const SimdTarget target = [] {
    const char* wanted = std::getenv("ATTNLAB_SIMD");
    if (wanted != nullptr && *wanted != '\0') return wanted_target(wanted);
    return *std::find_if(every_target.rbegin(), every_target.rend(), can_run);
  }();
  return target;
}

template <class T>
const PanelKernel<T>& panel_kernel(SimdTarget target) {
#ifdef __x86_64__
  if (target == SimdTarget::avx512) return avx512_kernel<T>();
  if (target == SimdTarget::avx2) return avx2_kernel<T>();
#endif
  static_cast<void>(target);
  return baseline_kernel<T>();
}

template const PanelKernel<float>& panel_kernel(SimdTarget);
template const PanelKernel<double>& panel_kernel(SimdTarget);

}  // namespace attnlab
