// What mixing n tokens costs: a fixed filter grows with n, attention with n²; streaming saves the memory, not
// the work.
#include "experiments/cost/cost.hpp"

#include <algorithm>
#include <cmath>

#include "core/agreement.hpp"
#include "core/error.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/trace.hpp"

namespace attnlab {
namespace {

constexpr std::size_t shortest = 64;
constexpr std::size_t longest_measured = 2048;  // plain attention's matrices take 130 MB there

std::vector<Parameter> parameters() {
  return {
      {"longest",
       IntegerKind{{128, 1'048'576}},
       "16384",
       {"最も長い系列の長さ：128, 256, 512, ...（64 から 2 倍ずつ数えます。--measure では 2048 まで）",
        "the longest sequence: 128, 256, 512, ... (lengths double from 64 on; up to 2048 with --measure)"}},
      {"width", IntegerKind{{1, 1024}}, "64", {"次元 d", "width d of the tokens"}},
      {"taps",
       IntegerKind{{1, 63}},
       "5",
       {"固定フィルタの重みの個数（奇数）", "weights of the fixed filter, odd"}},
      {"block",
       IntegerKind{{1, 65'536}},
       "64",
       {"ストリーミングで一度に読むキーの個数（--measure では使いません）",
        "how many keys streaming attention reads at a time; not used by --measure"}},
      {"measure",
       SwitchKind{},
       "off",
       {"数える代わりに、この機械で時間を測ります", "measure time on this machine instead of counting"}},
  };
}

CostSize size_of(const Arguments& arguments) {
  const CostSize size{arguments.count("width"), arguments.count("taps"), arguments.count("block")};
  if (size.taps % 2 == 1) return size;
  throw Error(ErrorKind::usage,
              text("--taps {} は偶数なので、中央の重みがありません",
                   "--taps {} is even, so no weight is in the middle", size.taps),
              text("奇数にしてください。例: --taps {}", "choose an odd number, for example --taps {}",
                   size.taps + 1));
}

void require_reached(std::size_t longest) {
  std::size_t below = shortest;
  while (2 * below <= longest) below *= 2;
  if (below == longest) return;
  throw Error(ErrorKind::usage,
              text("--longest {} は、64 から 2 倍ずつ増やした長さにありません",
                   "--longest {} is not among the lengths, which double from 64 on", longest),
              text("{} か {} を指定してください", "choose {} or {}", below, 2 * below));
}

/// 64, 128, 256, ... up to --longest; with --measure up to what a lecture can wait for.
std::vector<std::size_t> lengths_of(const Arguments& arguments) {
  std::size_t longest = arguments.count("longest");
  require_reached(longest);
  if (arguments.is_on("measure")) {
    if (arguments.given("longest") && longest > longest_measured) {
      throw Error(ErrorKind::usage,
                  text("--measure では、--longest {} は長すぎます", "--longest {} is too long for --measure",
                       longest),
                  text("{} 以下にしてください", "choose at most {}", longest_measured));
    }
    longest = std::min(longest, longest_measured);
  }
  std::vector<std::size_t> lengths;
  for (std::size_t length = shortest; length <= longest; length *= 2) lengths.push_back(length);
  return lengths;
}

// --- Counting

CostRun run_of(const CostSize& size, const std::vector<std::size_t>& lengths) {
  CostRun run;
  run.size = size;
  run.lengths = lengths;
  run.methods = cost_methods();
  return run;
}

CostRun count_costs(const CostSize& size, const std::vector<std::size_t>& lengths) {
  CostRun run = run_of(size, lengths);
  run.operations = Tensor<double>::from_shape({run.methods.size(), lengths.size()});
  run.numbers = run.operations;
  for (std::size_t row = 0; row < run.methods.size(); ++row) {
    for (std::size_t column = 0; column < lengths.size(); ++column) {
      const CostMethod& method = run.methods[row];  // below 2^53 for every parameter allowed: exact as double
      run.operations(row, column) = static_cast<double>(method.operations.at(lengths[column], size));
      run.numbers(row, column) = static_cast<double>(method.numbers.at(lengths[column], size));
    }
  }
  run.bytes = run.numbers * bytes_per_number;
  return run;
}

/// Loops that count, on a short sequence that no usual block length divides, against the formulas.
std::vector<Invariant> invariants(const CostRun& run) {
  constexpr std::size_t length = 67;
  // Outputs are means of numbers up to 1 in size; a few hundred roundings each.
  constexpr double rounding = 1e-12;
  const auto distance = [&run](const CostFormula& formula, std::uint64_t counted) {
    return std::abs(static_cast<double>(counted) - static_cast<double>(formula.at(length, run.size)));
  };
  double operations = 0.0;
  double numbers = 0.0;
  std::vector<std::vector<double>> outputs;
  for (const CostMethod& method : run.methods) {
    const CountedRun counted = method.count(length, run.size);
    operations = std::max(operations, distance(method.operations, counted.operations));
    numbers = std::max(numbers, distance(method.numbers, counted.numbers));
    outputs.push_back(counted.output);
  }
  const double streaming = deviation(outputs.at(2), outputs.at(1), rounding).absolute;
  return {
      invariant("operations_as_counted", operations, 0.0,
                "演算の式は、数えながら計算した回数と一致する（長さ {}）",
                "the formulas give the operations that counting loops count, at length {}", length),
      invariant("numbers_as_counted", numbers, 0.0, "数の個数の式は、配列を数えた個数と一致する（長さ {}）",
                "the formulas give the numbers that the arrays hold, at length {}", length),
      invariant("streaming_equals_plain", streaming, rounding,
                "ストリーミングの出力は通常のアテンションと同じ",
                "streaming attention gives plain attention's output"),
  };
}

// --- The trace --------------------------------------------------------------------------------------------

Stage lengths_stage(const CostRun& run) {
  return input("length", {{run.lengths.size()}, {"lengths"}, {run.lengths.begin(), run.lengths.end()}});
}

/// "plain_attention(64) = 64² (4 · 64 + 5) − ... = 1064832", one line per method, at the shortest length.
Derivation at_the_shortest(const CostRun& run, CostFormula CostMethod::*formula) {
  using formula::sym;
  const std::size_t n = run.lengths.front();
  std::vector<Chain> lines;
  for (const CostMethod& method : run.methods) {
    const CostFormula& cost = method.*formula;
    lines.push_back(
        {sym(fmt::format("{}({})", method.id, n)),
         {{"=", sym(cost.worked(n, run.size))}, {"=", sym(std::to_string(cost.at(n, run.size)))}}});
  }
  return derived::worked({"length"}, std::move(lines));
}

std::vector<Stage> counted_trace(const CostRun& run) {
  using formula::sym;
  const std::vector<std::string> axes{"methods", "lengths"};
  return {
      lengths_stage(run),
      step("operations", "operations(n)", run.operations, axes,
           at_the_shortest(run, &CostMethod::operations)),
      step("numbers_held", "numbers(n)", run.numbers, axes, at_the_shortest(run, &CostMethod::numbers)),
      step("bytes", formula::row({sym(fmt::format("{:g} ", bytes_per_number)), formula::read("numbers(n)")}),
           run.bytes, axes, derived::scaled("numbers_held", bytes_per_number)),
  };
}

void add_slopes(std::vector<Scalar>& scalars, const CostRun& run, const Tensor<double>& values,
                const std::string& quantity) {
  for (std::size_t row = 0; row < run.methods.size(); ++row) {
    scalars.push_back({quantity + "_slope_" + run.methods[row].id, final_slope(run, values, row)});
  }
}

Report counted_report(const CostRun& run) {
  Report report;
  report.stages = counted_trace(run);
  add_slopes(report.scalars, run, run.operations, "operations");
  add_slopes(report.scalars, run, run.bytes, "bytes");
  report.invariants = invariants(run);
  report.body = counted_body(run);
  report.figures = {counted_figure(run)};
  return report;
}

Report measured_report(const CostSize& size, const std::vector<std::size_t>& lengths,
                       const Context& context) {
  CostRun run = run_of(size, lengths);
  run.seconds = measure_seconds(lengths, size, context);
  Report report;
  report.stages = {lengths_stage(run),
                   step("seconds", Formula{}, run.seconds, {"methods", "lengths"}, derived::measured())};
  add_slopes(report.scalars, run, run.seconds, "seconds");
  report.body = measured_body(run);
  report.figures = {measured_figure(run)};
  return report;
}

Report run_cost(const Arguments& arguments, const Context& context) {
  const CostSize size = size_of(arguments);
  const std::vector<std::size_t> lengths = lengths_of(arguments);
  if (arguments.is_on("measure")) return measured_report(size, lengths, context);
  return counted_report(count_costs(size, lengths));
}

}  // namespace

double final_slope(const CostRun& run, const Tensor<double>& values, std::size_t method) {
  const std::size_t last = run.lengths.size() - 1;
  const double growth = values(method, last) / values(method, last - 1);
  return std::log(growth) /
         std::log(static_cast<double>(run.lengths[last]) / static_cast<double>(run.lengths[last - 1]));
}

Experiment cost_experiment() {
  return {
      "cost",
      {"系列長に対する計算量とメモリ：O(n) と O(n²)", "work and memory against length: O(n) and O(n²)"},
      {"記事 固定重みフィルタと Self-Attention の表", "article, table of fixed filter and self-attention"},
      parameters(),
      run_cost};
}

}  // namespace attnlab
