// One measurement in a process of its own, as JSON: what bench/compare --attention alternates with Python.
//
// attention_once gemm [type=double]        the rate of a large product on all processors
// attention_once copy                      the rate of copying memory on all processors: bytes read and
// written attention_once streaming|causal|plain queries=1024 [keys=QUERIES heads=8 kv-heads=HEADS width=64
// type=float] [once] The median of runs that last 0.1 s together, after one that does not count; with `once`
// a single run, so that the process's peak memory is that of one computation.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "attention/blas_library.hpp"
#include "attention/scaled_dot_product.hpp"
#include "attention/streaming/kernel/kernel.hpp"
#include "attention/streaming/streaming_attention.hpp"
#include "core/memory.hpp"
#include "gemm_rate.hpp"
#include "inputs.hpp"

extern "C" char* openblas_get_config();
extern "C" char* openblas_get_corename();

namespace attnlab {
namespace {

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

/// NAME=VALUE words of the command line.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const std::size_t equals = word.find('=');
      const bool is_known =
          known_.count(word.substr(0, equals)) != 0 && (equals != std::string::npos) == (word != "once");
      if (!is_known) throw std::invalid_argument("unknown word " + word);
      values_[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
  }
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  bool is_double() const { return has("type") && values_.at("type") == "double"; }
  std::size_t count(const std::string& name, std::size_t otherwise) const {
    return has(name) ? count_of(values_.at(name)) : otherwise;
  }

 private:
  std::set<std::string> known_{"queries", "keys", "heads", "kv-heads", "width", "type", "once"};
  std::map<std::string, std::string> values_;
};

AttentionSizes sizes_of(const Words& words) {
  AttentionSizes sizes;
  sizes.heads = words.count("heads", 8);
  sizes.kv_heads = words.count("kv-heads", sizes.heads);
  sizes.queries = words.count("queries", 1024);
  sizes.keys = words.count("keys", sizes.queries);
  sizes.width = words.count("width", 64);
  return sizes;
}

/// What `kind` does with these inputs.
template <class T>
std::function<void()> attention(const std::string& kind, const AttentionInputs<T>& inputs) {
  if (kind == "plain") {
    return [&inputs] { scaled_dot_product_attention(inputs.query, inputs.key, inputs.value); };
  }
  ScoreOptions<T> options;
  if (kind == "causal") {
    options.readable.causal = true;
  } else if (kind != "streaming") {
    throw std::invalid_argument(kind + " is none of gemm, copy, streaming, causal, plain");
  }
  return [&inputs, options] {
    streaming_attention(inputs.query, inputs.key, inputs.value, options, MaskedRow::nan, on_all_processors());
  };
}

template <class T>
void print_attention(const std::string& kind, const Words& words) {
  const AttentionSizes sizes = sizes_of(words);
  const AttentionInputs<T> inputs = attention_inputs<T>(sizes);
  const std::function<void()> work = attention<T>(kind, inputs);
  const double seconds = words.has("once") ? seconds_of(work) : median_seconds(work);
  const std::size_t read = (inputs.query.size() + inputs.key.size() + inputs.value.size()) * sizeof(T);
  fmt::print(
      "{{\"seconds\": {}, \"flops\": {}, \"input_bytes\": {}, \"peak_bytes\": {}, \"tensor_bytes\": {}}}\n",
      seconds, attention_flops(sizes, kind == "causal"), read, peak_bytes(),
      read + inputs.query.size() * sizeof(T));  // and the output
}

void print_gemm_rate(bool is_double) {
  fmt::print("{{\"rate\": {}, \"blas\": \"{}, {} kernels\", \"simd\": \"{}\"}}\n",
             is_double ? gemm_rate<double>() : gemm_rate<float>(), openblas_get_config(),
             openblas_get_corename(), name_of(simd_target()));
}

/// Every processor copies 64 MB of its own.
void print_copy_rate() {
  constexpr std::size_t size = std::size_t{64} << 20U;
  const std::size_t copies = std::max(1U, std::thread::hardware_concurrency());
  const std::vector<std::vector<char>> from(copies, std::vector<char>(size, 1));
  std::vector<std::vector<char>> to(copies, std::vector<char>(size));
  const double seconds = median_seconds([&] {
    on_all_processors()(copies, [&](std::size_t i) { std::memcpy(to[i].data(), from[i].data(), size); });
  });
  fmt::print("{{\"rate\": {}}}\n", 2.0 * static_cast<double>(copies * size) / seconds);
}

}  // namespace
}  // namespace attnlab

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    if (arguments.empty())
      throw std::invalid_argument("nothing to measure: gemm, copy, streaming, causal or plain");
    const attnlab::Words words({arguments.begin() + 1, arguments.end()});
    if (arguments[0] == "gemm") {
      attnlab::print_gemm_rate(words.is_double());
    } else if (arguments[0] == "copy") {
      attnlab::print_copy_rate();
    } else if (words.is_double()) {
      attnlab::print_attention<double>(arguments[0], words);
    } else {
      attnlab::print_attention<float>(arguments[0], words);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "attention_once: {}\n", error.what());
    return 1;
  }
}
