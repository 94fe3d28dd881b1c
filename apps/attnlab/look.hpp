// How figures are to look: what --lang, --theme, --preset, --size, --palette and their kin decide together.
#pragma once

#include <optional>

#include "core/text.hpp"
#include "plotting/backends/backends.hpp"
#include "plotting/layout/layout.hpp"
#include "plotting/preset.hpp"

namespace attnlab {

/// With its numbers, or without them as an exercise.
enum class Filling { complete, blank };

/// Whether numbers and shapes are written into the picture.
enum class Annotating { nothing, numbers };

struct Look {
  Language language = Language::en;
  Theme theme = Theme::light;
  std::optional<Preset> preset;
  std::optional<PageSize> page;  // of --size
  double dpi = 144.0;
  ColourChoice colours;
  Filling filling = Filling::complete;
  Annotating annotating = Annotating::nothing;
  Lettering lettering = Lettering::outlines;  // of an svg
  TexExtent extent = TexExtent::document;     // of a tex
};

/// The page chosen by --size, else the preset's, else the figure's own.
PageSize page_of(const Look& look, const PageSize& own);

LayoutOptions layout_options(const Look& look, const PageSize& own);

}  // namespace attnlab
