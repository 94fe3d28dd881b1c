// The operations of a derivation, each as the loop that defines it, over flat places: the shapes say what
// stands where.
#include "results/derivation/recompute.hpp"

namespace attnlab {
namespace {

using Shape = std::vector<std::size_t>;

[[noreturn]] void refuse_shapes(const std::string& operation, const Shape& left, const Shape& right) {
  throw ShapeMismatch(operation + " does not take shapes " + shape_text(left) + " and " + shape_text(right));
}

/// The matrices of a stack.
struct Matrices {
  Shape batch;
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::size_t cells() const { return rows * columns; }
};

Matrices matrices(const Shape& shape) {
  return {{shape.begin(), shape.end() - 2}, shape[shape.size() - 2], shape[shape.size() - 1]};
}

/// result (rows, columns) = the sum over k of left (i, k) right (k, j), in the order of k. The loop over j is
/// the innermost because there memory lies in a row.
void multiply(const double* left, const Matrices& a, const double* right, const Matrices& b, double* result) {
  for (std::size_t i = 0; i < a.rows; ++i) {
    double* const sums = result + i * b.columns;
    std::fill(sums, sums + b.columns, 0.0);
    for (std::size_t k = 0; k < a.columns; ++k) {
      const double factor = left[i * a.columns + k];
      const double* const row = right + k * b.columns;
      for (std::size_t j = 0; j < b.columns; ++j) sums[j] += factor * row[j];
    }
  }
}

using Operation = Derivation::Operation;

// --- Element by element ------------------------------------------------------------------------------------

template <class Function>
Array each(const Array& operand, Function function) {
  Array result{operand.shape, operand.axes, operand.data};
  for (double& value : result.data) value = function(value);
  return result;
}

template <class Function>
Array each_pair(const std::string& operation, const Array& left, const Array& right, Function function) {
  Array result;
  result.shape = broadcast(operation, left.shape, right.shape);
  if (result.shape == left.shape) {
    result.axes = left.axes;
  } else if (result.shape == right.shape) {
    result.axes = right.axes;
  }
  result.data.resize(size_of(result.shape));
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = function(left.data[broadcast_source(i, result.shape, left.shape)],
                              right.data[broadcast_source(i, result.shape, right.shape)]);
  }
  return result;
}

// --- Along the last axis -----------------------------------------------------------------------------------

void softmax(double* row, std::size_t length) {
  const double shift = maximum_of(row, length);
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    row[i] = std::exp(row[i] - shift);
    sum += row[i];
  }
  for (std::size_t i = 0; i < length; ++i) row[i] /= sum;
}

void normalise(double* row, std::size_t length, double eps) {
  const auto count = static_cast<double>(length);
  double mean = 0.0;
  for (std::size_t i = 0; i < length; ++i) mean += row[i];
  mean /= count;
  double variance = 0.0;
  for (std::size_t i = 0; i < length; ++i) variance += (row[i] - mean) * (row[i] - mean);
  variance /= count;
  for (std::size_t i = 0; i < length; ++i) row[i] = (row[i] - mean) / std::sqrt(variance + eps);
}

void share(double* row, std::size_t length) {
  const double sum = std::accumulate(row, row + length, 0.0);
  for (std::size_t i = 0; i < length; ++i) row[i] /= sum;
}

double entropy(const double* row, std::size_t length) {
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    if (row[i] != 0.0) sum -= row[i] * std::log(row[i]);  // p ln p goes to 0 with p
  }
  return sum;
}

std::size_t last_axis(const std::string& operation, const Array& operand) {
  if (operand.shape.empty()) throw ShapeMismatch(operation + " needs at least one axis, got shape ()");
  return operand.shape.back();
}

template <class Function>
Array each_row(const std::string& operation, const Array& operand, Function function) {
  const std::size_t length = last_axis(operation, operand);
  Array result{operand.shape, operand.axes, operand.data};
  for (std::size_t start = 0; start < result.data.size(); start += length) {
    function(result.data.data() + start, length);
  }
  return result;
}

template <class Function>
Array reduced(const std::string& operation, const Array& operand, Function function) {
  const std::size_t length = last_axis(operation, operand);
  if (length == 0) throw ShapeMismatch(operation + " needs rows that are not empty");
  Array result;
  result.shape.assign(operand.shape.begin(), operand.shape.end() - 1);
  if (!operand.axes.empty()) result.axes.assign(operand.axes.begin(), operand.axes.end() - 1);
  for (std::size_t start = 0; start < operand.data.size(); start += length) {
    result.data.push_back(function(operand.data.data() + start, length));
  }
  return result;
}

// --- Norms and rotations of queries and keys
// ----------------------------------------------------------------

Array rms_normalised(const Array& operand, const Array& gain, double eps) {
  const std::size_t width = gain.data.size();
  if (width == 0 || last_axis("rms_norm", operand) % width != 0) {
    refuse_shapes("rms_norm", operand.shape, gain.shape);
  }
  Array result{operand.shape, operand.axes, operand.data};
  for (std::size_t start = 0; start < result.data.size(); start += width) {
    double* const row = result.data.data() + start;
    const double squares = std::inner_product(row, row + width, row, 0.0);
    const double by = std::sqrt(squares / static_cast<double>(width) + eps);
    for (std::size_t i = 0; i < width; ++i) row[i] = row[i] / by * gain.data[i];
  }
  return result;
}

Array turned(const Array& operand, const Array& angles, bool halves) {
  const std::size_t rank = operand.shape.size();
  if (rank < 2 || angles.shape.size() != 2 || operand.shape[rank - 2] != angles.shape[0] ||
      operand.shape.back() < 2 * angles.shape[1]) {
    refuse_shapes("rotary", operand.shape, angles.shape);
  }
  Array result{operand.shape, operand.axes, operand.data};
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    if (const std::optional<Rotation> at = rotation_of(operand.shape, angles.shape, halves, i)) {
      const double angle = angles.data[at->angle];
      const double other = operand.data[at->partner] * std::sin(angle);
      result.data[i] = operand.data[i] * std::cos(angle) + (at->is_first ? -other : other);
    }
  }
  return result;
}

// --- Heads -------------------------------------------------------------------------------------------------

/// Heads that stand one after the other, and how the same numbers lie side by side.
struct Heads {
  std::size_t heads = 0;
  std::size_t length = 0;
  std::size_t width = 0;

  /// The place in (..., length, heads * width) of what stands at `flat` in (..., heads, length, width).
  std::size_t joined(std::size_t flat) const {
    const std::size_t column = flat % width;
    const std::size_t row = flat / width % length;
    const std::size_t head = flat / (width * length) % heads;
    const std::size_t batch = flat / (width * length * heads);
    return ((batch * length + row) * heads + head) * width + column;
  }
};

/// (..., length, heads * width) to (..., heads, length, width).
Array split_heads(const Array& operand, double number) {
  const std::size_t rank = operand.shape.size();
  const auto heads = static_cast<std::size_t>(number);
  if (rank < 2 || heads == 0 || operand.shape.back() % heads != 0) {
    throw ShapeMismatch("split_heads does not make " + std::to_string(heads) + " heads of shape " +
                        shape_text(operand.shape));
  }
  const Heads as{heads, operand.shape[rank - 2], operand.shape[rank - 1] / heads};
  Array result;
  result.shape.assign(operand.shape.begin(), operand.shape.end() - 2);
  result.shape.insert(result.shape.end(), {as.heads, as.length, as.width});
  result.data.resize(operand.data.size());
  for (std::size_t i = 0; i < operand.data.size(); ++i) result.data[i] = operand.data[as.joined(i)];
  return result;
}

/// (..., heads, length, width) to (..., length, heads * width).
Array join_heads(const Array& operand) {
  const std::size_t rank = operand.shape.size();
  if (rank < 3) throw ShapeMismatch("join_heads needs three axes, got shape " + shape_text(operand.shape));
  const Heads as{operand.shape[rank - 3], operand.shape[rank - 2], operand.shape[rank - 1]};
  Array result;
  result.shape.assign(operand.shape.begin(), operand.shape.end() - 3);
  result.shape.insert(result.shape.end(), {as.length, as.heads * as.width});
  result.data.resize(operand.data.size());
  for (std::size_t i = 0; i < operand.data.size(); ++i) result.data[as.joined(i)] = operand.data[i];
  return result;
}

// --- Products ----------------------------------------------------------------------------------------------

/// A vector is a row on the left and a column on the right.
Array matrix_product(const Array& left, const Array& right) {
  if (left.shape.empty() || right.shape.empty()) refuse_shapes("product", left.shape, right.shape);
  const bool left_vector = left.shape.size() == 1;
  const bool right_vector = right.shape.size() == 1;
  const Matrices a = left_vector ? Matrices{{}, 1, left.shape[0]} : matrices(left.shape);
  const Matrices b = right_vector ? Matrices{{}, right.shape[0], 1} : matrices(right.shape);
  if (a.columns != b.rows) refuse_shapes("product", left.shape, right.shape);

  const Shape batch = broadcast("product", a.batch, b.batch);
  Array result;
  result.shape = batch;
  if (!left_vector) result.shape.push_back(a.rows);
  if (!right_vector) result.shape.push_back(b.columns);
  const std::size_t cells = a.rows * b.columns;
  result.data.resize(size_of(batch) * cells);
  for (std::size_t i = 0; i < size_of(batch) && cells > 0; ++i) {
    multiply(left.data.data() + broadcast_source(i, batch, a.batch) * a.cells(), a,
             right.data.data() + broadcast_source(i, batch, b.batch) * b.cells(), b,
             result.data.data() + i * cells);
  }
  return result;
}

/// A Bᵀ; a vector on the right stays a column.
Array matrix_product_with_transpose(const Array& left, const Array& right) {
  if (right.shape.size() < 2) return matrix_product(left, right);
  if (left.shape.empty() || left.shape.back() != right.shape.back()) {
    refuse_shapes("product_with_transpose", left.shape, right.shape);
  }
  return matrix_product(left, transposed(right));
}

// --- By operation ------------------------------------------------------------------------------------------

bool takes_two(Operation operation) {
  return operation == Operation::product || operation == Operation::product_with_transpose ||
         operation == Operation::sum || operation == Operation::difference ||
         operation == Operation::rms_norm || operation == Operation::rotary_pairs ||
         operation == Operation::rotary_halves;
}

using Position = std::vector<Stage>::const_iterator;

Position position_of(const std::string& name, Position begin, Position end) {
  return std::find_if(begin, end, [&](const Stage& stage) { return stage.name == name; });
}

}  // namespace

double maximum_of(const double* values, std::size_t count) {
  double largest = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    if (std::isnan(values[i]) || values[i] > largest) largest = values[i];
    if (std::isnan(largest)) return largest;
  }
  return largest;
}

std::size_t size_of(const Shape& shape) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  return size;
}

Shape broadcast(const std::string& operation, const Shape& left, const Shape& right) {
  const std::size_t rank = std::max(left.size(), right.size());
  Shape result(rank);
  for (std::size_t back = 1; back <= rank; ++back) {
    const std::size_t a = back <= left.size() ? left[left.size() - back] : 1;
    const std::size_t b = back <= right.size() ? right[right.size() - back] : 1;
    if (a != b && a != 1 && b != 1) refuse_shapes(operation, left, right);
    result[rank - back] = a == 1 ? b : a;
  }
  return result;
}

std::size_t broadcast_source(std::size_t flat, const Shape& whole, const Shape& shape) {
  std::size_t source = 0;
  std::size_t stride = 1;
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const std::size_t index = flat % whole[whole.size() - back];
    flat /= whole[whole.size() - back];
    const std::size_t length = shape[shape.size() - back];
    source += (length == 1 ? 0 : index) * stride;
    stride *= length;
  }
  return source;
}

Shape index_at(std::size_t flat, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) index[axis] = flat % shape[axis];
  return index;
}

Array swapped(const Array& array, std::size_t from_back) {
  const std::size_t rank = array.shape.size();
  if (rank < from_back) throw ShapeMismatch("no axes to swap");
  const std::size_t rows = array.shape[rank - from_back];
  const std::size_t columns = array.shape[rank - 1];
  std::size_t between = 1;
  for (std::size_t axis = rank - from_back + 1; axis + 1 < rank; ++axis) between *= array.shape[axis];
  Array result = array;
  std::swap(result.shape[rank - from_back], result.shape[rank - 1]);
  if (array.axes.size() == rank) std::swap(result.axes[rank - from_back], result.axes[rank - 1]);
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    const std::size_t column = i % columns;
    const std::size_t middle = i / columns % between;
    const std::size_t row = i / columns / between % rows;
    const std::size_t block = i / columns / between / rows;
    result.data[((block * columns + column) * between + middle) * rows + row] = array.data[i];
  }
  return result;
}

Array transposed(const Array& array) { return swapped(array, 2); }

std::optional<Rotation> rotation_of(const Shape& shape, const Shape& angles, bool halves, std::size_t flat) {
  const std::size_t pairs = angles.back();
  const std::size_t column = flat % shape.back();
  if (column >= 2 * pairs) return std::nullopt;
  const std::size_t pair = halves ? column % pairs : column / 2;
  const bool is_first = halves ? column < pairs : column % 2 == 0;
  const std::size_t apart = halves ? pairs : 1;
  const std::size_t position = flat / shape.back() % angles.front();
  return Rotation{is_first, is_first ? flat + apart : flat - apart, position * pairs + pair};
}

bool is_recomputable(const Derivation& derivation) {
  return derivation.is_computed() && derivation.operation != Operation::worked;
}

Array computed(const Derivation& derivation, const std::vector<const Array*>& operands) {
  const std::size_t needed = takes_two(derivation.operation) ? 2 : 1;
  if (operands.size() != needed) {
    throw std::logic_error("the operation takes " + std::to_string(needed) + " operands, got " +
                           std::to_string(operands.size()));
  }
  const Array& a = *operands.front();
  const Array& b = *operands.back();
  const double number = derivation.number;
  switch (derivation.operation) {
    case Operation::product: return matrix_product(a, b);
    case Operation::product_with_transpose: return matrix_product_with_transpose(a, b);
    case Operation::sum: return each_pair("sum", a, b, std::plus<>());
    case Operation::difference: return each_pair("difference", a, b, std::minus<>());
    case Operation::scaled: return each(a, [number](double x) { return number * x; });
    case Operation::softmax: return each_row("softmax", a, softmax);
    case Operation::power: return each(a, [number](double x) { return std::pow(number, x); });
    case Operation::row_share: return each_row("row_share", a, share);
    case Operation::tanh: return each(a, [](double x) { return std::tanh(x); });
    case Operation::relu: return each(a, [](double x) { return x < 0.0 ? 0.0 : x; });  // NaN stays NaN
    case Operation::layer_norm:
      return each_row("layer_norm", a,
                      [number](double* row, std::size_t length) { normalise(row, length, number); });
    case Operation::rms_norm: return rms_normalised(a, b, number);
    case Operation::rotary_pairs:
    case Operation::rotary_halves: return turned(a, b, derivation.operation == Operation::rotary_halves);
    case Operation::split_heads: return split_heads(a, number);
    case Operation::join_heads: return join_heads(a);
    case Operation::row_entropy: return reduced("row_entropy", a, entropy);
    default: throw std::logic_error("no operation gives this stage");
  }
}

std::vector<const Array*> operands_of(const Stage& stage, const std::vector<Stage>& trace) {
  const auto end = position_of(stage.name, trace.begin(), trace.end());
  std::vector<const Array*> operands;
  for (const std::string& name : stage.derivation.operands) {
    const auto found = position_of(name, trace.begin(), end);
    if (found == end) {
      throw std::logic_error("stage " + stage.name + " is made of " + name + ", which no stage before it is");
    }
    operands.push_back(&found->array);
  }
  return operands;
}

Array recomputed(const Stage& stage, const std::vector<Stage>& trace) {
  const std::vector<const Array*> operands = operands_of(stage, trace);
  if (!is_recomputable(stage.derivation)) return stage.array;
  Array result;
  try {
    result = computed(stage.derivation, operands);
  } catch (const ShapeMismatch& mismatch) {
    throw ShapeMismatch("stage " + stage.name + ": " + mismatch.what());
  } catch (const std::logic_error& mistake) {
    throw std::logic_error("stage " + stage.name + ": " + mistake.what());
  }
  if (result.shape != stage.array.shape) {
    throw ShapeMismatch("stage " + stage.name + " has shape " + shape_text(stage.array.shape) +
                        ", its derivation gives " + shape_text(result.shape));
  }
  result.axes = stage.array.axes;
  result.dtype = stage.array.dtype;
  if (result.dtype == DType::float32) {
    for (double& value : result.data) value = static_cast<double>(static_cast<float>(value));
  }
  return result;
}

}  // namespace attnlab
