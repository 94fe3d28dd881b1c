// Shortest digits from std::to_chars, cut and padded as NumPy cuts and pads them; then NumPy 1.24's
// arrayprint.py with suppress=True: one width for all numbers, brackets and lines.
#include "results/report/array.hpp"

#include <charconv>
#include <cstdlib>

namespace attnlab {
namespace {

// A float32 needs fewer digits than the double of equal value.
std::string shortest(double value, DType dtype, std::chars_format format) {
  std::array<char, 512> buffer{};  // the longest, a denormal in fixed notation: "-0." and 340 digits
  char* const end = buffer.data() + buffer.size();
  const std::to_chars_result result =
      dtype == DType::float32 ? std::to_chars(buffer.data(), end, static_cast<float>(value), format)
                              : std::to_chars(buffer.data(), end, value, format);
  return {buffer.data(), result.ptr};
}

int decimals_of(std::string_view digits) {
  const std::size_t point = digits.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(digits.size() - point - 1);
}

// trim='.': no trailing zeros, but always a point.
std::string trimmed(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits + '.';
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

// The shortest digits filled up with zeros: 67617208 as a float32 reads 67617210, where to_chars gives it
// exactly.
std::string whole_number(double value, DType dtype) {
  const std::string text = shortest(value, dtype, std::chars_format::scientific);
  const std::size_t mark = text.find('e');
  std::string digits = text.substr(0, mark);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const std::size_t sign = std::signbit(value) ? 1 : 0;
  digits.resize(sign + 1 + std::stoul(text.substr(mark + 2)), '0');
  return digits;
}

/// NumPy's dragon4_positional(value, precision=decimals, trim='.'): the shortest digits, rounded half to even
/// on the exact value when more than `decimals` would follow the point. "0.31564538", "3.", "-0.". Finite
/// only.
std::string positional_text(double value, DType dtype, int decimals) {
  std::string digits = shortest(value, dtype, std::chars_format::fixed);
  if (decimals_of(digits) > decimals) digits = fmt::format("{:.{}f}", value, decimals);
  return trimmed(digits);
}

/// The same in scientific notation: "1.e+08", "1.23456789e-05".
std::string scientific_text(double value, DType dtype, int decimals) {
  std::string text = shortest(value, dtype, std::chars_format::scientific);
  if (decimals_of(text.substr(0, text.find('e'))) > decimals) text = fmt::format("{:.{}e}", value, decimals);
  const std::size_t exponent = text.find('e');
  return trimmed(text.substr(0, exponent)) + text.substr(exponent);
}

/// Exactly `decimals` digits of the exact value, as NumPy's min_digits gives them: "1.00000000e+08".
std::string full_scientific_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}e}", value, decimals);
  if (decimals == 0) text.insert(text.find('e'), ".");
  return text;
}

/// What str() of a NumPy scalar gives: "0.1", "3.0", "1e+16", "5.184705528587072e+21", "nan", "-inf".
std::string scalar_text(double value, DType dtype) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0.0 ? "-inf" : "inf";
  const double size = std::abs(value);
  if (size != 0.0 && (size < 1e-4 || size >= 1e16))
    return shortest(value, dtype, std::chars_format::scientific);
  std::string digits = shortest(value, dtype, std::chars_format::fixed);
  if (digits.find('.') != std::string::npos) return digits;
  return whole_number(value, dtype) + ".0";
}

// NumPy's defaults.
constexpr int precision = 8;
constexpr std::size_t line_width = 75;
constexpr std::size_t threshold = 1000;
constexpr std::size_t edge_items = 3;
constexpr double first_exponential = 1e8;

bool is_huge(double value) { return std::isfinite(value) && std::abs(value) >= first_exponential; }

// FloatingFormat: from all numbers shown, how many characters stand before and after the point.
class NumberFormat {
 public:
  NumberFormat(const std::vector<double>& shown, DType dtype)
      : dtype_(dtype), exponential_(std::any_of(shown.begin(), shown.end(), is_huge)) {
    std::size_t widest_nonfinite = 0;
    for (const double value : shown) {
      if (std::isfinite(value)) {
        measure(value);
      } else {
        widest_nonfinite = std::max(widest_nonfinite, scalar_text(value, dtype_).size());
      }
    }
    width_ = std::max(before_ + 1 + after_ + exponent_, widest_nonfinite);
    before_ = width_ - 1 - after_ - exponent_;
  }

  std::string operator()(double value) const {
    if (!std::isfinite(value)) return fmt::format("{:>{}}", scalar_text(value, dtype_), width_);
    return exponential_ ? exponential(value) : positional(value);
  }

 private:
  void measure(double value) {
    const std::string text =
        exponential_ ? scientific_text(value, dtype_, precision) : positional_text(value, dtype_, precision);
    const std::size_t point = text.find('.');
    const std::size_t end = std::min(text.find('e'), text.size());
    before_ = std::max(before_, point);
    after_ = std::max(after_, end - point - 1);
    exponent_ = std::max(exponent_, text.size() - end);
  }

  std::string positional(double value) const {
    const std::string text = positional_text(value, dtype_, precision);
    std::string aligned = fmt::format("{:>{}}", text, text.size() + before_ - text.find('.'));
    aligned.resize(width_, ' ');
    return aligned;
  }

  // Mantissas have as many digits as the longest one, exponents as many as the longest exponent.
  std::string exponential(double value) const {
    const std::string text = full_scientific_text(value, static_cast<int>(after_));
    const std::size_t digits = text.find('e') + 2;
    const std::string zeros(exponent_ - (text.size() - digits + 2), '0');
    return fmt::format("{:>{}}", text.substr(0, digits) + zeros + text.substr(digits), width_);
  }

  DType dtype_;
  bool exponential_;
  std::size_t before_ = 0;    // sign and digits before the point
  std::size_t after_ = 0;     // digits behind it
  std::size_t exponent_ = 0;  // "e+08"
  std::size_t width_ = 0;
};

class ArrayPrinter {
 public:
  explicit ArrayPrinter(const Array& array)
      : array_(array), summarised_(array.data.size() > threshold), format_(shown_values(), array.dtype) {}

  std::string text() const { return block(0, 0); }

 private:
  bool cut(std::size_t axis) const { return summarised_ && array_.shape[axis] > 2 * edge_items; }

  // The indices printed along an axis; where it is cut, "..." follows the first three.
  std::vector<std::size_t> shown(std::size_t axis) const {
    const std::size_t length = array_.shape[axis];
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < length; ++i) {
      if (!cut(axis) || i < edge_items || i + edge_items >= length) indices.push_back(i);
    }
    return indices;
  }

  std::size_t flat(std::size_t offset, std::size_t axis, std::size_t index) const {
    return offset * array_.shape[axis] + index;
  }

  void collect(std::size_t axis, std::size_t offset, std::vector<double>& values) const {
    if (axis == array_.shape.size()) {
      values.push_back(array_.data[offset]);
      return;
    }
    for (const std::size_t i : shown(axis)) collect(axis + 1, flat(offset, axis, i), values);
  }

  std::vector<double> shown_values() const {
    std::vector<double> values;
    collect(0, 0, values);
    return values;
  }

  // Everything from `axis` on, in brackets; `axis` of them stand open on its first line already.
  std::string block(std::size_t axis, std::size_t offset) const {
    return '[' + (axis + 1 == array_.shape.size() ? row(axis, offset) : stack(axis, offset)) + ']';
  }

  // Blocks under one another, with one blank line more for each further dimension.
  std::string stack(std::size_t axis, std::size_t offset) const {
    const std::string separator =
        std::string(array_.shape.size() - axis - 1, '\n') + std::string(axis + 1, ' ');
    std::string text;
    std::size_t count = 0;
    for (const std::size_t i : shown(axis)) {
      if (count == edge_items && cut(axis)) text += separator + "...";
      if (count++ > 0) text += separator;
      text += block(axis + 1, flat(offset, axis, i));
    }
    return text;
  }

  // Numbers side by side, wrapped so that the closing brackets still fit.
  std::string row(std::size_t axis, std::size_t offset) const {
    const std::size_t limit = line_width - (axis + 1);
    const std::string indent(axis + 1, ' ');
    std::string text;
    std::string line = indent;
    const auto extend = [&](const std::string& word) {
      if (line.size() + word.size() > limit && line.size() > indent.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
        line = indent;
      }
      line += word;
    };
    const std::vector<std::size_t> indices = shown(axis);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      if (k > 0) line += ' ';
      if (k == edge_items && cut(axis)) {
        extend("...");
        line += ' ';
      }
      extend(format_(array_.data[flat(offset, axis, indices[k])]));
    }
    return (text + line).substr(indent.size());
  }

  const Array& array_;
  bool summarised_;
  NumberFormat format_;
};

}  // namespace

std::string numpy_text(const Array& array) {
  if (array.shape.empty()) return scalar_text(array.data.at(0), array.dtype);
  if (array.data.empty()) return "[]";
  return ArrayPrinter(array).text();
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t length : shape) text += (text.empty() ? "" : ", ") + std::to_string(length);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::string python_repr(double value) { return scalar_text(value, DType::float64); }

std::string difference_text(double difference) {
  return difference < most_rounding ? fmt::format("< {:g}", most_rounding)
                                    : fmt::format("{:.2g}", difference);
}

}  // namespace attnlab
