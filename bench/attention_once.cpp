// One measurement in a process of its own, as JSON: what bench/compare --attention alternates with Python.
//
// attention_once gemm | streaming|causal|plain LENGTH HEADS [once]
// float32, width 64. The median of runs that last 0.1 s together, after one that does not count; with `once`
// a single run, so that the process's peak memory is that of one computation.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/blas_library.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/streaming/streaming_attention.hpp"
#include "core/memory.hpp"
#include "gemm_rate.hpp"
#include "inputs.hpp"

extern "C" char* openblas_get_config();
extern "C" char* openblas_get_corename();

namespace attnlab {
namespace {

constexpr std::size_t width = 64;
constexpr double least_seconds = 0.1;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_seconds(const std::function<void()>& work) {
  work();
  std::vector<double> seconds;
  double all = 0;
  while (all < least_seconds) {
    seconds.push_back(seconds_of(work));
    all += seconds.back();
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

std::size_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-union-access): glibc's struct is made of them
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::size_t count_of(const std::string& text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    throw std::invalid_argument(text + " is not a positive whole number");
  }
  return count;
}

/// What `kind` does with these inputs.
std::function<void()> attention(const std::string& kind, const AttentionInputs<float>& inputs) {
  if (kind == "plain") {
    return [&inputs] { scaled_dot_product_attention(inputs.query, inputs.key, inputs.value); };
  }
  ScoreOptions<float> options;
  if (kind == "causal") {
    options.readable.causal = CausalAlignment::bottom_right;
  } else if (kind != "streaming") {
    throw std::invalid_argument(kind + " is none of streaming, causal, plain");
  }
  return [&inputs, options] {
    streaming_attention(inputs.query, inputs.key, inputs.value, options, MaskedRow::nan, on_all_processors());
  };
}

void print_attention(const std::string& kind, std::size_t length, std::size_t heads, bool once) {
  const AttentionInputs<float> inputs = attention_inputs<float>(heads, length, width);
  const std::function<void()> work = attention(kind, inputs);
  const double seconds = once ? seconds_of(work) : median_seconds(work);
  fmt::print("{{\"seconds\": {}, \"peak_bytes\": {}, \"tensor_bytes\": {}}}\n", seconds, peak_bytes(),
             4 * inputs.query.size() * sizeof(float));  // query, key, value, output
}

void print_gemm_rate() {
  fmt::print("{{\"flops\": {}, \"blas\": \"{}, {} kernels\"}}\n", gemm_rate<float>(), openblas_get_config(),
             openblas_get_corename());
}

}  // namespace
}  // namespace attnlab

int main(int count, char** values) {
  attnlab::keep_freed_memory();  // as attnlab itself, and so the next
  attnlab::choose_blas_kernels();
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    if (arguments == std::vector<std::string>{"gemm"}) {
      attnlab::print_gemm_rate();
    } else if (arguments.size() == 3 || (arguments.size() == 4 && arguments[3] == "once")) {
      attnlab::print_attention(arguments[0], attnlab::count_of(arguments[1]), attnlab::count_of(arguments[2]),
                               arguments.size() == 4);
    } else {
      throw std::invalid_argument("usage: attention_once gemm | streaming|causal|plain LENGTH HEADS [once]");
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "attention_once: {}\n", error.what());
    return 1;
  }
}
