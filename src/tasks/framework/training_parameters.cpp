#include "tasks/framework/training_parameters.hpp"

#include "core/error.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {

Experiment learning_task(std::string name, Text shows, Text source, std::vector<Parameter> parameters,
                         Report (*run)(const Arguments& arguments, const Context& context)) {
  Experiment task{std::move(name), std::move(shows), std::move(source), std::move(parameters), run};
  task.may_be_stopped = true;
  return task;
}

std::vector<Parameter> training_parameters(std::vector<Parameter> own, const TrainingDefaults& defaults) {
  std::vector<Parameter> all = std::move(own);
  const std::vector<Parameter> shared{
      parameter("model", FileKind{"FILE.safetensors", FileKind::Holds::model}, "",
                "学習の代わりに、--save-model で保存したモデルか、付属のモデル（課題の名前）を読みます",
                "instead of training, read a model that --save-model has saved, or the one that comes along "
                "(the task's name)"),
      parameter(
          "input", SyntaxKind{"WORDS"}, "", "例の代わりに見る系列（空白で区切るか、1 文字ずつ）",
          "a sequence to look at in place of the example: words parted by blanks, or single characters"),
      parameter("layers", IntegerKind{{1, 12}}, defaults.layers, "層の数", "how many layers"),
      parameter("heads", IntegerKind{{1, 16}}, defaults.heads, "各層のヘッドの数", "heads of each layer"),
      parameter("width", IntegerKind{{2, 512}}, defaults.width, "モデルの次元 D", "the model's width D"),
      parameter("mlp", IntegerKind{{0, 2048}}, defaults.mlp, "MLP の中間層の次元（0 なら MLP なし）",
                "hidden width of the MLP; 0 for attention only"),
      parameter("norm", ChoiceKind{{"none", "post", "pre"}}, defaults.norm,
                "正規化の位置：なし、残差結合の後（post-norm）、各層の前（pre-norm）",
                "where norms stand: nowhere, after the residual connection, before each sub-layer"),
      parameter("norm-kind", ChoiceKind{{"layer", "rms"}}, "layer", "レイヤ正規化か RMS 正規化か",
                "layer normalisation or RMS normalisation"),
      parameter("positions", ChoiceKind{{"none", "sinusoidal", "learned", "rotary"}}, defaults.positions,
                "位置の伝え方", "how the model is told the positions"),
      parameter("mask", ChoiceKind{{"none", "causal"}}, defaults.mask, "アテンションのマスク",
                "the mask of attention"),
      parameter("activation", ChoiceKind{{"relu", "gelu"}}, "relu", "MLP の活性化関数",
                "the MLP's activation"),
      parameter("score", ChoiceKind{{"dot-product", "additive"}}, "dot-product", "スコアの計算：内積か加法",
                "what scores a query and a key: their dot product, or a small network"),
      scale_parameter("default"),
      parameter("softmax-axis", ChoiceKind{{"keys", "queries"}}, "keys",
                "softmax が和を 1 にする向き（queries は誤り：train mistakes を参照）",
                "what softmax sums to 1 over; queries is a mistake that train mistakes shows"),
      parameter("steps", IntegerKind{{1, 1000000}}, defaults.steps, "学習のステップ数",
                "how many steps of training"),
      parameter("batch", IntegerKind{{1, 4096}}, defaults.batch, "1 ステップの系列の数",
                "sequences of one step"),
      parameter("examples", IntegerKind{{0, 100000}}, "0", "学習に使う系列の個数（0 なら毎回新しい系列）",
                "how many sequences it is trained on, again and again; 0: new ones at each step"),
      parameter("rate", NumberKind{{1e-9, 1e9}}, defaults.rate, "学習率", "the learning rate"),
      parameter("warm-up", IntegerKind{{0, 1000000}}, "50", "学習率を 0 から上げていくステップ数",
                "steps in which the rate rises from 0"),
      parameter("schedule", ChoiceKind{{"constant", "cosine"}}, "cosine", "その後の学習率",
                "the rate after that"),
      parameter("optimizer", ChoiceKind{{"adamw", "sgd"}}, "adamw", "最適化の方法", "the optimiser"),
      parameter("decay", NumberKind{{0.0, 10.0}}, defaults.decay, "AdamW の重み減衰 λ",
                "AdamW's weight decay λ"),
      parameter("clip", NumberKind{{0.0, 1e9}}, "1", "勾配のノルムの上限（0 なら制限しない）",
                "the largest norm of a gradient; 0 for any"),
      parameter("dtype", ChoiceKind{{"float32", "float64"}}, "float32", "計算の精度",
                "the precision of the computation"),
      parameter("ablate", SwitchKind{}, "off",
                "位置なし、1/√d なし、1 ヘッドでも学習し、図 ablation に加えます",
                "train again without positions, without 1/√d and with one head, for the figure ablation"),
      seed_parameter("0"),
      rng_parameter()};
  all.insert(all.end(), shared.begin(), shared.end());
  return all;
}

ModelShape model_shape(const Arguments& arguments, std::size_t words, std::size_t answers,
                       std::size_t tokens) {
  ModelShape shape;
  shape.vocabulary = words;
  shape.answers = answers;
  shape.tokens = tokens;
  shape.width = arguments.count("width");
  shape.heads = arguments.count("heads");
  shape.layers = arguments.count("layers");
  shape.hidden = arguments.count("mlp");
  shape.norm = arguments.chosen<NormPlace>("norm");
  shape.norm_kind = arguments.chosen<NormKind>("norm-kind");
  shape.positions = arguments.chosen<Positions>("positions");
  shape.reading = arguments.chosen<Reading>("mask");
  shape.activation = arguments.chosen<Activation>("activation");
  shape.score = arguments.chosen<Score>("score");
  shape.softmax_axis = arguments.chosen<SoftmaxAxis>("softmax-axis");
  shape.scale = parse_scale(arguments.text("scale"));
  if (shape.width % shape.heads != 0) {
    refuse_usage(text("--width {} を {} 個のヘッドに等しく分けられません",
                      "--width {} cannot be split over --heads {}", shape.width, shape.heads),
                 text("{} の約数にしてください", "choose a divisor of {}", shape.width));
  }
  if (shape.positions == Positions::rotary && shape.head_width() % 2 != 0) {
    refuse_usage(text("回転位置エンコーディングには偶数の次元が必要ですが、ヘッドの次元は {} です",
                      "rotary positions turn pairs of coordinates, but a head has {}", shape.head_width()),
                 {"--width と --heads の商を偶数にしてください", "make --width divided by --heads even"});
  }
  return shape;
}

Text why_no_program() {
  return {"学習の経過は途中の値に依存するので、1 つの式では書けません",
          "a training depends on every number on its way"};
}

OptimiserSettings optimiser_settings(const Arguments& arguments) {
  OptimiserSettings settings;
  settings.kind = arguments.chosen<OptimiserKind>("optimizer");
  settings.rate = arguments.number("rate");
  settings.course = arguments.chosen<RateCourse>("schedule");
  settings.warm_up = arguments.count("warm-up");
  settings.decay = arguments.number("decay");
  settings.clip = arguments.number("clip");
  return settings;
}

}  // namespace attnlab
