#include "page/picture.hpp"

#include "core/agreement.hpp"
#include "plotting/backends/backends.hpp"

namespace attnlab {
namespace {

using Values = std::vector<std::pair<std::string, Json>>;

bool is_colour(const std::string& attribute) { return attribute == "fill" || attribute == "stroke"; }

// --- One item in both themes

[[noreturn]] void refuse_difference(const std::string& id) {
  throw std::logic_error("the themes differ in more than the colours of " + id);
}

Json colour_pair(const std::string& light, const std::string& dark, PageInk& ink) {
  if (light == "none" && dark == "none") return "none";
  return ink.colours.number_of(light + " " + dark);
}

/// <use href="#g12" x="640"/> for each glyph; of the bar of a root a path.
std::string markup_of(const std::vector<SvgElement>& letters) {
  std::string markup;
  for (const SvgElement& letter : letters) {
    markup += "<" + letter.name;
    for (const auto& [name, value] : letter.attributes)
      markup += fmt::format(" {}=\"{}\"", name == "xlink:href" ? "href" : name, value);
    markup += "/>";
  }
  return markup;
}

Values values_of(const std::string& id, const Label& label, const Label& other, PageInk& ink) {
  const SvgLetters set = svg_letters(label, *ink.outlines, ink.definitions);
  const bool is_moved = difference(label.position.x, other.position.x) != 0.0 ||
                        difference(label.position.y, other.position.y) != 0.0;
  if (label.markup != other.markup || is_moved) refuse_difference(id);
  Values values{{"fill", colour_pair(svg_colour(label.colour), svg_colour(other.colour), ink)}};
  for (const auto& [name, value] : set.group.attributes) {
    if (!is_colour(name)) values.emplace_back(name, value);
  }
  if (label.halo && other.halo) {
    values.emplace_back("stroke", colour_pair(svg_colour(*label.halo), svg_colour(*other.halo), ink));
    values.emplace_back("stroke-width", set.rim_width);
  }
  values.emplace_back("letters", ink.letters.number_of(markup_of(set.letters)));
  return values;
}

template <class Shape>
Values values_of(const std::string& id, const Shape& shape, const Shape& other, PageInk& ink) {
  const SvgElement light = svg_element(shape, ink.definitions);
  const SvgElement dark = svg_element(other, ink.definitions);
  if (light.attributes.size() != dark.attributes.size()) refuse_difference(id);
  Values values;
  for (std::size_t i = 0; i < light.attributes.size(); ++i) {
    const auto& [name, value] = light.attributes[i];
    const std::string& in_dark = dark.attributes[i].second;
    if (is_colour(name)) {
      values.emplace_back(name, colour_pair(value, in_dark, ink));
    } else {
      if (value != in_dark) refuse_difference(id);
      values.emplace_back(name == "xlink:href" ? "href" : name, value);
    }
  }
  return values;
}

std::string name_of(const PageShape& shape) {
  if (std::holds_alternative<Label>(shape)) return "g";
  if (std::holds_alternative<Disc>(shape)) return "circle";
  if (const auto* raster = std::get_if<Raster>(&shape)) return raster->recurs ? "use" : "image";
  return "path";
}

Values values_of(const Item& light, const Item& dark, PageInk& ink) {
  if (light.id != dark.id || light.shape.index() != dark.shape.index()) refuse_difference(light.id);
  return std::visit(
      [&](const auto& shape) {
        return values_of(light.id, shape, std::get<std::decay_t<decltype(shape)>>(dark.shape), ink);
      },
      light.shape);
}

/// An item as the elements that show it.
struct ShownAs {
  std::string id;
  Values values;
};

/// Whether they show more than colours: the pixels of a raster, the names of colours.
bool differ_in_more(const Item& light, const Item& dark, PageInk& ink) {
  const auto* label = std::get_if<Label>(&light.shape);
  const auto* other = std::get_if<Label>(&dark.shape);
  if (label != nullptr && other != nullptr) return label->markup != other->markup;
  const bool are_rasters =
      std::holds_alternative<Raster>(light.shape) && std::holds_alternative<Raster>(dark.shape);
  return are_rasters && values_of(light, light, ink) != values_of(dark, dark, ink);
}

/// Where the themes differ in more than colours there is an element for each.
std::vector<ShownAs> elements_of(const Item& light, const Item& dark, PageInk& ink) {
  if (!differ_in_more(light, dark, ink)) return {{light.id, values_of(light, dark, ink)}};
  std::vector<ShownAs> both{{light.id, values_of(light, light, ink)},
                            {light.id + night_end, values_of(dark, dark, ink)}};
  both[0].values.emplace_back("class", "by-day");
  both[1].values.emplace_back("class", "by-night");
  return both;
}

// --- An element from frame to frame

using NumberedValues = std::vector<std::pair<std::string, std::uint32_t>>;

constexpr std::uint32_t none = 0;  // the numbers of "none" and "inline"
constexpr std::uint32_t in_line = 1;

void set(PictureElement& element, const std::string& name, std::uint32_t value, std::size_t frame,
         std::uint32_t before_the_first) {
  for (auto& [known, values] : element.attributes) {
    if (known != name) continue;
    values.push_back(value);
    return;
  }
  element.attributes.emplace_back(name, std::vector<std::uint32_t>(frame, before_the_first));
  element.attributes.back().second.push_back(value);
}

constexpr const char* display = "display";

/// An element that no frame has shown yet has nothing else.
bool was_shown(const PictureElement& element) { return element.attributes.size() > 1; }

void show(PictureElement& element, const NumberedValues& values, std::size_t frame) {
  const bool is_first = !was_shown(element);
  std::set<std::string> provided;
  for (const auto& [name, value] : values) {
    set(element, name, value, frame, is_first ? value : none);
    provided.insert(name);
  }
  for (auto& [name, all] : element.attributes) {  // what it had in another frame
    if (name != display && provided.count(name) == 0) set(element, name, none, frame, none);
  }
  set(element, display, in_line, frame, none);
}

constexpr double smallest_letters = 12.0;  // CSS pixels, on any screen

/// The size of the smallest letters of a picture, in points: those of a subscript stand in the markup.
double smallest_size(const DisplayList& list) {
  constexpr double pango_scale = 1024.0;
  double smallest = list.width;
  for (const Item& item : list.items) {
    const auto* label = std::get_if<Label>(&item.shape);
    if (label == nullptr) continue;
    smallest = std::min(smallest, label->size);
    for (const char* quote : {"size=\"", "size='"}) {
      const std::string before = quote;
      for (std::size_t at = label->markup.find(before); at != std::string::npos;
           at = label->markup.find(before, at + 1)) {
        const double size = std::strtod(label->markup.c_str() + at + before.size(), nullptr);
        if (size > 0.0) smallest = std::min(smallest, size / pango_scale);
      }
    }
  }
  return smallest;
}

/// What is not seen is as it was first: so it changes least.
void hide(PictureElement& element) {
  for (auto& [name, values] : element.attributes) values.push_back(name == display ? none : values.front());
}

}  // namespace

std::size_t NumberedTexts::number_of(const std::string& text) {
  const auto [known, is_new] = known_.emplace(text, all_.size());
  if (is_new) all_.push_back(text);
  return known->second;
}

double least_width(const DisplayList& list) {
  return std::ceil(list.width * smallest_letters / smallest_size(list));
}

std::string css_colour(std::size_t number) { return fmt::format("var(--c{})", number); }

std::string colour_rules(const NumberedTexts& colours) {
  std::string light;
  std::string dark;
  for (std::size_t i = 0; i < colours.all().size(); ++i) {
    const std::string& pair = colours.all()[i];
    const std::size_t blank = pair.find(' ');
    light += fmt::format("--c{}:{};", i, pair.substr(0, blank));
    if (pair.substr(0, blank) != pair.substr(blank + 1)) {
      dark += fmt::format("--c{}:{};", i, pair.substr(blank + 1));
    }
  }
  return fmt::format(
      ":root,:host{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root,:host{{{}}}}}\n", light, dark);
}

PictureElement& PagePicture::place_of(const std::string& id, const std::string& name, std::size_t& at) {
  if (known_.count({id, name}) != 0) {
    for (std::size_t i = at; i < elements_.size(); ++i) {
      if (elements_[i].id != id || elements_[i].name != name) continue;
      at = i + 1;
      return elements_[i];
    }
  }
  known_.insert({id, name});
  PictureElement element{id, name, {{display, std::vector<std::uint32_t>(frames_, none)}}};
  const auto place =
      elements_.insert(elements_.begin() + static_cast<std::ptrdiff_t>(at++), std::move(element));
  return *place;
}

std::uint32_t PagePicture::number_of(const Json& value) {
  if (values_.empty()) values_ = {Json("none"), Json("inline")};
  if (value == values_[none]) return none;
  const auto [known, is_new] = numbers_.emplace(value, static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(value);
  return known->second;
}

void PagePicture::add(const DisplayList& light, const DisplayList& dark, PageInk& ink) {
  if (light.items.size() != dark.items.size()) refuse_difference("the page");
  width_ = light.width;
  height_ = light.height;
  least_width_ = std::max(least_width_, attnlab::least_width(light));
  paper_ =
      css_colour(ink.colours.number_of(svg_colour(light.background) + " " + svg_colour(dark.background)));
  std::size_t at = 0;
  for (std::size_t i = 0; i < light.items.size(); ++i) {
    const Item& item = light.items[i];
    for (const ShownAs& shown : elements_of(item, dark.items[i], ink)) {
      NumberedValues numbered;
      for (const auto& [name, value] : shown.values) numbered.emplace_back(name, number_of(value));
      show(place_of(shown.id, name_of(item.shape), at), numbered, frames_);
    }
  }
  for (PictureElement& element : elements_) {
    if (element.attributes.front().second.size() == frames_) hide(element);
  }
  ++frames_;
}

Json changes_of(const PagePicture& picture, SeriesTable& table) {
  Json changes = Json::array();
  for (std::size_t i = 0; i < picture.elements().size(); ++i) {
    for (const auto& [name, values] : picture.elements()[i].attributes) {
      const bool stays =
          std::all_of(values.begin(), values.end(),
                      [first = values.front()](std::uint32_t value) { return value == first; });
      if (stays) continue;
      std::vector<Json> all;
      for (const std::uint32_t value : values) all.push_back(picture.value(value));
      changes.push_back({i, name, table.number_of(all)});
    }
  }
  return changes;
}

}  // namespace attnlab
