// --check: what files hold, compared with the stages that they name.
#pragma once

#include "products/run.hpp"
#include "results/check/check.hpp"

namespace attnlab {

struct CheckedFiles {
  std::vector<std::filesystem::path> files;
  std::vector<Check> checks;
  std::vector<Text> warnings;  // about arrays that were left out, or compared under another name
};

/// Each word is FILE, FILE:TENSOR or either behind STAGE=. Every named array is compared with the stage of
/// its name; an array without one (npy, csv, nested lists) with the stage that its file's name begins with,
/// or else by its shape. Measured stages are left out. Throws Error (usage) for a stage that does not exist,
/// with the nearest name, and for one that is measured; Error (failed) for a file that cannot be read and for
/// one that fits no stage. Of arrays that no mistake explains it finds whether they are right for the inputs
/// of another usual seed. `request` is what the report came of.
CheckedFiles check_files(const Report& report, const std::vector<std::string>& words, const Run& request);

}  // namespace attnlab
