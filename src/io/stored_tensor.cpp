#include "io/stored_tensor.hpp"

#include <functional>
#include <numeric>
#include <type_traits>

namespace attnlab {

std::size_t size_of(const StoredTensor& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::size_t{1}, std::multiplies<>());
}

template <class T>
StoredTensor spelt_out(std::string name, std::vector<std::size_t> shape, std::vector<T> values) {
  StoredTensor tensor;
  tensor.name = std::move(name);
  tensor.encoding = {std::is_same_v<T, float> ? ElementType::float32 : ElementType::float64,
                     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
  tensor.shape = std::move(shape);
  const auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  tensor.bytes = [owner]() -> SharedBytes {
    const void* const begin = owner->data();
    return {{static_cast<const char*>(begin), owner->size() * sizeof(T)}, owner};
  };
  return tensor;
}

template StoredTensor spelt_out(std::string, std::vector<std::size_t>, std::vector<float>);
template StoredTensor spelt_out(std::string, std::vector<std::size_t>, std::vector<double>);

}  // namespace attnlab
