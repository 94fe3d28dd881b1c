// Positions: coordinates turned otherwise, sines in another order, with other frequencies, or of other
// positions.
#include "core/constants.hpp"
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

// --- Rotations

Array in_other_pairs(const Site& site, const Operands& of) {
  Derivation how = site.stage().derivation;
  how.operation =
      how.operation == Operation::rotary_pairs ? Operation::rotary_halves : Operation::rotary_pairs;
  return computed(how, of);
}

Array backwards(const Site& site, const Operands& of) {
  const Array negative = by_values(*of[1], [](double angle) { return -angle; });
  return computed(site.stage().derivation, {of[0], &negative});
}

/// The angles of a step are those between two positions.
Array a_step_further(const Site& site, const Operands& of) {
  const Array& angles = *of[1];
  const std::size_t pairs = angles.shape[1];
  if (angles.shape[0] < 2) throw ShapeMismatch("no step");
  Array later = angles;
  for (std::size_t i = 0; i < later.data.size(); ++i) {
    later.data[i] += angles.data[pairs + i % pairs] - angles.data[i % pairs];
  }
  return computed(site.stage().derivation, {of[0], &later});
}

bool is_rotation(const Stage& stage) {
  return stage.derivation.operation == Operation::rotary_pairs ||
         stage.derivation.operation == Operation::rotary_halves;
}

/// Whether a rotation's angles are multiples of this stage: ω_i = base^(-i/pairs).
bool are_frequencies(const Site& site) {
  const std::vector<Stage>& trace = *site.trace;
  const auto is_made_of = [](const Stage& stage, const std::string& name) {
    return stage.derivation.operands.size() == 2 && stage.derivation.operands[1] == name;
  };
  return std::any_of(trace.begin(), trace.end(), [&](const Stage& angles) {
    return is_made_of(angles, site.stage().name) &&
           std::any_of(trace.begin(), trace.end(), [&](const Stage& turned) {
             return is_rotation(turned) && is_made_of(turned, angles.name);
           });
  });
}

// --- Frequencies, of rotations and of sines: their logarithms are multiples of one another

/// The base of ω_i = base^(-i/count), of two frequencies or more.
double base_of(const std::vector<double>& frequencies) {
  if (frequencies.size() < 2) throw ShapeMismatch("no base");
  return std::pow(frequencies[1], -static_cast<double>(frequencies.size()));
}

// --- Sines

/// The row one position further: every pair (sin, cos) turned by its own angle, which stands in row 1.
void turn(const double* angles, const double* row, std::size_t width, double* next) {
  for (std::size_t i = 0; i < width; i += 2) {
    next[i] = row[i] * angles[i + 1] + row[i + 1] * angles[i];
    next[i + 1] = row[i + 1] * angles[i + 1] - row[i] * angles[i];
  }
}

/// Pairs (sin, cos) of the positions 0, 1, 2, ...
bool is_sinusoidal(const Array& array) {
  if (array.shape.size() != 2 || array.shape[0] < 3 || array.shape[1] < 2 || array.shape[1] % 2 != 0)
    return false;
  const std::size_t width = array.shape[1];
  const double* rows = array.data.data();
  std::vector<double> next(width);
  for (std::size_t i = 0; i < width; ++i) {
    if (rows[i] != static_cast<double>(i % 2)) return false;
  }
  for (std::size_t row = 1; row + 1 < array.shape[0]; ++row) {
    turn(rows + width, rows + row * width, width, next.data());
    const auto is_near = [](double a, double b) { return !(std::abs(a - b) > 1e-5); };
    if (!std::equal(next.begin(), next.end(), rows + (row + 1) * width, is_near)) return false;
  }
  return true;
}

/// Value (row, column) from `value(row, column)`.
Array with_values(const Array& like, const std::function<double(std::size_t, std::size_t)>& value) {
  Array result = like;
  const std::size_t width = like.shape.back();
  for (std::size_t i = 0; i < result.data.size(); ++i) result.data[i] = value(i / width, i % width);
  return result;
}

/// The angle of each pair of columns in a step.
std::vector<double> frequencies_of(const Array& encoding) {
  const double* row = encoding.data.data() + encoding.shape[1];
  std::vector<double> frequencies;
  for (std::size_t i = 0; i < encoding.shape[1]; i += 2)
    frequencies.push_back(std::atan2(row[i], row[i + 1]));
  return frequencies;
}

/// Sines of `omega(column)` in even columns and cosines in odd ones, of as many positions from `first` on.
Array sines(const Array& like, const std::function<double(std::size_t)>& omega, std::size_t first = 0) {
  return with_values(like, [&](std::size_t row, std::size_t column) {
    const double angle = static_cast<double>(first + row) * omega(column);
    return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
  });
}

/// Sines and cosines made otherwise.
UsualMistake other_sines(const char* id, Array (*wrong)(const Array& encoding)) {
  return {id,
          {Operation::input, Operation::worked},
          [wrong](const Site& site, const Operands&) { return wrong(site.stage().array); },
          [](const Site& site) { return is_sinusoidal(site.stage().array); }};
}

/// The frequencies that a stage holds, or those of its sines; none where it has none.
std::vector<double> frequencies_at(const Site& site) {
  const Array& array = site.stage().array;
  if (are_frequencies(site)) return array.data;
  return is_sinusoidal(array) ? frequencies_of(array) : std::vector<double>{};
}

template <std::size_t least>
bool has_frequencies(const Site& site) {
  return frequencies_at(site).size() >= least;
}

/// The stage with `changed(ω_i)` for every ω_i.
Array with_frequencies(const Site& site, const std::function<double(double omega)>& changed) {
  const Array& array = site.stage().array;
  if (are_frequencies(site)) return by_values(array, changed);
  return sines(array, [&, omega = frequencies_of(array)](std::size_t i) { return changed(omega[i / 2]); });
}

Array with_power(const Site& site, double exponent) {
  return with_frequencies(site, [exponent](double omega) { return std::pow(omega, exponent); });
}

UsualMistake other_frequencies(const char* id, double (*changed)(double omega), UsualMistake::Where where) {
  return {id,
          {Operation::input, Operation::worked},
          [changed](const Site& site, const Operands&) { return with_frequencies(site, changed); },
          where};
}

std::vector<Way> with_other_base(const Site& site) {
  constexpr std::array<double, 9> usual_bases{10.0, 100.0, 1e3, 1e4, 1e5, 5e5, 1e6, 5e6, 1e7};
  std::vector<Way> ways;
  const std::vector<double> frequencies = frequencies_at(site);
  if (frequencies.size() < 2) return ways;
  const double own = base_of(frequencies);
  for (const double base : usual_bases) {
    if (std::abs(base / own - 1.0) < 1e-6) continue;
    const double exponent = std::log(base) / std::log(own);
    ways.push_back({[site, exponent](const Operands&) { return with_power(site, exponent); },
                    fmt::format("{:g}", base), fmt::format("{:g}", std::round(own))});
  }
  return ways;
}

/// Column i from column `source(i, width)`.
Array with_columns(const Array& array, std::size_t (*source)(std::size_t i, std::size_t width)) {
  const std::size_t width = array.shape.back();
  return with_values(array, [&](std::size_t row, std::size_t column) {
    return array.data[row * width + source(column, width)];
  });
}

Array sines_from_one(const Array& encoding) {
  const std::vector<double> omega = frequencies_of(encoding);
  return sines(
      encoding, [&](std::size_t i) { return omega[i / 2]; }, 1);
}

/// base^(-column/(times · pairs)) of each column by itself.
Array with_frequency_of_each_column(const Array& encoding, double times) {
  const std::vector<double> omega = frequencies_of(encoding);
  const double base = base_of(omega);
  return sines(encoding, [&](std::size_t column) {
    return std::pow(base, -static_cast<double>(column) / (times * static_cast<double>(omega.size())));
  });
}

Array with_cosines_first(const Array& encoding) {
  return with_columns(encoding, [](std::size_t i, std::size_t) { return i % 2 == 0 ? i + 1 : i - 1; });
}

Array with_sines_in_halves(const Array& encoding) {
  return with_columns(
      encoding, [](std::size_t i, std::size_t width) { return i < width / 2 ? 2 * i : 2 * i - width + 1; });
}

/// base^(-i/(d/2 - 1)): the last frequency is 1/base itself, as in tensor2tensor.
double exponent_of_tensor2tensor(const Site& site) {
  const auto pairs = static_cast<double>(frequencies_at(site).size());
  return pairs / (pairs - 1.0);
}

// --- Points (cos, sin)

/// The angle of each point, from 0 to 2π; none where a row is no such point.
std::vector<double> angles_of(const Array& points) {
  std::vector<double> angles;
  if (points.shape.empty() || points.shape.back() != 2) return angles;
  for (std::size_t i = 0; i < points.data.size(); i += 2) {
    if (std::abs(std::hypot(points.data[i], points.data[i + 1]) - 1.0) > 1e-9) return {};
    const double angle = std::atan2(points.data[i + 1], points.data[i]);
    angles.push_back(angle < -1e-12 ? angle + 2.0 * pi : angle);
  }
  return angles;
}

Array at_angles(const Array& like, const std::function<double(std::size_t point)>& angle) {
  Array points = like;
  for (std::size_t i = 0; i < points.data.size(); ++i)
    points.data[i] = i % 2 == 0 ? std::cos(angle(i / 2)) : std::sin(angle(i / 2));
  return points;
}

/// Whole degrees from 0 to 360 or -180 to 180, taken for radians.
std::vector<Way> with_degrees_for_radians(const Site& site) {
  std::vector<Way> ways;
  const std::vector<double> angles = angles_of(site.stage().array);
  if (angles.empty()) return ways;
  for (const double turn : {0.0, 360.0}) {
    ways.push_back({[site, angles, turn](const Operands&) {
      return at_angles(site.stage().array, [&](std::size_t point) {
        const double degrees = std::round(angles[point] * 180.0 / pi * 1e6) / 1e6;
        return degrees > 180.0 ? degrees - turn : degrees;
      });
    }});
  }
  return ways;
}

/// np.linspace(0, 2π, n), whose last point is the first again, for n points around the circle.
std::vector<Way> with_endpoint(const Site& site) {
  const std::vector<double> angles = angles_of(site.stage().array);
  const auto count = static_cast<double>(angles.size());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    if (std::abs(angles[i] - 2.0 * pi * static_cast<double>(i) / count) > 1e-9) return {};
  }
  if (angles.size() < 3) return {};
  return {{[site, count](const Operands&) {
    return at_angles(site.stage().array, [count](std::size_t point) {
      return 2.0 * pi * static_cast<double>(point) / (count - 1.0);
    });
  }}};
}

// --- Inputs

/// Whether a stage holds numbers that another type would round.
bool has_fractions(const Site& site) {
  const std::vector<double>& values = site.stage().array.data;
  return std::any_of(values.begin(), values.end(), [](double value) { return value != std::trunc(value); });
}

UsualMistake other_type(const char* id, double (*rounded)(double)) {
  return {id,
          {Operation::input},
          [rounded](const Site& site, const Operands&) { return by_values(site.stage().array, rounded); },
          has_fractions};
}

}  // namespace

const std::vector<UsualMistake>& position_mistakes() {
  static const UsualMistake::Operations rotations{Operation::rotary_pairs, Operation::rotary_halves};
  static const std::vector<UsualMistake> list{
      {"other-pairs.neighbours", {Operation::rotary_halves}, in_other_pairs},
      {"other-pairs.halves", {Operation::rotary_pairs}, in_other_pairs},
      {"turned-backwards", rotations, backwards},
      {"not-turned", rotations, [](const Array& array) { return array; }},
      {"positions-from-one", rotations, a_step_further},
      other_sines("positions-from-one", sines_from_one),
      other_sines("sine-and-cosine-swapped", with_cosines_first),
      other_sines("sine-and-cosine-in-halves", with_sines_in_halves),
      other_frequencies(
          "exponent.twice", [](double omega) { return std::pow(omega, 2.0); }, has_frequencies<1>),
      other_frequencies(
          "exponent.half", [](double omega) { return std::pow(omega, 0.5); }, has_frequencies<1>),
      other_sines("frequency-of-each-column",
                  [](const Array& encoding) { return with_frequency_of_each_column(encoding, 2.0); }),
      // 2i/d where i counts columns, not pairs
      other_sines("exponent.column",
                  [](const Array& encoding) { return with_frequency_of_each_column(encoding, 1.0); }),
      other_frequencies(
          "exponent.sign", [](double omega) { return 1.0 / omega; }, has_frequencies<2>),
      {"exponent.tensor2tensor",
       {Operation::input, Operation::worked},
       [](const Site& site, const Operands&) { return with_power(site, exponent_of_tensor2tensor(site)); },
       has_frequencies<2>},
      {"exponent.tensor2tensor",
       {Operation::input, Operation::worked},
       [](const Site& site, const Operands&) {
         return with_sines_in_halves(with_power(site, exponent_of_tensor2tensor(site)));
       },
       [](const Site& site) { return is_sinusoidal(site.stage().array) && has_frequencies<2>(site); }},
      other_frequencies(
          "degrees", [](double omega) { return omega * pi / 180.0; }, has_frequencies<2>),
      {"degrees.angle", {Operation::input}, with_degrees_for_radians},
      {"endpoint", {Operation::input}, with_endpoint},
      other_type("inputs-as-integers", [](double value) { return std::trunc(value); }),
      other_type("inputs-in-half-precision",
                 [](double value) { return in_half_precision(value, "float16"); }),
      other_type("inputs-in-half-precision.bfloat16",
                 [](double value) { return in_half_precision(value, "bfloat16"); }),
      {"other-base", {Operation::input, Operation::worked}, with_other_base}};
  return list;
}

}  // namespace attnlab
