// What stands about every experiment in the repository: the pictures of READMEs and docs, what every figure
// with default parameters looks like as lines of text, docs/experiments*.md, and lines of files that people
// write. The tool writes all of it itself, so that nothing goes stale.
#pragma once

#include "experiments/framework/parameter.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

struct GalleryPicture {
  std::string path;  // "en/vectors-arrows.png", below figures/gallery/
  Page page;
};

/// `attend` with the layer in the folder `data`/attend.
Arguments attend_example(const std::filesystem::path& data);

/// Every experiment in book order, each figure once per language; then that example.
std::vector<GalleryPicture> gallery_pictures(const std::filesystem::path& data);

/// All display lists as text (plotting/display_list_text.hpp), one section "== path" per picture: what the
/// test compares with figures/gallery/display-lists.txt. It begins with how wide the fonts' letters are:
/// another release of a font has others.
std::string gallery_text(const std::vector<GalleryPicture>& pictures);

// --- Pages and lines

/// Markdown, one section per experiment in book order: picture, figures, options, arrays, invariants.
std::string experiments_page(Language language, const std::filesystem::path& data);

/// "experiments.md" or "experiments.ja.md", below docs/.
std::string experiments_page_name(Language language);

/// A README's table: command, what it shows, document.
std::string readme_table(Language language);

/// What `attnlab build` draws the pictures from that READMEs and docs show:
/// figures/gallery/gallery.LANGUAGE.md.
std::string gallery_document(Language language);

/// The file with `lines` between the line that holds "experiments begin" and the one that holds "experiments
/// end". Throws std::runtime_error when it has none.
std::string with_experiment_lines(const std::string& file, const std::string& lines);

}  // namespace attnlab
