// What the repository keeps of every experiment: its row in the READMEs, and checksums by which a test sees
// that a figure says something else. The tool writes both itself, so that nothing goes stale.
#pragma once

#include "core/text.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

struct DrawnFigure {
  std::string name;  // "en/vectors-arrows"
  DisplayList list;
};

/// Every figure of every experiment with its default parameters in book order, of `attend` with the layer in
/// the folder `data`/attend, and of the tasks whose models come along; each once per language.
std::vector<DrawnFigure> drawn_figures(const std::filesystem::path& data);

/// A line for each: the first 16 digits of SHA-256 over the ids and words of its display list, and its name.
/// Places, colours and the breaks of lines do not go in: those differ from one release of a font to the next.
std::string figure_checksums(const std::vector<DrawnFigure>& figures);

/// A README's table: command, what it shows, document.
std::string readme_table(Language language);

/// The file with `lines` between the line that holds "experiments begin" and the one that holds "experiments
/// end". Throws std::runtime_error when it has none.
std::string with_experiment_lines(const std::string& file, const std::string& lines);

}  // namespace attnlab
