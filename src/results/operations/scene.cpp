#include "results/operations/scene.hpp"

namespace attnlab {

using formula::row;
using formula::sym;

Shown shown_entries(std::size_t count) {
  constexpr std::size_t before_dots = 2;
  constexpr std::size_t behind_dots = 1;
  return shown(count, before_dots, behind_dots);
}

std::vector<std::string> texts_of(const Index& index) {
  std::vector<std::string> texts;
  for (const std::size_t place : index) texts.push_back(std::to_string(place));
  return texts;
}

Index index_of(const Array& array, std::size_t row_index, std::size_t column) {
  const std::size_t rank = array.shape.size();
  if (rank == 0) return {};
  Index index(rank, 0);
  index[rank - 1] = column;
  if (rank >= 2) index[rank - 2] = row_index;
  return index;
}

Index row_index_of(const Array& array, std::size_t row_index) {
  Index index = index_of(array, row_index, 0);
  if (!index.empty()) index.pop_back();
  return index;
}

std::size_t flat_of(const Array& array, std::size_t row_index, std::size_t column) {
  return array.shape.size() < 2 ? column : row_index * array.shape.back() + column;
}

std::size_t width_of(const Array& array) { return array.shape.empty() ? 1 : array.shape.back(); }

const double* row_begin(const Array& array, std::size_t row_index) {
  return array.data.data() + flat_of(array, row_index, 0);
}

Chain::Link link(const Written& right) { return {relation(right.exact), right.formula}; }

Chain::Link result_link(double value, bool exact_before) {
  const Written result = written(value);
  return {relation(exact_before && result.exact), result.formula};
}

ExplanationLines with_entries(ExplanationLines lines, const Scene& scene,
                              const std::function<Working(std::size_t column)>& work) {
  const Array& whole = scene.stage.array;
  const Shown columns = shown_entries(width_of(whole));
  for (std::size_t i = 0; i < columns.places.size(); ++i) {
    if (columns.dots_before(i)) lines.push_back(Chain{formula::sym("⋯"), {}});
    const std::size_t column = columns.places[i];
    Working working = work(column);
    working.links.push_back(result_link(whole.data[flat_of(whole, scene.row, column)], working.exact));
    lines.push_back(
        Chain{element_name(scene.stage.name, index_of(whole, scene.row, column)), std::move(working.links)});
  }
  return lines;
}

Source source_of(const Scene& scene, std::size_t operand, std::size_t column) {
  const Array& whole = scene.stage.array;
  const Array& array = scene.array(operand);
  const std::size_t place = broadcast_source(flat_of(whole, scene.row, column), whole.shape, array.shape);
  return {array.data[place], element_name(scene.name(operand), index_at(place, array.shape))};
}

Written written_sum(const double* values, std::size_t count) {
  return joined(shown_terms({values, values + count}), "+", [values](std::size_t i) {
    return i == 0 ? written(values[i]) : written_in_brackets(values[i]);
  });
}

std::size_t rows_of(const Array& array) {
  return array.shape.size() < 2 ? 1 : array.shape[array.shape.size() - 2];
}

Formula element_name(const std::string& stage, const std::vector<std::string>& places) {
  if (places.empty()) return sym(stage);
  std::vector<Formula> parts{sym(stage), sym("[")};
  for (const std::string& place : places) {
    if (parts.size() > 2) parts.push_back(sym(","));
    parts.push_back(sym(place));
  }
  parts.push_back(sym("]"));
  return row(std::move(parts));
}

Formula element_name(const std::string& stage, const Index& index) {
  return element_name(stage, texts_of(index));
}

Chain row_of_stage(const Stage& stage, std::size_t row_index) {
  const Formula name = element_name(stage.name, row_index_of(stage.array, row_index));
  if (stage.array.data.empty()) return {name, {{"=", row({sym("["), sym("]")})}}};
  if (stage.array.shape.empty()) return {name, {link(written(stage.array.data.front()))}};
  Written numbers = written_row(row_begin(stage.array, row_index), width_of(stage.array));
  return {name, {link(numbers)}};
}

}  // namespace attnlab
