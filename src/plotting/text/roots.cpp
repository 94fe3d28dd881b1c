#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <utility>

#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

const std::string sign = "√";
const std::string opening = "<span overline=\"single\">";
const std::string closing = "</span>";

/// A number, or a letter of Latin or Greek with its scripts.
const std::regex radicand_pattern(
    "(?:[0-9]|\\.(?=[0-9]))+|(?:[A-Za-z]|[\xCE\xCF][\x80-\xBF]*)(?:<span "
    "size=(?:[^<]|<(?!/span>))*</span>)*");

/// The closing parenthesis that belongs to the opening one at `at`, or npos.
std::size_t matching(const std::string& markup, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < markup.size(); ++i) {
    if (markup[i] == '(') ++depth;
    if (markup[i] == ')' && --depth == 0) return i;
  }
  return std::string::npos;
}

constexpr int sign_bytes = 3;       // of √ in UTF-8
constexpr double clearance = 11.0;  // between the radicand and the middle of its bar, at the reference size
constexpr double depth = 6.0;       // of the sign's foot below the base line
constexpr double bar_thickness = 7.0;
constexpr double most_growth = 2.0;

double height_of(PangoLayout* layout) {
  PangoRectangle logical;
  pango_layout_get_extents(layout, nullptr, &logical);
  return pango_units_to_double(logical.height);
}

/// The ink of the characters in a stretch, and how far they advance; y grows downwards from the base line.
struct Ink {
  double left = std::numeric_limits<double>::infinity();
  double right = -std::numeric_limits<double>::infinity();
  double top = std::numeric_limits<double>::infinity();
  double bottom = -std::numeric_limits<double>::infinity();
  double advance_end = 0.0;
};

Ink ink_of(PangoLayout* layout, const Stretch& stretch) {
  Ink found;
  const double base = pango_units_to_double(pango_layout_get_baseline(layout));
  PangoLayoutIter* iterator = pango_layout_get_iter(layout);
  do {
    const int index = pango_layout_iter_get_index(iterator);
    if (index < stretch.begin || index >= stretch.end) continue;
    PangoRectangle ink;
    PangoRectangle logical;
    pango_layout_iter_get_cluster_extents(iterator, &ink, &logical);
    found.advance_end = std::max(found.advance_end, pango_units_to_double(logical.x + logical.width));
    if (ink.width == 0) continue;  // a space
    found.left = std::min(found.left, pango_units_to_double(ink.x));
    found.right = std::max(found.right, pango_units_to_double(ink.x + ink.width));
    found.top = std::min(found.top, pango_units_to_double(ink.y) - base);
    found.bottom = std::max(found.bottom, pango_units_to_double(ink.y + ink.height) - base);
  } while (pango_layout_iter_next_cluster(iterator) != FALSE);
  pango_layout_iter_free(iterator);
  return found;
}

Stretch sign_before(const Stretch& radicand) {
  return {radicand.begin - sign_bytes, radicand.begin};
}

void add(PangoAttrList* attributes, PangoAttribute* attribute, const Stretch& where) {
  attribute->start_index = static_cast<guint>(where.begin);
  attribute->end_index = static_cast<guint>(where.end);
  pango_attr_list_insert(attributes, attribute);
}

// Scales the sign so that it reaches from its foot to the bar, and moves it there.
void grow_sign(PangoLayout* layout, const Stretch& radicand, PangoAttrList* attributes) {
  const Stretch root = sign_before(radicand);
  const Ink now = ink_of(layout, root);
  const double top = ink_of(layout, radicand).top - clearance;
  const double growth = std::clamp((depth - top) / (now.bottom - now.top), 1.0, most_growth);
  const double rise = now.bottom * growth - depth;
  add(attributes, pango_attr_scale_new(growth), root);
  add(attributes, pango_attr_rise_new(static_cast<int>(std::lround(rise * PANGO_SCALE))), root);
}

// From the tip of the sign to the end of the radicand; into the sign a little, without a seam.
Box bar_over(PangoLayout* layout, const Stretch& radicand, double base) {
  const Ink root = ink_of(layout, sign_before(radicand));
  const Ink under = ink_of(layout, radicand);
  const double left = root.right - bar_thickness;
  return {left, base + root.top, under.advance_end - left, bar_thickness};
}

}  // namespace

std::string mark_radicands(const std::string& markup) {
  std::string marked;
  std::size_t done = 0;
  for (std::size_t at = markup.find(sign); at != std::string::npos; at = markup.find(sign, done)) {
    const std::size_t begin = at + sign.size();
    marked += markup.substr(done, begin - done);
    done = begin;
    if (begin < markup.size() && markup[begin] == '(') {
      const std::size_t end = matching(markup, begin);
      if (end == std::string::npos) continue;
      marked.append(opening)
          .append(mark_radicands(markup.substr(begin + 1, end - begin - 1)))
          .append(closing);
      done = end + 1;
      continue;
    }
    std::smatch radicand;
    const auto from = markup.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto here = std::regex_constants::match_continuous;
    if (!std::regex_search(from, markup.end(), radicand, radicand_pattern, here)) continue;
    marked.append(opening).append(radicand.str()).append(closing);
    done = begin + static_cast<std::size_t>(radicand.length());
  }
  return marked + markup.substr(done);
}

std::vector<Stretch> take_overlines(PangoAttrList* attributes) {
  std::vector<Stretch> stretches;
  const PangoAttrFilterFunc take = [](PangoAttribute* attribute, gpointer taken) -> gboolean {
    if (attribute->klass->type != PANGO_ATTR_OVERLINE) return FALSE;
    static_cast<std::vector<Stretch>*>(taken)->push_back(
        {static_cast<int>(attribute->start_index), static_cast<int>(attribute->end_index)});
    return TRUE;
  };
  if (PangoAttrList* removed = pango_attr_list_filter(attributes, take, &stretches); removed != nullptr) {
    pango_attr_list_unref(removed);
  }
  return stretches;
}

Typeset with_roots(GObjectPtr<PangoLayout> layout, const std::vector<Stretch>& radicands) {
  if (radicands.empty()) return {std::move(layout)};
  const double base = pango_units_to_double(pango_layout_get_baseline(layout.get()));
  const double height = height_of(layout.get());
  PangoAttrList* attributes = pango_attr_list_copy(pango_layout_get_attributes(layout.get()));
  for (const Stretch& radicand : radicands) {
    grow_sign(layout.get(), radicand, attributes);
    add(attributes, pango_attr_strikethrough_new(FALSE),
        radicand);  // paints nothing, makes it a run of its own
  }
  pango_layout_set_attributes(layout.get(), attributes);
  pango_attr_list_unref(attributes);
  share_baseline(layout.get());
  Typeset text{std::move(layout)};
  text.extra_height = height_of(text.layout.get()) - height;
  text.lift = pango_units_to_double(pango_layout_get_baseline(text.layout.get())) - base;
  for (const Stretch& radicand : radicands)
    text.bars.push_back({bar_over(text.layout.get(), radicand, base), radicand.begin, radicand.end});
  return text;
}

}  // namespace attnlab
