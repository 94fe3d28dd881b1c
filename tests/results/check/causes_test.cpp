// Causes that students need: each wrong array computed here by plain loops, without the tool, in an encoder
// layer of one head and in what its inputs were drawn with.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "random/numpy_generator.hpp"
#include "random/numpy_random.hpp"
#include "results/check/check.hpp"
#include "results/check/student.hpp"

namespace attnlab::causes {
namespace {

using student::array_of;
using student::Matrix;
using student::Numbers;
using student::plus;
using student::scaled;
using student::softmax;
using student::times;
using student::transposed;

constexpr std::size_t tokens = 4;
constexpr std::size_t width = 6;
constexpr double eps = 1e-5;
const double scale = 1.0 / std::sqrt(6.0);

Matrix mapped(Matrix matrix, const std::function<double(double)>& function) {
  for (Numbers& row : matrix) {
    for (double& entry : row) entry = function(entry);
  }
  return matrix;
}

double relu(double x) { return x > 0.0 ? x : 0.0; }

/// (x - mean) / by(variance)
Matrix layer_norm(Matrix matrix, const std::function<double(double)>& by) {
  for (Numbers& row : matrix) {
    double mean = 0.0;
    for (const double entry : row) mean += entry / static_cast<double>(row.size());
    double variance = 0.0;
    for (const double entry : row)
      variance += (entry - mean) * (entry - mean) / static_cast<double>(row.size());
    for (double& entry : row) entry = (entry - mean) / by(variance);
  }
  return matrix;
}

Matrix normed(const Matrix& matrix) {
  return layer_norm(matrix, [](double variance) { return std::sqrt(variance + eps); });
}

/// The draws of one stream: x, then the matrices times 0.3.
struct Layer {
  Matrix x, w_query, w_key, w_value, w_1, w_2;

  explicit Layer(double factor = 0.3) {
    NumpyRandom random(7);
    const auto drawn = [&](std::size_t rows, double times_each) {
      Matrix matrix(rows, Numbers(width));
      for (Numbers& row : matrix) {
        for (double& entry : row) entry = times_each * random.normal();
      }
      return matrix;
    };
    x = drawn(tokens, 1.0);
    for (Matrix* matrix : {&w_query, &w_key, &w_value, &w_1, &w_2}) *matrix = drawn(width, factor);
  }
  Matrix query() const { return times(x, w_query); }
  Matrix key() const { return times(x, w_key); }
  Matrix value() const { return times(x, w_value); }
  Matrix scores() const { return scaled(times(query(), transposed(key())), scale); }
};

Matrix attended(const Matrix& q, const Matrix& k, const Matrix& v) {
  return times(softmax(scaled(times(q, transposed(k)), scale)), v);
}

Matrix mlp_of(const Layer& layer, const Matrix& z, double (*activation)(double)) {
  return times(mapped(times(z, layer.w_1), activation), layer.w_2);
}

Stage submitted(const std::string& name, const Matrix& matrix) {
  return {name, {}, array_of(matrix), derived::input("")};
}

Stage made(const std::string& name, const Matrix& matrix, Derivation derivation) {
  return {name, formula::sym("S"), array_of(matrix, {"tokens", "width"}), std::move(derivation)};
}

std::vector<Stage> trace_of(const Layer& layer) {
  const Matrix attention = attended(layer.query(), layer.key(), layer.value());
  const Matrix residual_1 = plus(layer.x, attention);
  const Matrix norm_1 = normed(residual_1);
  const Matrix hidden = times(norm_1, layer.w_1);
  const Matrix mlp = mlp_of(layer, norm_1, relu);
  const Matrix residual_2 = plus(norm_1, mlp);
  return {submitted("x", layer.x),
          submitted("w_query", layer.w_query),
          submitted("w_key", layer.w_key),
          submitted("w_value", layer.w_value),
          submitted("w_1", layer.w_1),
          submitted("w_2", layer.w_2),
          made("query", layer.query(), derived::product("x", "w_query")),
          made("key", layer.key(), derived::product("x", "w_key")),
          made("value", layer.value(), derived::product("x", "w_value")),
          made("raw_scores", times(layer.query(), transposed(layer.key())),
               derived::product_with_transpose("query", "key")),
          made("scores", layer.scores(), derived::scaled("raw_scores", scale)),
          made("weights", softmax(layer.scores()), derived::softmax("scores")),
          made("attention", attention, derived::product("weights", "value")),
          made("residual_1", residual_1, derived::sum("x", "attention")),
          made("norm_1", norm_1, derived::layer_norm("residual_1", eps)),
          made("hidden", hidden, derived::product("norm_1", "w_1")),
          made("activated", mapped(hidden, relu), derived::relu("hidden")),
          made("mlp", mlp, derived::product("activated", "w_2")),
          made("residual_2", residual_2, derived::sum("norm_1", "mlp")),
          made("output", normed(residual_2), derived::layer_norm("residual_2", eps))};
}

std::vector<Origin> origins_of(const std::vector<Stage>& trace) {
  std::vector<Origin> origins{{Origin::Kind::stream, "numpy", {}, "7"}};
  for (std::size_t i = 0; i < 6; ++i)
    origins.push_back({Origin::Kind::drawn, trace[i].name, trace[i].array.shape,
                       i == 0 ? "randn(4, 6)" : "randn(6, 6) * 0.3"});
  return origins;
}

std::string cause(const std::string& stage, const Matrix& wrong) {
  const std::vector<Stage> trace = trace_of(Layer());
  const Check check =
      check_stage(trace, stage, {"", array_of(wrong), NamedArray::Storage::float64, {}}, origins_of(trace));
  CHECK(!agrees(check));
  return check.diagnosis ? check.diagnosis->name : "";
}

}  // namespace

TEST_CASE("what stands in the softmax's place is named, in the weights and behind them") {
  const Layer layer;
  const Matrix s = layer.scores();
  const auto both = [&](const Matrix& weights) {
    const std::string found = cause("weights", weights);
    CHECK(cause("attention", times(weights, layer.value())) == found);
    return found;
  };
  const auto logistic = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  CHECK(both(mapped(s, logistic)) == "sigmoid-for-softmax");
  CHECK(both(softmax(scaled(s, -1.0))) == "softmax-of-negative");
  CHECK(both(scaled(softmax(scaled(s, 1.0 / scale)), scale)) == "scaled-after-softmax");
  CHECK(both(softmax(scaled(s, std::log(2.0)))) == "powers-of-another-base");
  CHECK(both(Matrix(tokens, Numbers(tokens, 0.25))) == "uniform-weights");
  Matrix hard(tokens, Numbers(tokens, 0.0));
  Matrix without_keepdims = student::exponentials(s);
  Numbers sums(tokens, 0.0);
  for (std::size_t i = 0; i < tokens; ++i) {
    hard[i][static_cast<std::size_t>(std::max_element(s[i].begin(), s[i].end()) - s[i].begin())] = 1.0;
    for (const double term : without_keepdims[i]) sums[i] += term;
  }
  for (Numbers& row : without_keepdims) {
    for (std::size_t j = 0; j < tokens; ++j) row[j] /= sums[j];
  }
  CHECK(both(hard) == "hard-maximum");
  CHECK(both(without_keepdims) == "keepdims-forgotten");
}

TEST_CASE("scores of another kind are named") {
  const Layer layer;
  const Matrix q = layer.query();
  const Matrix k = layer.key();
  Matrix distance = layer.scores();
  Matrix cosine = layer.scores();
  for (std::size_t i = 0; i < tokens; ++i) {
    for (std::size_t j = 0; j < tokens; ++j) {
      double squares = 0.0;
      double of_query = 0.0;
      double of_key = 0.0;
      for (std::size_t d = 0; d < width; ++d) {
        squares += (q[i][d] - k[j][d]) * (q[i][d] - k[j][d]);
        of_query += q[i][d] * q[i][d];
        of_key += k[j][d] * k[j][d];
      }
      distance[i][j] = -squares * scale;
      cosine[i][j] /= scale * std::sqrt(of_query * of_key);
    }
  }
  CHECK(cause("weights", softmax(distance)) == "distance");
  CHECK(cause("weights", softmax(cosine)) == "cosine+not-scaled");
}

TEST_CASE("exchanged roles are named from the output alone") {
  const Layer layer;
  CHECK(cause("attention", attended(layer.query(), layer.value(), layer.key())) == "roles-exchanged");
  CHECK(cause("residual_1", plus(layer.x, attended(layer.value(), layer.key(), layer.query()))) ==
        "roles-exchanged");
}

TEST_CASE("residuals, norms and activations of an encoder layer are named from its output") {
  const Layer layer;
  const Matrix attention = attended(layer.query(), layer.key(), layer.value());
  const Matrix z = normed(plus(layer.x, attention));
  const auto output = [&](const Matrix& stream, double (*activation)(double)) {
    return normed(plus(stream, mlp_of(layer, stream, activation)));
  };
  CHECK(cause("output", output(normed(attention), relu)) == "not-added");
  CHECK(cause("output", output(normed(plus(plus(layer.x, layer.x), attention)), relu)) == "added-twice");
  CHECK(cause("output", normed(plus(layer.x, mlp_of(layer, z, relu)))) == "wrong-summand");
  CHECK(cause("output", output(z, [](double x) { return x / (1.0 + std::exp(-x)); })) == "other-activation");
  CHECK(cause("output", output(z, [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); })) ==
        "other-activation");
  CHECK(cause("output", normed(plus(z, mapped(mlp_of(layer, z, relu), relu)))) == "second-activation");
  const Matrix plain = plus(layer.x, attention);
  CHECK(cause("output", plus(plain, mlp_of(layer, plain, relu))) == "not-normed");
  const Matrix x = normed(layer.x);
  const Matrix first =
      plus(layer.x, attended(times(x, layer.w_query), times(x, layer.w_key), times(x, layer.w_value)));
  CHECK(cause("output", plus(first, mlp_of(layer, normed(first), relu))) == "norm-first");
  CHECK(cause("norm_1", plus(layer.x, normed(attention))) == "norm-before-sum");
  CHECK(cause("norm_1", layer_norm(plain, [](double variance) {
                return std::sqrt(variance * 6.0 / 5.0) + eps;
              })) == "annotated-layer-norm");
}

TEST_CASE("another eps is named where it is a usual one, and none is said to be missing that is not") {
  const Layer layer;
  const Matrix sum = plus(layer.x, attended(layer.query(), layer.key(), layer.value()));
  const auto with = [&](double other) {
    return cause("norm_1", layer_norm(sum, [other](double variance) { return std::sqrt(variance + other); }));
  };
  CHECK(with(1e-6) == "other-eps");
  CHECK(with(1e-4) == "other-eps");
  CHECK(with(0.0) == "eps-missing");
  for (const double unusual : {5e-6, 2e-6, 4e-7, 3e-9}) CHECK(with(unusual).empty());
}

TEST_CASE("inputs that were drawn or stored in another way are named from what follows") {
  const Layer layer;
  const auto attention_of = [](const Layer& one) { return attended(one.query(), one.key(), one.value()); };
  CHECK(cause("attention", attention_of(Layer(1.0))) == "factor-forgotten");
  Layer other = layer;
  std::swap(other.w_key, other.w_value);
  CHECK(cause("attention", attention_of(other)) == "roles-exchanged");
  other = layer;
  other.x = mapped(layer.x, [](double value) { return std::trunc(value); });
  CHECK(cause("attention", attention_of(other)) == "inputs-as-integers");
  NumpyRandom random(7);
  CHECK(cause("x", mapped(layer.x, [&](double) { return random.uniform(); })) == "drawn-uniform");
  NumpyGenerator newer(7);
  CHECK(cause("x", mapped(layer.x, [&](double) { return newer.normal(); })) == "drawn-by-default-rng");
  NumpyRandom again(7);
  CHECK(cause("w_key", mapped(layer.w_key, [&](double) { return 0.3 * again.normal(); })) == "seeded-again");
  NumpyRandom by_columns(7);
  Matrix turned(tokens, Numbers(width));
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = 0; i < tokens; ++i) turned[i][j] = by_columns.normal();
  }
  CHECK(cause("x", turned) == "drawn-transposed");
}

TEST_CASE("what is wrong with an array as a whole is named, and noise is nothing of it") {
  const Layer layer;
  const Matrix q = layer.query();
  CHECK(cause("query", Matrix(q.rbegin(), q.rend())) == "axis-reversed");
  CHECK(cause("query", {q[1], q[2], q[3], q[0]}) == "axis-in-another-order");
  CHECK(cause("query", scaled(q, 100.0)) == "times-too-large");
  CHECK(cause("query", scaled(q, -1.0)) == "sign-turned");
  CHECK(cause("query", plus(q, layer.x)) == "added-needlessly");
  CHECK(cause("query", scaled(q, 0.0)) == "all-zero");
  CHECK(cause("query", scaled(q, std::nan(""))) == "all-nan");
  NumpyRandom noise(1);
  for (const char* stage : {"weights", "attention", "output"}) {
    const std::size_t columns = std::string(stage) == "weights" ? tokens : width;
    CHECK(cause(stage, mapped(Matrix(tokens, Numbers(columns)), [&](double) { return noise.normal(); }))
              .empty());
  }
}

TEST_CASE("of two causes that give the same array both are named") {
  const Layer layer;
  const std::vector<Stage> trace = trace_of(layer);
  const Matrix wrong = layer_norm(plus(layer.x, attended(layer.query(), layer.key(), layer.value())),
                                  [](double variance) { return std::sqrt(variance); });
  NamedArray rounded{"", array_of(wrong), NamedArray::Storage::float32, {}};
  for (double& entry : rounded.array.data) entry = static_cast<double>(static_cast<float>(entry));
  const Check check = check_stage(trace, "norm_1", rounded);
  CHECK(!agrees(check));
  REQUIRE(check.diagnosis.has_value());
  CHECK(check.diagnosis->name == "eps-missing");  // which it is, and the usual one
  CHECK(check.diagnosis->what.en().find("or else") != std::string::npos);
}

TEST_CASE("another eps is told in float64 where float32 could not see it, and what is right stays right") {
  const Matrix x = scaled(Layer().x, 100.0);
  const auto norm_of = [&](double own_eps) {
    return layer_norm(x, [own_eps](double variance) { return std::sqrt(variance + own_eps); });
  };
  const std::vector<Stage> trace{submitted("x", x),
                                 made("norm", norm_of(eps), derived::layer_norm("x", eps))};
  const auto checked = [&](const Matrix& matrix, const std::function<double(double)>& kept) {
    return check_stage(trace, "norm", {"", array_of(mapped(matrix, kept)), NamedArray::Storage::float64, {}});
  };
  const auto as_it_is = [](double value) { return value; };
  const auto single = [](double value) { return static_cast<double>(static_cast<float>(value)); };
  for (const double own_eps : {1e-6, 1e-12, 0.0}) {
    CAPTURE(own_eps);
    const Check wrong = checked(norm_of(own_eps), as_it_is);
    CHECK(!agrees(wrong));
    REQUIRE(wrong.diagnosis.has_value());
    CHECK(wrong.diagnosis->name.find("eps") != std::string::npos);
    CHECK(agrees(checked(norm_of(own_eps), single)));  // nobody can tell
  }
  CHECK(agrees(checked(norm_of(eps), as_it_is)));
  CHECK(agrees(checked(norm_of(eps), single)));
  // computed in float32 and widened: the last bits are anyone's
  CHECK(agrees(checked(norm_of(eps), [&](double value) { return single(value) * (1.0 + 3e-8); })));
}

TEST_CASE("a temperature that multiplies or comes late is named, and a circle with its end point") {
  const Numbers scores{1.0, -0.5, 2.0, 0.25};
  const Numbers temperatures{0.5, 2.0, 4.0};
  Matrix divided;
  Matrix multiplied;
  Matrix late;
  for (const double temperature : temperatures) {
    divided.push_back(mapped({scores}, [&](double score) { return score / temperature; }).front());
    multiplied.push_back(mapped({scores}, [&](double score) { return score * temperature; }).front());
    late.push_back(mapped(softmax({scores}), [&](double weight) { return weight / temperature; }).front());
  }
  Stage row = submitted("scores", {scores});
  row.array.shape = {4};
  Stage column = submitted("temperature", {temperatures});
  column.array.shape = {3};
  const std::vector<Stage> trace{
      row, column,
      made("tempered", divided,
           derived::worked({"scores", "temperature"}, {}, "scores / temperature[:, np.newaxis]")),
      made("weights", softmax(divided), derived::softmax("tempered"))};
  const auto named = [](const std::vector<Stage>& of, const std::string& stage, const Matrix& wrong) {
    const Check check = check_stage(of, stage, {"", array_of(wrong), NamedArray::Storage::float64, {}});
    CHECK(!agrees(check));
    return check.diagnosis ? check.diagnosis->name : "";
  };
  CHECK(named(trace, "weights", softmax(multiplied)) == "temperature-multiplied");
  CHECK(named(trace, "weights", late) == "scaled-after-softmax");

  const auto circle = [](double parts) {
    Matrix points;
    for (int i = 0; i < 10; ++i)
      points.push_back({std::cos(2.0 * pi * i / parts), std::sin(2.0 * pi * i / parts)});
    return points;
  };
  CHECK(named({submitted("keys", circle(10.0))}, "keys", circle(9.0)) == "endpoint");
}

}  // namespace attnlab::causes
