#include "verification/stored_array.hpp"

#include "results/operations/shapes.hpp"

namespace attnlab {

double stored_number(const Json& json) {
  if (const std::optional<double> number = number_of(json)) return *number;
  throw std::runtime_error(json.dump() + " is no number");
}

Array stored_array(const Json& json) {
  Array array;
  array.shape = json.at("shape").get<std::vector<std::size_t>>();
  for (const Json& entry : json.at("data")) array.data.push_back(stored_number(entry));
  if (array.data.size() != size_of(array.shape))
    throw std::runtime_error("an array's shape and data do not fit");
  return array;
}

std::size_t summed_terms(const Json& stages) {
  std::size_t terms = 0;
  for (const Json& stage : stages) {
    if (!stage.is_object()) continue;
    const auto shape = stage.at("shape").get<std::vector<std::size_t>>();
    if (!shape.empty()) terms += shape.back();
  }
  return terms;
}

Deviation deviation_from(const Json& stored, const std::vector<std::size_t>& shape,
                         const std::vector<double>& got, double tolerance) {
  const Array expected = stored_array(stored);
  const Deviation found = deviation(got, expected.data, tolerance);
  return shape == expected.shape ? found : Deviation{infinity, infinity, found.allowed, false};
}

template <class T>
Checks compared(Section section, const std::string& layer, const std::string& detail, const Json& stored,
                const NamedTensors<T>& got, double tolerance) {
  Checks checks;
  for (const auto& [name, expected] : stored.items()) {
    const Tensor<T>& stage = got.at(name);
    const std::vector<std::size_t> shape(stage.shape().begin(), stage.shape().end());
    checks.push_back({deviation_from(expected, shape, numbers_of(stage), tolerance), section,
                      layer + " " + dtype_name<T>, name, Text::same(detail)});
  }
  return checks;
}

template Checks compared(Section, const std::string&, const std::string&, const Json&,
                         const NamedTensors<float>&, double);
template Checks compared(Section, const std::string&, const std::string&, const Json&,
                         const NamedTensors<double>&, double);

}  // namespace attnlab
