// The trace of `dot-product`, written out with this run's numbers.
#include "experiments/dot_product/dot_product.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

using namespace worked;
using formula::read;

/// |a| = √(1.2² + 0.9²) = 1.5
std::vector<Chain> length_lines(const DotProductRun& run) {
  return lines(3, [&run](std::size_t i) {
    const Written sum =
        together({square(factor(run.vectors(i, 0))), exactly("+"), square(factor(run.vectors(i, 1)))});
    return equation(read(fmt::format("|{}|", vector_names.at(i))), {root(sum), number(run.lengths(i))});
  });
}

/// (a·a, a·b, a·c) / |a| = (2.25, 2.13, 0.45) / 1.5 = (1.5, 1.42, 0.3)
std::vector<Chain> projection_lines(const DotProductRun& run) {
  return lines(3, [&run](std::size_t i) {
    return equation(indexed("p", i), {quotient(numbers(&run.products(i, 0), 3), number(run.lengths(i))),
                                      numbers(&run.projections(i, 0), 3)});
  });
}

/// The angles of one row: arccos(2.13 / (1.5 · 1.4866)) ≈ 17.2°, from row i to the others.
std::vector<Chain> angle_lines(const DotProductRun& run) {
  return lines(3, [&run](std::size_t i) {
    std::vector<Written> cosines;
    for (std::size_t j = 0; j < 3; ++j) {
      if (j > 0) cosines.push_back(exactly(","));
      cosines.push_back(quotient(number(run.products(i, j)),
                                 together({number(run.lengths(i)), exactly("·"), number(run.lengths(j))})));
    }
    return equation(indexed("θ", i), {call("arccos", together(cosines)),
                                      together({numbers(&run.angles(i, 0), 3), exactly("degrees")})});
  });
}

}  // namespace

std::vector<Stage> dot_product_stages(const DotProductRun& run) {
  const std::vector<std::string> pair{"queries", "keys"};
  return {
      input("vectors", to_array(run.vectors, {"vectors", "coordinates"})),
      {"products", read("V V^T"), to_array(run.products, pair),
       derived::product_with_transpose("vectors", "vectors")},
      {"lengths", read("|x|"), to_array(run.lengths, {"vectors"}),
       derived::worked({"vectors"}, length_lines(run))},
      {"projections", read("frac{x · y}{|x|}"), to_array(run.projections, pair),
       derived::worked({"products", "lengths"}, projection_lines(run))},
      {"angles", read("arccos(frac{x · y}{|x| |y|})"), to_array(run.angles, pair),
       derived::worked({"products", "lengths"}, angle_lines(run))},
  };
}

}  // namespace attnlab
