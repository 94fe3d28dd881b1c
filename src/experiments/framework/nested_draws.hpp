// Nested draws: a run of other sizes keeps the numbers that the default ones draw, so that a film over a size
// moves nothing else. Of a smaller run they are the first; in a larger one each row of an array goes on with
// numbers of a stream of its own.
#pragma once

#include "core/tensor.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

/// What a run draws, for another that keeps it.
struct FirstDraws {
  std::vector<Origin> origins;                    // its streams and arrays in order, as document_NAME
  std::map<std::string, Tensor<double>> normals;  // before they are multiplied
};

/// `--draws document|nested[:SIZE,...]`, which an experiment whose inputs have sizes gets by itself (see
/// experiments()).
Parameter draws_parameter();

/// Whether --draws may keep this parameter at its default: a whole number that is no seed.
bool is_size(const Parameter& parameter);

/// The run with default sizes whose draws these arguments keep; both share what it draws. Nothing where the
/// document's own are drawn. Throws Error (usage) for a --draws that cannot be read.
std::optional<Arguments> run_before(Arguments& arguments);

/// `first` cut to the shape, or without any number. Beyond it the row i, j, ... goes on with the numbers of
/// RandomState([seed, the letters of the name ..., i, j, ...]).
Tensor<double> continued(const Tensor<double>& first, const std::vector<std::size_t>& shape,
                         const std::string& name, std::uint32_t seed);

/// "乱数は入れ子..." / "Nested draws: ...": what captions and the report say.
Text about_nested_draws();

}  // namespace attnlab
