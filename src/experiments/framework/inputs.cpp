// What a run begins with, as it happens.
#include "experiments/framework/inputs.hpp"

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/parameter_syntax.hpp"

namespace attnlab {
namespace {

Tensor<double> tensor_of(const Array& array) {
  Tensor<double> tensor = Tensor<double>::from_shape(array.shape);
  std::copy(array.data.begin(), array.data.end(), tensor.begin());
  return tensor;
}

std::vector<std::size_t> lengths_of(const Tensor<double>& tensor) {
  return {tensor.shape().begin(), tensor.shape().end()};
}

bool fits(const GivenArray& array, const std::vector<std::size_t>& shape) {
  const std::vector<std::size_t>& given = array.values.shape;
  if (given.size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool is_free = axis < array.free.size() && array.free[axis];
    if (given[axis] != shape[axis] && !is_free) return false;
  }
  return true;
}

}  // namespace

Factor times(double number) {
  return {number, false, fmt::format(" * {}", python_repr(number))};
}

Factor over_root(std::size_t count) {
  return {std::sqrt(static_cast<double>(count)), true, fmt::format(" / math.sqrt({})", count)};
}

Inputs::Inputs(const Arguments& arguments, const std::string& seed) : arrays_(arguments.arrays()) {
  if (find_named(arguments.parameters(), seed) == nullptr) return;
  const bool has_rng = find_named(arguments.parameters(), "rng") != nullptr;
  start(has_rng ? arguments.text("rng") : "numpy", static_cast<std::uint32_t>(arguments.integer(seed)));
}

void Inputs::start(const std::string& rng, std::uint32_t seed) {
  stream_ = random_stream(rng, seed);
  if (seed_.en().empty()) seed_ = seed_text(seed, rng);
  origins_.push_back({Origin::Kind::stream, rng, {}, std::to_string(seed)});
}

Tensor<double> Inputs::chosen(Origin::Kind kind, const std::string& base, const Tensor<double>& own,
                              const std::string& code) {
  const std::string rounded =
      is_float32_ && !code.empty() ? fmt::format("({}).astype(np.float32)", code) : code;
  const std::string name = prefix_ + base;
  Tensor<double> values = own;
  Origin origin{kind, name, lengths_of(own), rounded};
  if (const GivenArray* array = find_named(arrays_, name)) {
    if (!fits(*array, lengths_of(own))) {
      refuse_usage(text("--input {}={} の形状は {} です。必要なのは {} です",
                        "--input {}={} has shape {}; this run needs {}", name, array->source,
                        shape_text(array->values.shape), shape_text(lengths_of(own))),
                   text("軸は ({}) です", "its axes are ({})", array->axes));
    }
    values = tensor_of(array->values);
    origin = {Origin::Kind::read, name, array->values.shape, kind == Origin::Kind::drawn ? rounded : "",
              array->source};
  }
  if (origin.kind != Origin::Kind::drawn) origin.values.assign(values.begin(), values.end());
  origin.is_float32 = is_float32_;
  origins_.push_back(std::move(origin));
  return values;
}

Tensor<double> Inputs::normal(const std::string& name, const std::vector<std::size_t>& shape,
                              const Factor& factor) {
  Tensor<double> values = stream().randn(shape);
  if (factor.divides) {
    values = Tensor<double>(values / factor.number);
  } else if (!factor.code.empty()) {
    values = Tensor<double>(values * factor.number);
  }
  return chosen(Origin::Kind::drawn, name, values,
                fmt::format("randn({}){}", joined(shape, ", "), factor.code));
}

Tensor<double> Inputs::given(const std::string& name, const Tensor<double>& assumed,
                             const std::string& code) {
  return chosen(Origin::Kind::given, name, assumed, code);
}

Tensor<double> Inputs::drawn(const std::string& name, const std::string& code, const Tensor<double>& values) {
  return chosen(Origin::Kind::drawn, name, values, code);
}

void Inputs::record(const std::string& name, const std::string& code) {
  origins_.push_back({Origin::Kind::drawn, name, {}, code});
}

Text Inputs::told() const {
  std::vector<std::string> given;
  bool draws = false;
  for (const Origin& origin : origins_) {
    if (origin.kind == Origin::Kind::read) given.push_back(origin.name + ": " + origin.file);
    if (origin.kind == Origin::Kind::drawn) draws = true;
  }
  if (given.empty()) return seed_;
  const std::string names = joined(given, ", ");
  return draws ? text("{}、{}", "{}, {}", seed_, names) : Text::same(names);
}

bool Inputs::any_read() const {
  return std::any_of(origins_.begin(), origins_.end(),
                     [](const Origin& origin) { return origin.kind == Origin::Kind::read; });
}

void Inputs::require_all_used() const {
  for (const GivenArray& array : arrays_) {
    if (find_named(origins_, array.name) != nullptr) continue;
    std::vector<std::string> names;
    for (const Origin& origin : origins_) {
      if (origin.kind != Origin::Kind::stream) names.push_back(origin.name);
    }
    refuse_usage(
        text("--input {}={}：この条件の実行に {} はありません",
             "--input {}={}: this run, with these options, has no {}", array.name, array.source, array.name),
        text("使えるのは {} です", "choose from {}", joined(names, ", ")));
  }
}

}  // namespace attnlab
