// How figures are to look: language, theme, preset, page and colours decide it together.
#pragma once

#include "plotting/backends/backends.hpp"
#include "plotting/layout/layout.hpp"
#include "products/typed_command.hpp"

namespace attnlab {

/// With its numbers, or without them as an exercise.
enum class Filling { complete, blank };

struct Look {
  Language language = Language::en;
  Theme theme = Theme::light;
  std::optional<Preset> preset;
  std::optional<PageSize> page;  // of --size
  double dpi = 144.0;
  ColourChoice colours;
  Filling filling = Filling::complete;
  std::optional<std::string> title;  // in place of the figure's
  bool has_title = true;
  bool has_caption = true;
  Lettering lettering = Lettering::outlines;  // of an svg
  std::vector<TypedFlag> typed;               // what was typed for all this
};

/// The command with the figure's name (unless that is empty), what was typed for its look, and the language:
/// what makes the same picture again.
std::string drawing_command(const std::string& command, const std::string& figure, const Look& look);

LayoutOptions layout_options(const Look& look, const PageSize& own);

// --- Pages

/// Two numbers with units in, cm, mm, pt or px joined by an x; one unit may serve both. Pixels count at
/// `dpi`. Throws Error (usage) for any other form, and for a side outside 1..200 in.
PageSize parse_page_size(const std::string& text, double dpi);  // page_size.cpp

/// Throws Error (usage) when the page has more than 100 million pixels, or a side more than Cairo's 32767.
void check_pixels(const PageSize& page, double dpi);

/// The page chosen by --size, else the preset's, else the figure's own.
PageSize page_of(const Look& look, const PageSize& own);

/// A preset keeps its letters: where its page has no room for a figure, the page grows instead. Calls
/// `lay_out` with the look's page, and with larger and larger ones as long as it throws NoSpace and the page
/// is a preset's own; returns the page that had room. Throws what the last call threw.
PageSize page_with_space(const Look& look, const PageSize& own,
                         const std::function<void(const PageSize&)>& lay_out);

/// That the figure is not drawn on its preset's page.
Text larger_page(const std::string& figure, const Preset& preset, const PageSize& page);

}  // namespace attnlab
