// From a report's figures to the bytes of files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attnlab/look.hpp"
#include "attnlab/output_plan.hpp"
#include "core/text.hpp"
#include "plotting/display_list.hpp"
#include "results/report.hpp"

namespace attnlab {

struct RenderedFile {
  std::filesystem::path path;
  Format format = Format::png;
  std::vector<std::shared_ptr<const Page>> pages;  // a figure that goes into several files is one page
};

struct Rendering {
  std::vector<RenderedFile> files;
  std::vector<Text> warnings;  // each once
};

/// "attnlab vectors --count 12": the parameters that are not at their default, quoted for a shell where
/// needed. What changes only the look or the place of a figure is left out, so that every way to draw it
/// gives the same file.
std::string command_of(const Report& report);

/// One figure as a page; what had to be left out is added to `warnings`, each once.
std::shared_ptr<const Page> lay_out_page(const Figure& figure, const std::string& command, const Look& look,
                                         std::vector<Text>& warnings);

/// Lays out every planned figure. Throws Error (usage) when a png would have too many pixels.
Rendering render(const Report& report, const OutputPlan& plan, const Look& look);

/// The bytes of the file; its pages are more than one only in a pdf.
std::string paint(const RenderedFile& file, double dpi);

}  // namespace attnlab
