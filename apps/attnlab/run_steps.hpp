// --steps FOLDER: the figure that grows stage by stage.
#pragma once

#include <filesystem>
#include <vector>

#include "attnlab/request.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Lays out a page per stage and format. Throws Error (failed) when the experiment has no weights to lead up
/// to or its matrices are too large to be drawn side by side.
Rendering render_steps(const Report& report, const Request& request);

}  // namespace attnlab
