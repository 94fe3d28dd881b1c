// What one query of a vision transformer reads, laid over the picture: each key is a patch of it.
#pragma once

#include "core/tensor.hpp"
#include "plotting/figure/figure.hpp"

namespace attnlab {

/// Tokens skip, skip + 1, ... are the patches, row by row; those before and behind (a class token, registers)
/// are no part of the picture.
struct PatchGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t skip = 0;

  std::size_t size() const { return rows * columns; }
  bool holds(std::size_t token) const { return token >= skip && token - skip < size(); }
  std::size_t row_of(std::size_t token) const { return (token - skip) / columns; }
  std::size_t column_of(std::size_t token) const { return (token - skip) % columns; }
};

/// "The patch in row 3, column 5", or "Token 0" of one that is none; within a sentence with a small letter.
Text name_of_reader(const PatchGrid& grid, std::size_t token);

/// "row 3, column 5" of a patch, counted from 0.
Text place_of_patch(const PatchGrid& grid, std::size_t token);

/// The picture in as many pixels as suit the grid, each the mean of what it covers: the same number for every
/// patch, no more than a page shows.
std::shared_ptr<const Image> fitted(const Image& picture, const PatchGrid& grid);

/// The picture as it is, the reader framed. Its cells hold the tokens' numbers, and on a page the one under
/// the pointer becomes the value of `parameter`.
HeatMap picture_map(const PatchGrid& grid, std::shared_ptr<const Image> picture, std::size_t reader,
                    const std::string& parameter);

/// The picture where the reader reads it: clear at the largest weight on a patch, veiled at 0. weights
/// (tokens), of one query.
HeatMap reading_map(const std::string& id, const PatchGrid& grid, std::shared_ptr<const Image> picture,
                    const std::vector<double>& weights, std::size_t reader);

/// The patch with the largest of these weights (tokens), and how much lies on all patches together. Nothing
/// where a weight on a patch is not a number or all are 0.
struct MostRead {
  std::size_t token = 0;
  double weight = 0.0;
};
std::optional<MostRead> most_read(const PatchGrid& grid, const std::vector<double>& weights);
double weight_on_patches(const PatchGrid& grid, const std::vector<double>& weights);

/// Abnar and Zuidema 2020 ("Quantifying attention flow in transformers", eq. 1), per layer half of the mean
/// over heads and half of the residual path, multiplied through the layers: weights (layers, heads, tokens,
/// tokens) -> (tokens, tokens).
Tensor<double> attention_rollout(const Tensor<double>& weights);

}  // namespace attnlab
