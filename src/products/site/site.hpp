// `attnlab site`: every experiment as a page, with a gallery that can be searched, lectures and models.
#pragma once

#include "products/lecture/lecture_building.hpp"

namespace attnlab {

/// Files of a site that needs no server, no network and, but for its sliders and its search, no script:
/// index.html, and in en/ and ja/ a page for each experiment of the book, gallery.html, models.html and the
/// lectures. The same program gives the same bytes.
BuiltFolder built_site(const ReadBlock& read, const Progress& progress);

// --- Its parts

/// A page of the site in one language.
struct SitePage {
  std::string name;  // "vectors"
  std::string title;
  std::vector<BuiltSection> sections;
};

using SiteRuns = std::vector<std::pair<const Experiment*, const Report*>>;

/// What an experiment shows, as a title.
std::string title_of(const Experiment& experiment, Language language);

/// The page of an experiment as a document: its sliders and figures are commands.
Lecture experiment_document(const Experiment& experiment, Language language);

/// What of the report stands below them: what it says, its numbers and arrays, usual mistakes with what they
/// would give, the program, the options.
std::vector<BuiltSection> experiment_sections(const Experiment& experiment, const Report& report,
                                              Language language);

/// Where the small picture of a figure lies, without its ending: "pictures/en/vectors-arrows".
std::string thumbnail_of(const Experiment& experiment, const Figure& figure, Language language);

/// Those of all figures of an experiment, light and dark.
std::vector<BuiltFile> thumbnails(const Experiment& experiment, const Report& report, Language language);

/// The experiments in book order, each with its main figure.
BuiltSection experiments_section(const SiteRuns& runs, Language language);

/// All figures by experiment, and the other pages, in a list with a box that finds words in it.
BuiltSection gallery_section(const std::vector<SitePage>& others, const SiteRuns& runs, Language language);

}  // namespace attnlab
