// The streaming kernel on all processors, and the plain one beside it, as shares of the machine's gemm rate.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "attention/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/streaming/streaming_attention.hpp"
#include "core/memory.hpp"
#include "gemm_rate.hpp"
#include "inputs.hpp"

namespace attnlab {
namespace {

struct Size : AttentionSizes {
  explicit Size(const benchmark::State& state) : causal(state.range(2) != 0) {
    queries = keys = static_cast<std::size_t>(state.range(0));
    width = static_cast<std::size_t>(state.range(1));
  }

  bool causal;
};

/// Times `attention` and reports its rate, alone and relative to the gemm rate measured just before.
template <class T, class Attention>
void measure(benchmark::State& state, const Attention& attention) {
  const Size size(state);
  const double gemm = gemm_rate<T>();
  attention();  // the first run meets cold caches and untouched pages
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) benchmark::DoNotOptimize(attention());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const double rate =
      attention_flops(size, size.causal) * static_cast<double>(state.iterations()) / elapsed.count();
  state.counters["GFLOP/s"] = rate / 1e9;
  state.counters[std::is_same_v<T, float> ? "of sgemm" : "of dgemm"] = rate / gemm;
}

template <class T>
void streaming(benchmark::State& state) {
  const Size size(state);
  const AttentionInputs<T> inputs = attention_inputs<T>(size);
  ScoreOptions<T> options;
  if (size.causal) options.readable.causal = true;
  const ForEach for_each = on_all_processors();
  measure<T>(state, [&] {
    return streaming_attention(inputs.query, inputs.key, inputs.value, options, MaskedRow::nan, for_each);
  });
}

/// On one thread, as everywhere in attnlab; the mask leaves its work the same.
template <class T>
void plain(benchmark::State& state) {
  const Size size(state);
  const AttentionInputs<T> inputs = attention_inputs<T>(size);
  measure<T>(state, [&] { return scaled_dot_product_attention(inputs.query, inputs.key, inputs.value); });
}

void all_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"L", "D", "causal"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t width : {32, 64, 128}) {
    for (const std::int64_t causal : {0, 1}) {
      for (std::int64_t length = 128; length <= 16'384; length *= 2) {
        benchmark->Args({length, width, causal});
      }
    }
  }
}

void short_lengths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"L", "D", "causal"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t width : {32, 64, 128}) {
    for (std::int64_t length = 128; length <= 1024; length *= 2) benchmark->Args({length, width, 0});
  }
}

BENCHMARK_TEMPLATE(streaming, float)->Apply(all_sizes);
BENCHMARK_TEMPLATE(streaming, double)->Apply(all_sizes);
BENCHMARK_TEMPLATE(plain, float)->Apply(short_lengths);
BENCHMARK_TEMPLATE(plain, double)->Apply(short_lengths);

}  // namespace
}  // namespace attnlab

int main(int count, char** values) {
  benchmark::Initialize(&count, values);
  if (benchmark::ReportUnrecognizedArguments(count, values)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
