// The steps inside each stage of a model's trace, with the weights: what --check makes mistakes in, where the
// trace shows whole stages only.
#pragma once

#include "model/session.hpp"
#include "results/check/check.hpp"

namespace attnlab {

/// Of a run over so many tokens that leaves nothing out. Of a matrix that would take too much memory there
/// are none.
StepsInside steps_inside(std::shared_ptr<const OpenedModel> opened, std::size_t tokens);

}  // namespace attnlab
