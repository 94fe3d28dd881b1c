// Masks that someone brings along, as numbers that are added to the scores.
#include "attend/run.hpp"
#include "attention/shape.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

template <class T>
Tensor<T> additive(const Tensor<T>& truth, TrueMeans meaning) {
  const T hidden = -std::numeric_limits<T>::infinity();
  const bool keeps = meaning == TrueMeans::keep;
  Tensor<T> mask = truth;
  for (T& value : mask) value = (value != T(0)) == keeps ? T(0) : hidden;
  return mask;
}

/// Refuses what no mask may hold: NaN, or +inf, which would make every other weight NaN.
template <class T>
void check_mask(const Tensor<T>& mask, const std::string& name) {
  const bool is_odd = std::any_of(mask.begin(), mask.end(), [](T value) {
    return std::isnan(value) || value == std::numeric_limits<T>::infinity();
  });
  if (!is_odd) return;
  refuse_attend("bad_mask", {{"name", quotation(name)}}, ErrorKind::failed);
}

}  // namespace

template <class T>
void add_mask(const InputMask<T>& provided, TrueMeans meaning, AttendInputs<T>& inputs) {
  Tensor<T> mask = provided.is_boolean ? additive(provided.values, meaning) : provided.values;
  check_mask(mask, provided.name);
  inputs.mask_is_boolean = inputs.mask_is_boolean || provided.is_boolean;
  if (!inputs.mask) {
    inputs.mask = std::move(mask);
    return;
  }
  if (!broadcast(shape_of(*inputs.mask), shape_of(mask))) {
    refuse_attend("mask_shapes", {{"name", quotation(provided.name)},
                                  {"shape", printed(shape_of(mask))},
                                  {"others", printed(shape_of(*inputs.mask))}});
  }
  inputs.mask = Tensor<T>(*inputs.mask + mask);
}

template <class T>
RowFlags rows_under_numbers(const Tensor<T>& mask, const ReadableKeys& rule, const Shape& batch,
                            std::size_t queries, std::size_t keys) {
  constexpr T large = T(-1e4);  // BERT's; others take -1e9 or the least number of their type
  const auto is_large = [](T value) { return std::isfinite(value) && value <= large; };
  if (std::none_of(mask.begin(), mask.end(), is_large)) return {};
  Shape shape = shape_of(mask);
  while (shape.size() < 2) shape.insert(shape.begin(), 1);
  const std::size_t rows = shape[shape.size() - 2];
  const std::size_t columns = shape.back();
  const std::vector<std::size_t> matrices = operand_matrices(batch_of(shape), batch);
  RowFlags flags(matrices.size() * queries, false);
  for (std::size_t row = 0; row < flags.size(); ++row) {
    const T* of_query = mask.data() + (matrices[row / queries] * rows + row % queries % rows) * columns;
    const KeyRange readable = readable_by(rule, row % queries, queries, keys);
    T most = -std::numeric_limits<T>::infinity();
    for (std::size_t key = readable.begin; key < readable.end; ++key)
      most = std::max(most, of_query[columns == 1 ? 0 : key]);
    flags[row] = is_large(most);
  }
  return std::find(flags.begin(), flags.end(), true) == flags.end() ? RowFlags{} : flags;
}

template RowFlags rows_under_numbers(const Tensor<float>&, const ReadableKeys&, const Shape&, std::size_t,
                                     std::size_t);
template RowFlags rows_under_numbers(const Tensor<double>&, const ReadableKeys&, const Shape&, std::size_t,
                                     std::size_t);
template void add_mask(const InputMask<float>&, TrueMeans, AttendInputs<float>&);
template void add_mask(const InputMask<double>&, TrueMeans, AttendInputs<double>&);

}  // namespace attnlab
