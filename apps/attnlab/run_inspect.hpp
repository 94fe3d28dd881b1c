// `attnlab inspect`: the tensors of a file.
#pragma once

#include <string>

#include "attnlab/request.hpp"
#include "io/inspection.hpp"

namespace attnlab {

/// `words` is FILE or FILE:TENSOR. Throws Error for what cannot be read.
void run_inspect(const std::string& words, Extent extent, Printing printing, Language language);

/// The table, one line per tensor.
std::string inspection_text(const Inspection& inspection, Language language);

}  // namespace attnlab
