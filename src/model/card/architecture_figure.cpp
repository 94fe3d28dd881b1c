// The blocks of a model with their sizes, and which of its queries share a key.
#include "core/counted.hpp"
#include "experiments/cache/cache.hpp"
#include "experiments/framework/stack_diagram.hpp"
#include "model/card/card.hpp"

namespace attnlab {
namespace {

/// "525 M".
std::string millions(std::size_t number) {
  const auto value = static_cast<double>(number);
  if (value >= 1e9) return fmt::format("{:.3g} B", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.3g} M", value / 1e6);
  return with_commas(number);
}

/// The stream of tokens, from below.
struct CardStack {
  std::size_t add(const char* id, Text words, Text note, const Ink& ink, double x = middle) {
    Node node{id, std::move(words), x, bottom - step * row};
    node.note = std::move(note);
    node.ink = ink;
    diagram.nodes.push_back(std::move(node));
    return diagram.nodes.size() - 1;
  }
  /// A box on the stream.
  std::size_t stack(const char* id, Text words, Text note, const Ink& ink) {
    const std::size_t box = add(id, std::move(words), std::move(note), ink);
    if (last) diagram.edges.push_back({*last, box, plain_arrow});
    last = box;
    row += 1.0;
    return box;
  }
  /// Sub-layers side by side, what goes around them, and the sum.
  void sublayers(const std::vector<Node>& boxes, const char* sum_id, const char* sum) {
    const std::size_t below = *last;
    std::vector<std::size_t> placed;
    for (const Node& box : boxes) {
      placed.push_back(diagram.nodes.size());
      diagram.nodes.push_back(box);
      diagram.nodes.back().y = bottom - step * row;
      diagram.edges.push_back({below, placed.back(), plain_arrow});
    }
    row += 1.0;
    const std::size_t total = add(sum_id, Text::same(sum), Text::none(), muted_ink);
    row += 1.0;
    for (const std::size_t box : placed) diagram.edges.push_back({box, total, plain_arrow});
    Edge around{below, total, plain_arrow};
    around.detour = Detour{Detour::Direction::vertical, 0.04};
    around.ink = muted_ink;
    diagram.edges.push_back(std::move(around));
    last = total;
  }

  static constexpr double middle = 0.5;
  static constexpr double bottom = 0.95;
  static constexpr double step = 0.13;
  Diagram diagram;
  double row = 0.0;
  std::optional<std::size_t> last;
};

Node sublayer_node(const char* id, Text words, Text note, const Ink& ink, double x = CardStack::middle) {
  Node node{id, std::move(words), x, 0.0};
  node.note = std::move(note);
  node.ink = ink;
  return node;
}

Text kind_text(const ModelCard& card) {
  if (card.cache) return cache_kind(*card.cache);
  return Text::same(card.kv_heads() == card.heads() ? "MHA" : "GQA");
}

Text attention_note(const ModelCard& card) {
  const std::string numbers =
      card.parameters ? ", " + millions(card.parameters->of("attention") / card.layers()) : "";
  return text("{} ヘッド{}", "{}{}", counted(card.heads(), "head"), numbers);
}

std::string activation_text(const Architecture& a, bool is_gated) {
  if (is_gated) return a.activation == MlpActivation::silu ? "SwiGLU" : "GeGLU";
  return a.activation == MlpActivation::silu ? "SiLU" : a.activation == MlpActivation::relu ? "ReLU" : "GELU";
}

Text positions_text(const Architecture& a) {
  if (a.rotary && !a.turns.empty()) return {"回転位置（一部の層）", "rotary positions in some layers"};
  if (a.rotary) return {"回転位置", "rotary positions"};
  if (!a.alibi_slopes.empty()) return {"線形バイアス（ALiBi）", "linear biases (ALiBi)"};
  if (a.places == PlaceTable::learned) return {"学習した位置", "learned positions"};
  return a.places == PlaceTable::sinusoidal ? Text{"正弦波の位置", "sinusoidal positions"}
                                            : Text{"位置なし", "no positions"};
}

/// What a family does in each layer.
void add_known_layer(CardStack& stack, const ModelCard& card) {
  const Architecture& a = card.family->architecture;
  const std::string norm = a.norm == NormType::rms ? "RMSNorm" : "LN";
  const bool is_post = a.norm_position == NormPosition::post;
  const TensorNames& names = card.family->names;
  const bool has_before = !is_post && a.norm_position != NormPosition::none;
  const auto before = [&](const char* role) { return has_before && names.has(role) ? norm + " → " : ""; };
  const auto behind = [&](const char* role) { return names.has(role) ? " → " + norm : ""; };
  const std::string sum = is_post ? "+ " + norm : "+";
  const Text attention =
      text("{}{}{}", "{}{}{}", before("attention_norm"), kind_text(card), behind("attention_output_norm"));
  const Text of_experts =
      a.experts == 0 ? Text::none() : text("{} 個から {} 個の ", "{1} of {0} ", a.experts, a.experts_read);
  const Text mlp = text("{}{}MLP {}{}", "{}{}MLP {}{}", before("mlp_norm"), of_experts,
                        activation_text(a, names.has_gate()), behind("mlp_output_norm"));
  const std::string mlp_numbers =
      card.parameters ? ", " + millions(card.parameters->of("mlp") / card.layers()) : "";
  const Text mlp_note = Text::same(fmt::format("{} → {} → {}{}", a.width, a.hidden, a.width, mlp_numbers));
  if (a.norm_position == NormPosition::parallel) {
    stack.sublayers({sublayer_node("attention", attention, attention_note(card), attention_ink, 0.3),
                     sublayer_node("mlp", mlp, mlp_note, mlp_ink, 0.72)},
                    "sum", sum.c_str());
    return;
  }
  stack.sublayers({sublayer_node("attention", attention, attention_note(card), attention_ink)}, "sum[0]",
                  sum.c_str());
  stack.sublayers({sublayer_node("mlp", mlp, mlp_note, mlp_ink)}, "sum[1]", sum.c_str());
}

Diagram blocks_diagram(const ModelCard& card) {
  CardStack stack;
  const auto note_of = [&](const char* part) {
    return Text::same(card.parameters ? "(" + millions(card.parameters->of(part)) + ")" : "");
  };
  Text embedding{"埋め込み", "Embedding"};
  if (card.family)
    embedding = text("埋め込み {} × {}", "Embedding {} × {}", card.family->architecture.vocabulary,
                     card.family->architecture.width);
  stack.stack("embedding", embedding, note_of("embedding"), stream_ink);
  if (card.parameters && card.parameters->of("positions") > 0)
    stack.stack("positions", text("+ 位置 {}", "+ Positions {}", card.family->architecture.positions),
                note_of("positions"), stream_ink);
  if (card.parameters && card.parameters->of("embedding_norm") > 0)
    stack.stack("embedding_norm", Text::same("LN"), Text::none(), muted_ink);
  const std::size_t first = stack.diagram.nodes.size();
  if (card.family) {
    add_known_layer(stack, card);
  } else {
    stack.stack("attention", kind_text(card), attention_note(card), attention_ink);
    stack.stack("unread", {"正規化と MLP は不明", "Norms and MLP: not known"}, Text::none(), muted_ink);
  }
  Enclosure layer{"layer", {}};
  for (std::size_t node = first; node < stack.diagram.nodes.size(); ++node) layer.nodes.push_back(node);
  stack.diagram.enclosures.push_back(std::move(layer));
  if (card.parameters && card.parameters->of("final_norm") > 0)
    stack.stack("final_norm", Text::same(card.family->architecture.norm == NormType::rms ? "RMSNorm" : "LN"),
                Text::none(), muted_ink);
  const bool is_tied = card.family && card.family->architecture.is_tied;
  stack.stack("head", {"出力の行列", "Unembedding"},
              is_tied ? Text{"（埋め込みと同じ）", "(the embedding again)"} : note_of("head"), stream_ink);
  return stack.diagram;
}

/// The queries of one group, and the key and value that they share.
Diagram fan_diagram(const ModelCard& card) {
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  const bool is_latent = card.cache && card.cache->is_latent();
  const std::size_t group = is_latent ? card.heads() : card.heads() / card.kv_heads();
  const Text kept = is_latent ? text("潜在 {}+{}", "Latent {}+{}", card.cache->latent, card.cache->rotary)
                              : Text{"キー、バリュー", "Key, value"};
  diagram.nodes.push_back({"key", kept, 0.8, 0.5});
  diagram.nodes.back().ink = key_ink;
  const std::vector<std::optional<std::size_t>> boxes = drawn_boxes(group);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double y = (0.5 + static_cast<double>(i)) / static_cast<double>(boxes.size());
    Node node{fmt::format("query[{}]", i), Text::same("···"), 0.2, y};
    node.framed = boxes[i].has_value();
    if (boxes[i]) {
      node.text = text("クエリ {}", "Query {}", *boxes[i]);
      node.ink = query_ink;
      diagram.edges.push_back({diagram.nodes.size(), 0, plain_arrow});
    }
    diagram.nodes.push_back(std::move(node));
  }
  return diagram;
}

Text fan_title(const ModelCard& card) {
  if (card.cache && card.cache->is_latent())
    return text("{} ヘッドが潜在+回転を共有", "{} heads share latent + rotary", card.heads());
  const std::size_t group = card.heads() / card.kv_heads();
  if (group == 1)
    return text("{} ヘッドのそれぞれにキー", "{}, a key for each", counted(card.heads(), "head"));
  if (card.kv_heads() == 1)
    return text("{} 個のクエリが 1 つのキーを共有", "All {} queries share one key", group);
  return text("{} 組：{} 個のクエリが 1 つのキーを共有", "{} groups of {} queries, a key each",
              card.kv_heads(), group);
}

}  // namespace

Figure architecture_figure(const ModelCard& card) {
  const Text layers = counted(card.layers(), "layer");
  const Text title = card.parameters ? text("{}：{} 層、{} パラメータ", "{}: {}, {} parameters", card.type,
                                            layers, with_commas(card.parameters->total()))
                                     : text("{}：{} 層", "{}: {}", card.type, layers);
  const Text cache =
      card.cache ? text("1 トークンの KV キャッシュ {}（16 ビット）。",
                        " A token takes {} of KV cache (16 bit).", binary_text(2.0 * card.cache->of_token()))
                 : Text::none();
  Text facts{"この系統は、ヘッドと層だけがわかります。", "Of this family only heads and layers are known."};
  if (card.family) {
    const Architecture& a = card.family->architecture;
    facts = text("幅 {}、ヘッドの幅 {}、{} 語、{} トークンまで、{}。",
                 "Width {}, heads of {}, {} words, up to {} tokens, {}.", a.width, a.head_width, a.vocabulary,
                 a.positions - a.first_position, positions_text(a));
  }
  std::vector<Panel> panels{{text("{} 層（破線）", "{} (dashed)", layers), blocks_diagram(card)}};
  if (card.heads() > 0) panels.push_back({fan_title(card), fan_diagram(card)});
  return Figure{"architecture", title}
      .described(text("{} のブロック図：埋め込みから、{} 層を通って、出力の行列まで。",
                      "Block diagram of {}: from the embedding through {} to the unembedding.", card.type,
                      layers))
      .captioned(text("{}{}", "{}{}", facts, cache))
      .all_panels(std::move(panels))
      .in_columns(2)
      .on_page(13.0, 8.0);
}

}  // namespace attnlab
