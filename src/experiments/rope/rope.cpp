// A query and a key turned to every position, in both pairings, and the frequencies of longer contexts.
#include "experiments/rope/rope.hpp"

#include "attention/positional.hpp"

namespace attnlab {
namespace {

using namespace worked;

/// θ₁ ≈ 10000^(−2 / 128) ≈ 0.866
std::vector<Chain> frequency_lines(const RopeRun& run) {
  return lines(run.pairs(), [&](std::size_t i) {
    const Formula power = formula::read(fmt::format("{:g}^{{−{} / {}}}", run.base, 2 * i, run.width));
    return equation(indexed("θ", i), {power, run.frequencies(i)});
  });
}

std::vector<Chain> wavelength_lines(const RopeRun& run) {
  return lines(run.pairs(), [&](std::size_t i) {
    return equation(indexed("λ", i), {quotient("2 π", run.frequencies(i)), run.wavelengths(i)});
  });
}

std::vector<Chain> angle_lines(const RopeRun& run, const Tensor<double>& angles) {
  return lines(angles.shape()[0], [&](std::size_t m) {
    return equation(indexed("φ", m),
                    {together({static_cast<double>(m), "·", numbers(run.frequencies.data(), run.pairs())}),
                     numbers(&angles(m, 0), run.pairs())});
  });
}

/// In the order (0, d/2, 1, d/2 + 1, ...): what pairs (i, i + d/2) becomes pairs (2i, 2i + 1).
Tensor<double> in_pairs(const Tensor<double>& halves) {
  const std::size_t pairs = halves.size() / 2;
  Tensor<double> reordered = halves;
  for (std::size_t i = 0; i < pairs; ++i) {
    reordered(2 * i) = halves(i);
    reordered(2 * i + 1) = halves(pairs + i);
  }
  return reordered;
}

/// One vector at every position: the stage NAME_rows (p, width).
void repeat(RopeRun& run, const std::string& name) {
  const Tensor<double> vector = run.tape.numbers_of(name);
  const std::size_t positions = run.tape.numbers_of("positions").size();
  Tensor<double> repeated = Tensor<double>::from_shape({positions, run.width});
  for (std::size_t p = 0; p < positions; ++p) xt::view(repeated, p, xt::all()) = vector;
  const std::string letter = name.substr(0, 1);
  run.tape.step(
      name + "_rows", formula::sym(letter), repeated, {"positions", "width"},
      derived::worked({name, "positions"}, rows(letter, repeated), name + " + 0 * positions[:, np.newaxis]"));
}

/// Each of these rows turned to its position.
void turn(RopeRun& run, const std::string& name, const std::string& repeated, RotaryPairing pairing) {
  const Formula formula = formula::read("R(m) " + repeated.substr(0, 1));
  run.tape.step(name, formula, rotated(run.tape.numbers_of(repeated), run.tape.numbers_of("angles"), pairing),
                {"positions", "width"},
                pairing == RotaryPairing::halves ? derived::rotary_halves(repeated, "angles")
                                                 : derived::rotary_pairs(repeated, "angles"));
}

/// max - min along a diagonal: 0 where the score depends on m - n alone.
double deviation_of(const Tensor<double>& scores) {
  return worst_of(scores.size(), [&](std::size_t place) {
    const std::size_t n = scores.shape()[1];
    const std::size_t m = place / n;
    const std::size_t back = std::min(m, place % n);
    return std::abs(scores.flat(place) - scores(m - back, place % n - back));
  });
}

double length_of_vector(const Tensor<double>& vector) {
  return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

void scale_frequencies(RopeRun& run, double factor) {
  Tensor<double>& scaled = run.scaled;
  for (const char* method : {"default", "linear", "ntk", "llama3", "yarn"}) {
    RotaryScaling scaling;
    scaling.method = method;
    scaling.factor = factor;
    scaling.positions = run.length;
    run.ways.push_back(std::move(scaling));
  }
  scaled = Tensor<double>::from_shape({run.ways.size(), run.pairs()});
  run.attention = Tensor<double>::from_shape({run.ways.size()});
  for (std::size_t way = 0; way < run.ways.size(); ++way) {
    const RotaryTurns turns = rotary_turns(run.base, run.width, 0, run.ways[way]);
    std::copy(turns.frequencies.begin(), turns.frequencies.end(), &scaled(way, 0));
    run.attention(way) = turns.attention;
  }
  run.tape.step(
      "scaled_frequencies", Formula{}, scaled, {"ways", "pairs"},
      derived::worked({"frequencies"}, rows("θ", scaled),
                      fmt::format("scaled_frequencies(frequencies, {}, {}, {})", python_repr(run.base),
                                  python_repr(run.length), python_repr(factor))));
  run.tape.step(
      "attention_factors", "0.1 ln s + 1", run.attention, {"ways"},
      derived::worked({}, rows("a", run.attention),
                      fmt::format("np.array([1.0, 1.0, 1.0, 1.0, 0.1 * math.log({}) + 1.0])", factor)));
}

}  // namespace

std::size_t RopeRun::unfinished() const {
  return static_cast<std::size_t>(
      std::count_if(wavelengths.begin(), wavelengths.end(), [&](double wave) { return wave > length; }));
}

RopeRun RopeRun::compute(const Arguments& arguments, const Context& /*context*/) {
  RopeRun run;
  run.width = arguments.count("width");
  run.base = arguments.number("base");
  run.length = arguments.number("length");
  run.distance = arguments.count("distance");
  const std::size_t positions = arguments.count("positions");
  const std::vector<double> frequencies = rotary_turns(run.base, run.width, 0, {}).frequencies;
  const Tensor<double> angles = rotary_angles(0, positions, frequencies);
  if (run.distance >= positions)
    refuse_usage(text("--distance {} に対して --positions が {} です",
                      "--distance {} needs more than {} --positions", run.distance, positions),
                 text("距離を {} 以下にしてください", "choose a distance of at most {}", positions - 1));
  Tape& tape = run.tape = Tape(arguments);
  const Tensor<double> query = tape.normal("query", {run.width}, {"width"});
  const Tensor<double> key = tape.normal("key", {run.width}, {"width"});
  tape.input_or("positions", to_tensor(counting(positions)), {"positions"});
  run.frequencies = to_tensor(frequencies);
  tape.step("frequencies", "base^{−2i / d}", run.frequencies, {"pairs"},
            derived::worked(
                {}, frequency_lines(run),
                fmt::format("{0} ** (-np.arange(0.0, {1}.0, 2.0) / {1})", python_repr(run.base), run.width)));
  run.wavelengths = 2.0 * pi / run.frequencies;
  tape.step("wavelengths", "\\frac{2 π}{θ_i}", run.wavelengths, {"pairs"},
            derived::worked({"frequencies"}, wavelength_lines(run), "2 * math.pi / frequencies"));
  tape.step("angles", "m θ_i", angles, {"positions", "pairs"},
            derived::worked({"positions", "frequencies"}, angle_lines(run, angles),
                            "positions[:, np.newaxis] * frequencies"));
  for (const std::string name : {"query", "key"}) {
    repeat(run, name);
    turn(run, name + "_turned", name + "_rows", RotaryPairing::halves);
    const Tensor<double> reordered = in_pairs(tape.numbers_of(name));
    tape.step(
        name + "_reordered", Formula{}, reordered, {"width"},
        derived::worked({name}, rows(name.substr(0, 1), reordered), name + ".reshape(2, -1).T.reshape(-1)"));
  }
  run.scores = tape.product_with_transpose("scores", "R(m) q · R(n) k", "query_turned", "key_turned",
                                           {"queries", "keys"});
  run.deviation = deviation_of(run.scores) / (length_of_vector(query) * length_of_vector(key));
  const Axes distances{"distances"};
  run.by_distance = tape.product("by_distance", "R(m) q · k", "query_turned", "key", distances);
  turn(run, "query_confused", "query_rows", RotaryPairing::interleaved);
  run.confused = tape.product("confused", "R'(m) q · k", "query_confused", "key", distances);
  repeat(run, "query_reordered");
  turn(run, "query_reordered_turned", "query_reordered_rows", RotaryPairing::interleaved);
  run.reordered =
      tape.product("reordered", "R'(m) P q · P k", "query_reordered_turned", "key_reordered", distances);
  run.unturned = std::inner_product(query.begin(), query.end(), key.begin(), 0.0);
  scale_frequencies(run, arguments.number("factor"));
  return run;
}

std::vector<Scalar> scalars(const RopeRun& run) {
  return {{"unturned", run.unturned},
          {"score_at_distance", run.by_distance(run.distance)},
          {"deviation", run.deviation},
          {"unfinished_pairs", static_cast<double>(run.unfinished())},
          {"largest_confusion", largest_difference(run.by_distance, run.confused)},
          {"yarn_attention_factor", run.attention.back()}};
}

std::vector<Invariant> invariants(const RopeRun& run) {
  const double lengths =
      length_of_vector(run.tape.numbers_of("query")) * length_of_vector(run.tape.numbers_of("key"));
  return {invariant("score_by_distance_alone", run.deviation, 1e-13,
                    "スコアは m − n だけで決まる（クエリとキーの長さの積に対して）",
                    "the score depends on m − n alone, by the lengths of query and key"),
          invariant("one_position_does_not_turn", std::abs(run.confused(0) - run.unturned) / lengths, 1e-13,
                    "同じ位置のクエリとキーのスコアは、どの組み方でも回さないときと同じ",
                    "at one position the score is that without turning, in either pairing"),
          invariant("reordered_weights_agree", largest_difference(run.reordered, run.by_distance) / lengths,
                    1e-13, "座標を並べ替えれば、もう一方の組み方でも同じスコアになる",
                    "with the coordinates reordered the other pairing gives the same scores")};
}

Experiment rope_experiment() {
  return Experiment{
      "rope",
      {"クエリとキーを位置に応じて回す（RoPE）：相対位置、波長、長い文脈",
       "queries and keys that turn with their position: distance, wavelengths, longer contexts"},
      {"Su ほか 2021（RoFormer）、Chen ほか 2023、Peng ほか 2023（YaRN）",
       "Su et al. 2021, RoFormer; Chen et al. 2023; Peng et al. 2023, YaRN"},
      {parameter("width", IntegerKind{{2, 1024}}, "128", "ヘッドの次元 d（偶数）",
                 "width d of the head, even"),
       parameter("base", NumberKind{{1.5, 1e12}}, "10000", "周波数の底", "base of the frequencies"),
       parameter("distance", IntegerKind{{0, 255}}, "5", "図で示す距離 m − n",
                 "distance m − n that the figures mark"),
       parameter("positions", IntegerKind{{2, 256}}, "48", "スコアを計算する位置の個数",
                 "positions with a score"),
       parameter("length", NumberKind{{16, 1e9}}, "4096", "学習した文脈の長さ L",
                 "length L of the context trained on"),
       parameter("factor", NumberKind{{1.0, 1e6}}, "4", "文脈を何倍にするか（s）",
                 "by how much the context grows, s"),
       seed_parameter("0"), rng_parameter()},
      report_of<RopeRun>}
      .with_inputs({{"query", {"width"}}, {"key", {"width"}}})
      .with_sliders({{"distance=0:20:21"}, {"base=100:1000000:log:9"}});
}

}  // namespace attnlab
