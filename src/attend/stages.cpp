// Every tensor on the way from the tokens to the output becomes a stage.
#include "attend/run.hpp"
#include "attention/layer_norm.hpp"
#include "attention/matmul.hpp"
#include "attention/weight_layout.hpp"
#include "core/named.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {
namespace {

using Axes = std::vector<std::string>;
using formula::row;
using formula::sub;
using formula::sym;

/// Where no weights are kept only the output is recorded, and not how it came about.
template <class T>
void add(AttendRun& run, const std::string& name, const Formula& formula, const Tensor<T>& values, Axes last,
         Derivation derivation = {}) {
  if (!run.weights_kept && name != "output") return;
  if (!run.weights_kept) derivation = derived::worked({}, {});
  if (values.dimension() < last.size())
    last.erase(last.begin(), last.end() - static_cast<std::ptrdiff_t>(values.dimension()));
  if (std::is_same_v<T, float>) derivation.rounding = rounding_in_float32;
  run.stages.push_back(
      {name, formula, to_array(values, axes_of(values.dimension(), last)), std::move(derivation)});
}

Axes matrix_axes(const AttendRun& run, const char* rows, const char* columns) {
  return run.has_heads ? Axes{"heads", rows, columns} : Axes{rows, columns};
}

/// One multiplication by saved weights, x W or x W + b.
struct Projecting {
  std::string name;    // "query": of w_query, bias_query and linear_query
  const char* letter;  // Q
  std::string x;       // the stage that is multiplied
  Formula symbol;      // of x
  std::string result;  // "projected_query"
  const char* width;   // of x
  Axes axes;           // of the result
};

template <class T>
Tensor<T> projected(AttendRun& run, const Projecting& p, const Tensor<T>& x, const Tensor<T>& matrix,
                    const std::optional<Tensor<T>>& bias) {
  const Formula product = row({p.symbol, sub(sym("W"), sym(p.letter))});
  const Derivation linear = derived::product(p.x, "w_" + p.name);
  Tensor<T> result = matmul(x, matrix);
  add(run, "w_" + p.name, row({}), matrix, {p.width, p.axes.back()});
  if (!bias) {
    add(run, p.result, product, result, p.axes, linear);
    return result;
  }
  add(run, "bias_" + p.name, row({}), *bias, {p.axes.back()});
  add(run, "linear_" + p.name, product, result, p.axes, linear);
  result = result + *bias;
  add(run, p.result, row({product, sym(" + "), sub(sym("b"), sym(p.letter))}), result, p.axes,
      derived::sum("linear_" + p.name, "bias_" + p.name));
  return result;
}

/// The RMS norm over each head or over all of them, as long as the gain says.
template <class T>
Tensor<T> normed(AttendRun& run, const Projecting& p, Tensor<T> x, const std::optional<Tensor<T>>& gain) {
  if (!gain) return x;
  const double eps = run.settings.norm_eps.value_or(usual_norm_eps);
  x = rms_norm(x, *gain, static_cast<T>(eps));
  add(run, "norm_" + p.name, row({}), *gain, {"norm_width"});
  add(run, "normed_" + p.name, formula::call("RMSNorm", sub(sym("P"), sym(p.letter))), x, p.axes,
      derived::rms_norm(p.result, "norm_" + p.name, eps));
  return x;
}

/// In a program: heads of keys or values, once for every query head that shares them.
std::string repeated(const char* name, const AttendRun& run) {
  return fmt::format("repeat_heads({}, {})", name, run.heads / run.kv_heads);
}

/// (length, 1) numbered from `first` on.
Tensor<double> positions_from(double first, std::size_t length) {
  Tensor<double> positions = Tensor<double>::from_shape({length, 1});
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

// --- Invariants

/// How far the sum of a row is from 1, over all rows that read a key and whose scores softmax is defined for:
/// the user's own NaN and infinities, of which a warning tells, break no promise.
template <class T>
double error_of_sums(const AttentionStages<T>& stages, const RowFlags& nothing_read) {
  const Tensor<T>& weights = stages.weights;
  const std::size_t keys = weights.shape().back();
  double largest = 0.0;
  for (std::size_t row_index = 0; row_index < nothing_read.size(); ++row_index) {
    const T* score = stages.masked.data() + row_index * keys;
    const bool defined =
        std::all_of(score, score + keys, [](T x) { return x <= std::numeric_limits<T>::max(); });
    if (nothing_read[row_index] || !defined) continue;
    const T* weight = weights.data() + row_index * keys;
    largest = worst(largest, std::abs(std::accumulate(weight, weight + keys, 0.0) - 1.0));
  }
  return largest;
}

}  // namespace

template <class T>
HeadTensors<T> Trace<T>::projected_heads(const AttendInputs<T>& inputs) const {
  const LayerWeights<T>& weights = *inputs.weights;
  const bool shared = !inputs.key && !inputs.value;
  if (shared) {
    add(run, "x", row({}), inputs.query, {"tokens", "width"});
  } else {
    add(run, "query_input", row({}), inputs.query, {"queries", "width"});
    add(run, "key_input", row({}), inputs.key_tokens(), {"keys", "width"});
    add(run, "value_input", row({}), inputs.value_tokens(), {"keys", "width"});
  }
  const auto of = [&](const std::string& name, const char* letter, const char* length) {
    return Projecting{name,
                      letter,
                      shared ? "x" : name + "_input",
                      sym(shared ? "X" : letter),
                      "projected_" + name,
                      "width",
                      {length, "heads_width"}};
  };
  const Projecting q = of("query", "Q", "queries");
  const Projecting k = of("key", "K", "keys");
  const Projecting v = of("value", "V", "keys");
  const Tensor<T> query =
      normed(run, q, projected(run, q, inputs.query, weights.query, weights.query_bias), weights.query_norm);
  const Tensor<T> key =
      normed(run, k, projected(run, k, inputs.key_tokens(), weights.key, weights.key_bias), weights.key_norm);
  return cut_into_heads(query, key,
                        projected(run, v, inputs.value_tokens(), weights.value, weights.value_bias), weights);
}

template <class T>
void Trace<T>::add_heads(const HeadTensors<T>& heads, const AttendInputs<T>& inputs) const {
  const auto add_one = [&](const std::string& name, const char* letter, const char* length,
                           const Tensor<T>& values, std::size_t count) {
    const bool turns = run.settings.rotary && name != "value";
    const bool has_norm = find_named(run.stages, "normed_" + name) != nullptr;
    const std::string whole = (has_norm ? "normed_" : "projected_") + name;
    const Formula formula = inputs.weights ? formula::call("heads", sub(sym("P"), sym(letter))) : row({});
    add(run, (turns ? "head_" : "") + name, formula, values, matrix_axes(run, length, "head_width"),
        inputs.weights ? derived::split_heads(whole, count) : Derivation{});
  };
  add_one("query", "Q", "queries", heads.query, heads.heads);
  add_one("key", "K", "keys", heads.key, heads.kv_heads);
  add_one("value", "V", "keys", heads.value, heads.kv_heads);
}

template <class T>
void Trace<T>::rotate(HeadTensors<T>& heads) const {
  const Rotary& rotary = *run.settings.rotary;
  const RotaryAngles angles =
      rotary_angles(rotary, run.settings.readable.alignment, shape_of(heads.query), shape_of(heads.key));
  const std::size_t width = 2 * angles.key.shape()[1];
  const bool is_scaled = rotary.scaling.method != "default";
  const Formula power =
      formula::sup(sym(fmt::format("{:g}", rotary.base)), sym(fmt::format("(−2i/{})", width)));
  const Formula formula = is_scaled ? formula::call(rotary.scaling.method, power) : power;
  Tensor<double> frequencies = to_tensor(angles.turns.frequencies, {1, width / 2});
  const std::string code = is_scaled
                               ? fmt::format("np.array([[{}]])", fmt::join(angles.turns.frequencies, ", "))
                               : fmt::format("{1} ** (-np.arange(0.0, {0}, 2.0) / {0})[np.newaxis]", width,
                                             python_repr(rotary.base));
  add(run, "frequencies", formula, frequencies, {"step", "pairs"},
      derived::worked({}, {Chain{sub(sym("ω"), sym("i")), {{"=", formula}}}}, code));
  const auto turn = [&](const std::string& name, const char* letter, const char* length, Tensor<T>& x,
                        const Tensor<double>& turns, std::int64_t first) {
    const auto from = static_cast<double>(first);
    add(run, name + "_positions", row({}), positions_from(from, turns.shape()[0]), {length, "step"});
    add(run, name + "_angles", row({sym("p"), sub(sym("ω"), sym("i"))}), turns, {length, "pairs"},
        derived::product(name + "_positions", "frequencies"));
    x = rotated(std::move(x), turns, rotary.pairing, angles.turns.attention);
    Derivation how = rotary.pairing == RotaryPairing::halves
                         ? derived::rotary_halves("head_" + name, name + "_angles")
                         : derived::rotary_pairs("head_" + name, name + "_angles");
    how.number = angles.turns.attention;
    add(run, name, formula::call("RoPE", sym(letter)), x, matrix_axes(run, length, "head_width"), how);
  };
  turn("query", "Q", "queries", heads.query, angles.query, angles.first);
  turn("key", "K", "keys", heads.key, angles.key, 0);
}

template <class T>
void Trace<T>::add_attention(const AttentionStages<T>& stages, const std::optional<Tensor<T>>& mask) const {
  const Axes pairs = matrix_axes(run, "queries", "keys");
  const bool grouped = run.heads != run.kv_heads;
  const Formula product = row({sym("Q"), formula::sup(sym("K"), sym("T"))});
  add(run, "raw_scores", product, stages.raw_scores, pairs,
      grouped ? derived::worked({"query", "key"}, {},
                                fmt::format("query @ {}.swapaxes(-1, -2)", repeated("key", run)))
                    .like(Derivation::Operation::product_with_transpose)
              : derived::product_with_transpose("query", "key"));
  const Factor root = over_root(run.key_width);
  const bool is_usual = run.settings.scale_text == "default" && run.scale == 1.0 / root.number;
  add(run, "scores", attend_scores_formula(run), stages.scores, pairs,
      derived::scaled("raw_scores", is_usual ? root : times(run.scale)));
  if (mask) {
    add(run, "mask", row({}), *mask, pairs);
    add(run, "masked", row({sym("S"), sym("+"), sym("M")}), stages.masked, pairs,
        run.hides_odd ? derived::worked({}, {}) : derived::sum("scores", "mask"));
  }
  const std::string before = mask ? "masked" : "scores";
  const bool replaced =
      run.settings.masked_row && *run.settings.masked_row != MaskedRow::nan && count_without_keys(run) > 0;
  const bool has_zeros = replaced && *run.settings.masked_row == MaskedRow::zero;
  Derivation softmax = derived::softmax(before);
  if (replaced) {
    softmax =
        derived::worked({before}, {},
                        fmt::format("with_empty_rows(softmax({0}), {0}, {1})", before,
                                    has_zeros ? "0.0" : fmt::format("1 / {}", run.keys)))
            .like(Derivation::Operation::softmax, has_zeros ? 0.0 : 1.0 / static_cast<double>(run.keys));
    softmax.rows_sum_to_one = !has_zeros;
  }
  add(run, "weights", formula::call("softmax", sym("S")), stages.weights, pairs, std::move(softmax));
}

template <class T>
void Trace<T>::add_output(const AttendInputs<T>& inputs, const Tensor<T>& head_output, bool joins) const {
  const bool grouped = run.heads != run.kv_heads;
  const Derivation product = run.hides_odd ? derived::worked({}, {})
                             : grouped     ? derived::worked({"weights", "value"}, {},
                                                             fmt::format("weights @ {}", repeated("value", run)))
                                             .like(Derivation::Operation::product)
                                       : derived::product("weights", "value");
  const Formula mean = row({sym("A"), sym("V")});
  if (!joins) {
    add(run, "output", mean, head_output, matrix_axes(run, "queries", "value_width"), product);
    return;
  }
  add(run, "head_output", mean, head_output, {"heads", "queries", "value_width"}, product);
  const bool mixes = inputs.weights && inputs.weights->output;
  const Tensor<T> concat = join_heads(head_output);
  add(run, mixes ? "concat" : "output", formula::call("Concat", sym("heads")), concat,
      {"queries", "heads_width"}, derived::join_heads("head_output"));
  if (mixes)
    projected<T>(run,
                 {"output",
                  "O",
                  "concat",
                  row({sym("Concat"), sym(" ")}),
                  "output",
                  "heads_width",
                  {"queries", "width"}},
                 concat, *inputs.weights->output, inputs.weights->output_bias);
}

// A sum of `keys` terms, in any order, and a few roundings before and after it.
template <class T>
void Trace<T>::add_invariants(const AttentionStages<T>& stages, const Tensor<T>& streamed) const {
  const auto keys = static_cast<double>(run.keys);
  constexpr double eps = std::numeric_limits<T>::epsilon();
  run.invariants.push_back(invariant("weights_sum_to_one", error_of_sums(stages, run.nothing_read),
                                     eps * (8.0 + keys),
                                     "参照できるキーがあり、スコアが数である行の注意度は、どれも和が 1",
                                     "every row with a visible key whose scores are numbers sums to 1"));
  const Tensor<double> output = xt::cast<double>(streamed);
  run.invariants.push_back(invariant(
      "streaming_agrees", largest_difference(xt::cast<double>(stages.output), output),
      eps * (64.0 + keys) * std::max(1.0, largest_magnitude(output)), "注意度を残さない計算と出力が一致",
      "streaming, which keeps no weights, gives the same output"));
}

template struct Trace<float>;
template struct Trace<double>;

}  // namespace attnlab
