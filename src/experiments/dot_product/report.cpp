// What `dot-product` says in the terminal.
#include <cmath>

#include "experiments/dot_product/dot_product.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

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
    return text("{0} も {1} も a との角度は {2}° で、{1} との内積は {3} です。違いを作るのは長さだけです。",
                "{0} and {1} both lie {2}° from a; the product of {1} is {3}. Only their lengths can make a "
                "difference.",
                near, far, degrees, far_product);
  }
  if (pair.product_agrees) {
    return text("向きの近い {}（{}°）との内積は、向きの遠い {}（{}°）との内積 {} より大きくなります。",
                "{}, at {}°, has the larger product; that of {}, at {}°, is {}.", near, degrees, far,
                far_degrees, far_product);
  }
  return text(
      "向きは {0}（{1}°）の方が {2}（{3}°）より近いのに、内積は長さの違いのために {2} の {4} に及びません。",
      "{0}, {1}° away, is nearer than {2}, {3}° away, yet because of their lengths its product does not "
      "exceed the {4} of {2}.",
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

std::vector<Block> dot_product_body(const DotProductRun& run) {
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
          "内積は「向きの近さ」だけの尺度ではありません。長さも効きます。b を 2 倍に伸ばすと、角度は {}° の"
          "ままでも a·b は {} から {} になります。向きだけを比べるのは cos θ です。",
          "The product does not measure direction alone; length counts too. With b twice as long the angle "
          "is still {}°, but a·b goes from {} to {}. It is cos θ that compares directions only.",
          short_number(run.angles(0, 1)), short_number(run.products(0, 1)),
          short_number(2.0 * run.products(0, 1)))};
}

std::string short_number(double value) {
  const std::string digits = fmt::format("{:.3g}", std::abs(value));
  return (value < 0.0 && digits != "0" ? "−" : "") + digits;
}

std::string product_name(std::size_t i, std::size_t j) {
  return fmt::format("{}·{}", vector_names.at(i), vector_names.at(j));
}

}  // namespace attnlab
