#include "plotting/layout/display_list.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "plotting/layout/geometry.hpp"

namespace attnlab {
namespace {

struct Summary {
  std::string kind;
  Box bounds;
  Colour colour;
  std::string words;
};

Colour mean(const std::vector<Colour>& colours) {
  Colour sum;
  for (const Colour& colour : colours) {
    sum.red += colour.red;
    sum.green += colour.green;
    sum.blue += colour.blue;
  }
  const double share = 1.0 / static_cast<double>(colours.size());
  return {sum.red * share, sum.green * share, sum.blue * share};
}

struct Summarise {
  Summary operator()(const FilledBox& filled) const { return {"box", filled.box, filled.fill, ""}; }
  Summary operator()(const Path& path) const {
    return {"path", bounds_of(path.points), path.fill.value_or(path.stroke.value_or(Colour{})), ""};
  }
  Summary operator()(const Disc& disc) const {
    return {"disc", Box{disc.centre.x, disc.centre.y, 0.0, 0.0}.grown(disc.radius),
            disc.fill.value_or(disc.stroke.value_or(Colour{})), ""};
  }
  Summary operator()(const Raster& raster) const { return {"raster", raster.box, mean(raster.pixels), ""}; }
  Summary operator()(const Label& label) const {
    return {"label", bounds_of(ink_corners(label)), label.colour, label.markup};
  }
};

// "weights[2,5].text" -> "weights[*].text"
std::string without_numbers(const std::string& id) {
  std::string name;
  bool inside = false;
  for (const char c : id) {
    if (c == ']') inside = false;
    if (!inside) name += c;
    if (c == '[') {
      inside = true;
      name += '*';
    }
  }
  return name;
}

struct Group {
  std::size_t count = 0;
  Box bounds;
  std::vector<Colour> colours;
  std::string words;
};

}  // namespace

std::string indexed(const std::string& id, std::size_t index) {
  return id + "[" + std::to_string(index) + "]";
}

std::string indexed(const std::string& id, std::size_t row, std::size_t column) {
  return id + "[" + std::to_string(row) + "," + std::to_string(column) + "]";
}

std::string to_text(const DisplayList& list) {
  std::vector<std::string> order;
  std::map<std::string, Group> groups;
  for (const Item& item : list.items) {
    const Summary summary = std::visit(Summarise{}, item.shape);
    const std::string name = without_numbers(item.id) + " " + summary.kind;
    const auto [known, is_new] = groups.try_emplace(name);
    Group& group = known->second;
    if (is_new) order.push_back(name);
    group.bounds = is_new ? summary.bounds : united(group.bounds, summary.bounds);
    group.colours.push_back(summary.colour);
    if (!summary.words.empty()) group.words += (group.words.empty() ? "" : " | ") + summary.words;
    ++group.count;
  }
  std::string text = fmt::format("page {:.0f} {:.0f}\n", list.width, list.height);
  for (const std::string& name : order) {
    const Group& group = groups.at(name);
    const Colour colour = mean(group.colours);
    text += fmt::format("{} x{} {:.0f} {:.0f} {:.0f} {:.0f} colour {:.2f} {:.2f} {:.2f}{}\n", name,
                        group.count, group.bounds.x, group.bounds.y, group.bounds.width, group.bounds.height,
                        colour.red, colour.green, colour.blue, group.words.empty() ? "" : " " + group.words);
  }
  return text;
}

}  // namespace attnlab
