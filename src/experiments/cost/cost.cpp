// What mixing n tokens costs: a fixed filter grows with n, attention with n²; streaming saves the memory, not
// the work.
#include "experiments/cost/cost.hpp"

namespace attnlab {
namespace {

constexpr std::size_t shortest = 64;
constexpr std::size_t longest_measured = 2048;  // plain attention's matrices take 130 MB there

CostSize size_of(const Arguments& arguments) {
  const CostSize size{arguments.count("width"), arguments.count("taps"), arguments.count("block")};
  if (size.taps % 2 == 1) return size;
  refuse_usage(text("--taps {} は偶数なので、中央の重みがありません",
                    "--taps {} is even, so it has no middle weight", size.taps),
               text("奇数にしてください。例: --taps {}", "choose an odd number, for example --taps {}",
                    size.taps + 1));
}

void require_reached(std::size_t longest) {
  std::size_t below = shortest;
  while (2 * below <= longest) below *= 2;
  if (below == longest) return;
  refuse_usage(text("--longest {} は、64 から 2 倍ずつ増やした長さにありません",
                    "--longest {} is not among the lengths, which double from 64 on", longest),
               text("{} か {} を指定してください", "choose {} or {}", below, 2 * below));
}

/// 64, 128, 256, ... up to --longest; with --measure up to what a lecture can wait for.
std::vector<std::size_t> lengths_of(const Arguments& arguments) {
  std::size_t longest = arguments.count("longest");
  require_reached(longest);
  if (arguments.is_on("measure")) {
    if (arguments.is_set("longest") && longest > longest_measured) {
      refuse_usage(text("--measure では、--longest {} は長すぎます", "--longest {} is too long for --measure",
                        longest),
                   text("{} 以下にしてください", "choose at most {}", longest_measured));
    }
    longest = std::min(longest, longest_measured);
  }
  std::vector<std::size_t> lengths;
  for (std::size_t length = shortest; length <= longest; length *= 2) lengths.push_back(length);
  return lengths;
}

// --- The trace --------------------------------------------------------------------------------------------

/// "plain_attention(64) = 64² (4 · 64 + 5) − ... = 1064832", one line per method, at the shortest length.
Derivation at_the_shortest(const CostRun& run, CostFormula CostMethod::*formula) {
  using formula::sym;
  const std::size_t n = run.lengths.front();
  std::vector<Chain> lines;
  std::vector<std::string> codes;
  for (const CostMethod& method : cost_methods()) {
    const CostFormula& cost = method.*formula;
    lines.push_back({sym(fmt::format("{}({})", method.id, n)),
                     {{"=", sym(with_numbers(cost.worked, n, run.size))},
                      {"=", sym(std::to_string(cost.at(n, run.size)))}}});
    codes.push_back(with_numbers(cost.code, n, run.size));
  }
  return derived::worked({"length"}, std::move(lines), fmt::format("np.stack(({}))", joined(codes, ", ")));
}

// --- Counting and measuring
// ---------------------------------------------------------------------------------

/// Fills operations, numbers and bytes by the formulas, and counts.
void count_costs(CostRun& run) {
  const std::vector<CostMethod>& methods = cost_methods();
  run.operations = Tensor<double>::from_shape({methods.size(), run.lengths.size()});
  run.numbers = run.operations;
  for (std::size_t row = 0; row < methods.size(); ++row) {
    const CostMethod& method = methods[row];  // below 2^53 for every parameter allowed: exact as double
    for (std::size_t column = 0; column < run.lengths.size(); ++column) {
      run.operations(row, column) = static_cast<double>(method.operations.at(run.lengths[column], run.size));
      run.numbers(row, column) = static_cast<double>(method.numbers.at(run.lengths[column], run.size));
    }
    run.counted.push_back(method.count(counted_length, run.size));
  }
  const Axes axes{"methods", "lengths"};
  run.tape.step("operations", "operations(n)", run.operations, axes,
                at_the_shortest(run, &CostMethod::operations));
  run.tape.step("numbers_held", "numbers(n)", run.numbers, axes, at_the_shortest(run, &CostMethod::numbers));
  run.bytes = run.tape.scaled(
      "bytes",
      formula::row({formula::sym(fmt::format("{:g} ", bytes_per_number)), formula::read("numbers(n)")}),
      "numbers_held", times(bytes_per_number));
}

void measure_costs(CostRun& run, const Context& context) {
  Context part = context;
  part.progress = [&](double done) { context.progress(0.6 * done); };
  run.roofline = measure_limits(context);
  run.seconds = measure_seconds(run.lengths, run.size, part);
  measure_points(run, context);
  context.progress(0.7);
  run.by_layers = measure_layers(run.roofline.peak, context);
  context.progress(0.9);
  run.by_heads = measure_heads(run.roofline.peak, context);
  context.progress(1.0);
  std::vector<double> intensity;
  std::vector<double> rate;
  for (const RooflinePoint& point : run.roofline.points) {
    intensity.push_back(point.intensity);
    rate.push_back(point.rate);
  }
  const auto record = [&run](const char* name, const Tensor<double>& values, const Axes& axes) {
    run.tape.step(name, Formula{}, values, axes, derived::measured());
  };
  record("seconds", run.seconds, {"methods", "lengths"});
  record("seconds_of_layers", to_tensor(run.by_layers.seconds), {"layer_counts"});
  record("seconds_of_heads", to_tensor(run.by_heads.seconds), {"head_counts"});
  record("intensity", to_tensor(intensity), {"programs"});
  record("rate", to_tensor(rate), {"programs"});
}

void add_slopes(std::vector<Scalar>& scalars, const Tensor<double>& values, const std::string& quantity) {
  for (std::size_t row = 0; row < cost_methods().size(); ++row) {
    scalars.push_back({quantity + "_slope_" + cost_methods()[row].id, final_slope(values, row)});
  }
}

}  // namespace

CostRun CostRun::compute(const Arguments& arguments, const Context& context) {
  CostRun run;
  run.size = size_of(arguments);
  run.lengths = lengths_of(arguments);
  run.measured = arguments.is_on("measure");
  run.tape.input("length", to_tensor(run.lengths), {"lengths"});
  run.measured ? measure_costs(run, context) : count_costs(run);
  return run;
}

std::vector<Scalar> scalars(const CostRun& run) {
  std::vector<Scalar> slopes;
  if (run.measured) {
    add_slopes(slopes, run.seconds, "seconds");
    slopes.push_back({"peak_rate", run.roofline.peak});
    slopes.push_back({"copy_rate", run.roofline.copy});
    slopes.push_back({"last_to_first_layers", run.by_layers.last_to_first()});
    slopes.push_back({"last_to_first_heads", run.by_heads.last_to_first()});
  } else {
    add_slopes(slopes, run.operations, "operations");
    add_slopes(slopes, run.bytes, "bytes");
  }
  return slopes;
}

/// Loops that count, on a short sequence, against the formulas.
std::vector<Invariant> invariants(const CostRun& run) {
  if (run.measured) return {};
  // Outputs are means of numbers up to 1 in size; a few hundred roundings each.
  constexpr double rounding = 1e-12;
  double operations = 0.0;
  double numbers = 0.0;
  for (std::size_t row = 0; row < run.counted.size(); ++row) {
    const CostMethod& method = cost_methods()[row];
    const CountedRun& counted = run.counted[row];
    const auto expected = [&run](const CostFormula& cost) {
      return static_cast<double>(cost.at(counted_length, run.size));
    };
    operations = std::max(operations, std::abs(counted.operations - expected(method.operations)));
    numbers = std::max(numbers, std::abs(counted.numbers - expected(method.numbers)));
  }
  const double streaming = deviation(run.counted.at(2).output, run.counted.at(1).output, rounding).absolute;
  return {
      invariant("operations_as_counted", operations, 0.0,
                "演算の式は、数えながら計算した回数と一致する（長さ {}）",
                "the formulas agree with operations counted in loops, at length {}", counted_length),
      invariant("numbers_as_counted", numbers, 0.0, "数の個数の式は、配列を数えた個数と一致する（長さ {}）",
                "the formulas agree with the sizes of the arrays, at length {}", counted_length),
      invariant("streaming_equals_plain", streaming, rounding,
                "ストリーミングの出力は通常のアテンションと同じ",
                "streaming attention gives plain attention's output"),
  };
}

double growth(const Tensor<double>& values, std::size_t method) {
  const std::size_t last = values.shape()[1] - 1;
  return values(method, last) / values(method, last - 1);
}

double final_slope(const Tensor<double>& values, std::size_t method) {
  return std::log(growth(values, method)) / std::log(2.0);  // every length is twice the one before
}

Experiment cost_experiment() {
  return Experiment{
      "cost",
      {"系列長に対する計算量とメモリ：O(n) と O(n²)", "work and memory against length: O(n) and O(n²)"},
      {"記事 固定重みフィルタと Self-Attention の表", "article, table of fixed filter and self-attention"},
      {parameter(
           "longest", IntegerKind{{128, 1'048'576}}, "16384",
           "最も長い系列の長さ：128, 256, 512, ...（64 から 2 倍ずつ数えます。--measure では 2048 まで）",
           "the longest sequence: 128, 256, 512, ... (lengths double from 64 on; up to 2048 with --measure)"),
       parameter("width", IntegerKind{{1, 1024}}, "64", "次元 d", "width d of the tokens"),
       parameter("taps", IntegerKind{{1, 63}}, "5", "固定フィルタの重みの個数（奇数）",
                 "weights of the fixed filter, odd"),
       parameter("block", IntegerKind{{1, 65'536}}, "64",
                 "ストリーミングで一度に処理するキーの個数（--measure では使いません）",
                 "keys that streaming attention processes at a time; not used by --measure"),
       parameter("measure", SwitchKind{}, "off", "数える代わりに、この機械で時間を測ります",
                 "measure time on this machine instead of counting")},
      report_of<CostRun>}
      .with_sliders({{"width=16:1024:log:25"}});
}

}  // namespace attnlab
