// What `heads` says: the formulas, the shapes, the heads side by side, and what the lecturer may add.
#include "attention/linear.hpp"
#include "core/named.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

Text heading(HeadsVariant variant) {
  static const std::map<HeadsVariant, Text> headings{
      {HeadsVariant::article, {"マルチヘッドアテンション", "Multi-head attention"}},
      {HeadsVariant::parity,
       {"マルチヘッドアテンション：PyTorch との比較", "Multi-head attention against PyTorch"}},
      {HeadsVariant::book,
       {"マルチヘッドアテンション（教科書 コード2.2.11）", "Multi-head attention, textbook code 2.2.11"}},
      {HeadsVariant::course,
       {"マルチヘッドアテンション（講座 Task 2）", "Multi-head attention, course task 2"}},
      {HeadsVariant::notebook,
       {"マルチヘッドアテンション（ノートブック）", "Multi-head attention of the notebook"}},
      {HeadsVariant::model,
       {"学習した重みのマルチヘッドアテンション", "Multi-head attention that was learned"}}};
  return headings.at(variant);
}

Text whether_heads_agree(const HeadsRun& run) {
  const std::size_t different = disagreements(run);
  if (different == 0) {
    return {"ただし、注意度が最大のキーは、どのクエリでも全ヘッドで一致します。",
            "Here, though, all heads agree on the key with the largest weight, for every query."};
  }
  if (different == run.queries) {
    return text("注意度が最大のキーは、クエリ {} 個すべてでヘッドによって違います。",
                "For all {} queries the heads do not agree on the key with the largest weight.", different);
  }
  return text("注意度が最大のキーは、クエリ {0} 個のうち {1} 個でヘッドによって違います。",
              "For {1} of {0} queries not all heads agree on the key with the largest weight.", run.queries,
              different);
}

Paragraph to_say(const HeadsRun& run) {
  if (run.variant == HeadsVariant::parity) {
    return Paragraph::say(
        "同じ重みを渡せば、式どおりの実装と nn.MultiheadAttention の出力は float32 の丸めの範囲で一致します（差は最大 {:.1e}）。",
        "With the same weights, the formulas and nn.MultiheadAttention agree but for the rounding of float32 (largest difference {:.1e}).",
        largest_difference(run.output, run.pytorch_output));
  }
  if (run.variant == HeadsVariant::course) {
    return Paragraph::say(
        "ヘッドの軸をバッチの隣に移すので、アテンション層はヘッドを知らないまま最後の 2 軸だけを計算します。終わったら逆の順に戻し、W_O で幅 E に直します。",
        "The head axis moves beside the batch, so the attention layer works on the last two axes and needs to know nothing of heads. The same steps in reverse lead back, and W_O restores the width E.");
  }
  if (run.heads == 1) {
    return Paragraph::say("ヘッドが 1 つなら、自己注意の後に W_O を掛けるだけです。",
                          "With one head this is self-attention followed by W_O.");
  }
  return Paragraph::say(
      "{} 個のヘッドは{}を入力としますが、射影行列が違{}。{}各ヘッドの結果（{} 次元）を並べ、W_O で混ぜて {} 次元に戻します。",
      "The {} heads take {} through different projections{}. {} Their results, {} wide each, are concatenated and mixed by W_O into width {} again.",
      run.heads,
      run.variant == HeadsVariant::book
          ? Text{"同じクエリ、キー、バリュー", "the same queries, keys and values"}
          : Text{"同じトークン", "the same tokens"},
      run.data.high - run.data.low < 1e-12 ? Text{"います。ただし、ここではどの注意度も等しくなりました",
                                                  "; here, though, all weights are equal"}
                                           : Text{"うので注意度も違います", ", so their weights differ"},
      whether_heads_agree(run), run.width, run.d_model);
}

Paragraph misunderstanding(const HeadsRun& run) {
  if (run.variant == HeadsVariant::parity) {
    return Paragraph::misunderstanding(
        "in_proj_weight は ({}, {}) の 1 つの行列ですが、中身は W_Q、W_K、W_V を転置して縦に並べたものです。転置を忘れると、正方行列なのでエラーにならず、答えだけが違います。",
        "in_proj_weight is one matrix, ({}, {}), but it holds W_Q, W_K and W_V, transposed, one below the other. If you forget to transpose, no error appears: the matrices are square.",
        3 * run.d_model, run.d_model);
  }
  if (run.variant == HeadsVariant::course) {
    return Paragraph::misunderstanding(
        "N × L × E を N × H × L × D に直接リシェイプしてはいけません。(L, H, D) に分けてから転置しないと、異なるトークンの数が 1 つのヘッドに混ざります。ここでは H = {}、D = {}。",
        "Do not reshape N x L x E straight to N x H x L x D: without the transpose after (L, H, D), numbers of different tokens end up in one head. Here H = {}, D = {}.",
        run.heads, run.width);
  }
  return Paragraph::misunderstanding(
      "ヘッドは入力の {0} 次元を {1} 次元ずつに切り分けるのではありません。どのヘッドの射影行列も ({0}, {1}) で、{0} 次元すべてを使います。",
      "Heads do not cut the {0} numbers of a token into slices of {1}: each head's projection is ({0}, {1}) and uses all {0}.",
      run.d_model, run.width);
}

/// Where the random numbers come from, and what differs from the document's code.
Paragraph remark(const HeadsRun& run) {
  if (run.tape.any_read()) return Paragraph::note("入力：{}。", "Inputs: {}.", run.tape.described());
  switch (run.variant) {
    case HeadsVariant::article:
      return Paragraph::note(
          "記事と同じく X と重みを同じ種 {} から作るので、W_Q の先頭 {} 個の数は X の 0.1 倍に一致します（計算で確認済み）。独立な乱数が必要なら、種を別にしてください。",
          "As in the article, X and the weights are drawn from the same seed, here {}, so the first {} numbers of W_Q are 0.1 times those of X (checked by computation). Independent numbers need two different seeds.",
          run.seed, shared_start(run));
    case HeadsVariant::parity:
      return Paragraph::note(
          "X は RandomState(42) を float32 に丸めたもの、重みは RandomState(0)。PyTorch 1.13 の出力は保存済みの値です（data/reference/make_heads_reference.py）。nn.MultiheadAttention の既定の形は (seq_len, batch, d_model) なので、記事は X を ({0}, 1, {1}) にして渡します。",
          "X is RandomState(42) rounded to float32, the weights RandomState(0). PyTorch 1.13's output is stored (data/reference/make_heads_reference.py). nn.MultiheadAttention takes (seq_len, batch, d_model) by default: the article passes X as ({0}, 1, {1}).",
          run.queries, run.d_model);
    case HeadsVariant::book:
      return Paragraph::note(
          "torch.manual_seed({}) の後、モデル、query、key、value の順に乱数を使います。出力層の入力は n_heads * d_v = {} 次元です（{}）。「名前」が「ない」を参照するヘッドは `attnlab pooling --figure neko` にあります。",
          "After torch.manual_seed({}) the model is drawn first, then query, key and value. The output layer has n_heads * d_v = {} inputs ({}). `attnlab pooling --figure neko` has the heads with which 名前 (name) attends to ない (none).",
          run.seed, joined_width(run),
          run.width == run.d_model ? Text{"d_v = d_model なので、印刷されたコードの n_heads * d_model と同じ",
                                          "d_v = d_model: the n_heads * d_model of the code as printed"}
                                   : Text{"n_heads * d_model ではありません", "not n_heads * d_model"});
    case HeadsVariant::course:
      return Paragraph::note(
          "講座には値がないので、種 {} で x、W_Q、W_K、W_V、W_O の順に作りました（重みは √E で割る）。マスク (1, H, L, L) はヘッドごとに違い、ヘッド h は h + 1 個前まで参照します。講座がヘッドに与える役割は図 views に描いてあります。",
          "The course gives no values: seed {}, x, W_Q, W_K, W_V, W_O, the weights over √E. The mask (1, H, L, L) differs by head: head h attends back h + 1 tokens. Figure views has the roles that the course gives to heads.",
          run.seed);
    case HeadsVariant::notebook:
    case HeadsVariant::model:  // which reads its arrays
      break;
  }
  return Paragraph::note("torch.manual_seed({}) の後、x、W_q、W_k、W_v、W_o の順に乱数を使います。",
                         "After torch.manual_seed({}) x is drawn first, then W_q, W_k, W_v and W_o.",
                         run.seed);
}

/// The output, or its first numbers where there are too many for a terminal.
Values output_values(const HeadsRun& run, const std::vector<Stage>& stages) {
  constexpr std::size_t most_numbers = 128;
  const Array& output = find_named(stages, "output")->array;
  if (output.data.size() <= most_numbers) return {{"出力", "output"}, output};
  const std::size_t shown = std::min<std::size_t>(6, run.d_model);
  const std::string place = fmt::format("output[{}0, :{}]", is_batched(run) ? "0, " : "", shown);
  const double* first = output.data.data();
  return {{"出力 " + place, place}, {{shown}, {"d_model"}, {first, first + shown}, run.dtype}};
}

// --- Tables

constexpr std::size_t most_heads_in_table = 8;

std::string shape_of_tensor(const Tensor<double>& tensor) {
  return shape_text({tensor.shape().begin(), tensor.shape().end()});
}

/// The same steps for this run and for a large layer.
Table steps_table(std::vector<Text> header, const std::vector<ShapeStep>& small,
                  const std::vector<ShapeStep>& large) {
  Table table{std::move(header)};
  for (std::size_t i = 0; i < small.size(); ++i) {
    table.rows.push_back(
        {small[i].step, small[i].letters, shape_text(small[i].shape), shape_text(large[i].shape)});
  }
  return table;
}

/// `linear` and attention take any batch dimensions N..: computed here on zeros of that shape.
Table batches_table(const HeadsRun& run) {
  const Linear<double> layer{Tensor<double>({run.width, run.d_model}, 0.0), Tensor<double>({run.width}, 0.0)};
  Table table{{Text::same("N.."),
               Text::same("x: N.. × I"),
               Text::same("linear: N.. × O"),
               Text::same("Q, K, V: N.. × L × D"),
               {"出力", "output"}}};
  for (const std::vector<std::size_t>& batch : std::vector<std::vector<std::size_t>>{{}, {3}, {2, 3}}) {
    std::vector<std::size_t> tokens = batch;
    tokens.push_back(run.d_model);
    std::vector<std::size_t> sequence = batch;
    sequence.insert(sequence.end(), {run.queries, run.width});
    const Tensor<double> q(sequence, 0.0);
    table.rows.push_back({shape_text(batch), shape_text(tokens),
                          shape_of_tensor(linear(layer, Tensor<double>(tokens, 0.0))), shape_text(sequence),
                          shape_of_tensor(scaled_dot_product_attention(q, q, q).output)});
  }
  return table;
}

/// The shape trace without its bookkeeping: biases and the steps that only add them.
Table short_shape_trace(const std::vector<Stage>& stages) {
  std::vector<Stage> shown;
  for (const Stage& one : stages) {
    const bool bookkeeping = one.name.rfind("linear_", 0) == 0 || one.name.rfind("bias_", 0) == 0;
    if (!bookkeeping) shown.push_back(one);
  }
  return shape_trace(shown);
}

/// Range, entropy and favourite of every head.
Table table_of_heads(const HeadsRun& run) {
  Table table{{{"ヘッド", "head"},
               {"注意度の最小", "smallest weight"},
               {"最大", "largest weight"},
               {"平均エントロピー（nat）", "mean entropy (nats)"},
               text("{} の注意度が最大のキー", "top key of {}", query_name(run))}};
  for (std::size_t head = 0; head < std::min(run.heads, most_heads_in_table); ++head) {
    const std::vector<double> weights = weights_of_head(run, head).values;
    const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
    const double mean_entropy =
        sum_of(entropy(to_tensor(weights, {run.queries, run.keys}))) / static_cast<double>(run.queries);
    table.rows.push_back({std::to_string(head), fmt::format("{:.4f}", *low), fmt::format("{:.4f}", *high),
                          fmt::format("{:.4f}", mean_entropy),
                          key_name(run, favourite_key(run, head, shown_query(run)))});
  }
  return table;
}

/// How far PyTorch's output is from ours in float32 and float64.
Table parity_table(const HeadsRun& run) {
  const auto distance = [&run](const Tensor<double>& ours) {
    return fmt::format("{:.2g}", largest_difference(ours, run.pytorch_output));
  };
  return {{{"計算の型", "computed in"}, {"PyTorch との差の最大", "largest difference from PyTorch"}},
          {{"float32", distance(run.output)},
           {Text{"float64（記事の NumPy）", "float64 (the article's NumPy)"}, distance(run.float64_output)}}};
}

/// The way through the layer here and at a width of 768; attention here and for 1024 x 512; any batch.
std::vector<Table> course_tables(const HeadsRun& run) {
  const std::size_t batch = batch_size(run);
  return {steps_table({{"手順", "step"},
                       Text::same("N × L × E"),
                       {"この実行", "this run"},
                       Text::same("E 768, H 12 → D 64")},
                      shape_pipeline(batch, run.queries, run.d_model, run.heads, run.width),
                      shape_pipeline(1, 1024, 768, 12, 64)),
          steps_table({{"アテンション層", "attention layer"},
                       Text::same("N.. × L × D"),
                       {"1 ヘッド", "one head"},
                       Text::same("1024 × 512")},
                      attention_shapes(run.queries, run.width), attention_shapes(1024, 512)),
          batches_table(run)};
}

}  // namespace

std::vector<ShapeStep> shape_pipeline(std::size_t batch, std::size_t length, std::size_t width,
                                      std::size_t heads, std::size_t width_of_head) {
  const std::size_t d = width_of_head;
  std::vector<ShapeStep> steps{
      {{"入力", "input"}, "L × E", {length, width}},
      {{"線形層", "linear"}, "L × (H·D)", {length, heads * d}},
      {{"リシェイプ", "reshape"}, "L × H × D", {length, heads, d}},
      {{"転置", "transpose"}, "H × L × D", {heads, length, d}},
      {{"アテンション", "attention"}, "H × L × D", {heads, length, d}},
      {{"転置", "transpose"}, "L × H × D", {length, heads, d}},
      {{"リシェイプ", "reshape"}, "L × (H·D)", {length, heads * d}},
      {{"出力層", "output layer"}, "L × E", {length, width}},
  };
  for (ShapeStep& step : steps) {
    step.letters = (batch == 0 ? "N.. × " : "N × ") + step.letters;
    if (batch > 0) step.shape.insert(step.shape.begin(), batch);
  }
  return steps;
}

std::vector<ShapeStep> attention_shapes(std::size_t length, std::size_t width) {
  return {
      {{"Q、K、V", "Q, K, V"}, "L × D", {length, width}},
      {{"K の転置", "K transposed"}, "D × L", {width, length}},
      {{"スコア QKᵀ", "scores QKᵀ"}, "L × L", {length, length}},
      {{"注意度", "weights"}, "L × L", {length, length}},
      {{"出力", "output"}, "L × D", {length, width}},
  };
}

std::vector<Block> body(const HeadsRun& run, const std::vector<Stage>& stages) {
  const double* weights = run.attention.weights.data() + shown_query(run) * run.keys;
  const Array row{{run.keys}, {"keys"}, {weights, weights + run.keys}, run.dtype};  // checked first
  std::vector<Block> blocks{
      Paragraph{Role::heading, heading(run.variant)},
      Equation{formula::row({formula::read("head_i ="), head_formula(run)})},
      Equation{formula::row({concat_formula(run), formula::read("W_O")})},
      short_shape_trace(stages),
  };
  if (run.variant == HeadsVariant::course) {
    for (const Table& table : course_tables(run)) blocks.emplace_back(table);
  }
  blocks.emplace_back(table_of_heads(run));
  if (can_be_mixed(run)) blocks.emplace_back(mixing_table(run));
  blocks.emplace_back(
      Values{text("ヘッド 0、クエリ {0} の注意度", "weights of head 0, query {0}", shown_query(run)), row});
  blocks.emplace_back(output_values(run, stages));
  if (run.variant == HeadsVariant::parity) blocks.emplace_back(parity_table(run));
  blocks.emplace_back(to_say(run));
  const bool about_cutting = run.variant != HeadsVariant::parity && run.variant != HeadsVariant::course;
  if (run.heads > 1 || !about_cutting) blocks.emplace_back(misunderstanding(run));  // one head is not cut
  blocks.emplace_back(remark(run));
  if (run.variant != HeadsVariant::model) blocks.emplace_back(about_learned_weights("heads"));
  if (run.heads > most_heads_in_table) {
    blocks.emplace_back(Paragraph::note("表は最初の {} 個のヘッドだけです。",
                                        "The table shows the first {} heads only.", most_heads_in_table));
  }
  return blocks;
}

}  // namespace attnlab
