// From a report's figures to the bytes of files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attnlab/output_plan.hpp"
#include "core/text.hpp"
#include "plotting/backends.hpp"
#include "plotting/display_list.hpp"
#include "plotting/layout.hpp"
#include "results/report.hpp"

namespace attnlab {

/// With its numbers, or without them as an exercise.
enum class Filling { complete, blank };

/// How figures are to look: --lang, --theme, --size, --dpi, --blank, --svg-text, --tex-body.
struct Look {
  Language language = Language::en;
  Theme theme = Theme::light;
  std::optional<PageSize> page;  // default: each figure's own
  double dpi = 144.0;
  Filling filling = Filling::complete;
  Lettering lettering = Lettering::outlines;  // of an svg
  TexExtent extent = TexExtent::document;     // of a tex
};

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

/// Lays out every planned figure. Throws Error (usage) when a png would have too many pixels.
Rendering render(const Report& report, const OutputPlan& plan, const Look& look);

/// The pages of a pdf under one heading.
Chapter chapter_of(const RenderedFile& file, const std::string& title);

/// The bytes of the file; its pages are more than one only in a pdf.
std::string paint(const RenderedFile& file, const Look& look);

}  // namespace attnlab
