// One base line for all scripts of a line of text.
#pragma once

#include <pango/pango.h>

namespace attnlab {

/// What the item's text was told to rise, in Pango's units: subscripts fall.
int rise_of(const PangoItem& item);

/// Pango 1.50 aligns the runs of a line that begins in Japanese at the feet of the ideographs, where fonts
/// disagree: Inter's letters stood a tenth of their size too high. Gives every run its own rise and no more.
/// To be called whenever the layout's text or attributes have changed.
void share_baseline(PangoLayout* layout);

}  // namespace attnlab
