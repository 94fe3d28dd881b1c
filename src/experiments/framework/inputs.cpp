// What a run begins with, as it happens.
#include "experiments/framework/inputs.hpp"

#include <xtensor/xbroadcast.hpp>

#include "core/error.hpp"
#include "core/named.hpp"
#include "experiments/framework/nested_draws.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

std::vector<std::size_t> lengths_of(const Tensor<double>& tensor) {
  return {tensor.shape().begin(), tensor.shape().end()};
}

Tensor<double> multiplied(const Tensor<double>& normals, const Factor& factor) {
  if (factor.divides) return normals / factor.number;
  return factor.code.empty() ? normals : Tensor<double>(normals * factor.number);
}

bool fits(const InputArray& array, const std::vector<std::size_t>& shape) {
  const std::vector<std::size_t>& provided = array.values.shape;
  if (provided.size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool is_free = axis < array.free.size() && array.free[axis];
    if (provided[axis] != shape[axis] && !is_free) return false;
  }
  return true;
}

/// Of a mask with more axes than the scores have: those of length 1 say nothing.
Shape without_leading_ones(Shape mask, const ScoreShape& scores) {
  const std::size_t axes = attnlab::lengths_of(scores).size();
  while (mask.size() > axes && mask.front() == 1) mask.erase(mask.begin());
  return mask;
}

}  // namespace

Inputs::Inputs(const Arguments& arguments, const std::string& seed)
    : arrays_(arguments.sources.arrays),
      first_(arguments.sources.first_draws),
      keeps_(first_ != nullptr && !arguments.sources.nested_sizes.empty()) {
  if (find_named(arguments.parameters(), seed) == nullptr) return;
  const bool has_rng = find_named(arguments.parameters(), "rng") != nullptr;
  start(has_rng ? arguments.text("rng") : "numpy", static_cast<std::uint32_t>(arguments.integer(seed)));
}

void Inputs::start(const std::string& rng, std::uint32_t seed) {
  stream_ = random_stream(rng, seed);
  if (seed_.en().empty()) seed_ = seed_text(seed, rng);
  last_seed_ = seed;
  origins_.push_back({Origin::Kind::stream, rng, {}, std::to_string(seed)});
}

Tensor<double> Inputs::chosen(Origin::Kind kind, const std::string& base, const Tensor<double>& own,
                              const std::string& code) {
  const bool is_float32 = dtype_ == DType::float32;
  const std::string rounded =
      is_float32 && !code.empty() ? fmt::format("({}).astype(np.float32)", code) : code;
  const std::string name = prefix_ + base;
  Tensor<double> values = own;
  Origin origin{kind, name, lengths_of(own), rounded};
  if (const InputArray* array = find_named(arrays_, name)) {
    if (!fits(*array, lengths_of(own))) {
      refuse_usage(text("--input {}={} の形状は {} です。必要なのは {} です",
                        "--input {}={} has shape {}; this run needs {}", name, array->source,
                        shape_text(array->values.shape), shape_text(lengths_of(own))),
                   text("軸は ({}) です", "its axes are ({})", array->axes));
    }
    values = to_tensor(array->values.data, array->values.shape);
    origin = {Origin::Kind::read, name, array->values.shape, kind == Origin::Kind::drawn ? rounded : "",
              array->source};
  }
  if (origin.kind != Origin::Kind::drawn) origin.values.assign(values.begin(), values.end());
  origin.is_float32 = is_float32;
  origins_.push_back(std::move(origin));
  return values;
}

Tensor<double> Inputs::normal(const std::string& name, const std::vector<std::size_t>& shape,
                              const Factor& factor) {
  if (keeps_) return kept(name, shape, factor);
  const Tensor<double> normals = stream().randn(shape);
  if (first_ != nullptr) first_->normals[prefix_ + name] = normals;
  return chosen(Origin::Kind::drawn, name, multiplied(normals, factor),
                fmt::format("randn({}){}", joined(shape, ", "), factor.code));
}

Tensor<double> Inputs::kept(const std::string& base, const std::vector<std::size_t>& shape,
                            const Factor& factor) {
  const std::string name = prefix_ + base;
  const auto found = first_->normals.find(name);
  const Tensor<double> first = found == first_->normals.end() ? Tensor<double>() : found->second;
  if (lengths_of(first) == shape) ++kept_whole_;
  return chosen(Origin::Kind::drawn, base, multiplied(continued(first, shape, name, last_seed_), factor), {});
}

bool Inputs::has_nested_draws() const {
  const auto is_drawn = [](const Origin& origin) {
    return origin.kind == Origin::Kind::drawn && !origin.shape.empty();
  };
  const auto drawn = static_cast<std::size_t>(std::count_if(origins_.begin(), origins_.end(), is_drawn));
  return keeps_ && (kept_whole_ < first_->normals.size() || kept_whole_ < drawn);
}

Tensor<double> Inputs::user_or(const std::string& name, const Tensor<double>& assumed,
                               const std::string& code) {
  return chosen(Origin::Kind::listed, name, assumed, code);
}

Tensor<double> Inputs::drawn(const std::string& name, const std::string& code, const Tensor<double>& values) {
  if (first_ != nullptr) first_->are_all = false;
  return chosen(Origin::Kind::drawn, name, values, code);
}

std::optional<Tensor<double>> Inputs::mask(const std::string& name, const ScoreShape& scores) {
  const auto array = std::find_if(arrays_.begin(), arrays_.end(),
                                  [&](const InputArray& one) { return one.name == prefix_ + name; });
  if (array == arrays_.end()) return std::nullopt;
  const std::vector<MaskReading> readings =
      readings_of(without_leading_ones(array->values.shape, scores), scores);
  if (readings.empty()) {
    refuse_usage(
        text("--input {}={} の形状 {} は、スコアの形状 {} に合いません",
             "--input {}={} of shape {} does not broadcast to the scores {}", array->name, array->source,
             shape_text(array->values.shape), shape_text(attnlab::lengths_of(scores))),
        {"後ろの軸から、スコアと同じ長さか 1 にしてください",
         "from the last axis on, give each the scores' length or 1"});
  }
  if (readings.size() > 1) {
    warnings_.push_back(text(
        "--input {0}={1} の形状 {2} は ({3}) とも ({4}) とも解釈できます。({3}) としました（({4}) なら形状を {5} にしてください）",
        "--input {0}={1} of shape {2} fits ({3}) and ({4}): taken as ({3}); for ({4}) give it the shape {5}",
        array->name, array->source, shape_text(array->values.shape), readings[0].axes, readings[1].axes,
        shape_text(readings[1].shape)));
  }
  Shape shape = readings.front().shape;
  const Tensor<double> placed = to_tensor(array->values.data, shape);
  shape[shape.size() - 2] = scores.queries;
  shape.back() = scores.keys;
  const Tensor<double> mask = xt::broadcast(placed, shape);
  array->values = {shape, {}, {mask.begin(), mask.end()}, array->values.dtype};
  return user_or(name, mask);
}

void Inputs::record(const std::string& name, const std::string& code) {
  origins_.push_back({Origin::Kind::drawn, name, {}, code});
}

Text Inputs::described() const {
  std::vector<std::string> provided;
  bool draws = false;
  for (const Origin& origin : origins_) {
    if (origin.kind == Origin::Kind::read) provided.push_back(origin.name + ": " + origin.file);
    if (origin.kind == Origin::Kind::drawn) draws = true;
  }
  if (provided.empty()) return seed_;
  const std::string names = joined(provided, ", ");
  return draws ? text("{}、{}", "{}, {}", seed_, names) : Text::same(names);
}

void Inputs::come_from(Text source) {
  seed_ = std::move(source);
  comes_from_model_ = true;
}

bool Inputs::any_read() const {
  return comes_from_model_ || std::any_of(origins_.begin(), origins_.end(), [](const Origin& origin) {
           return origin.kind == Origin::Kind::read;
         });
}

void Inputs::require_all_used() const {
  for (const InputArray& array : arrays_) {
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
