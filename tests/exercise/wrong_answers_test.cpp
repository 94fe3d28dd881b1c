// Whoever computed nothing, or something else, gets no mark: every array of every experiment against what is
// handed in instead of it, in every way to store it; and the right one passes in each of them.
#include <doctest/doctest.h>

#include "core/agreement.hpp"
#include "core/named.hpp"
#include "exercise/grading.hpp"

using attnlab::Arguments;
using attnlab::Array;
using attnlab::Experiment;
using attnlab::largest_magnitude;
using attnlab::NamedArray;
using attnlab::Report;
using attnlab::Stage;
using Storage = NamedArray::Storage;

namespace {

using Numbers = std::vector<double>;

struct Answer {
  std::string what;
  Numbers values;
};

// --- What is handed in -------------------------------------------------------------------------------------

std::size_t row_length(const Array& array) { return array.shape.empty() ? 1 : array.shape.back(); }

/// The place of the largest value of every row.
Numbers one_hot(const Array& right) {
  Numbers result(right.data.size(), 0.0);
  const std::size_t row = row_length(right);
  for (std::size_t begin = 0; begin < result.size(); begin += row) {
    std::size_t largest = begin;
    for (std::size_t i = begin; i < begin + row; ++i) {
      if (right.data[i] > right.data[largest]) largest = i;
    }
    result[largest] = 1.0;
  }
  return result;
}

/// Those that need no computation.
std::vector<Answer> guesses(const Array& right) {
  const std::size_t size = right.data.size();
  return {{"zeros", Numbers(size, 0.0)},
          {"ones", Numbers(size, 1.0)},
          {"even share", Numbers(size, 1.0 / static_cast<double>(row_length(right)))},
          {"one-hot", one_hot(right)}};
}

std::vector<Answer> wrong_answers(const Array& right, const Array* of_another_seed) {
  std::vector<Answer> answers = guesses(right);
  if (of_another_seed != nullptr) answers.push_back({"another seed's", of_another_seed->data});
  const Numbers& values = right.data;
  const auto largest =
      static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  for (const std::size_t other :
       {(largest + 1) % values.size(), (largest + values.size() / 2) % values.size()}) {
    answers.push_back({"exchanged", values});
    std::swap(answers.back().values[largest], answers.back().values[other]);
  }
  const std::size_t step = 1 + values.size() / (values.size() > 2000 ? 2 : 6);
  for (std::size_t i = 0; i < values.size(); i += step) {
    answers.push_back({"one off by 3 %", values});
    answers.back().values[i] *= 1.03;
  }
  answers.push_back({"the largest off by 3 %", values});
  answers.back().values[largest] *= 1.03;
  return answers;
}

// --- How it is stored --------------------------------------------------------------------------------------

/// Rounded to 11 bits, to nearest even; below 2^-14 to multiples of 2^-24.
double as_half(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double result = std::nearbyint(value / unit) * unit;
  return std::abs(result) < 65520.0 ? result : std::copysign(attnlab::infinity, value);
}

double to_decimals(double value, int decimals) {
  return std::isfinite(value) ? std::stod(fmt::format("{:.{}f}", value, decimals)) : value;
}

/// Rounded to 8 bits, to nearest even.
double as_bfloat16(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 8, -133));
  return std::nearbyint(value / unit) * unit;
}

double to_four_digits(double value) {
  return std::isfinite(value) ? std::stod(fmt::format("{:.4g}", value)) : value;
}

struct Way {
  std::string name;
  Storage storage = Storage::float64;
  int decimals = 0;                           // else as precisely as the storage
  double (*rounded)(double value) = nullptr;  // before it is stored
  double off = 0.0;                           // by this share of a value at most
};

const std::vector<Way> ways{{"float64", Storage::float64},
                            {"float32", Storage::float32},
                            {"float16", Storage::float16},
                            {"2 decimals", Storage::text, 2},
                            {"3 decimals", Storage::text, 3},
                            {"rounded to 2", Storage::float64, 2},
                            {"rounded to 3", Storage::float64, 3},
                            {"float16 in float32", Storage::float32, 0, as_half, 0x1p-11},
                            {"bfloat16 in float32", Storage::float32, 0, as_bfloat16, 0x1p-8},
                            {"4 significant digits", Storage::float64, 0, to_four_digits, 5e-4}};

NamedArray stored(const Way& way, const Array& right, Numbers values) {
  for (double& value : values) {
    if (way.decimals > 0) value = to_decimals(value, way.decimals);
    if (way.rounded != nullptr) value = way.rounded(value);
    if (way.storage == Storage::float32) value = static_cast<float>(value);
    if (way.storage == Storage::float16) value = as_half(value);
  }
  NamedArray provided{"", right, way.storage, {}};
  if (way.storage == Storage::text)
    provided.half_units.assign(values.size(), 0.5 * std::pow(10.0, -way.decimals));
  provided.array.data = std::move(values);
  return provided;
}

/// The largest difference, in units of the largest value.
double off(const Numbers& provided, const Array& right) {
  double largest = 0.0;
  for (std::size_t i = 0; i < provided.size(); ++i) {
    largest = std::max(largest, attnlab::difference(provided[i], right.data[i]));
  }
  return largest == 0.0 ? 0.0 : largest / largest_magnitude(right.data);
}

// --- What must be said of it -------------------------------------------------------------------------------

/// The fewest decimals that hold the values: what is left of rounded ones in an array of floats.
int decimals_in(const Numbers& values, int most) {
  for (int decimals = 1; decimals < most; ++decimals) {
    if (std::all_of(values.begin(), values.end(), [&](double value) {
          return !std::isfinite(value) || to_decimals(value, decimals) == value;
        }))
      return decimals;
  }
  return most;
}

/// Counts, or one number but for zeros.
bool is_whole_or_even(const Array& right) {
  const auto all = [&](auto is) { return std::all_of(right.data.begin(), right.data.end(), is); };
  const double largest = largest_magnitude(right.data);
  return all([](double value) { return value == std::floor(value); }) ||
         all([&](double value) { return value == 0.0 || std::abs(value - largest) < 1e-9 * largest; });
}

/// Two significant digits of the largest value, and no guess that rounds alike.
bool must_pass(const Way& way, const NamedArray& provided, const Array& right) {
  const double largest = largest_magnitude(right.data);
  const double smallest_half = std::ldexp(1.0, -14);
  if (way.storage == Storage::float16) return largest == 0.0 || (largest < 65504 && largest > smallest_half);
  if ((way.decimals == 0 && way.off == 0.0) || off(provided.array.data, right) < 1e-12) return true;
  const int decimals =
      way.storage == Storage::text ? way.decimals : decimals_in(provided.array.data, way.decimals);
  const double unit = way.off > 0.0 ? 2.02 * way.off * largest : std::pow(10.0, -decimals);
  if (way.off > 0.0 && (largest < smallest_half || largest > 65504.0 || is_whole_or_even(right)))
    return false;
  const Numbers& values = right.data;
  const auto spread = std::minmax_element(values.begin(), values.end());
  if (largest < 10.0 * unit || (*spread.second > *spread.first && *spread.second - *spread.first <= unit))
    return false;
  for (const Answer& guess : guesses(right)) {
    const double error = off(guess.values, right) * largest;
    if (error > 1e-6 * largest && error <= unit / 2.0) return false;
  }
  return true;
}

/// By more than this, in units of the largest value, an answer is wrong, whatever scores went into it: 2 %
/// for half precision, else 1/1000 or half a unit of the last decimal, which no guess is granted.
double most_allowed(const Way& way, const Array& right, bool is_guess) {
  if (way.storage == Storage::float16) return 0.0201;
  const double half_unit = way.decimals > 0 && !is_guess ? 0.5 * std::pow(10.0, -way.decimals) : 0.0;
  return std::max({1.001e-3, 1.001 * half_unit / largest_magnitude(right.data), is_guess ? 0.0 : way.off});
}

struct Tally {
  std::size_t passed = 0;
  std::size_t refused = 0;
  std::size_t equal = 0;   // wrong answers that are right as far as their digits go
  std::size_t untold = 0;  // right ones with too few digits
};

void check_array(const Report& report, std::size_t index, const Array* of_another_seed, Tally& tally) {
  const Array& right = report.stages[index].array;
  const double largest_score = attnlab::largest_score_of(report.stages, index);
  const std::vector<Answer> answers = wrong_answers(right, of_another_seed);
  for (const Way& way : ways) {
    const NamedArray provided = stored(way, right, right.data);
    CAPTURE(way.name);
    if (must_pass(way, provided, right)) {
      CHECK(compare(provided, right, largest_score).agrees);
      ++tally.passed;
    } else {
      ++tally.untold;
    }
    for (const Answer& answer : answers) {
      const NamedArray handed_in = stored(way, right, answer.values);
      const double error = off(handed_in.array.data, right);
      const bool is_guess = &answer - answers.data() < 4;
      if (!(std::max(error, is_guess ? off(answer.values, right) : 0.0) >
            most_allowed(way, right, is_guess))) {
        ++tally.equal;
        continue;
      }
      CAPTURE(answer.what);
      CAPTURE(error);
      CHECK_FALSE(compare(handed_in, right, largest_score).agrees);
      ++tally.refused;
    }
  }
}

/// With another seed where the experiment has one.
Arguments arguments_of(const Experiment& experiment, const std::string& seed) {
  Arguments arguments(experiment.parameters);
  if (!seed.empty() && attnlab::find_named(experiment.parameters, "seed") != nullptr)
    arguments.set("seed", seed);
  return arguments;
}

}  // namespace

TEST_CASE("no wrong answer passes and every right one does, for every array of every experiment") {
  Tally tally;
  for (const Experiment& experiment : attnlab::experiments()) {
    CAPTURE(experiment.name);
    const Report report = attnlab::run(experiment, arguments_of(experiment, ""));
    const Report other = attnlab::run(experiment, arguments_of(experiment, "4711"));
    for (std::size_t i = 0; i < report.stages.size(); ++i) {
      const Stage& stage = report.stages[i];
      CAPTURE(stage.name);
      if (attnlab::differs_by_run(stage) || stage.array.data.empty()) continue;
      const Stage* same = attnlab::find_named(other.stages, stage.name);
      const bool fits = same != nullptr && same->array.shape == stage.array.shape;
      check_array(report, i, fits ? &same->array : nullptr, tally);
    }
  }
  CHECK(50 * tally.untold < tally.passed);
}

TEST_CASE("no wrong answer to any exercise gets a mark and every right one gets all") {
  for (const Experiment& experiment : attnlab::experiments()) {
    CAPTURE(experiment.name);
    const Report report = attnlab::run_rounded(experiment, arguments_of(experiment, ""), 3);
    const Report other = attnlab::run_rounded(experiment, arguments_of(experiment, "4711"), 3);
    const std::vector<std::string> names = attnlab::questions(report);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i) {
      CAPTURE(names[i]);
      const Array& right = attnlab::stage(report, names[i]).array;
      const auto share = [&](const Numbers& values) {
        const NamedArray provided = stored(ways[0], right, values);
        return attnlab::graded({"s1", "A"}, report, {names[i]}, {provided}).share;
      };
      CHECK(share(right.data) == 1.0);
      for (const Answer& answer : wrong_answers(right, &attnlab::stage(other, names[i]).array)) {
        CAPTURE(answer.what);
        if (off(answer.values, right) > 1.001e-3) CHECK(share(answer.values) == 0.0);
      }
    }
  }
}
