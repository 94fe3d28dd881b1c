// One frame as it stands in the page, where no script is needed to see it.
#include "page/picture.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

/// Twice where they have a rim: behind them, and without it.
std::string with_rim(const std::string& letters) {
  return fmt::format("<g>{0}</g><g stroke=\"none\">{0}</g>", letters);
}

std::string markup_of(const PagePicture& picture, const PictureElement& element, const PageInk& ink,
                      const std::string& mark, std::size_t frame = 0) {
  std::string attributes;
  std::string letters;
  bool has_rim = false;
  for (const auto& [name, values] : element.attributes) {
    const Json& value = picture.value(values[frame]);
    if (name == "display" && value == "inline") continue;
    if (name == "letters") {
      letters = ink.letters.all()[value.get<std::size_t>()];
      continue;
    }
    if (name == "stroke") has_rim = value.is_number();
    const std::string text =
        value.is_number() ? css_colour(value.get<std::size_t>()) : value.get<std::string>();
    attributes += fmt::format(" {}=\"{}\"", name, text);
  }
  const std::string head = element.name + mark + attributes;
  if (element.name != "g") return fmt::format("<{}/>\n", head);
  return fmt::format("<{}>{}</g>\n", head, has_rim ? with_rim(letters) : letters);
}

using Marks = std::map<std::string, std::string>;

std::string attribute(const Marks& marks, const char* name, const std::string& id) {
  const auto mark = marks.find(id);
  const bool is_whole = std::string_view(name) == "grid";
  return mark == marks.end() || is_whole != (mark->second.find(' ') == std::string::npos)
             ? ""
             : fmt::format(" data-{}=\"{}\"", name, mark->second);
}

/// A curve that ends before its point 57 is "curve[57]".
std::string answer_of_curve(const std::string& id, const Marks& marks) {
  const std::size_t open = id.rfind('[');
  if (open == std::string::npos || id.back() != ']' || marks.count(id) != 0) return "";
  const std::string grid = attribute(marks, "grid", id.substr(0, open));
  return grid.empty() ? ""
                      : grid + fmt::format(" data-end=\"{}\"", id.substr(open + 1, id.size() - open - 2));
}

/// ` data-at="0 2 5"` of a mark, ` data-of="0 2 5"` of what belongs to it, such as an arrow's shaft;
/// ` data-grid="0"` of an image whose pixels are marks, ` data-grid="0" data-end="57"` of a curve. Letters do
/// not answer.
std::string answer_of(const PictureElement& element, const Marks& marks) {
  const std::string& id = element.id;
  if (element.name == "g") return "";
  if (element.name == "image") return attribute(marks, "grid", id.substr(0, id.rfind(night_end)));
  std::string answer = answer_of_curve(id, marks);
  if (answer.empty()) answer = attribute(marks, "at", id);
  if (answer.empty()) answer = attribute(marks, "of", id.substr(0, std::min(id.rfind('.'), id.size())));
  return answer;
}

}  // namespace

std::string standing_frame(const PagePicture& picture, std::size_t frame, const PageInk& ink,
                           const std::map<std::string, std::string>& marks) {
  std::string markup;
  for (const PictureElement& element : picture.elements()) {
    markup += markup_of(picture, element, ink, answer_of(element, marks), frame);
  }
  return markup;
}

std::string still_frame(const PagePicture& picture, const PageInk& ink,
                        const std::map<std::string, std::string>& hovers,
                        const std::map<std::string, std::string>& attributes) {
  std::string markup;
  for (const PictureElement& element : picture.elements()) {
    const auto own = attributes.find(element.id);
    std::string one = markup_of(picture, element, ink, own == attributes.end() ? "" : own->second);
    const auto hover = hovers.find(element.id);
    if (hover != hovers.end() && element.name != "g") {
      one.replace(one.rfind("/>"), 2,
                  fmt::format("><title>{}</title></{}>", escape(hover->second), element.name));
    }
    markup += one;
  }
  return markup;
}

}  // namespace attnlab
