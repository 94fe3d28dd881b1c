// The flags of `attend`, declared and read in one place.
#include "attend/settings.hpp"

#include "attend/sentence.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"

namespace attnlab {
namespace {

constexpr long long most_heads = 1024;
constexpr long long most_tokens = 1'000'000'000;

std::optional<std::size_t> whole_number(std::string_view digits) {
  const std::optional<std::size_t> value = number_from<std::size_t>(digits);
  return value.value_or(0) <= most_tokens ? value : std::nullopt;
}

[[noreturn]] void refuse_value(const std::string& flag, const std::string& value, const Text& hint) {
  refuse_usage(text("--{} の値 {} を解釈できません", "--{} cannot be {}", flag, quotation(value)), hint);
}

/// "100:200", "100:" or ":200" as the stretch of indices from 100 to 199; ends that are left out are the
/// tensor's.
std::optional<KeyRange> parse_stretch(const Arguments& arguments, const std::string& flag) {
  if (!arguments.is_set(flag)) return std::nullopt;
  const std::string& typed = arguments.text(flag);
  const std::vector<std::string> ends = split(typed, ":");
  const auto index_or = [](const std::string& digits, std::size_t left_out) -> std::optional<std::size_t> {
    return digits.empty() ? left_out : whole_number(digits);
  };
  if (ends.size() == 2) {
    const std::optional<std::size_t> begin = index_or(ends[0], 0);
    const std::optional<std::size_t> end = index_or(ends[1], static_cast<std::size_t>(most_tokens));
    if (begin && end && *begin < *end) return KeyRange{*begin, *end};
  }
  refuse_value(flag, typed,
               text("0 から数えた範囲を、終わりの番号を含めずに書いてください（例：--{} 0:64）",
                    "give a range counted from 0, its end not included, such as --{} 0:64", flag));
}

/// "batch,keys": each at most once, in their order, with the keys.
std::vector<MaskAxis> mask_axes(const Arguments& arguments) {
  if (!arguments.is_set("mask-axes")) return {};
  const std::string& typed = arguments.text("mask-axes");
  std::vector<MaskAxis> axes;
  bool is_good = true;
  for (const std::string& word : split(typed, ",")) {
    const auto* const known = std::find(mask_axis_names.begin(), mask_axis_names.end(), word);
    const auto axis = static_cast<MaskAxis>(known - mask_axis_names.begin());
    is_good = is_good && known != mask_axis_names.end() && (axes.empty() || axes.back() < axis);
    axes.push_back(axis);
  }
  if (is_good && axes.back() == MaskAxis::keys) return axes;
  refuse_value(
      "mask-axes", typed,
      {"batch, heads, queries, keys からこの順に選び、keys で終えてください（例：--mask-axes batch,keys）",
       "choose from batch, heads, queries and keys in this order, with keys at the end, as in --mask-axes "
       "batch,keys"});
}

void read_masks(const Arguments& arguments, AttendSettings& settings) {
  ReadableKeys& readable = settings.readable;
  for (const std::string& item : arguments.words("mask")) {
    const std::size_t colon = item.find(':');
    const std::string name = item.substr(0, colon);
    const std::optional<std::size_t> number =
        colon == std::string::npos ? std::nullopt : whole_number(item.substr(colon + 1));
    if (item == "none") continue;
    if (item == "causal") {
      readable.causal = true;
    } else if (name == "causal") {
      refuse_value("mask", item,
                   {"causal には何も付けられません。角は --alignment で選べます",
                    "nothing may follow causal; --alignment chooses its corner"});
    } else if (name != "window" && name != "padding") {
      settings.mask_files.push_back(item);
    } else if (!number) {
      refuse_value("mask", item,
                   {"window:8 や padding:3 のように個数を付けてください",
                    "give the number of keys, as in window:8 or padding:3"});
    } else if (name == "window") {
      readable.reach = std::min(readable.reach.value_or(*number), *number);
    } else {
      readable.padded = std::max(readable.padded, *number);
    }
  }
  settings.mask_axes = mask_axes(arguments);
  if (!settings.mask_axes.empty() && settings.mask_files.empty()) refuse_attend("axes_of_nothing");
  readable.alignment = arguments.chosen<CausalAlignment>("alignment");
}

void read_rotary(const Arguments& arguments, AttendSettings& settings) {
  settings.rope = arguments.chosen<RopeChoice>("rope");
  if (arguments.is_set("rope-base")) settings.rope_base = arguments.number("rope-base");
  if (arguments.is_set("rope-width")) settings.rope_width = arguments.count("rope-width");
  if (settings.rope == RopeChoice::pairs) settings.rotary = rotary_with(RotaryPairing::interleaved, settings);
  if (settings.rope == RopeChoice::halves) settings.rotary = rotary_with(RotaryPairing::halves, settings);
  if (settings.rope == RopeChoice::none || !arguments.is_set("projections")) require_rope(settings);
}

std::optional<std::size_t> drawn_head(const Arguments& arguments) {
  const std::string& typed = arguments.text("head");
  if (typed == "all") return std::nullopt;
  const std::optional<std::size_t> head = whole_number(typed);
  if (!head) {
    refuse_value("head", typed,
                 {"all か、0 から数えたヘッドの番号にしてください",
                  "use all, or the number of a head, counted from 0"});
  }
  return head;
}

/// "14x14"; nothing where it is not typed.
void read_grid(const Arguments& arguments, PictureSettings& picture) {
  if (!arguments.is_set("grid")) return;
  const std::vector<std::string> sides = split(arguments.text("grid"), "x");
  picture.rows = whole_number(sides.front());
  picture.columns = whole_number(sides.back());
  if (sides.size() == 2 && picture.rows.value_or(0) > 0 && picture.columns.value_or(0) > 0) return;
  refuse_value(
      "grid", arguments.text("grid"),
      {"パッチの行数と列数を 14x14 のように書いてください", "give rows and columns of patches, as in 14x14"});
}

std::optional<PictureSettings> picture_settings(const Arguments& arguments) {
  if (!arguments.is_set("image")) {
    for (const char* flag : {"grid", "skip", "reader", "reading"})
      if (arguments.is_set(flag)) refuse_attend("no_image", {{"flag", flag}});
    return std::nullopt;
  }
  PictureSettings picture;
  read_grid(arguments, picture);
  if (arguments.is_set("skip")) picture.skip = arguments.count("skip");
  if (arguments.is_set("reader")) picture.reader = arguments.count("reader");
  picture.reading = arguments.chosen<ReadingOf>("reading");
  if (picture.reading != ReadingOf::heads && arguments.is_set("head"))
    refuse_attend("head_of_all", {{"reading", arguments.text("reading")}});
  return picture;
}

}  // namespace

Rotary rotary_with(RotaryPairing pairing, const AttendSettings& settings, double base) {
  return {pairing, settings.rope_base.value_or(base), settings.rope_width, {}};
}

void require_rope(const AttendSettings& settings) {
  if (settings.rotary || (!settings.rope_base && settings.rope_width == 0)) return;
  refuse_usage(text("--{} には --rope が必要です", "--{} needs --rope",
                    settings.rope_base ? "rope-base" : "rope-width"),
               {"--rope halves か --rope pairs を指定してください", "give --rope halves or --rope pairs"});
}

std::vector<Parameter> attend_parameters() {
  static const std::map<std::string, Text> words = named_words(attend_file("flags"), "flag");
  const auto flag = [](const std::string& name, const ParameterKind& kind, const std::string& value = "") {
    return Parameter{name, kind, value, words.at(name)};
  };
  return {
      // --- the tensors, and how they are laid out
      flag("query", FileKind{"FILE[:NAME]"}),
      flag("key", FileKind{"FILE[:NAME]"}),
      flag("value", FileKind{"FILE[:NAME]"}),
      flag("x", FileKind{"FILE[:NAME]"}),
      flag("projections", FileKind{"FILE[:PREFIX]"}),
      flag("heads", IntegerKind{{1, most_heads}}),
      flag("kv-heads", IntegerKind{{1, most_heads}}),
      flag("head-layout", ChoiceKind{{"auto", "width", "first", "last"}}, "auto"),
      flag("layout", ChoiceKind{{"auto", "in-out", "out-in"}}, "auto"),
      flag("joint-order", ChoiceKind{{"auto", "blocks", "groups"}}, "auto"),
      flag("ignore", ItemsKind{"NAME"}),
      // --- masks and biases
      flag("mask", ItemsKind{"FILE[:NAME]|causal|window:N|padding:N"}),
      flag("mask-axes", SyntaxKind{"AXIS,AXIS,..."}),
      flag("bool-mask", ChoiceKind{{"keep", "drop"}}, "keep"),
      flag("alignment", ChoiceKind{{"bottom-right", "top-left"}}, "bottom-right"),
      flag("masked-row", ChoiceKind{{"nan", "zero", "uniform", "error"}}, "nan"),
      flag("bias", ChoiceKind{{"none", "alibi"}}, "none"),
      // --- queries and keys before they meet
      flag("rope", ChoiceKind{{"auto", "none", "halves", "pairs"}}, "auto"),
      flag("rope-base", NumberKind{{1.0, 1e12}}, "10000"),
      flag("rope-width", IntegerKind{{2, most_tokens}}),
      flag("norm-eps", NumberKind{{0.0, 1.0}}, "1e-6"),
      flag("norm-gain", ChoiceKind{{"as-stored", "plus-one"}}, "as-stored"),
      // --- the computation
      scale_parameter("default"),
      flag("temperature", NumberKind{{1e-6, 1e6}}, "1"),
      flag("dtype", ChoiceKind{{"auto", "float32", "float64"}}, "auto"),
      // --- what is shown
      flag("labels", SyntaxKind{"FILE|WORD,WORD,..."}),
      flag("key-labels", SyntaxKind{"FILE|WORD,WORD,..."}),
      flag("head", SyntaxKind{"all|N"}, "all"),
      flag("entry", IntegerKind{{0, most_tokens}}, "0"),
      flag("rows", SyntaxKind{"A:B"}),
      flag("columns", SyntaxKind{"A:B"}),
      flag("pool", ChoiceKind{{"max", "mean"}}, "max"),
      flag("weights", ChoiceKind{{"auto", "keep", "stream"}}, "auto"),
      // --- over a picture
      flag("image", FileKind{"FILE.png|FILE.jpg|FILE[:NAME]"}),
      flag("grid", SyntaxKind{"ROWSxCOLUMNS"}),
      flag("skip", IntegerKind{{0, most_tokens}}),
      flag("reader", IntegerKind{{0, most_tokens}}),
      flag("reading", ChoiceKind{{"heads", "mean", "rollout"}}, "heads"),
  };
}

AttendSettings drawn_settings(const Arguments& arguments) {
  AttendSettings settings;
  settings.pool = arguments.chosen<Pool>("pool");
  settings.rows = parse_stretch(arguments, "rows");
  settings.columns = parse_stretch(arguments, "columns");
  settings.head = drawn_head(arguments);
  return settings;
}

AttendSettings attend_settings(const Arguments& arguments) {
  AttendSettings settings = drawn_settings(arguments);
  if (arguments.is_set("heads")) settings.heads = arguments.count("heads");
  if (arguments.is_set("kv-heads")) settings.kv_heads = arguments.count("kv-heads");
  settings.ignored = arguments.words("ignore");
  settings.head_place = arguments.chosen<HeadPlace>("head-layout");
  settings.layout = arguments.chosen<WeightLayout>("layout");
  const std::string& order = arguments.text("joint-order");
  if (order != "auto") settings.joint_order = order == "blocks" ? JointOrder::blocks : JointOrder::by_group;
  settings.true_means = arguments.chosen<TrueMeans>("bool-mask");
  settings.precision = arguments.chosen<Precision>("dtype");
  settings.scale_text = arguments.text("scale");
  settings.scale = parse_scale(settings.scale_text);
  settings.temperature = arguments.number("temperature");
  settings.alibi = arguments.text("bias") == "alibi";
  read_rotary(arguments, settings);
  if (arguments.is_set("norm-eps")) settings.norm_eps = arguments.number("norm-eps");
  settings.norm_gain = arguments.chosen<NormGain>("norm-gain");
  read_masks(arguments, settings);
  if (arguments.text("masked-row") != "error") {
    settings.masked_row = arguments.chosen<MaskedRow>("masked-row");
  }
  settings.entry = arguments.count("entry");
  settings.keeping = arguments.chosen<Keeping>("weights");
  settings.picture = picture_settings(arguments);
  return settings;
}

}  // namespace attnlab
