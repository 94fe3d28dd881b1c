// The flags of `attend`, declared and read in one place.
#include "attend/settings.hpp"

#include "core/utf8.hpp"
#include "experiments/framework/parameter_syntax.hpp"

namespace attnlab {
namespace {

constexpr long long most_heads = 1024;
constexpr long long most_tokens = 1'000'000'000;

Parameter file(const std::string& name, const Text& help) {
  return {name, FileKind{"FILE[:NAME]"}, "", help};
}

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
  if (!arguments.given(flag)) return std::nullopt;
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

/// One item of --mask that needs no file. False when it is none of them.
bool read_rule(std::string_view item, ReadableKeys& readable) {
  const std::size_t colon = item.find(':');
  const std::string_view name = item.substr(0, colon);
  const std::optional<std::size_t> number =
      colon == std::string_view::npos ? std::nullopt : whole_number(item.substr(colon + 1));
  const std::size_t count = number.value_or(0);
  if (item == "causal") {
    readable.causal = true;
  } else if (name == "window" && number.has_value()) {
    readable.reach = std::min(readable.reach.value_or(count), count);
  } else if (name == "padding" && number.has_value()) {
    readable.padded = std::max(readable.padded, count);
  } else {
    return false;
  }
  return true;
}

void read_masks(const Arguments& arguments, AttendSettings& settings) {
  for (const std::string& item : arguments.words("mask")) {
    if (item == "none" || read_rule(item, settings.readable)) continue;
    const std::string name = item.substr(0, item.find(':'));
    if (name == "causal") {
      refuse_value("mask", item,
                   {"causal には何も付けられません。角は --alignment で選べます",
                    "nothing may follow causal; --alignment chooses its corner"});
    }
    if (name == "window" || name == "padding") {
      refuse_value("mask", item,
                   {"window:8 や padding:3 のように個数を付けてください",
                    "give the number of keys, as in window:8 or padding:3"});
    }
    settings.mask_files.push_back(item);
  }
  settings.readable.alignment = arguments.chosen<CausalAlignment>("alignment");
}

void read_rotary(const Arguments& arguments, AttendSettings& settings) {
  settings.rope = arguments.chosen<RopeChoice>("rope");
  if (arguments.given("rope-base")) settings.rope_base = arguments.number("rope-base");
  if (arguments.given("rope-width")) settings.rope_width = arguments.count("rope-width");
  if (settings.rope == RopeChoice::pairs) settings.rotary = rotary_with(RotaryPairing::interleaved, settings);
  if (settings.rope == RopeChoice::halves) settings.rotary = rotary_with(RotaryPairing::halves, settings);
  if (settings.rope == RopeChoice::none || !arguments.given("projections")) require_rope(settings);
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

}  // namespace

Rotary rotary_with(RotaryPairing pairing, const AttendSettings& settings, double base) {
  return {pairing, settings.rope_base.value_or(base), settings.rope_width};
}

void require_rope(const AttendSettings& settings) {
  if (settings.rotary || (!settings.rope_base && settings.rope_width == 0)) return;
  refuse_usage(text("--{} には --rope が必要です", "--{} needs --rope",
                    settings.rope_base ? "rope-base" : "rope-width"),
               {"--rope halves か --rope pairs を指定してください", "give --rope halves or --rope pairs"});
}

std::vector<Parameter> attend_parameters() {
  return {
      // --- the tensors, and how they are laid out
      file("query", {"クエリ Q：形状 (..., クエリ数, 次元)", "the queries Q: (..., queries, width)"}),
      file("key", {"キー K：形状 (..., キー数, 次元)", "the keys K: (..., keys, width)"}),
      file("value", {"バリュー V：形状 (..., キー数, 次元)", "the values V: (..., keys, width)"}),
      file("x", {"トークン X。Q、K、V のどれにもなります（自己注意）",
                 "tokens X that are queries, keys and values at once: self-attention"}),
      parameter(
          "projections", FileKind{"FILE[:PREFIX]"}, "",
          "射影の重み W_Q, W_K, W_V と、あれば W_O、バイアス。in_proj_weight、q_proj.weight、c_attn.weight "
          "など、読める名前は attend --conventions で一覧できます。接頭辞で 1 つの層を選びます",
          "the weights W_Q, W_K, W_V and, if there, W_O and biases, under any of the names that attend "
          "--conventions lists (in_proj_weight, q_proj.weight, c_attn.weight); a prefix chooses a layer"),
      parameter("heads", IntegerKind{{1, most_heads}}, "", "ヘッド数。幅を等分するか、ヘッドの軸を確かめます",
                "how many heads share the width, or how long the axis of heads must be"),
      parameter("kv-heads", IntegerKind{{1, most_heads}}, "",
                "キーとバリューのヘッド数（既定値は --heads と同じ。約数ならグループ化クエリ注意）",
                "heads of keys and values; a divisor of --heads makes it grouped-query attention (default: "
                "as many)"),
      parameter("head-layout", ChoiceKind{{"auto", "width", "first", "last"}}, "auto",
                "ヘッドの位置：width は (L, H·d)、first は (H, L, d)、last は (L, H, d)",
                "where the heads lie: width is (L, H·d), first (H, L, d), last (L, H, d)"),
      parameter("layout", ChoiceKind{{"auto", "in-out", "out-in"}}, "auto",
                "重み行列の向き。auto は名前か形状で決めます（attend --conventions）",
                "how weights are stored; auto goes by their names or shapes (attend --conventions)"),
      parameter("joint-order", ChoiceKind{{"auto", "blocks", "groups"}}, "auto",
                "1 つの行列にまとめた Q、K、V の列の順：blocks は Q のすべて、K、V の順、groups "
                "はヘッドのグループごとに q, k, v。auto は名前で決めます",
                "the columns of a joint matrix: blocks is all queries, then keys, then values; groups each "
                "group of heads with its q, k, v; auto goes by its name"),
      parameter("ignore", ItemsKind{"NAME"}, "",
                "重みと同じ層にあり、結果を変えるはずの配列を読まずに計算します。何度でも指定できます",
                "compute without this tensor beside the weights, though it would change the result; may be "
                "repeated"),
      // --- masks and biases
      parameter("mask", ItemsKind{"FILE[:NAME]|causal|window:N|padding:N"}, "",
                "マスク。何度でも指定でき、すべてが重なります。window:N は両側 N 個まで、padding:N は最後の "
                "N 個を隠します。ファイルは真偽値か、スコアに足す数",
                "a mask, may be repeated: all of them hold; window:N leaves N keys to either side, padding:N "
                "hides the last N; a file holds booleans or numbers to be added to the scores"),
      parameter("bool-mask", ChoiceKind{{"keep", "drop"}}, "keep",
                "真偽値マスクの真の意味：keep は読める、drop は隠す",
                "what true means in a boolean mask: keep the key, or drop it"),
      parameter("alignment", ChoiceKind{{"bottom-right", "top-left"}}, "bottom-right",
                "クエリとキーの数が違うとき、causal・window・ALiBi・回転位置を最後（右下）で揃えるか最初（左"
                "上）で揃"
                "えるか",
                "where the places of causal, window, ALiBi and rotary positions meet when queries and keys "
                "differ in number: at the last of each, or the first"),
      parameter("masked-row", ChoiceKind{{"nan", "zero", "uniform", "error"}}, "nan",
                "読めるキーのない行の扱い", "what a row without any readable key becomes"),
      parameter("bias", ChoiceKind{{"none", "alibi"}}, "none",
                "スコアに足す距離のバイアス（ALiBi：ヘッドごとの傾き × 距離）",
                "a bias added to the scores; alibi: a slope per head times the distance"),
      // --- queries and keys before they meet
      parameter(
          "rope", ChoiceKind{{"auto", "none", "halves", "pairs"}}, "auto",
          "回転位置（RoPE）。auto は重みのファイルか config.json に従います。halves "
          "は前半と後半の座標を組にし（Hugging Face の Llama、GPT-NeoX）、pairs "
          "は隣どうしを組にします（RoFormer、Meta の Llama）",
          "rotary positions: auto as the weights' file or config.json says; halves turns coordinates of a "
          "head's two halves together (Hugging Face's Llama, GPT-NeoX), pairs neighbouring ones (RoFormer, "
          "Meta's Llama)"),
      parameter("rope-base", NumberKind{{1.0, 1e12}}, "10000",
                "回転の底：組 i は 1 位置に 底^(-2i/幅) だけ回ります",
                "base of the rotations: pair i turns by base^(-2i/width) from one position to the next"),
      parameter("rope-width", IntegerKind{{2, most_tokens}}, "",
                "各ヘッドで回す幅。先頭から数えた偶数（既定値はヘッドの幅。Pythia は 4 分の 1）",
                "how much of each head turns, from its start; even (default: all of it; Pythia: a quarter)"),
      parameter("norm-eps", NumberKind{{0.0, 1.0}}, "1e-6",
                "クエリとキーの RMS 正規化（重みの q_norm、k_norm）の ε",
                "eps of the RMS norms of queries and keys (q_norm and k_norm among the weights)"),
      parameter("norm-gain", ChoiceKind{{"as-stored", "plus-one"}}, "as-stored",
                "重みの q_norm、k_norm に保存された値：γ そのもの、または γ − 1（Gemma）",
                "what q_norm and k_norm among the weights hold: γ itself, or γ - 1 (Gemma)"),
      // --- the computation
      scale_parameter("default"),
      parameter("temperature", NumberKind{{1e-6, 1e6}}, "1", "softmax の温度：スコアをこれで割ります",
                "temperature of softmax: scores are divided by it"),
      parameter(
          "dtype", ChoiceKind{{"auto", "float32", "float64", "float16"}}, "auto",
          "計算の型。auto はファイルと同じ。float16 は各段階の結果を float16 に丸めて見せます",
          "the type to compute in; auto is the files'; float16 rounds the result of every stage to float16"),
      // --- what is shown
      parameter("labels", SyntaxKind{"FILE|WORD,WORD,..."}, "",
                "クエリのラベル（1 行に 1 つずつ書いたファイルか、コンマ区切りの語。= "
                "で始めればつねに語）。数が合えばキーにも付きます",
                "labels of the queries: a file with one per line, or words (always behind =); keys take "
                "them, too, where their "
                "number fits"),
      parameter("key-labels", SyntaxKind{"FILE|WORD,WORD,..."}, "", "キーのラベル", "labels of the keys"),
      parameter("head", SyntaxKind{"all|N"}, "all", "描くヘッド", "the head that is drawn"),
      parameter("entry", IntegerKind{{0, most_tokens}}, "0",
                "表と図に出すバッチの要素（行優先の順に 0 から）",
                "the batch entry of tables and figures, counted from 0 in row-major order"),
      parameter("rows", SyntaxKind{"A:B"}, "", "図に出すクエリの範囲", "the queries that are drawn"),
      parameter("columns", SyntaxKind{"A:B"}, "", "図に出すキーの範囲", "the keys that are drawn"),
      parameter("pool", ChoiceKind{{"max", "mean"}}, "max", "長い図で 1 マスにまとめる方法",
                "how the weights under one cell of a long map become one number"),
      parameter(
          "weights", ChoiceKind{{"auto", "keep", "stream"}}, "auto",
          "auto は 400 万個までの注意度を残し、それより長ければ残さずに計算します。keep は必ず残し、stream "
          "は残しません",
          "auto keeps up to 4 million weights and streams beyond that; keep keeps them all, stream none"),
  };
}

AttendSettings attend_settings(const Arguments& arguments) {
  AttendSettings settings;
  if (arguments.given("heads")) settings.heads = arguments.count("heads");
  if (arguments.given("kv-heads")) settings.kv_heads = arguments.count("kv-heads");
  settings.ignored = arguments.words("ignore");
  settings.head_place = arguments.chosen<HeadPlace>("head-layout");
  settings.layout = arguments.chosen<WeightLayout>("layout");
  settings.joint_columns = arguments.chosen<JointColumns>("joint-order");
  settings.true_means = arguments.chosen<TrueMeans>("bool-mask");
  settings.precision = arguments.chosen<Precision>("dtype");
  settings.scale_text = arguments.text("scale");
  settings.scale = parse_scale(settings.scale_text);
  settings.temperature = arguments.number("temperature");
  settings.alibi = arguments.text("bias") == "alibi";
  read_rotary(arguments, settings);
  if (arguments.given("norm-eps")) settings.norm_eps = arguments.number("norm-eps");
  settings.norm_gain = arguments.chosen<NormGain>("norm-gain");
  read_masks(arguments, settings);
  if (arguments.text("masked-row") != "error") {
    settings.masked_row = arguments.chosen<MaskedRow>("masked-row");
  }
  settings.pool = arguments.chosen<Pool>("pool");
  settings.rows = parse_stretch(arguments, "rows");
  settings.columns = parse_stretch(arguments, "columns");
  settings.head = drawn_head(arguments);
  settings.entry = arguments.count("entry");
  settings.keeping = arguments.chosen<Keeping>("weights");
  return settings;
}

}  // namespace attnlab
