#include "experiments/framework/patch_maps.hpp"

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention/matmul.hpp"
#include "experiments/framework/tensor_array.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_pixels_of_patch = 16;  // across

/// How much of pixel i of `from` pixels lies in pixel `place` of `to`, for all that have a part in it.
using Parts = std::vector<std::pair<std::size_t, double>>;
Parts parts_of(std::size_t place, std::size_t to, std::size_t from) {
  const double begin = static_cast<double>(place * from) / static_cast<double>(to);
  const double end = static_cast<double>((place + 1) * from) / static_cast<double>(to);
  Parts parts;
  for (auto i = static_cast<std::size_t>(begin); i < from && static_cast<double>(i) < end; ++i) {
    const double part = std::min(end, static_cast<double>(i + 1)) - std::max(begin, static_cast<double>(i));
    if (part > 0.0) parts.emplace_back(i, part / (end - begin));
  }
  return parts;
}

std::size_t pixels_of_patch(std::size_t pixels, std::size_t patches) {
  return std::clamp<std::size_t>((pixels + patches - 1) / patches, 1, most_pixels_of_patch);
}

HeatMap map_over(const std::string& id, const PatchGrid& grid, std::shared_ptr<const Image> picture,
                 std::vector<double> values, std::size_t reader) {
  HeatMap map = HeatMap{id, {grid.rows, grid.columns, std::move(values)}}
                    .rows({"行", "Row"})
                    .columns({"列", "Column"})
                    .veiling(std::move(picture));
  if (grid.holds(reader)) {
    map.marked.assign(grid.size(), false);
    map.marked[reader - grid.skip] = true;
  }
  return map;
}

std::vector<double> on_patches(const PatchGrid& grid, const std::vector<double>& weights) {
  const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(grid.skip);
  return {begin, begin + static_cast<std::ptrdiff_t>(grid.size())};
}

}  // namespace

Text place_of_patch(const PatchGrid& grid, std::size_t token) {
  return text("{} 行 {} 列", "row {}, column {}", grid.row_of(token), grid.column_of(token));
}

Text name_of_reader(const PatchGrid& grid, std::size_t token) {
  if (!grid.holds(token)) return text("トークン {} ", "Token {}", token);
  return text("{}のパッチ", "The patch in {}", place_of_patch(grid, token));
}

std::shared_ptr<const Image> fitted(const Image& picture, const PatchGrid& grid) {
  Image image{grid.rows * pixels_of_patch(picture.rows, grid.rows),
              grid.columns * pixels_of_patch(picture.columns, grid.columns),
              {}};
  image.samples.reserve(3 * image.rows * image.columns);
  std::vector<Parts> columns;
  for (std::size_t column = 0; column < image.columns; ++column)
    columns.push_back(parts_of(column, image.columns, picture.columns));
  for (std::size_t row = 0; row < image.rows; ++row) {
    const Parts rows = parts_of(row, image.rows, picture.rows);
    for (const Parts& here : columns) {
      std::array<double, 3> mean{};
      for (const auto& [y, height] : rows)
        for (const auto& [x, width] : here)
          for (std::size_t i = 0; i < 3; ++i) mean[i] += height * width * picture.at(y, x)[i];
      for (const double sample : mean)
        image.samples.push_back(static_cast<std::uint8_t>(std::lround(sample)));
    }
  }
  return std::make_shared<const Image>(std::move(image));
}

HeatMap picture_map(const PatchGrid& grid, std::shared_ptr<const Image> picture, std::size_t reader,
                    const std::string& parameter) {
  std::vector<double> tokens(grid.size());
  std::iota(tokens.begin(), tokens.end(), static_cast<double>(grid.skip));
  return map_over("picture", grid, std::move(picture), std::move(tokens), reader)
      .coloured({Palette::greys, -1.0, 0.0})  // nothing is veiled
      .choosing(parameter);
}

HeatMap reading_map(const std::string& id, const PatchGrid& grid, std::shared_ptr<const Image> picture,
                    const std::vector<double>& weights, std::size_t reader) {
  const std::optional<MostRead> most = most_read(grid, weights);
  return map_over(id, grid, std::move(picture), on_patches(grid, weights), reader)
      .coloured({Palette::greys, 0.0, most ? most->weight : 1.0});
}

std::optional<MostRead> most_read(const PatchGrid& grid, const std::vector<double>& weights) {
  const std::vector<double> patches = on_patches(grid, weights);
  if (std::any_of(patches.begin(), patches.end(), [](double weight) { return std::isnan(weight); }))
    return std::nullopt;
  const auto most = std::max_element(patches.begin(), patches.end());
  if (*most <= 0.0) return std::nullopt;
  return MostRead{grid.skip + static_cast<std::size_t>(most - patches.begin()), *most};
}

double weight_on_patches(const PatchGrid& grid, const std::vector<double>& weights) {
  const std::vector<double> patches = on_patches(grid, weights);
  return std::accumulate(patches.begin(), patches.end(), 0.0);
}

Tensor<double> attention_rollout(const Tensor<double>& weights) {
  const std::size_t layers = weights.shape()[0];
  const std::size_t heads = weights.shape()[1];
  const std::size_t tokens = weights.shape()[3];
  Tensor<double> through = Tensor<double>::from_shape({tokens, tokens});
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Tensor<double> sum = xt::sum(xt::view(weights, layer), {0});
    const Tensor<double> step = sum * (0.5 / static_cast<double>(heads)) + 0.5 * xt::eye<double>(tokens);
    through = layer == 0 ? step : matmul(step, through);
  }
  return through;
}

}  // namespace attnlab
