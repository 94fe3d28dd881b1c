#include "plotting/common_baseline.hpp"

namespace attnlab {

int rise_of(const PangoItem& item) {
  for (const GSList* at = item.analysis.extra_attrs; at != nullptr; at = at->next) {
    auto* attribute = static_cast<PangoAttribute*>(at->data);
    if (attribute->klass->type == PANGO_ATTR_RISE) return pango_attribute_as_int(attribute)->value;
  }
  return 0;
}

void share_baseline(PangoLayout* layout) {
  const int lines = pango_layout_get_line_count(layout);
  for (int i = 0; i < lines; ++i) {
    const PangoLayoutLine* line = pango_layout_get_line(layout, i);  // not the read-only one: it is changed
    for (const GSList* at = line->runs; at != nullptr; at = at->next) {
      auto* run = static_cast<PangoLayoutRun*>(at->data);
      run->y_offset = rise_of(*run->item);
    }
  }
}

}  // namespace attnlab
