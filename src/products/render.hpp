// From a report's figures to the bytes of files.
#pragma once

#include "products/figure_files.hpp"
#include "products/look.hpp"
#include "products/run.hpp"
#include "products/targets.hpp"

namespace attnlab {

struct RenderedFile {
  std::filesystem::path path;
  Format format = Format::png;
  std::vector<std::shared_ptr<const Page>> pages;  // a figure that goes into several files is one page
  std::string command;                             // of all of them together
};

struct Rendering {
  std::vector<RenderedFile> files;
  std::vector<Text> warnings;  // each once
};

struct RenderedPage {
  Page page;
  std::vector<Text> warnings;
};

/// What a picture of the figure tells of itself; `command` makes it again.
Metadata metadata_of(const Figure& figure, const std::string& command, const Look& look);

/// One figure by itself; `command` makes it again.
RenderedPage render_page(const Figure& figure, const std::string& command, const Look& look);

/// The figure as it is drawn: complete, with more numbers, or as an exercise, under the title that was asked
/// for.
Figure dressed(const Figure& figure, const Report& report, const Text& question, const Look& look);

/// The report with all its figures as they are drawn.
Report as_drawn(Report report, const Experiment& experiment, const Look& look);

/// What can be known of figures' files before the run. Throws Error (usage) for a png that would be too
/// large; the targets are for the caller to check.
void add_figures(const OutputOptions& output, Targets& targets);
void check_pixels(const OutputOptions& output, const Look& look);

/// The plan for this report's figures; drawn blank, they have names of their own in the folder. Throws Error
/// (usage) for a figure that it has not.
OutputPlan planned(const Report& report, const OutputOptions& output, const Look& look);

/// Lays out every planned figure. Throws Error (usage) when a png would have too many pixels.
Rendering render(const Report& report, const OutputPlan& plan, const Look& look);

/// The pages of a pdf under one heading.
Chapter chapter_of(const RenderedFile& file, const std::string& title);

/// The bytes of the file; its pages are more than one only in a pdf.
std::string paint(const RenderedFile& file, const Look& look);

}  // namespace attnlab
