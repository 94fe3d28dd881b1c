// How many numbers a model of a known family has, by its configuration alone.
#pragma once

#include "model/families.hpp"

namespace attnlab {

/// So many tensors, or parts of a layer, of so many numbers.
struct CountedPart {
  std::string id;  // "attention"
  Text name;
  std::size_t each = 0;
  std::size_t times = 1;
};

struct ParameterCount {
  std::vector<CountedPart> parts;  // from the embedding to the last matrix

  std::size_t total() const;
  /// 0 for a part that the model has not.
  std::size_t of(const std::string& id) const;
};

/// Nothing for what attnlab trained, whose parts its file alone knows. Of BERT's relatives with the transform
/// before their words.
std::optional<ParameterCount> parameters_of(const KnownFamily& family, const Config& config);

}  // namespace attnlab
