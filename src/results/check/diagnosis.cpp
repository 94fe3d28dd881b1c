// Makes one mistake after the other on purpose, computes again what it reaches, and looks which of them gives
// what was given; or which two.
#include "core/agreement.hpp"
#include "core/constants.hpp"
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

// --- What mistakes reach

/// What leads to a target.
struct Path {
  const std::vector<Stage>& trace;
  std::size_t target = 0;
  std::vector<bool> part;                          // which stages the target is made of
  std::vector<std::vector<std::size_t>> operands;  // of each stage

  Path(const std::vector<Stage>& trace_, std::size_t target_)
      : trace(trace_), target(target_), part(made_of(trace, target)) {
    for (const Stage& stage : trace) {
      std::vector<std::size_t>& of = operands.emplace_back();
      for (const std::string& name : stage.derivation.operands) of.push_back(index_of(trace, name));
    }
  }
};

/// The stages up to a target: in the trace, or as mistakes have made them.
class Replay {
 public:
  explicit Replay(const Path& path) : path_(&path), arrays_(path.trace.size()) {}

  /// Makes the mistakes and computes again what they reach from stage `first` on; what was made before it
  /// stays. False when they do not reach the target, when shapes do not fit, or when a stage between was
  /// worked out by its experiment.
  bool make(const std::vector<const Fault*>& faults, std::size_t first = 0) {
    std::map<std::size_t, const Way*> ways;
    for (const Fault* fault : faults) {
      for (const auto& [site, way] : fault->made) {
        if (!ways.emplace(site.index, &way).second) return false;
      }
    }
    try {
      for (std::size_t i = first; i <= path_->target; ++i) {
        if (path_->part[i] && !make(i, ways)) return false;
      }
    } catch (const ShapeMismatch&) {  // the mistake is impossible with these shapes
      return false;
    }
    return result() != nullptr;
  }

  /// The target where it differs.
  const Array* result() const { return arrays_[path_->target].get(); }

  /// About how many multiplications there are from stage `first` to the target.
  double work_from(std::size_t first) const {
    double work = 0.0;
    for (std::size_t i = first; i <= path_->target; ++i) {
      if (!path_->part[i]) continue;
      const Stage& stage = path_->trace[i];
      const auto size = static_cast<double>(stage.array.data.size());
      const bool multiplies = operation_of(stage) == Derivation::Operation::product ||
                              operation_of(stage) == Derivation::Operation::product_with_transpose;
      const Array* left = multiplies ? &array(path_->operands[i][0]) : nullptr;
      work +=
          300.0 +
          size * (left == nullptr || left->shape.empty() ? 20.0 : static_cast<double>(left->shape.back()));
    }
    return work;
  }

 private:
  const Array& array(std::size_t index) const {
    return arrays_[index] ? *arrays_[index] : path_->trace[index].array;
  }

  bool make(std::size_t index, const std::map<std::size_t, const Way*>& ways) {
    const Stage& stage = path_->trace[index];
    const std::vector<std::size_t>& from = path_->operands[index];
    const auto way = ways.find(index);
    const bool differs = std::any_of(from.begin(), from.end(),
                                     [&](std::size_t operand) { return arrays_[operand] != nullptr; });
    if (way == ways.end() && !differs) return true;
    if (way == ways.end() && !can_be_made_again(stage.derivation)) return false;
    Operands operands;
    for (const std::size_t operand : from) operands.push_back(&array(operand));
    arrays_[index] = std::make_shared<const Array>(way == ways.end() ? made_again(stage.derivation, operands)
                                                                     : way->second->make(operands));
    return true;
  }

  const Path* path_;
  std::vector<std::shared_ptr<const Array>> arrays_;
};

// --- Which mistake it was

/// Values that a mistake must account for, as decimal digits: fewer are met by chance, as many mistakes as
/// there are. Two mistakes at once have more chances.
constexpr double least_digits = 6.0;
constexpr double least_digits_of_two = 9.0;

/// A mistake must give the array so much nearer than the right result does, and so much nearer than the next
/// mistake: what is off by a little is no mistake, and of two that come as near both are named.
double clearly(Closeness closeness) { return is_rounded(closeness) ? 4.0 : 16.0; }

/// So many multiplications and no more go into the search for one mistake, and as many for two: a fraction of
/// a second.
constexpr double most_work = 3e8;

struct Wrong {
  Path path;
  const NamedArray& submitted;
  double largest_score = 0.0;
  std::optional<Array> fitted;  // in the stage's shape
  double error = infinity;      // of the right result
  bool is_right = false;        // the right result agrees, at the precision of float32
  mutable double work = 0.0;    // done so far

  Wrong(const std::vector<Stage>& trace_, std::size_t target_, const NamedArray& values_set_, double score)
      : path(trace_, target_),
        submitted(values_set_),
        largest_score(score),
        fitted(in_shape(values_set_, stage().array.shape)) {
    if (const auto right = compare_in_shape(submitted, stage().array, largest_score)) {
      error = right->largest_error;
      is_right = right->agrees;
    }
  }

  const Stage& stage() const { return path.trace[path.target]; }

  /// How the array agrees with a mistaken one; nothing where it does not, where the right one is as near, or
  /// where so few values differ from the right ones that a mistake gives them by chance.
  std::optional<Comparison> is(const Array& array, double digits = least_digits) const {
    constexpr double far = 0.1;  // beyond every rounding
    const double most = far * largest_magnitude(array.data);
    const bool same_shape = array.shape == submitted.array.shape;
    for (std::size_t i = 0; same_shape && i < array.data.size(); ++i) {
      if (difference(submitted.array.data[i], array.data[i]) > most) return std::nullopt;
    }
    std::optional<Comparison> comparison = compare_in_shape(submitted, array, largest_score);
    if (!comparison || !comparison->agrees) return std::nullopt;
    if (!(clearly(comparison->closeness) * comparison->largest_error <= error)) return std::nullopt;
    if (explained_digits(*comparison) < digits) return std::nullopt;
    const bool is_loose =
        !is_rounded(comparison->closeness) && comparison->closeness > strictest(submitted, array);
    constexpr double surely = 1e5;
    if (is_loose && !(surely * comparison->largest_error <= error)) return std::nullopt;
    return comparison;
  }
  std::optional<Comparison> is(const Fault& fault) const {
    Replay replay(path);
    work += replay.work_from(first_of(fault));
    if (!replay.make({&fault})) return std::nullopt;
    return is(*replay.result());
  }
  Diagnosis diagnosis(const std::string& id, const MistakeValues& words) const {
    return {id, stage().name, mistake_text(id, words)};
  }

  static std::size_t first_of(const Fault& fault) {
    std::size_t first = fault.made.front().first.index;
    for (const auto& [site, way] : fault.made) first = std::min(first, site.index);
    return first;
  }

 private:
  /// Of the different values that the right result does not have.
  double explained_digits(const Comparison& comparison) const {
    const double largest = std::max(1e-300, largest_magnitude(submitted.array.data));
    const double unit = std::max(2.0 * comparison.allowed, 1e-15 * largest);
    const double each = std::log10(std::max(1.0, largest / unit));
    std::set<double> values;
    double digits = 0.0;
    const std::vector<double>& all = fitted ? fitted->data : submitted.array.data;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double value = all[i];
      if (fitted && difference(value, stage().array.data[i]) <= comparison.allowed) continue;
      if (!std::isfinite(value)) {
        digits += 3.0;
      } else if (values.insert(std::round(value / std::max(unit, 1e-3 * largest))).second) {
        digits += each;
      }
    }
    return digits;
  }
};

/// A mistake that gives what was given.
struct Found {
  const Fault* fault;
  Comparison comparison;
};

/// Not the same mistake at a stage before it, nor a variant of it.
bool is_another(const Fault& one, const Fault& other) {
  if (one.mistake->name() != other.mistake->name()) return true;
  return one.mistake == other.mistake && one.made.size() == other.made.size() &&
         one.made.front().first.index == other.made.front().first.index;
}

/// The nearest; after it those that come as near, each said once: where d_model = d_k², 1/d_k is 1/√d_model,
/// and eps of 1e-12 is none.
std::optional<Diagnosis> nearest_of(std::vector<Found> found) {
  if (found.empty()) return std::nullopt;
  const auto nearer = [](const Found& a, const Found& b) {
    if (a.comparison.closeness != b.comparison.closeness)
      return a.comparison.closeness < b.comparison.closeness;
    return a.comparison.largest_error < b.comparison.largest_error;
  };
  const Comparison best = std::min_element(found.begin(), found.end(), nearer)->comparison;
  const double as_near =
      std::max(clearly(best.closeness) * best.largest_error, best.allowed / clearly(best.closeness));
  std::optional<Diagnosis> diagnosis;
  const Fault* first = nullptr;
  for (const Found& one : found) {
    if (one.comparison.closeness != best.closeness || one.comparison.largest_error > as_near) continue;
    const Text what = one.fault->what();
    if (first == nullptr) {
      first = one.fault;
      diagnosis = Diagnosis{first->mistake->name(), first->made.front().first.stage().name, what};
    } else if (is_another(*first, *one.fault) && what.en() != diagnosis->what.en()) {
      diagnosis->what = text("{}。または、{}", "{}; or else {}", diagnosis->what, what);
      return diagnosis;
    }
  }
  return diagnosis;
}

/// Of all lists, each of which is gone through as long as there is time.
std::optional<Diagnosis> explained_by(const std::vector<std::vector<Fault>>& lists, const Wrong& wrong) {
  std::vector<Found> found;
  for (const std::vector<Fault>& faults : lists) {
    wrong.work = 0.0;
    for (const Fault& fault : faults) {
      if (wrong.work > most_work) break;
      if (const std::optional<Comparison> comparison = wrong.is(fault))
        found.push_back({&fault, *comparison});
    }
  }
  return nearest_of(std::move(found));
}

/// A factor of 1, as where there is no mask. A wrong scale is sought where there is a scale first.
bool is_identity(const Stage& stage) {
  return stage.derivation.operation == Derivation::Operation::scaled && stage.derivation.number == 1.0;
}

/// What may have gone wrong at each stage, from the target upwards.
std::vector<Fault> faults_above(const Path& path) {
  std::vector<Fault> faults;
  for (const bool identities : {false, true}) {
    for (std::size_t i = path.target + 1; i-- > 0;) {
      if (!path.part[i] || is_identity(path.trace[i]) != identities) continue;
      std::vector<Fault> here = faults_at(path.trace, i);
      std::move(here.begin(), here.end(), std::back_inserter(faults));
    }
  }
  return faults;
}

// --- Two mistakes at once

/// Among so many pairs one would give an array of few numbers by chance.
bool distinguishes_pairs(const Wrong& wrong) {
  const double unit = 1e-3 * std::max(1e-300, largest_magnitude(wrong.submitted.array.data));
  std::set<double> values;
  for (const double value : wrong.submitted.array.data) {
    if (std::isfinite(value)) values.insert(std::round(value / unit));
    if (values.size() >= 6) return true;
  }
  return false;
}

std::optional<Diagnosis> two_mistakes(const std::vector<Fault>& faults, const Wrong& wrong) {
  struct Made {
    const Fault* fault;
    Replay replay;
    std::size_t first;
  };
  std::vector<Made> all;
  for (const Fault& fault : faults) {
    if (!is_often_made(fault.mistake->id)) continue;
    Made made{&fault, Replay(wrong.path), Wrong::first_of(fault)};
    if (made.replay.make({&fault})) all.push_back(std::move(made));
  }
  double work = 0.0;
  for (const Made& early : all) {
    for (const Made& late : all) {
      if (late.first <= early.first) continue;
      work += early.replay.work_from(late.first);
      if (work > most_work) return std::nullopt;
      Replay replay = early.replay;
      if (!replay.make({early.fault, late.fault}, late.first) || !wrong.is(*replay.result())) continue;
      const auto stage_of = [](const Made& made) { return made.fault->made.front().first.stage().name; };
      return Diagnosis{early.fault->mistake->name() + "+" + late.fault->mistake->name(), stage_of(early),
                       text("{0}。さらに、{2} の段階で、{1}", "{0}; and at stage {2}, {1}",
                            early.fault->what(), late.fault->what(), stage_of(late))};
    }
  }
  return std::nullopt;
}

// --- What is said of the array itself

/// What -inf should hide is hidden by a large number: the weights come out the same.
std::optional<Diagnosis> finite_mask(const Wrong& wrong) {
  const Array& array = wrong.stage().array;
  if (!wrong.fitted) return std::nullopt;
  const std::vector<double>& submitted = wrong.fitted->data;
  NamedArray seen = wrong.submitted;
  double least = 0.0;
  for (std::size_t i = 0; i < submitted.size(); ++i) {
    if (!std::isinf(array.data[i]) || !is_masking(submitted[i]) || std::isinf(submitted[i])) continue;
    least = std::min(least, submitted[i]);
    seen.array.data[i] = array.data[i];
  }
  if (least == 0.0) return std::nullopt;
  const std::optional<Comparison> comparison = compare_in_shape(seen, array, wrong.largest_score);
  if (!comparison || !comparison->agrees) return std::nullopt;
  return wrong.diagnosis("masked-with-a-number", {"", "", least});
}

std::optional<Diagnosis> wrong_whole(const Wrong& wrong) {
  for (const WrongWhole& whole : wrong_wholes(wrong.path.trace, wrong.path.target, wrong.submitted)) {
    if (wrong.is(whole.array, whole.digits)) return wrong.diagnosis(whole.id, whole.words);
  }
  return std::nullopt;
}

std::optional<Diagnosis> another_stage(const Wrong& wrong) {
  const std::string& wanted = wrong.stage().name;
  for (std::size_t i = 0; i < wrong.path.trace.size(); ++i) {
    const Stage& stage = wrong.path.trace[i];
    if (wrong.is_right || stage.name == wanted || !wrong.is(stage.array)) continue;
    return wrong.diagnosis(wrong.path.part[i] ? "steps-missing" : "another-stage",
                           {"", "", 0.0, stage.name, wanted});
  }
  return std::nullopt;
}

/// Values that half precision holds, though they are stored as others, and that are as near as it computes.
std::optional<Diagnosis> in_half(const Wrong& wrong) {
  const std::string type = half_precision_of(wrong.submitted.array.data);
  if (type.empty() || !wrong.fitted || wrong.submitted.storage == NamedArray::Storage::integers)
    return std::nullopt;
  const double bits_fewer = type == "bfloat16" ? 8.0 : 1.0;
  NamedArray half = wrong.submitted;
  half.storage = NamedArray::Storage::float16;
  const std::optional<Comparison> comparison =
      compare_in_shape(half, wrong.stage().array, wrong.largest_score);
  if (!comparison || !(comparison->largest_error <= bits_fewer * comparison->allowed)) return std::nullopt;
  return wrong.diagnosis("computed-in-half-precision", {"", "", 0.0, type});
}

}  // namespace

std::optional<Diagnosis> diagnosis_of(const std::vector<Stage>& trace, std::size_t target,
                                      const NamedArray& submitted, double largest_score,
                                      const std::vector<Origin>& origins) {
  const Wrong wrong(trace, target, submitted, largest_score);
  const std::optional<std::string> everywhere = wrong_everywhere(wrong.stage(), submitted);
  if (everywhere && submitted.array.data[0] == 0.0) return wrong.diagnosis(*everywhere, {});
  const std::vector<Fault> single = faults_above(wrong.path);
  if (auto found = explained_by({single, faults_at_several(single), joint_faults(trace)}, wrong))
    return found;
  if (auto found = explained_by({draw_faults(trace, origins)}, wrong)) return found;
  if (everywhere) return wrong.diagnosis(*everywhere, {});
  for (const auto look : {finite_mask, another_stage, wrong_whole, in_half}) {
    if (std::optional<Diagnosis> found = look(wrong)) return found;
  }
  return std::nullopt;
}

std::vector<MistakenResult> mistaken_results(const std::vector<Stage>& trace, std::size_t target) {
  const Path path(trace, target);
  std::vector<MistakenResult> results;
  for (const Fault& fault : faults_above(path)) {
    if (!is_often_made(fault.mistake->id)) continue;
    Replay replay(path);
    if (replay.make({&fault})) results.push_back({fault.what(), *replay.result()});
  }
  return results;
}

std::optional<Diagnosis> diagnosis_of_two(const std::vector<Stage>& trace, std::size_t target,
                                          const NamedArray& submitted, double largest_score) {
  const Wrong wrong(trace, target, submitted, largest_score);
  if (!distinguishes_pairs(wrong)) return std::nullopt;
  std::vector<Fault> faults = faults_above(wrong.path);
  std::vector<Fault> several = faults_at_several(faults);
  std::move(several.begin(), several.end(), std::back_inserter(faults));
  return two_mistakes(faults, wrong);
}

}  // namespace attnlab
