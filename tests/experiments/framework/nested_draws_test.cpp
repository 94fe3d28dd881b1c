// Draws of other sizes: the document's own, or nested, which keep the numbers of the default sizes.
#include "experiments/framework/nested_draws.hpp"

#include <doctest/doctest.h>

#include "core/named.hpp"
#include "experiments/framework/reports.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "random/numpy_random.hpp"

namespace attnlab {
namespace {

const Experiment& drawing_experiment(const std::string& name) { return *find_named(experiments(), name); }

/// Nested in the default of these sizes; without any, as the document draws.
Report drawn_run(const std::string& name, const Flags& flags, const std::vector<std::string>& sizes = {}) {
  const Experiment& experiment = drawing_experiment(name);
  Arguments arguments(experiment.parameters);
  for (const auto& [flag, text] : flags) arguments.set(flag, text);
  arguments.sources.nested_sizes = sizes;
  return run(experiment, arguments);
}

/// The part that both have.
void check_corner(const Report& one, const Report& other, const std::string& name) {
  INFO(name);
  const Array& a = stage(one, name).array;
  const Array& b = stage(other, name).array;
  REQUIRE(a.shape.size() == b.shape.size());
  const std::size_t width = std::min(a.shape.back(), b.shape.back());
  const std::size_t rows = a.shape.size() < 2 ? 1 : std::min(a.shape[0], b.shape[0]);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i)
      CHECK(a.data[row * a.shape.back() + i] == b.data[row * b.shape.back() + i]);
  }
}

const std::vector<std::string> of_scaling{"query_low", "query_high", "keys_low", "keys_high"};
const std::vector<std::string> sizes{"low-dim", "high-dim", "keys"};

}  // namespace

TEST_CASE("other sizes draw what the textbook's code 2.2.5 draws with them") {
  const Report report =
      drawn_run("scaling", {{"seed", "5"}, {"low-dim", "2"}, {"high-dim", "64"}, {"keys", "31"}});
  NumpyRandom random(5);
  const std::vector<std::vector<std::size_t>> shapes{{2}, {64}, {31, 2}, {31, 64}};
  std::vector<std::string> lines;
  for (const Origin& origin : report.origins) lines.push_back(origin.code);
  CHECK(lines == std::vector<std::string>{"5", "randn(2)", "randn(64)", "randn(31, 2)", "randn(31, 64)"});
  for (std::size_t i = 0; i < shapes.size(); ++i)
    CHECK(stage(report, of_scaling[i]).array.data == values_of(random.randn(shapes[i])));
  CHECK_FALSE(report.has_nested_draws);
}

TEST_CASE("nested draws keep the numbers of the default sizes, and those of each other") {
  const Report usual = drawn_run("scaling", {});
  const Report small = drawn_run("scaling", {{"high-dim", "7"}, {"keys", "3"}}, sizes);
  const Report large = drawn_run("scaling", {{"low-dim", "4"}, {"high-dim", "150"}, {"keys", "33"}}, sizes);
  const Report larger = drawn_run("scaling", {{"low-dim", "9"}, {"high-dim", "170"}, {"keys", "40"}}, sizes);
  for (const std::string& name : of_scaling) {
    check_corner(usual, small, name);
    check_corner(usual, large, name);
    check_corner(large, larger, name);
  }
  CHECK(large.has_nested_draws);
  CHECK(large.figures.front().caption.en().find(about_nested_draws().en()) != std::string::npos);
  const Report same = drawn_run("scaling", {}, sizes);
  CHECK_FALSE(same.has_nested_draws);
  CHECK(stage(same, "weights_high").array.data == stage(usual, "weights_high").array.data);
}

TEST_CASE("a size that is named alone leaves the others to the document") {
  const Report typed = drawn_run("scaling", {{"keys", "31"}});
  const Report nested = drawn_run("scaling", {{"keys", "31"}, {"high-dim", "120"}}, {"high-dim"});
  for (const std::string& name : of_scaling) check_corner(typed, nested, name);
}

TEST_CASE("every experiment with sizes keeps its arrays") {
  for (const Experiment& experiment : experiments()) {
    if (!may_nest_draws(experiment)) continue;
    CAPTURE(experiment.name);
    const Report usual = drawn_run(experiment.name, {});
    for (const Parameter& size : experiment.parameters) {
      if (!is_size(size) || size.default_text.empty()) continue;
      CAPTURE(size.name);
      const std::string twice = std::to_string(2 * std::stoll(size.default_text));
      Report other;
      try {
        other = drawn_run(experiment.name, {{size.name, twice}}, {size.name});
      } catch (const Error&) {  // heads that do not divide the width, and limits
        continue;
      }
      for (const Origin& origin : usual.origins) {
        if (origin.kind != Origin::Kind::drawn || find_named(other.stages, origin.name) == nullptr) continue;
        Report plain = usual;
        Array& one = find_named(plain.stages, origin.name)->array;
        Array& two = find_named(other.stages, origin.name)->array;
        if (origin.code.find('/') != std::string::npos) continue;  // over the root of another size
        CHECK(one.data.front() == two.data.front());
        check_corner(plain, other, origin.name);
      }
    }
  }
}

TEST_CASE("beyond the first numbers each row goes on with NumPy's RandomState of its place") {
  // np.random.RandomState([5, 104, 105]).randn(3), NumPy 1.24; "hi" is 104, 105
  const std::vector<double> of_hi{-0.3901891986359008, -0.8497286112987716, -0.8738003789063336};
  CHECK(values_of(continued(Tensor<double>(), {3}, "hi", 5)) == of_hi);
  const Tensor<double> cut = continued(Tensor<double>{{1, 2}, {3, 4}}, {1, 1}, "hi", 5);
  CHECK(values_of(cut) == std::vector<double>{1});
  const Tensor<double> rows = continued(Tensor<double>{{1, 2}, {3, 4}}, {3, 3}, "x", 0);
  CHECK(rows(1, 1) == 4);
  NumpyRandom third(std::vector<std::uint32_t>{0, 'x', 2});
  for (std::size_t i = 0; i < 3; ++i) CHECK(rows(2, i) == third.normal());
}

TEST_CASE("what is drawn in a way of its own is drawn as in the document, and all beside it") {
  const Flags book{{"variant", "book"}, {"tokens", "3"}};
  const Report plain = drawn_run("heads", book);
  const Report nested = drawn_run("heads", book, {"tokens"});
  CHECK_FALSE(nested.has_nested_draws);
  for (const char* name : {"query_input", "weight_query", "output"})
    CHECK(stage(nested, name).array.data == stage(plain, name).array.data);
}

}  // namespace attnlab
