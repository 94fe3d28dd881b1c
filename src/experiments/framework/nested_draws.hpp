// Nested draws: a run of other sizes keeps the numbers that the default ones draw, so that a film over a size
// moves nothing else. Of a smaller run they are the first; in a larger one each row of an array goes on with
// numbers of a stream of its own.
#pragma once

#include "core/tensor.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// What a run draws, for another that keeps it.
struct FirstDraws {
  std::map<std::string, Tensor<double>> normals;  // before they are multiplied
  bool are_all = true;  // nothing is drawn in a way of its own, which could not be continued
};

/// Whether it may be a size whose draws are nested: a whole number that is no seed.
bool is_size(const Parameter& parameter);

/// Whether a length of an array that it draws is a parameter.
bool may_nest_draws(const Experiment& experiment);

/// The run whose nested sizes (Arguments::nest_draws) have their defaults: these arguments keep its draws,
/// and both share what it draws. Nothing where the document's own are drawn.
std::optional<Arguments> run_before(Arguments& arguments);

/// `first` cut to the shape, or without any number. Beyond it the row i, j, ... goes on with the numbers of
/// RandomState([seed, the letters of the name ..., i, j, ...]).
Tensor<double> continued(const Tensor<double>& first, const std::vector<std::size_t>& shape,
                         const std::string& name, std::uint32_t seed);

/// "乱数は入れ子..." / "Nested draws: ...": what captions and the report say.
Text about_nested_draws();

}  // namespace attnlab
