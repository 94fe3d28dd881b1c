// What SVG elements are written with: colours, names, and definitions shared by several elements.
#pragma once

#include <map>
#include <string>

#include "plotting/layout/display_list.hpp"

namespace attnlab {

/// "#1f77b4"
std::string svg_colour(const Colour& colour);

/// "weights[2,5]" as an XML name: "weights-2-5".
std::string svg_name(const std::string& id);

/// Each definition is written once and known by a short name.
class SvgDefinitions {
 public:
  /// The name of a glyph's outline.
  std::string outline(const std::string& data);
  /// The name of a clipping box.
  std::string clip(const Box& box);
  /// A name for what stands in the body and is used again there.
  std::string next_name() { return "h" + std::to_string(names_++); }

  const std::string& written() const { return written_; }

 private:
  std::string written_;
  std::map<std::string, std::string> outlines_;
  std::map<std::string, std::string> clips_;
  std::size_t names_ = 0;
};

}  // namespace attnlab
