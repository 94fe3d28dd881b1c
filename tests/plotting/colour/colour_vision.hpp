// How far apart two colours look, to every colour vision: the tests' own measure of the palettes.
#pragma once

#include "plotting/layout/display_list.hpp"

namespace attnlab {

enum class Vision { normal, protanopia, deuteranopia, tritanopia, grey };

/// What a colour looks like: Machado, Oliveira and Fernandes (2009), severity 1, in linear light; grey keeps
/// the luminance alone.
Colour seen_by(Vision vision, const Colour& colour);

struct Lab {
  double lightness = 0.0;
  double a = 0.0;
  double b = 0.0;
};
/// CIE 1976 L*a*b*, D65.
Lab lab_of(const Colour& colour);

/// CIEDE2000 (Sharma, Wu and Dalal 2005): 1 is just noticeable side by side, 10 is plain at a glance.
double difference(const Lab& one, const Lab& other);

}  // namespace attnlab
