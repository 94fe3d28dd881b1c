// Reads the tensors, masks and labels that `attend` is pointed at.
#pragma once

#include <string>
#include <vector>

#include "attend/attend.hpp"
#include "experiments/framework/parameter.hpp"
#include "io/stored_tensor.hpp"

namespace attnlab {

/// One of query, key, value and x: its file is open, its numbers have not been read.
struct OpenedInput {
  std::string flag;
  std::string file;  // its name, for the report
  StoredTensor tensor;
};

/// Throws Error (usage) when inputs are missing or contradict each other; Error naming a file that cannot be
/// read. Standard input can be one of them.
std::vector<OpenedInput> open_inputs(const Arguments& arguments);

/// The type to compute in: what was asked for, or float64 where any input holds float64, integers or text.
DType computing_type(const std::vector<OpenedInput>& inputs, Precision precision);

/// The numbers, the weights, the masks and the labels. Throws Error naming what is wrong with which file.
template <class T>
AttendInputs<T> read_inputs(std::vector<OpenedInput> opened, const Arguments& arguments,
                            const AttendSettings& settings);

}  // namespace attnlab
