// Cairo gives up a font in two steps, and between them another thread may take the same font up again: an
// assertion of Cairo's (1.16, 1.18) ends the program then. A font that was used is kept therefore as long as
// the program runs: few, since sizes and angles are.
#pragma once

#include <cairo.h>
#include <pango/pango.h>

namespace attnlab {

/// Keeps the font, or does nothing where it is kept already. From any thread.
void keep(cairo_scaled_font_t* font);

/// The fonts of a layout's runs, as Pango measures them.
void keep_measured_fonts(PangoLayout* layout);

/// The fonts of a layout's runs, as `context` draws them under its transformation; changes the context's
/// font.
void keep_drawn_fonts(cairo_t* context, PangoLayout* layout);

}  // namespace attnlab
