#include "plotting/svg_parts.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "plotting/length_text.hpp"

namespace attnlab {

std::string svg_colour(const Colour& colour) {
  const auto byte = [](double channel) { return std::lround(channel * 255.0); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green), byte(colour.blue));
}

std::string svg_name(const std::string& id) {
  std::string name;
  for (const char c : id) {
    const bool allowed = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    if (allowed) {
      name += c;
    } else if (c != ']' && !name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

std::string SvgDefinitions::outline(const std::string& data) {
  const auto [known, is_new] = outlines_.try_emplace(data, fmt::format("g{}", outlines_.size()));
  if (is_new) written_ += fmt::format("<path id=\"{}\" d=\"{}\"/>\n", known->second, data);
  return known->second;
}

std::string SvgDefinitions::clip(const Box& box) {
  const std::string shape = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", length_text(box.x),
                                        length_text(box.y), length_text(box.width), length_text(box.height));
  const auto [known, is_new] = clips_.try_emplace(shape, fmt::format("c{}", clips_.size()));
  if (is_new) {
    written_ += fmt::format("<clipPath id=\"{}\"><rect {}/></clipPath>\n", known->second, shape);
  }
  return known->second;
}

}  // namespace attnlab
