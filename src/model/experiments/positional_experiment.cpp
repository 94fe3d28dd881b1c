// `positional` over a model: the table of places that it has learned, and which places are alike in it.
#include "attention/matmul.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/experiment_kit.hpp"
#include "experiments/framework/heat_maps.hpp"
#include "model/experiments/experiments.hpp"

namespace attnlab {
namespace {

struct LearnedPlaces {
  Tensor<double> encoding;    // (positions, width)
  Tensor<double> similarity;  // (positions, positions)  cosines
  double neighbours = 0.0;    // their mean where one position lies between
  double others = 0.0;        // and of all other pairs of different positions
};

/// Throws Error (usage), saying what stands in its place.
void require_table(const OpenedModel& opened) {
  const Architecture& a = opened.model.architecture;
  const std::string model = quotation(opened.checkpoint.name);
  if (a.rotary) {
    refuse_model(
        "room_rotary",
        {{"model", model}, {"base", fmt::format("{:g}", a.rotary->base)}, {"width", a.rotary->width}});
  }
  if (a.places != PlaceTable::learned) refuse_model("room_places", {{"model", model}});
}

LearnedPlaces learned_places(const OpenedModel& opened) {
  constexpr std::size_t most = 1000;
  const Architecture& a = opened.model.architecture;
  const std::size_t n = std::min(most, a.positions - a.first_position);
  LearnedPlaces places;
  places.encoding = Tensor<double>::from_shape({n, a.width});
  std::vector<float> row(a.width);
  Tensor<double> directions = places.encoding;
  for (std::size_t i = 0; i < n; ++i) {
    opened.model.weights.positions->copy_row(a.first_position + i, row.data());
    const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    for (std::size_t j = 0; j < a.width; ++j) {
      places.encoding(i, j) = row[j];
      directions(i, j) = length > 0.0 ? row[j] / length : 0.0;
    }
  }
  places.similarity = matmul(directions, attnlab::transpose(directions));
  std::size_t far = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      (j == i + 1 ? places.neighbours : places.others) += places.similarity(i, j);
      far += j > i + 1 ? 1U : 0U;
    }
  }
  if (n > 1) places.neighbours /= static_cast<double>(n - 1);
  if (far > 0) places.others /= static_cast<double>(far);
  return places;
}

}  // namespace

Report positional_over_model(const Arguments& arguments, const Context& /*context*/) {
  const OpenedModel& opened = *std::static_pointer_cast<const ModelFiles>(arguments.sources.files)->opened;
  require_table(opened);
  const LearnedPlaces places = learned_places(opened);
  const SentenceValues values{{"model", printable(opened.checkpoint.name)},
                              {"positions", places.encoding.shape()[0]},
                              {"width", places.encoding.shape()[1]},
                              {"neighbours", places.neighbours},
                              {"others", places.others}};
  const auto sentence = [&](const char* key) { return model_sentence(std::string("places_") + key, values); };
  const ColourScale cosines{Palette::rdbu, -1.0, 1.0, sentence("cosine")};
  Report report;
  report.stages = {input("encoding", to_array(places.encoding, {"positions", "width"})),
                   step("similarity", formula::read("cos(r_m , r_n)"), places.similarity,
                        {"positions", "positions"}, derived::learned())};
  report.scalars = {{"similarity_of_neighbours", places.neighbours}, {"similarity_of_others", places.others}};
  report.invariants = {invariant("places_are_finite", std::isfinite(sum_of(places.encoding)) ? 0.0 : 1.0, 0.0,
                                 "位置の表に NaN や無限大がない", "the position table is finite")};
  report.body = {Paragraph{Role::heading, sentence("heading")}, Paragraph{Role::say, sentence("say")},
                 Paragraph{Role::misunderstanding, sentence("misunderstanding")}};
  const Text row{"位置", "Position"};
  report.figures = {
      Figure{"encoding", sentence("encoding")}
          .described(sentence("encoding_described"))
          .captioned(sentence("caption"))
          .panel(HeatMap{"encoding", to_matrix(places.encoding)}
                     .rows(row)
                     .columns({"次元", "Dimension"})
                     .coloured(signed_scale(places.encoding)))
          .on_page(9.0, 7.0),
      Figure{"similarity", sentence("similarity")}
          .described(sentence("similarity_described"))
          .captioned(sentence("caption"))
          .panel(HeatMap{"similarity", to_matrix(places.similarity)}.rows(row).columns(row).coloured(cosines))
          .on_page(8.0, 7.0)};
  return report;
}

}  // namespace attnlab
