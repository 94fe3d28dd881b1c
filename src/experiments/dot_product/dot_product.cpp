// Three vectors of the plane: their lengths, angles, products and projections.
#include "experiments/dot_product/dot_product.hpp"

namespace attnlab {
namespace {

constexpr double largest_coordinate = 20.0;
constexpr double shortest = 0.01;  // a shorter vector cannot be seen, and the zero vector has no direction

Parameter vector_parameter(const char* name, const char* value, const Text& help) {
  return {name, NumbersKind{{2, 2}, {-largest_coordinate, largest_coordinate}}, value, help};
}

Tensor<double> read_vectors(const Arguments& arguments, Tape& tape) {
  Tensor<double> vectors = Tensor<double>::from_shape({vector_names.size(), 2});
  for (std::size_t i = 0; i < vector_names.size(); ++i) {
    const Tensor<double> xy =
        tape.user_or(vector_names.at(i), to_tensor(arguments.numbers(vector_names.at(i))));
    if (std::hypot(xy(0), xy(1)) < shortest) {
      refuse_usage(text("--{} {} は短すぎて、向きが決まりません", "--{} {} is too short to have a direction",
                        vector_names.at(i), arguments.text(vector_names.at(i))),
                   text("長さが {:g} 以上のベクトルを指定してください",
                        "give a vector of length {:g} or more", shortest));
    }
    vectors(i, 0) = xy(0);
    vectors(i, 1) = xy(1);
  }
  return vectors;
}

/// Between 0 and 180 degrees. atan2 stays accurate where the arc cosine does not: near 0 and 180.
double angle_between(const Tensor<double>& vectors, std::size_t i, std::size_t j) {
  const double cross = vectors(i, 0) * vectors(j, 1) - vectors(i, 1) * vectors(j, 0);
  const double dot = vectors(i, 0) * vectors(j, 0) + vectors(i, 1) * vectors(j, 1);
  return std::atan2(std::abs(cross), dot) * 180.0 / pi;
}

// --- The trace

using namespace worked;

/// |a| = √(1.2² + 0.9²) = 1.5
std::vector<Chain> length_lines(const DotProductRun& run) {
  return lines(3, [&run](std::size_t i) {
    const Written sum = together({square(factor(run.vectors(i, 0))), "+", square(factor(run.vectors(i, 1)))});
    return equation(formula::read(fmt::format("|{}|", vector_names.at(i))), {root(sum), run.lengths(i)});
  });
}

/// (a·a, a·b, a·c) / |a| = (2.25, 2.13, 0.45) / 1.5 = (1.5, 1.42, 0.3)
std::vector<Chain> projection_lines(const DotProductRun& run) {
  return lines(3, [&run](std::size_t i) {
    return equation(indexed("p", i), {quotient(numbers(&run.products(i, 0), 3), run.lengths(i)),
                                      numbers(&run.projections(i, 0), 3)});
  });
}

/// The angles of one row: arccos(2.13 / (1.5 · 1.4866)) ≈ 17.2°, from row i to the others.
std::vector<Chain> angle_lines(const DotProductRun& run) {
  return lines(3, [&run](std::size_t i) {
    std::vector<Written> cosines;
    for (std::size_t j = 0; j < 3; ++j) {
      if (j > 0) cosines.push_back(exactly(","));
      cosines.push_back(quotient(run.products(i, j), together({run.lengths(i), "·", run.lengths(j)})));
    }
    return equation(indexed("θ", i), {call("arccos", together(cosines)),
                                      together({numbers(&run.angles(i, 0), 3), "degrees"})});
  });
}

// --- The words --------------------------------------------------------------------------------------------

Table pairs_table(const DotProductRun& run) {
  Table table{{{"x·y", "x·y"},
               {"内積", "product"},
               {"|x|", "|x|"},
               {"|y|", "|y|"},
               {"角度（度）", "angle (deg)"},
               {"y の x への射影", "projection of y on x"}}};
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
    return text(
        "{0} も {1} も a との角度は {2}° で、{1} との内積は {3} です。違いを作るのは長さだけです。",
        "{0} and {1} both lie {2}° from a; the product of {1} is {3}. Only their lengths make the difference.",
        near, far, degrees, far_product);
  }
  if (pair.product_agrees) {
    return text("向きの近い {}（{}°）との内積は、向きの遠い {}（{}°）との内積 {} より大きくなります。",
                "{}, at {}°, has the larger product; that of {}, at {}°, is {}.", near, degrees, far,
                far_degrees, far_product);
  }
  return text(
      "向きは {0}（{1}°）の方が {2}（{3}°）より近いのに、内積は長さの違いのために {2} の {4} に及びません。",
      "{0}, {1}° away, is nearer than {2}, {3}° away, yet because of their lengths its product does not exceed the {4} of {2}.",
      near, degrees, far, far_degrees, far_product);
}

Paragraph to_say(const DotProductRun& run) {
  const std::size_t near = nearness(run).near;
  return Paragraph::say("{} = {} は、a の長さ {} と、{} を a に射影した長さ {} の積です。{}",
                        "{} = {} is the length of a, {}, times the projection of {} on a, {}. {}",
                        product_name(0, near), short_number(run.products(0, near)),
                        short_number(run.lengths(0)), vector_names.at(near),
                        short_number(run.projections(0, near)), comparison(run));
}

}  // namespace

DotProductRun measure_vectors(const Tensor<double>& vectors, Tape tape) {
  const Axes pair{"queries", "keys"};
  DotProductRun run;
  run.vectors = tape.step("vectors", Formula{}, vectors, {"vectors", "coordinates"},
                          derived::input("np.stack((a, b, c))"));
  run.products = tape.product_with_transpose("products", "V V^T", "vectors", "vectors", pair);
  run.lengths = Tensor<double>::from_shape({3});
  run.angles = Tensor<double>::from_shape({3, 3});
  run.projections = Tensor<double>::from_shape({3, 3});
  for (std::size_t i = 0; i < 3; ++i) {
    run.lengths(i) = std::hypot(vectors(i, 0), vectors(i, 1));
    for (std::size_t j = 0; j < 3; ++j) {
      run.angles(i, j) = angle_between(vectors, i, j);
      run.projections(i, j) = run.products(i, j) / run.lengths(i);
    }
  }
  tape.step("lengths", "|x|", run.lengths, {"vectors"},
            derived::worked({"vectors"}, length_lines(run), "np.sqrt(np.sum(vectors**2, axis=-1))"));
  tape.step(
      "projections", "\\frac{x · y}{|x|}", run.projections, pair,
      derived::worked({"products", "lengths"}, projection_lines(run), "products / lengths[:, np.newaxis]"));
  tape.step("angles", "arccos(\\frac{x · y}{|x| |y|})", run.angles, pair,
            derived::worked({"products", "lengths"}, angle_lines(run), "angles_between(vectors)"));
  run.tape = std::move(tape);
  return run;
}

DotProductRun DotProductRun::compute(const Arguments& arguments, const Context& /*context*/) {
  Tape tape(arguments);
  const Tensor<double> vectors = read_vectors(arguments, tape);
  return measure_vectors(vectors, std::move(tape));
}

Nearness nearness(const DotProductRun& run) {
  Nearness result;
  if (run.angles(0, 2) < run.angles(0, 1)) std::swap(result.near, result.far);
  result.same_angle = short_number(run.angles(0, result.near)) == short_number(run.angles(0, result.far));
  result.product_agrees = !result.same_angle && run.products(0, result.near) > run.products(0, result.far);
  constexpr double similar = 1.1;
  const auto [shorter, longer] = std::minmax(run.lengths(1), run.lengths(2));
  result.similar_lengths = longer <= similar * shorter;
  return result;
}

std::vector<Scalar> scalars(const DotProductRun& run) {
  return {{"product_ab", run.products(0, 1)},      {"product_ac", run.products(0, 2)},
          {"product_bc", run.products(1, 2)},      {"angle_ab", run.angles(0, 1)},
          {"angle_ac", run.angles(0, 2)},          {"projection_ab", run.projections(0, 1)},
          {"projection_ac", run.projections(0, 2)}};
}

// --- What must hold ---------------------------------------------------------------------------------------

std::vector<Invariant> invariants(const DotProductRun& run) {
  const double longest = largest(run.lengths);
  // A product of coordinates, a sum, a length or a cosine: each is rounded once.
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * longest * longest;
  double asymmetry = 0.0;
  double cosine_error = 0.0;
  double excess = 0.0;
  double slant = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double product = run.products(i, j);
      const double lengths = run.lengths(i) * run.lengths(j);
      const double share = run.projections(i, j) / run.lengths(i);  // the foot is share · vector i
      const double foot_x = run.vectors(j, 0) - share * run.vectors(i, 0);
      const double foot_y = run.vectors(j, 1) - share * run.vectors(i, 1);
      asymmetry = worst(asymmetry, std::abs(product - run.products(j, i)));
      cosine_error =
          worst(cosine_error, std::abs(product - lengths * std::cos(run.angles(i, j) * pi / 180.0)));
      excess = worst(excess, std::abs(product) - lengths);
      slant = worst(slant, std::abs(foot_x * run.vectors(i, 0) + foot_y * run.vectors(i, 1)));
    }
  }
  return {
      invariant("products_symmetric", asymmetry, rounding, "x·y = y·x", "x·y = y·x"),
      invariant("product_is_lengths_times_cosine", cosine_error, rounding, "x·y = |x||y| cos θ",
                "x·y = |x||y| cos θ"),
      invariant("product_within_lengths", excess, rounding, "|x·y| は |x||y| を超えない",
                "|x·y| never exceeds |x||y|"),
      invariant("projection_is_perpendicular", slant, rounding, "射影の足から下ろした線は垂直",
                "the residual of the projection is perpendicular"),
  };
}

std::vector<Block> body(const DotProductRun& run, const std::vector<Stage>& /*stages*/) {
  return {
      Paragraph::heading("ベクトルの内積", "The dot product of vectors"),
      Equation{formula::read("x · y = Σ_i x_i y_i = |x| |y| cos θ")},
      Values{{"ベクトル a, b, c", "vectors a, b, c"}, to_array(run.vectors, {"vectors", "coordinates"})},
      pairs_table(run),
      Paragraph::heading("1 つのクエリと複数のキー", "One query and several keys"),
      Values{{"q Kᵀ（q = a、K の行は a, b, c）", "q Kᵀ (q = a; the rows of K are a, b, c)"},
             {{3}, {"keys"}, values_of(run.products, 0)}},
      Values{{"すべての組の内積", "products of all pairs"}, to_array(run.products, {"queries", "keys"})},
      to_say(run),
      Paragraph::misunderstanding(
          "内積は「向きの近さ」だけの尺度ではありません。長さも効きます。b を 2 倍に伸ばすと、角度は {}° のまま{}。向きだけを比べるのは cos θ です。",
          "The dot product does not measure direction alone; length counts too. With b twice as long the angle is still {}°, {}. It is cos θ that compares directions only.",
          short_number(run.angles(0, 1)),
          short_number(run.products(0, 1)) == "0"
              ? Text{"で、垂直な a·b だけは 0 から変わりません",
                     "and only because b is perpendicular to a does a·b stay 0"}
              : text("でも a·b は {} から {} になります", "but a·b goes from {} to {}",
                     short_number(run.products(0, 1)), short_number(2.0 * run.products(0, 1))))};
}

std::string short_number(double value) {
  const std::string digits = fmt::format("{:.3g}", std::abs(value));
  return (value < 0.0 && digits != "0" ? "−" : "") + digits;
}

std::string product_name(std::size_t i, std::size_t j) {
  return fmt::format("{}·{}", vector_names.at(i), vector_names.at(j));
}

Experiment dot_product_experiment() {
  return Experiment{
      "dot-product",
      {"平面のベクトルの内積：向きが近く、長いほど大きい",
       "dot products in the plane: large for near directions and for long vectors"},
      {"教科書 図 2.2.4, 2.2.5", "textbook fig. 2.2.4, 2.2.5"},
      {vector_parameter("a", "1.2,0.9", {"ベクトル a（クエリ）の x,y 座標", "x,y of vector a, the query"}),
       vector_parameter("b", "1.4,0.5", {"ベクトル b の x,y 座標", "x,y of vector b"}),
       vector_parameter("c", "-0.6,1.3", {"ベクトル c の x,y 座標", "x,y of vector c"})},
      report_of<DotProductRun>}
      .with_inputs({{"a", {"2"}}, {"b", {"2"}}, {"c", {"2"}}})
      .with_sliders({{"a=-1.6:1.6:33", "@,0.9"}});
}

}  // namespace attnlab
