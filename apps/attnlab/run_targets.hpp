// Where a run writes to: whether that can work is known before anything is written.
#pragma once

#include <filesystem>
#include <vector>

#include "attnlab/request.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// Where figures go when no -o names their files.
std::filesystem::path folder_of(const OutputOptions& output);

bool writes_folder(const OutputOptions& output);

std::vector<std::filesystem::path> files_of(const std::vector<SavedArrays>& saves);

/// What can be known before the run. The names of the figures cannot, so the files are checked again after
/// it. Throws Error.
void check_before_run(const Request& request);

/// The plan for this report's figures, its targets checked: none of them was `read`. Throws Error.
OutputPlan checked_plan(const Report& report, const Request& request,
                        const std::vector<std::filesystem::path>& read);

}  // namespace attnlab
