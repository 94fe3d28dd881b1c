#include "plotting/text/typesetting.hpp"

#include <fontconfig/fontconfig.h>
#include <pango/pangofc-font.h>

#include <mutex>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/pattern.hpp"
#include "core/program_path.hpp"
#include "plotting/text/kept_fonts.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

/// Bytes of a layout's text, end excluded.
struct Stretch {
  int begin = 0;
  int end = 0;
};

const std::string sign = "√";
const std::string opening = "<span overline=\"single\">";
const std::string closing = "</span>";

/// A number, or a letter of Latin or Greek with its scripts.
const Pattern& radicand_pattern() {
  static const Pattern pattern(
      "(?:[0-9]|\\.(?=[0-9]))+|(?:[A-Za-z]|[\xCE\xCF][\x80-\xBF]*)(?:<span size=(?:[^<]|<(?!/span>))*</span>)*");
  return pattern;
}

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
  double left = infinity;
  double right = -infinity;
  double top = infinity;
  double bottom = -infinity;
  double advance_end = 0.0;
};

Ink ink_of(PangoLayout* layout, const Stretch& stretch) {
  Ink found;
  const double base = pango_units_to_double(pango_layout_get_baseline(layout));
  const Owned<PangoLayoutIter, pango_layout_iter_free> iterator(pango_layout_get_iter(layout));
  do {
    const int index = pango_layout_iter_get_index(iterator.get());
    if (index < stretch.begin || index >= stretch.end) continue;
    PangoRectangle ink;
    PangoRectangle logical;
    pango_layout_iter_get_cluster_extents(iterator.get(), &ink, &logical);
    found.advance_end = std::max(found.advance_end, pango_units_to_double(logical.x + logical.width));
    if (ink.width == 0) continue;  // a space
    found.left = std::min(found.left, pango_units_to_double(ink.x));
    found.right = std::max(found.right, pango_units_to_double(ink.x + ink.width));
    found.top = std::min(found.top, pango_units_to_double(ink.y) - base);
    found.bottom = std::max(found.bottom, pango_units_to_double(ink.y + ink.height) - base);
  } while (pango_layout_iter_next_cluster(iterator.get()) != FALSE);
  return found;
}

Stretch sign_before(const Stretch& radicand) { return {radicand.begin - sign_bytes, radicand.begin}; }

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

using AttributeList = Owned<PangoAttrList, pango_attr_list_unref>;

// The usual font folders and nothing else of fontconfig's configuration: a user's preferences for hinting or
// substitution must not change a figure, and reading the system's sixty files takes as long as drawing.
constexpr const char* font_folders =
    "<fontconfig><dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir prefix=\"xdg\">fonts</dir><dir>~/.fonts</dir><dir>/Library/Fonts</dir><dir>~/Library/Fonts</dir><cachedir>/var/cache/fontconfig</cachedir><cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>";

/// The fonts that lie beside the program, where it was unpacked with them: bin/attnlab, share/attnlab/fonts.
std::string bundled_fonts() {
  const std::filesystem::path program = program_path();
  const std::filesystem::path folder = program.parent_path().parent_path() / "share/attnlab/fonts";
  std::error_code problem;
  return !program.empty() && std::filesystem::is_directory(folder, problem) ? folder.string() : "";
}

void choose_font_folders() {
  FcConfig* config = FcConfigCreate();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): UTF-8 is UTF-8
  FcConfigParseAndLoadFromMemory(config, reinterpret_cast<const FcChar8*>(font_folders), FcTrue);
  FcConfigSetCurrent(config);  // builds the list of fonts from their caches
  const std::string fonts = bundled_fonts();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): UTF-8 is UTF-8
  if (!fonts.empty()) FcConfigAppFontAddDir(config, reinterpret_cast<const FcChar8*>(fonts.c_str()));
  FcConfigDestroy(config);  // the current one is kept by fontconfig
}

FontDescription describe(Weight weight) {
  FontDescription description(pango_font_description_new());
  const std::string families = std::string(latin_family) + "," + japanese_family + "," + sign_family;
  pango_font_description_set_family(description.get(), families.c_str());
  pango_font_description_set_weight(description.get(),
                                    weight == Weight::bold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_absolute_size(description.get(), reference_size * PANGO_SCALE);
  return description;
}

void require_fonts(PangoContext* context) {
  const GObjectPtr<PangoFont> font(pango_context_load_font(context, describe(Weight::regular).get()));
  if (!font)
    refuse_failed({"フォントがありません", "no font is installed"},
                  {"パッケージ fonts-inter と fonts-morisawa-bizud-gothic を入れてください",
                   "install the packages fonts-inter and fonts-morisawa-bizud-gothic"});
}

// Positions must not depend on the resolution: one layout serves every format. So: no hinting, no rounding.
GObjectPtr<PangoContext> new_context() {
  static std::once_flag folders_are_chosen;
  std::call_once(folders_are_chosen, choose_font_folders);
  // Not the default: PANGOCAIRO_BACKEND in the environment may choose one that knows no fontconfig, or none.
  const GObjectPtr<PangoFontMap> fonts(pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT));
  if (!fonts)
    refuse_failed({"Pango に fontconfig の書体がありません", "Pango knows no fonts of fontconfig"},
                  {"fontconfig と FreeType のある Pango を入れてください",
                   "install a Pango with fontconfig and FreeType"});
  GObjectPtr<PangoContext> context(pango_font_map_create_context(fonts.get()));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  pango_cairo_context_set_resolution(context.get(), 72.0);  // one unit is one point
  pango_context_set_round_glyph_positions(context.get(), FALSE);
  pango_context_set_language(context.get(),
                             pango_language_from_string("ja"));  // Han characters in Japanese form
  require_fonts(context.get());
  return context;
}

PangoContext* context() {
  thread_local const GObjectPtr<PangoContext> shared = new_context();
  return shared.get();
}

GObjectPtr<PangoLayout> empty_layout(Weight weight) {
  GObjectPtr<PangoLayout> layout(pango_layout_new(context()));
  pango_layout_set_font_description(layout.get(), describe(weight).get());
  return layout;
}

// Sizes and rises of spans, in the units of the reference size.
AttributeList scaled_attributes(PangoAttrList* attributes, double factor) {
  AttributeList scaled(pango_attr_list_new());
  GSList* copies = pango_attr_list_get_attributes(attributes);
  for (GSList* at = copies; at != nullptr; at = at->next) {
    auto* attribute = static_cast<PangoAttribute*>(at->data);
    const auto scale = [factor](int value) { return static_cast<int>(std::lround(value * factor)); };
    if (PangoAttrSize* sized = pango_attribute_as_size(attribute)) sized->size = scale(sized->size);
    if (PangoAttrInt* number = pango_attribute_as_int(attribute);
        number != nullptr && attribute->klass->type == PANGO_ATTR_RISE)
      number->value = scale(number->value);
    pango_attr_list_insert(scaled.get(), attribute);
  }
  g_slist_free(copies);
  return scaled;
}

[[noreturn]] void refuse(const std::string& text) {
  refuse_failed({"図の文字列「" + text + "」を組版できません", "cannot typeset the text '" + text + "'"},
                {"UTF-8 の文字列を指定してください", "give labels in valid UTF-8"});
}

// Digits of equal width, so that numbers stand in columns.
void add_tabular_figures(PangoLayout* layout) {
  PangoAttrList* old = pango_layout_get_attributes(layout);
  const AttributeList attributes(old != nullptr ? pango_attr_list_copy(old) : pango_attr_list_new());
  pango_attr_list_insert_before(attributes.get(), pango_attr_font_features_new("tnum=1"));
  pango_layout_set_attributes(layout, attributes.get());
}

/// Takes the overlines out of the attributes and says where they stood: Pango would draw them above the
/// line's ascent, far from the root sign.
std::vector<Stretch> take_overlines(PangoAttrList* attributes) {
  std::vector<Stretch> stretches;
  const PangoAttrFilterFunc take = [](PangoAttribute* attribute, gpointer taken) -> gboolean {
    if (attribute->klass->type != PANGO_ATTR_OVERLINE) return FALSE;
    static_cast<std::vector<Stretch>*>(taken)->push_back(
        {static_cast<int>(attribute->start_index), static_cast<int>(attribute->end_index)});
    return TRUE;
  };
  const AttributeList removed(pango_attr_list_filter(attributes, take, &stretches));
  return stretches;
}

/// Pango 1.50 aligns the runs of a line that begins in Japanese at the feet of the ideographs, where fonts
/// disagree: Inter's letters stood a tenth of their size too high. Gives every run its own rise and no more.
/// To be called whenever the layout's text or attributes have changed.
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

/// The layout of one line with its root signs grown over the stretches that follow them. Nothing changes
/// without stretches.
Typeset with_roots(GObjectPtr<PangoLayout> layout, const std::vector<Stretch>& radicands) {
  if (radicands.empty()) return {std::move(layout)};
  const double base = pango_units_to_double(pango_layout_get_baseline(layout.get()));
  const double height = height_of(layout.get());
  const AttributeList attributes(pango_attr_list_copy(pango_layout_get_attributes(layout.get())));
  for (const Stretch& radicand : radicands) {
    grow_sign(layout.get(), radicand, attributes.get());
    add(attributes.get(), pango_attr_strikethrough_new(FALSE),
        radicand);  // paints nothing, makes it a run of its own
  }
  pango_layout_set_attributes(layout.get(), attributes.get());
  share_baseline(layout.get());
  Typeset text{std::move(layout)};
  text.extra_height = height_of(text.layout.get()) - height;
  text.lift = pango_units_to_double(pango_layout_get_baseline(text.layout.get())) - base;
  for (const Stretch& radicand : radicands)
    text.bars.push_back({bar_over(text.layout.get(), radicand, base), radicand.begin, radicand.end});
  return text;
}

Typeset typeset_anew(const std::string& original, double size, Weight weight) {
  const std::string markup = mark_radicands(original);
  GObjectPtr<PangoLayout> layout = empty_layout(weight);
  PangoAttrList* attributes = nullptr;
  char* plain = nullptr;
  if (pango_parse_markup(markup.data(), static_cast<int>(markup.size()), 0, &attributes, &plain, nullptr,
                         nullptr) == FALSE) {
    refuse(original);
  }
  pango_layout_set_text(layout.get(), plain, -1);
  const std::vector<Stretch> radicands = take_overlines(attributes);
  const AttributeList scaled = scaled_attributes(attributes, reference_size / size);
  pango_layout_set_attributes(layout.get(), scaled.get());
  g_free(plain);
  pango_attr_list_unref(attributes);
  add_tabular_figures(layout.get());
  share_baseline(layout.get());
  Typeset text = with_roots(std::move(layout), radicands);
  keep_measured_fonts(text.layout.get());
  return text;
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
    const std::vector<std::string> radicand = radicand_pattern().match_at(markup, begin);
    if (radicand.empty()) continue;
    marked.append(opening).append(radicand.front()).append(closing);
    done = begin + radicand.front().size();
  }
  return marked + markup.substr(done);
}

// Keeps what a thread has typeset lately: a label is measured to be placed, then painted, some more than
// once.
Typeset typeset(const std::string& markup, double size, Weight weight) {
  thread_local std::map<std::tuple<std::string, double, Weight>, Typeset> labels;
  const bool may_name_sizes = markup.find('<') != std::string::npos;
  return remembered(labels, {markup, may_name_sizes ? size : reference_size, weight},
                    [&] { return typeset_anew(markup, size, weight); });
}

GObjectPtr<PangoLayout> typeset_plain(const std::string& plain, Weight weight) {
  if (g_utf8_validate(plain.data(), static_cast<gssize>(plain.size()), nullptr) == FALSE) refuse(plain);
  GObjectPtr<PangoLayout> layout = empty_layout(weight);
  pango_layout_set_text(layout.get(), plain.data(), static_cast<int>(plain.size()));
  add_tabular_figures(layout.get());
  keep_measured_fonts(layout.get());
  return layout;
}

std::vector<std::string> families_that_set(const std::string& text) {
  std::vector<std::string> names;
  const GObjectPtr<PangoLayout> layout = typeset_plain(text, Weight::regular);
  const PangoLayoutLine* line = pango_layout_get_line_readonly(layout.get(), 0);
  if (line == nullptr || line->runs == nullptr) return names;
  const auto* run = static_cast<const PangoLayoutRun*>(line->runs->data);
  FcPattern* pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(run->item->analysis.font));
  FcChar8* name = nullptr;
  for (int i = 0; FcPatternGetString(pattern, FC_FAMILY, i, &name) == FcResultMatch; ++i)
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): UTF-8 is UTF-8
    names.emplace_back(reinterpret_cast<const char*>(name));
  return names;
}

int rise_of(const PangoItem& item) {
  for (const GSList* at = item.analysis.extra_attrs; at != nullptr; at = at->next) {
    auto* attribute = static_cast<PangoAttribute*>(at->data);
    if (attribute->klass->type == PANGO_ATTR_RISE) return pango_attribute_as_int(attribute)->value;
  }
  return 0;
}

}  // namespace attnlab
