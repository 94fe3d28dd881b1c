// Where an axis has its marks, and what is written at them: numbers, or names.
#pragma once

#include "plotting/layout/sheet.hpp"

namespace attnlab {

struct Tick {
  double value = 0.0;
  std::string markup;  // Pango markup: a power of ten carries a superscript
};

/// "0.160", "−1.25", "nan", "−inf": a real minus sign.
std::string number_text(double value, int decimals);

/// ".25" for "0.25", and so after a minus sign; other numbers stay.
std::string without_leading_zero(std::string number);

/// Fewest digits that tell the values of a range apart: "0.05", "1000".
std::string short_number_text(double value, double span);

/// "0.25", "2×10⁻⁵": two digits, with a power of ten where zeros would have to be counted.
std::string scientific_markup(double value, double text_size);

/// Says whether these ticks fit beside each other; the candidates come from dense to sparse.
using TicksFit = std::function<bool(const std::vector<Tick>&)>;

/// Round values (1, 2 or 5 times a power of ten) inside the range: the densest choice that fits.
std::vector<Tick> linear_ticks(const Interval& range, const TicksFit& fit);

/// Powers of ten inside the range, every one or every 2nd, 5th, 10th, ...
std::vector<Tick> log_ticks(const Interval& range, double text_size, const TicksFit& fit);

/// Whole numbers from `begin` to `end` - 1: the multiples of 1, 2, 5, 10, ...
std::vector<Tick> index_ticks(std::size_t begin, std::size_t end, const TicksFit& fit);

/// The widest label.
double widest(const std::vector<Tick>& ticks, const Style& style);

enum class Side { below, above };

/// A row of names under or over equally spaced places: level where they fit, turned or in columns where they
/// are long, thinned last.
struct LabelPlan {
  Side side = Side::below;
  double angle = 0.0;       // degrees: 0, -45 (below alone) or -90
  std::size_t step = 1;     // every step-th name is written
  double depth = 0.0;       // room needed on that side
  double overhang = 0.0;    // how far the first name reaches left of its place
  double longest = 0.0;     // names are elided beyond this width
  bool in_columns = false;  // Japanese names, their characters below each other
};

/// `spacing` is the distance between two places, `longest` the room a turned name may take.
LabelPlan plan_labels(const std::vector<ShortText>& names, const Sheet& sheet, double spacing, double longest,
                      Side side = Side::below);

/// Every step-th name is written where places stand so far apart.
std::size_t step_between(const std::vector<ShortText>& names, const Sheet& sheet, double spacing);

/// Writes names `plan.step` apart on the plan's side of `y`, the first centred at `x`; ids are prefix[i].
void draw_labels(const std::vector<ShortText>& names, const LabelPlan& plan, Sheet& sheet,
                 const Position& first, double spacing, const std::string& prefix);

/// The widest of the names at the tick size, elided at `longest`.
double widest(const std::vector<ShortText>& names, const Sheet& sheet, double longest);

}  // namespace attnlab
