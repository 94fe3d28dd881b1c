// Nobody is accused without a reason: of every array of every experiment, the right one has no mistake, and
// noise and small slips are none of those that have a name.
#include <doctest/doctest.h>

#include "core/agreement.hpp"
#include "exercise/grading.hpp"
#include "results/check/check.hpp"

using attnlab::Array;
using attnlab::Check;
using attnlab::NamedArray;
using attnlab::Report;
using attnlab::Stage;

namespace {

/// Numbers from -1 to 1 that look random.
class Noise {
 public:
  double next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<double>(state_ % 2000001) / 1e6 - 1.0;
  }

 private:
  std::uint64_t state_ = 88172645463325252ULL;
};

struct HandedIn {
  const char* what;
  std::vector<double> values;
};

std::vector<HandedIn> handed_in(const Array& right, Noise& noise) {
  const double largest = std::max(1.0, attnlab::largest_magnitude(right.data));
  std::vector<double> random;
  for (std::size_t i = 0; i < right.data.size(); ++i) random.push_back(largest * noise.next());
  std::vector<double> slip = right.data;
  slip[slip.size() / 2] += 0.03 * largest;
  std::vector<double> imprecise = right.data;
  for (double& value : imprecise) value += 1e-4 * largest * noise.next();
  std::vector<double> in_single = right.data;
  for (double& value : in_single) value += 4e-6 * largest * noise.next();
  return {{"the right result", right.data},
          {"noise", random},
          {"one value off", slip},
          {"all a little off", imprecise},
          {"sums in single precision", in_single}};
}

}  // namespace

TEST_CASE("right results, noise and small slips are taken for no mistake, in any array of any experiment") {
  Noise noise;
  constexpr std::size_t few = 64;  // the fewer numbers, the sooner a mistake gives them by chance
  std::size_t checked = 0;
  for (const attnlab::Experiment& experiment : attnlab::experiments()) {
    CAPTURE(experiment.name);
    const Report report = attnlab::run(experiment, attnlab::Arguments(experiment.parameters));
    for (const Stage& stage : report.stages) {
      if (attnlab::differs_by_run(stage) || stage.array.data.empty() || stage.array.data.size() > few)
        continue;
      CAPTURE(stage.name);
      for (const HandedIn& one : handed_in(stage.array, noise)) {
        CAPTURE(one.what);
        const Array array{stage.array.shape, {}, one.values};
        const Check check =
            attnlab::check_stage(report.stages, stage.name, {"", array, NamedArray::Storage::float64, {}});
        const std::string accused = check.diagnosis ? check.diagnosis->name : "";
        CHECK(accused == "");
        ++checked;
      }
    }
  }
  CHECK(checked > 1000);
}
