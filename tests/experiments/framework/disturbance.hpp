// Does every invariant of an experiment notice a wrong number? Each number of a run is made wrong in turn.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/tensor.hpp"
#include "experiments/framework/experiment.hpp"
#include "fields.hpp"
#include "results/report/report.hpp"

namespace attnlab {

/// A number of the run, reached anew in every copy of it.
using Numbers64 = std::vector<double*>;

/// The first two, the middle and the last of some numbers: one is enough for an invariant of all. Of a square
/// matrix the second lies above the diagonal, as the others often do not.
inline void add_some(Numbers64& found, double* begin, std::size_t size) {
  if (size == 0) return;
  for (const std::size_t i : std::set<std::size_t>{0, size > 1, size / 2, size - 1}) {
    found.push_back(begin + i);
  }
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// Numbers of a run: those of its arrays, of the structs in it and of the lists of them.
template <class T>
void collect(T& part, Numbers64& found) {
  if constexpr (std::is_same_v<T, double>) {
    found.push_back(&part);
  } else if constexpr (std::is_same_v<T, Tensor<double>>) {
    add_some(found, part.data(), part.size());
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    add_some(found, part.data(), part.size());
  } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
  } else if constexpr (IsVector<T>::value) {
    for (auto& element : part) collect(element, found);
  } else if constexpr (IsOptional<T>::value) {
    if (part) collect(*part, found);
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    for_each_field(part, [&found](auto& field) {
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(field)>>) collect(field, found);
    });
  }
}

/// The invariants of Run that hold of it, and still hold whichever of its numbers is made wrong: none, if
/// they are worth their names.
template <class Run>
std::vector<std::string> blind_invariants(const Arguments& arguments) {
  const Run right = Run::compute(arguments, quiet_context());
  std::set<std::string> blind;
  for (const Invariant& invariant : invariants(right)) blind.insert(invariant.name);
  Run counted = right;
  Numbers64 numbers;
  collect(counted, numbers);
  const std::vector<std::function<double(double)>> faults{
      [](double x) { return x + 0.5; }, [](double x) { return x - 0.5; },
      [](double x) { return 1e3 * x + 1e3; }, [](double x) { return -1e3 * x - 1e3; }};
  for (std::size_t i = 0; i < numbers.size() && !blind.empty(); ++i) {
    for (const auto& fault : faults) {
      Run wrong = right;
      Numbers64 of_wrong;
      collect(wrong, of_wrong);
      *of_wrong.at(i) = fault(*of_wrong.at(i));
      try {
        for (const Invariant& invariant : invariants(wrong)) {
          if (std::isfinite(invariant.error) && !holds(invariant)) blind.erase(invariant.name);
        }
      } catch (const std::exception&) {  // what no run can hold: a weight of 1000, say, that leaves nothing
                                         // to compare
      }
    }
  }
  return {blind.begin(), blind.end()};
}

}  // namespace attnlab
