// The outcome of a check as terminal text.
#pragma once

#include "results/check/check.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {

/// A verdict per array with its evidence, and a line that counts them when there are several. Ends with a
/// newline.
std::string check_text(const std::vector<Check>& checks, Language language, Colouring colouring);

/// "queries 2, keys 0": the place of a value in words; "2, 0" where axes have no names.
std::string place_text(const Array& array, std::size_t flat);

/// "float32", "3 decimals": how closely an array that agrees agrees.
Text closeness_text(const Comparison& comparison);

}  // namespace attnlab
