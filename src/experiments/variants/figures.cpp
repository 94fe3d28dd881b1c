// The picture of a variant: its panels with its words.
#include "experiments/variants/variants.hpp"

namespace attnlab {

HeatMap map_of(const VariantStages& stages, const std::string& name, std::size_t index) {
  const Tensor<double> values = stages(name);
  HeatMap map{name, to_matrix(values.dimension() == 2 ? values : Tensor<double>(xt::view(values, index)))};
  map.shows = {stages.prefix + name, index * map.values.rows};
  return std::move(map).rows({"クエリ", "Query"}).columns({"キー", "Key"});
}

HeatMap visible_map(const VariantStages& stages, const std::string& name) {
  HeatMap map = map_of(stages, name);
  for (const double weight : map.values.values) map.hidden.push_back(weight == 0.0);
  return map;
}

std::vector<Figure> figures(const VariantsRun& run) {
  std::vector<Figure> all;
  for (const VariantRun& one : run.runs) {
    const AttentionVariant& variant = *one.variant;
    Figure figure = variant.draw({run.tape, variant_prefix(variant)}, one);
    figure.name = variant.name;
    figure.title = variant_text(one, one.message);
    figure.description = variant_text(one, "description");
    figure.caption = text("{}{}{}。", "{}{} {}.", variant_text(one, "caption"), note_on_hidden(figure),
                          run.tape.described());
    all.push_back(std::move(figure));
  }
  return all;
}

}  // namespace attnlab
