// What stands about every experiment in files that people write: the rows of the READMEs, the figures of the
// gallery's manifest. The table of experiments writes these lines, between two comments in each file.
#pragma once

#include <string>

#include "core/text.hpp"

namespace attnlab {

/// A README's table: command, what it shows, document.
std::string readme_table(Language language);

/// Entries of figures/gallery/gallery.toml, in book order.
std::string manifest_entries();

/// The file with `lines` between the line that holds "experiments begin" and the one that holds "experiments
/// end". Throws std::runtime_error when it has none.
std::string with_experiment_lines(const std::string& file, const std::string& lines);

}  // namespace attnlab
