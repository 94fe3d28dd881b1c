// `attend` against NumPy's and PyTorch's results, through the flags and weights that its users give it.
#pragma once

#include "verification/check.hpp"

namespace attnlab {

/// Every case of data/reference/attend/TOPIC.json: in float64 and float32, with weights kept and streamed,
/// each stored stage and every invariant of the run. What throws fails.
Checks check_attend(const std::string& topic, std::string_view json);

}  // namespace attnlab
