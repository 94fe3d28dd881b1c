// What a reader sees does not depend on the processor: OpenBLAS sums in another order on each.
#include <doctest/doctest.h>

#include <string>

#include "experiments/framework/experiment.hpp"
#include "program.hpp"

using attnlab::Circumstances;
using attnlab::Workplace;

TEST_CASE("every report reads alike whichever kernel of BLAS computes it") {
  const Workplace place;
  const auto report = [&](const std::string& experiment, const char* kernel) {
    Circumstances processor;
    processor.environment = {std::string("OPENBLAS_CORETYPE=") + kernel};
    return place.run({experiment, "--no-figure"}, processor).out;
  };
  for (const attnlab::Experiment& experiment : attnlab::experiments()) {
    CAPTURE(experiment.name);
    const std::string expected = report(experiment.name, "Haswell");
    CHECK_FALSE(expected.empty());
    CHECK(report(experiment.name, "Nehalem") == expected);
  }
}
