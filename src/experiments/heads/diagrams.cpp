// The figures of `heads` with boxes and arrows: the blocks of the layer, and its shapes.
#include "experiments/framework/stack_diagram.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// A box with its shape below; returns the node's index.
std::size_t add_box(Diagram& diagram, std::string id, Text label, double x, double y,
                    const std::string& shape = "") {
  Node node{std::move(id), std::move(label), x, y};
  node.note = Text::same(shape);
  diagram.nodes.push_back(std::move(node));
  return diagram.nodes.size() - 1;
}

void add_arrow(Diagram& diagram, std::size_t from, std::size_t to, Text label = Text::none()) {
  diagram.edges.push_back({from, to, 0.12, std::move(label)});
}

/// Fig. 2.2.15, left: three linear layers feed one attention.
Diagram one_head(const HeadsRun& run) {
  constexpr double middle = 0.44;  // a little high: notes hang below
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  const std::size_t attention =
      add_box(diagram, "attention", {"スケール化内積アテンション", "Scaled dot-product attention"}, 0.6,
              middle, shape_text({run.queries, run.keys}));
  const std::size_t result =
      add_box(diagram, "head", {"出力", "Output"}, 0.93, middle, shape_text({run.queries, run.width}));
  double y = middle - 0.36;
  for (const char* letter : {"Q", "K", "V"}) {
    const std::size_t rows = letter[0] == 'Q' ? run.queries : run.keys;
    const std::size_t tokens =
        add_box(diagram, letter, Text::same(letter), 0.08, y, shape_text({rows, run.d_model}));
    const std::size_t linear = add_box(diagram, fmt::format("linear.{}", letter), {"線形層", "Linear"}, 0.27,
                                       y, shape_text({run.d_model, run.width}));
    add_arrow(diagram, tokens, linear);
    add_arrow(diagram, linear, attention);
    y += 0.36;
  }
  add_arrow(diagram, attention, result);
  return diagram;
}

/// Fig. 2.2.15, right: the heads side by side, joined and mixed.
Diagram all_heads(const HeadsRun& run) {
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  const std::size_t inputs = add_box(diagram, "inputs", Text::same("Q, K, V"), 0.08, 0.5);
  const std::size_t concat =
      add_box(diagram, "concat", {"結合", "Concat"}, 0.56, 0.5, shape_text({run.queries, joined_width(run)}));
  const std::size_t linear = add_box(diagram, "linear.O", {"線形層", "Linear"}, 0.755, 0.5,
                                     shape_text({joined_width(run), run.d_model}));
  const std::size_t output =
      add_box(diagram, "output", {"出力", "Output"}, 0.93, 0.5, shape_text({run.queries, run.d_model}));
  const std::vector<std::optional<std::size_t>> boxed = drawn_boxes(run.heads);
  for (std::size_t i = 0; i < boxed.size(); ++i) {
    const double y = (0.5 + static_cast<double>(i)) / static_cast<double>(boxed.size());
    if (!boxed[i]) {
      diagram.nodes[add_box(diagram, "more", Text::same("···"), 0.31, y)].framed = false;
      continue;
    }
    const std::size_t head = add_box(diagram, fmt::format("heads[{}]", *boxed[i]),
                                     text("ヘッド {}", "Head {}", *boxed[i]), 0.31, y);
    add_arrow(diagram, inputs, head);
    add_arrow(diagram, head, concat);
  }
  add_arrow(diagram, concat, linear);
  add_arrow(diagram, linear, output);
  return diagram;
}

/// Course, task 2: what it says that heads attend to. The fourth box stands for all others.
Text role_of_head(std::size_t head) {
  static const std::array<Text, 4> roles{
      Text{"文法構造", "grammar"}, {"意味関係", "meaning"}, {"長距離依存", "distance"}, {"その他", "others"}};
  return roles.at(std::min(head, roles.size() - 1));
}

/// Course, task 2: its diagram of the layer, a head for each point of view.
Diagram points_of_view(const HeadsRun& run) {
  constexpr std::size_t most_boxes = 4;
  const std::size_t boxes = std::min(run.heads, most_boxes);
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  const std::size_t input = add_box(diagram, "input", {"入力", "Input"}, 0.08, 0.5);
  const std::size_t concat = add_box(diagram, "concat", {"結合", "Concat"}, 0.79, 0.5);
  const std::size_t output = add_box(diagram, "output", {"出力", "Output"}, 0.93, 0.5);
  for (std::size_t head = 0; head < boxes; ++head) {
    const double y = (0.5 + static_cast<double>(head)) / static_cast<double>(boxes);
    const bool several = head + 1 == most_boxes && run.heads > most_boxes;
    const std::size_t box = add_box(
        diagram, fmt::format("heads[{}]", head),
        several ? text("ヘッド {}～{}：{}", "Heads {} to {}: {}", head, run.heads - 1, role_of_head(head))
                : text("ヘッド {}：{}", "Head {}: {}", head, role_of_head(head)),
        0.33, y);
    diagram.nodes[box].ink = series_ink(head);
    const std::size_t attention =
        add_box(diagram, fmt::format("attention[{}]", head), {"アテンション", "Attention"}, 0.6, y);
    add_arrow(diagram, input, box);
    add_arrow(diagram, box, attention);
    add_arrow(diagram, attention, concat);
  }
  add_arrow(diagram, concat, output);
  return diagram;
}

/// How the width is split in the figure of shapes. Where H and D are the same number nobody sees which of
/// them the transpose moves: half as many heads show it.
struct Split {
  std::size_t heads = 0;
  std::size_t width = 0;
};

Split split_to_show(const HeadsRun& run) {
  const bool tells = run.heads != run.width || run.heads % 2 != 0;
  return tells ? Split{run.heads, run.width} : Split{run.heads / 2, run.width * 2};
}

/// "N.. × L × D = (4, 6, 4)": an array of all heads.
std::string all_heads_text(const HeadsRun& run, const char* letters, std::size_t rows) {
  std::vector<std::size_t> shape{run.heads, rows, run.width};
  if (is_batched(run)) shape.insert(shape.begin(), batch_size(run));
  return fmt::format("N.. × {} = {}", letters, shape_text(shape));
}

/// Course, task 1: what the attention function takes and gives, in the shapes of this run.
Diagram attention_function(const HeadsRun& run) {
  Text mask{"マスク M：なし", "Mask M: none"};
  if (run.mask) {
    const auto& shape = run.mask->shape();
    mask = text("マスク M：N.. × L × S = {0}", "Mask M: N.. × L × S = {0}",
                shape_text({shape.begin(), shape.end()}));
  }
  const auto array = [&run](const char* name, const char* letters, std::size_t rows) {
    return Text::same(fmt::format("{}: {}", name, all_heads_text(run, letters, rows)));
  };
  const std::vector<std::pair<const char*, Text>> inputs{
      {"query", array("Q", "L × D", run.queries)},
      {"key", array("K", "S × D", run.keys)},
      {"value", array("V", "S × D", run.keys)},
      {"scale", text("スケール：{:.3g}", "Scale: {:.3g}", run.scale)},
      {"mask", mask}};
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  const std::size_t attention = add_box(diagram, "attention", {"アテンション", "Attention"}, 0.56, 0.5);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double y = 0.08 + 0.21 * static_cast<double>(i);
    add_arrow(diagram, add_box(diagram, inputs[i].first, inputs[i].second, 0.19, y), attention);
  }
  add_arrow(diagram, attention, add_box(diagram, "output", array("Y", "L × D", run.queries), 0.85, 0.5));
  return diagram;
}

/// Course, task 1, its first diagram: where the attention function stands in a layer. Down into multi-head
/// attention on the left, the function at the bottom, out and on to the FFN on the right.
Diagram place_in_layer() {
  struct Step {
    const char* id;
    Text words;
    double x;
    double y;
    const char* shape;  // of what leaves it, where the course says it
  };
  constexpr double down = 0.18;
  constexpr double up = 0.82;
  const std::vector<Step> steps{
      {"input", {"トークン埋め込み", "Token embeddings"}, down, 0.07, "N × L × E"},
      {"linear", {"線形層：Q, K, V", "Linear: Q, K, V"}, down, 0.45, ""},
      {"split", {"ヘッドに分割", "Split into heads"}, down, 0.7, "N × H × L × D"},
      {"attention", {"アテンション関数 ← ここ", "Attention function: here"}, 0.5, 0.93, ""},
      {"concat", {"ヘッドを結合", "Concat heads"}, up, 0.7, ""},
      {"output", {"出力層", "Output layer"}, up, 0.45, "N × L × E"},
      {"ffn", Text::same("FFN"), up, 0.25, "N × L × E"},
      {"next", {"次の層", "Next layer"}, up, 0.04, ""}};
  Diagram diagram;
  for (const Step& step : steps) {
    const std::size_t box = add_box(diagram, fmt::format("place.{}", step.id), step.words, step.x, step.y);
    if (box > 0) add_arrow(diagram, box - 1, box, Text::same(steps[box - 1].shape));
  }
  diagram.nodes[3].ink = attention_ink;
  diagram.enclosures.push_back({"place.heads", {1, 2, 3, 4, 5}});
  add_box(diagram, "place.name", {"マルチヘッドアテンション", "Multi-head attention"}, 0.5, 0.34);
  diagram.nodes.back().framed = false;
  return diagram;
}

/// Down on the left, attention at the bottom, up on the right: equal shapes stand side by side.
Diagram pipeline(const std::vector<ShapeStep>& steps) {
  Diagram diagram;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t row = i < 4 ? i : 7 - i;
    const std::string equation = fmt::format("{} = {}", steps[i].letters, shape_text(steps[i].shape));
    add_box(diagram, fmt::format("shapes[{}]", i), Text::same(equation), i < 4 ? 0.25 : 0.75,
            0.09 + 0.273 * static_cast<double>(row));
  }
  for (std::size_t i = 1; i < steps.size(); ++i) add_arrow(diagram, i - 1, i, steps[i].step);
  return diagram;
}

}  // namespace

Figure heads_blocks_figure(const HeadsRun& run) {
  return Figure{"blocks", run.heads == 1
                              ? Text{"ヘッドの出力を、もう一度線形変換する",
                                     "The head's output is transformed once more"}
                              : text("{} 個のヘッドを並列に計算し、結合して混ぜる",
                                     "{} parallel heads are concatenated and mixed by W_O", run.heads)}
      .described(text(
          "箱と矢印の図。1 枚目は 1 つのヘッド：Q、K、V が別々の線形層を通り、スケール化内積アテンションに入る。2 枚目は全体：{} 個のヘッドの出力を結合し、線形層 W_O を通して {} 次元の出力にする。",
          "Boxes and arrows. First, one head: Q, K and V pass a linear layer each and enter scaled dot-product attention. Second, all {} heads: concatenated, and through W_O to an output of width {}.",
          run.heads, run.d_model))
      .captioned({"形状：バッチを除く。線形層（入力, 出力）、アテンション（クエリ, キー）。",
                  "Shapes: without the batch; Linear (in, out), attention (queries, keys)."})
      .panel({"1 つのヘッド", "One head"}, one_head(run))
      .panel({"マルチヘッドアテンション", "Multi-head attention"}, all_heads(run))
      .in_columns(1)
      .on_page(12.0, 9.0);
}

Figure heads_views_figure(const HeadsRun& run) {
  return Figure{"views",
                {"同じ系列を、ヘッドごとに違う視点で見る", "Each head takes its own view of the sequence"}}
      .described(text(
          "箱と矢印の図。入力は射影されて {0} 個のヘッドに分かれる。箱には講座の挙げる役割（文法構造、意味関係、長距離依存、その他）を順に書いてある。それぞれがアテンションを計算し、結合されて出力になる。",
          "Boxes and arrows. The input is projected and split into {0} heads, named by the roles that the course lists, in this order: grammar, meaning, distance, others. Each computes attention; they are concatenated and projected to the output.",
          run.heads))
      .captioned(
          {"役割は講座の例。学習で決まり、乱数のままの重みにはない。入力は線形層で射影して分ける（図 shapes）。",
           "Roles: the course's examples; heads learn them, random weights have none. A linear layer projects and splits the input (figure shapes)."})
      .panel(points_of_view(run))
      .in_columns(1)
      .on_page(15.0, 7.0);
}

Figure heads_inputs_figure(const HeadsRun& run) {
  return Figure{"inputs",
                {"アテンションは Q, K, V, スケール, マスクを受け取り、クエリごとに 1 行を返す",
                 "Attention maps Q, K, V, scale and mask to one row per query"}}
      .described(text(
          "箱と矢印の図。左の 5 つの入力 Q、K、V、スケール、マスクからアテンションへ、そこから出力へ矢印が延びる。出力は {}。",
          "Boxes and arrows: five inputs on the left, Q, K, V, scale and mask, lead to attention, and that to the output, {}.",
          all_heads_text(run, "L × D", run.queries)))
      .captioned(
          {"N..：任意個のバッチ次元（ここではヘッド）、L：クエリの数、S：キーの数、D：ヘッドの次元。スケールとマスクは省ける。",
           "N..: any number of batch axes (here the heads); L queries, S keys, D the width of a head. Scale and mask may be left out."})
      .panel(attention_function(run))
      .in_columns(1)
      .on_page(12.0, 7.0);
}

Figure heads_place_figure() {
  return Figure{"place",
                {"アテンション関数は、マルチヘッドアテンションの中にある",
                 "The attention function sits in multi-head attention"}}
      .described(
          {"箱と矢印の図。入力トークン埋め込みが、破線で囲まれたマルチヘッドアテンションに入る：Q, K, V への線形変換、ヘッドへの分割、アテンション関数（ここ）、結合、出力の線形変換。その後は FFN、次の層。",
           "Boxes and arrows. Token embeddings enter multi-head attention, outlined: linear maps to Q, K and V, the split into heads, the attention function (here), concat, the output layer. Then come the FFN and the next layer."})
      .captioned(
          {"N：バッチ、L：トークン数、E：埋め込みの次元、H：ヘッド数、D：ヘッドの次元。講座の図のとおり、残差接続とレイヤ正規化は省く。",
           "N batch, L tokens, E their width, H heads, D the width of a head. As in the course, without residuals and layer norm."})
      .panel(place_in_layer())
      .in_columns(1)
      .on_page(12.0, 7.5);
}

Figure heads_shapes_figure(const HeadsRun& run) {
  const std::size_t batch = batch_size(run);
  const Split split = split_to_show(run);
  const std::vector<ShapeStep> steps =
      shape_pipeline(batch, run.queries, run.d_model, split.heads, split.width);
  const Text example = split.heads == run.heads
                           ? Text::none()
                           : text("この実行の H = D = {} では転置が見えないので、H = {} の例。",
                                  " Drawn for H = {1}: this run's H = D = {0} would hide the transpose.",
                                  run.heads, split.heads);
  const std::string input = shape_text(steps.front().shape);
  return Figure{"shapes", text("{} 次元に射影してから {} × {} 次元に分け、最後に元に戻す",
                               "Project, split width {} into {} of {}, and merge again", joined_width(run),
                               split.heads == 1 ? Text{"1 個のヘッド", "1 head"}
                                                : text("{} 個のヘッド", "{} heads", split.heads),
                               split.width)}
      .described(text(
          "形状の移り変わりを箱と矢印で示す図。左の列を下りる：入力 {0}、線形層、リシェイプ、転置。下でアテンション。右の列を上る：転置、リシェイプ、線形層 W_O、出力 {0}。",
          "The shapes as boxes and arrows. Down on the left: input {0}, linear, reshape, transpose. Attention at the bottom. Up on the right: transpose, reshape, linear W_O, output {0}.",
          input))
      .captioned(text("{}L はトークン数（Q の場合）、E は d_model、H はヘッド数、{}。{}",
                      "{}L tokens (as for Q), E the width d_model, H heads, {}.{}",
                      batch == 0 ? Text{"N.. はバッチの次元（この実行では 0 個）、",
                                        "N..: batch axes (none in this run), "}
                                 : Text{"N はバッチ、", "N batch, "},
                      joined_width(run) == run.d_model ? Text::same("D = E / H")
                                                       : Text{"D はヘッドの次元", "D the width of a head"},
                      example))
      .panel(pipeline(steps))
      .in_columns(1)
      .on_page(12.0, 7.5);
}

}  // namespace attnlab
