// Masks that someone brings along, as numbers that are added to the scores.
#include "attend/attend.hpp"
#include "attend/sentence.hpp"
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
void add_mask(const GivenMask<T>& given, TrueMeans meaning, AttendInputs<T>& inputs) {
  Tensor<T> mask = given.is_boolean ? additive(given.values, meaning) : given.values;
  check_mask(mask, given.name);
  inputs.mask_is_boolean = inputs.mask_is_boolean || given.is_boolean;
  if (!inputs.mask) {
    inputs.mask = std::move(mask);
    return;
  }
  if (!broadcast(shape_of(*inputs.mask), shape_of(mask))) {
    refuse_attend("mask_shapes", {{"name", quotation(given.name)},
                                  {"shape", printed(shape_of(mask))},
                                  {"others", printed(shape_of(*inputs.mask))}});
  }
  inputs.mask = Tensor<T>(*inputs.mask + mask);
}

template void add_mask(const GivenMask<float>&, TrueMeans, AttendInputs<float>&);
template void add_mask(const GivenMask<double>&, TrueMeans, AttendInputs<double>&);

}  // namespace attnlab
