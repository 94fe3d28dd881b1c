// The dot product in the plane: large when two vectors point the same way, and larger when they are longer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/formula.hpp"
#include "experiments/catalogue.hpp"
#include "experiments/dot_product/dot_product.hpp"
#include "experiments/report_body.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/worked_lines.hpp"

namespace attnlab {
namespace {

constexpr double largest_coordinate = 20.0;
constexpr double shortest = 0.01;  // a shorter vector cannot be seen, and the zero vector has no direction

Parameter vector_parameter(const char* name, const char* value, const Text& help) {
  return {name, NumbersKind{{2, 2}, {-largest_coordinate, largest_coordinate}}, value, help};
}

std::vector<Parameter> parameters() {
  return {
      vector_parameter("a", "1.2,0.9", {"ベクトル a（クエリ）の x,y 座標", "x,y of vector a, the query"}),
      vector_parameter("b", "1.4,0.5", {"ベクトル b の x,y 座標", "x,y of vector b"}),
      vector_parameter("c", "-0.6,1.3", {"ベクトル c の x,y 座標", "x,y of vector c"}),
  };
}

// --- The computation --------------------------------------------------------------------------------------

Tensor<double> read_vectors(const Arguments& arguments) {
  Tensor<double> vectors = Tensor<double>::from_shape({vector_names.size(), 2});
  for (std::size_t i = 0; i < vector_names.size(); ++i) {
    const std::vector<double> xy = arguments.numbers(vector_names.at(i));
    if (std::hypot(xy[0], xy[1]) < shortest) {
      throw Error(ErrorKind::usage,
                  {fmt::format("--{} {} は短すぎて、向きが決まりません", vector_names.at(i),
                               arguments.text(vector_names.at(i))),
                   fmt::format("--{} {} is too short to have a direction", vector_names.at(i),
                               arguments.text(vector_names.at(i)))},
                  {fmt::format("長さが {:g} 以上のベクトルを指定してください", shortest),
                   fmt::format("give a vector of length {:g} or more", shortest)});
    }
    vectors(i, 0) = xy[0];
    vectors(i, 1) = xy[1];
  }
  return vectors;
}

// --- The trace --------------------------------------------------------------------------------------------

using formula::row;
using formula::sym;
using worked::exactly;
using worked::factor;
using worked::number;
using worked::quotient;
using worked::together;

Formula length_of(const char* name) {
  return row({sym("|"), sym(name), sym("|")});
}

/// |a| = √(1.2² + 0.9²) = 1.5
std::vector<Chain> length_lines(const DotProductRun& run) {
  const auto square = [](double x) { return worked::square(factor(x)); };
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < 3; ++i) {
    const Written sum = together({square(run.vectors(i, 0)), exactly("+"), square(run.vectors(i, 1))});
    lines.push_back(
        worked::equation(length_of(vector_names.at(i)), {worked::root(sum), number(run.lengths(i))}));
  }
  return lines;
}

/// (a·a, a·b, a·c) / |a| = (2.25, 2.13, 0.45) / 1.5 = (1.5, 1.42, 0.3)
std::vector<Chain> projection_lines(const DotProductRun& run) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < 3; ++i) {
    lines.push_back(worked::equation(
        worked::indexed("p", i), {quotient(worked::numbers(&run.products(i, 0), 3), number(run.lengths(i))),
                                  worked::numbers(&run.projections(i, 0), 3)}));
  }
  return lines;
}

/// The angles of one row: arccos(2.13 / (1.5 · 1.4866)) ≈ 17.2°, from row i to the others.
std::vector<Chain> angle_lines(const DotProductRun& run) {
  std::vector<Chain> lines;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Written> cosines;
    for (std::size_t j = 0; j < 3; ++j) {
      if (j > 0) cosines.push_back(exactly(","));
      cosines.push_back(quotient(number(run.products(i, j)),
                                 together({number(run.lengths(i)), exactly("·"), number(run.lengths(j))})));
    }
    lines.push_back(worked::equation(
        worked::indexed("θ", i), {worked::call("arccos", together(cosines)),
                                  together({worked::numbers(&run.angles(i, 0), 3), exactly("degrees")})}));
  }
  return lines;
}

std::vector<Stage> stages(const DotProductRun& run) {
  const Formula product = row({sym("x"), sym("·"), sym("y")});
  const std::vector<std::string> pair{"queries", "keys"};
  return {
      {"vectors", row({}), to_array(run.vectors, {"vectors", "coordinates"})},
      {"products", row({sym("V"), formula::sup(sym("V"), sym("T"))}), to_array(run.products, pair),
       derived::product_with_transpose("vectors", "vectors")},
      {"lengths", length_of("x"), to_array(run.lengths, {"vectors"}),
       derived::worked({"vectors"}, length_lines(run))},
      {"projections", formula::fraction(product, length_of("x")), to_array(run.projections, pair),
       derived::worked({"products", "lengths"}, projection_lines(run))},
      {"angles", formula::call("arccos", formula::fraction(product, row({length_of("x"), length_of("y")}))),
       to_array(run.angles, pair), derived::worked({"products", "lengths"}, angle_lines(run))},
  };
}

// --- What must hold ---------------------------------------------------------------------------------------

std::vector<Invariant> invariants(const DotProductRun& run) {
  const double longest = *std::max_element(run.lengths.begin(), run.lengths.end());
  // A product of coordinates, a sum, a length or a cosine: each is rounded once.
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * longest * longest;
  double asymmetry = 0.0;
  double cosine_error = 0.0;
  double excess = 0.0;
  double slant = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double lengths = run.lengths(i) * run.lengths(j);
      const double share = run.projections(i, j) / run.lengths(i);  // the foot is share · vector i
      const double foot_x = run.vectors(j, 0) - share * run.vectors(i, 0);
      const double foot_y = run.vectors(j, 1) - share * run.vectors(i, 1);
      asymmetry = std::max(asymmetry, std::abs(run.products(i, j) - run.products(j, i)));
      cosine_error = std::max(
          cosine_error, std::abs(run.products(i, j) - lengths * std::cos(run.angles(i, j) * pi / 180.0)));
      excess = std::max(excess, std::abs(run.products(i, j)) - lengths);
      slant = std::max(slant, std::abs(foot_x * run.vectors(i, 0) + foot_y * run.vectors(i, 1)));
    }
  }
  return {
      {"products_symmetric", {"x·y = y·x", "x·y = y·x"}, asymmetry, rounding},
      {"product_is_lengths_times_cosine",
       {"x·y = |x||y| cos θ", "x·y = |x||y| cos θ"},
       cosine_error,
       rounding},
      {"product_within_lengths",
       {"|x·y| は |x||y| を超えない", "|x·y| never exceeds |x||y|"},
       std::max(0.0, excess),
       rounding},
      {"projection_is_perpendicular",
       {"射影の足から下ろした線は垂直", "what the projection leaves is perpendicular"},
       slant,
       rounding},
  };
}

// --- The words --------------------------------------------------------------------------------------------

Table pairs_table(const DotProductRun& run) {
  Table table{{{"x·y", "x·y"},
               {"内積", "product"},
               {"|x|", "|x|"},
               {"|y|", "|y|"},
               {"角度（度）", "angle (deg)"},
               {"y の x への射影", "projection of y on x"}},
              {}};
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    table.rows.push_back({product_name(i, j), fmt::format("{:.4f}", run.products(i, j)),
                          fmt::format("{:.4f}", run.lengths(i)), fmt::format("{:.4f}", run.lengths(j)),
                          fmt::format("{:.2f}", run.angles(i, j)),
                          fmt::format("{:.4f}", run.projections(i, j))});
  }
  return table;
}

/// What the angles of b and c with a, and their lengths, make of their products with a.
Text comparison(const DotProductRun& run) {
  const Nearness pair = nearness(run);
  const std::string near = vector_names.at(pair.near);
  const std::string far = vector_names.at(pair.far);
  const std::string degrees = short_number(run.angles(0, pair.near));
  const std::string far_degrees = short_number(run.angles(0, pair.far));
  const std::string far_product = short_number(run.products(0, pair.far));
  if (pair.same_angle) {
    return {
        fmt::format("{} も {} も a との角度は {}° で、{} との内積は {} です。違いを作るのは長さだけです。",
                    near, far, degrees, far, far_product),
        fmt::format("{} and {} both lie {}° from a; the product of {} is {}. Only their lengths can make a "
                    "difference.",
                    near, far, degrees, far, far_product)};
  }
  if (pair.product_agrees) {
    return {
        fmt::format("向きの近い {}（{}°）との内積は、向きの遠い {}（{}°）との内積 {} より大きくなります。",
                    near, degrees, far, far_degrees, far_product),
        fmt::format("{}, at {}°, has the larger product; that of {}, at {}°, is {}.", near, degrees, far,
                    far_degrees, far_product)};
  }
  return {
      fmt::format("向きは {}（{}°）の方が {}（{}°）より近いのに、内積は長さの違いのために {} の {} に及びま"
                  "せん。",
                  near, degrees, far, far_degrees, far, far_product),
      fmt::format("{}, {}° away, is nearer than {}, {}° away, yet because of their lengths its product does "
                  "not exceed the {} of {}.",
                  near, degrees, far, far_degrees, far_product, far)};
}

Paragraph to_say(const DotProductRun& run) {
  const std::size_t near = nearness(run).near;
  const std::string name = vector_names.at(near);
  const std::string product = short_number(run.products(0, near));
  const std::string length = short_number(run.lengths(0));
  const std::string projection = short_number(run.projections(0, near));
  const Text compared = comparison(run);
  return {Role::say,
          {fmt::format("{} = {} は、a の長さ {} と、{} を a に射影した長さ {} の積です。{}",
                       product_name(0, near), product, length, name, projection, compared.ja()),
           fmt::format("{} = {} is the length of a, {}, times the projection of {} on a, {}. {}",
                       product_name(0, near), product, length, name, projection, compared.en())}};
}

Paragraph misunderstanding(const DotProductRun& run) {
  const std::string angle = short_number(run.angles(0, 1));
  const std::string once = short_number(run.products(0, 1));
  const std::string twice = short_number(2.0 * run.products(0, 1));
  return {
      Role::misunderstanding,
      {fmt::format("内積は「向きの近さ」だけの尺度ではありません。長さも効きます。b を 2 倍に伸ばすと、角度は"
                   " {}° のままでも a·b は {} から {} になります。向きだけを比べるのは cos θ です。",
                   angle, once, twice),
       fmt::format("The product does not measure direction alone; length counts too. With b twice as long "
                   "the angle is still {}°, but a·b goes from {} to {}. It is cos θ that compares "
                   "directions only.",
                   angle, once, twice)}};
}

std::vector<Block> body(const DotProductRun& run) {
  std::vector<Block> blocks;
  add_heading(blocks, "ベクトルの内積", "The dot product of vectors");
  const auto part = [](const char* letter) { return formula::sub(sym(letter), sym("i")); };
  blocks.emplace_back(
      Equation{row({sym("x"), sym("·"), sym("y"), sym("="), formula::sub(sym("Σ"), sym("i")), part("x"),
                    part("y"), sym("="), length_of("x"), length_of("y"), sym("cos"), sym("θ")})});
  blocks.emplace_back(
      Values{{"ベクトル a, b, c", "vectors a, b, c"}, to_array(run.vectors, {"vectors", "coordinates"})});
  blocks.emplace_back(pairs_table(run));
  add_heading(blocks, "1 つのクエリと複数のキー", "One query and several keys");
  Tensor<double> scores = Tensor<double>::from_shape({3});
  std::copy_n(run.products.begin(), 3, scores.begin());
  blocks.emplace_back(Values{{"q Kᵀ（q = a、K の行は a, b, c）", "q Kᵀ (q = a; the rows of K are a, b, c)"},
                             to_array(scores, {"keys"})});
  blocks.emplace_back(
      Values{{"すべての組の内積", "products of all pairs"}, to_array(run.products, {"queries", "keys"})});
  blocks.emplace_back(to_say(run));
  blocks.emplace_back(misunderstanding(run));
  return blocks;
}

Report run_dot_product(const Arguments& arguments, const Context&) {
  const DotProductRun run = measure_vectors(read_vectors(arguments));
  Report report;
  report.body = body(run);
  report.stages = stages(run);
  report.scalars = {{"product_ab", run.products(0, 1)},      {"product_ac", run.products(0, 2)},
                    {"product_bc", run.products(1, 2)},      {"angle_ab", run.angles(0, 1)},
                    {"angle_ac", run.angles(0, 2)},          {"projection_ab", run.projections(0, 1)},
                    {"projection_ac", run.projections(0, 2)}};
  report.invariants = invariants(run);
  report.figures = {plane_figure(run), length_figure(run), keys_figure(run)};
  return report;
}

}  // namespace

std::string short_number(double value) {
  const std::string digits = fmt::format("{:.3g}", std::abs(value));
  return (value < 0.0 && digits != "0" ? "−" : "") + digits;
}

std::string product_name(std::size_t i, std::size_t j) {
  return fmt::format("{}·{}", vector_names.at(i), vector_names.at(j));
}

Experiment dot_product_experiment() {
  return {"dot-product",
          {"平面のベクトルの内積：向きが近く、長いほど大きい",
           "dot products in the plane: large for near directions and for long vectors"},
          {"教科書 図 2.2.4, 2.2.5", "textbook fig. 2.2.4, 2.2.5"},
          parameters(),
          run_dot_product};
}

}  // namespace attnlab
