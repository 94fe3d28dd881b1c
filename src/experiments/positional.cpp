// Positional encoding: sines and cosines that tell positions apart, and turn by the same angle for every
// step.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/positional/positional.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {
namespace {

// The uniqueness of positions compares every pair: positions² · width steps, a fifth of a second at most.
constexpr std::size_t most_numbers = 200'000;

std::vector<Parameter> parameters() {
  return {
      {"positions", IntegerKind{{2, 1000}}, "50", {"位置の個数", "how many positions"}},
      {"width", IntegerKind{{2, 1024}}, "64", {"次元 d", "width d of the encoding"}},
      {"base", NumberKind{{1.0, 1e12}}, "10000", {"波長を決める底", "base of the wavelengths"}},
      {"offset", IntegerKind{{1, 1000}}, "5", {"位置をずらす数 k", "by how many positions k to shift"}},
      {"seed",
       IntegerKind{{0, 4294967295}},
       "0",
       {"回転位置エンコーディングに使うクエリとキーの乱数の種",
        "seed of the random query and key for the rotary encoding"}},
      rng_parameter(),
  };
}

PositionalSettings settings_of(const Arguments& arguments) {
  const PositionalSettings settings{arguments.count("positions"), arguments.count("width"),
                                    arguments.number("base"), arguments.count("offset"),
                                    static_cast<std::uint32_t>(arguments.integer("seed"))};
  const auto& [positions, width, base, offset, seed] = settings;
  if (positions * width <= most_numbers) return settings;
  throw Error(ErrorKind::usage,
              {fmt::format("位置 {} 個 × {} 次元は {} 個の数になり、上限の {} 個を超えます", positions, width,
                           positions * width, most_numbers),
               fmt::format("{} positions of width {} are {} numbers, more than {}", positions, width,
                           positions * width, most_numbers)},
              {fmt::format("この次元では --positions を {} 以下にしてください", most_numbers / width),
               fmt::format("with this width choose --positions of at most {}", most_numbers / width)});
}

Report run_positional(const Arguments& arguments, const Context&) {
  const PositionalRun run = measure_positions(settings_of(arguments), random_stream(arguments));
  Report report;
  report.stages = positional_trace(run);
  report.scalars = positional_scalars(run);
  report.invariants = positional_invariants(run);
  report.body = positional_body(run);
  report.figures = positional_figures(run);
  return report;
}

}  // namespace

Experiment positional_experiment() {
  return {
      "positional",
      {"正弦波で位置を表す：一意性、類似度、回転", "sines that tell positions apart, and turn with them"},
      {"記事 式 (9), (10)、スライド「位置の表現」", "article eq. 9 and 10; slides, position representation"},
      parameters(),
      run_positional};
}

}  // namespace attnlab
