// The wrong scale: √d of the whole model instead of one head, or no scale at all.
#include <cmath>

#include "attention/scaled_dot_product.hpp"
#include "experiments/mistakes/mistake.hpp"
#include "experiments/mistakes/mistake_steps.hpp"
#include "experiments/framework/tensor_measures.hpp"

namespace attnlab {

namespace {

constexpr std::size_t tokens = 16;
constexpr std::size_t head_width = 16;
constexpr std::size_t heads = 4;

double deviation_error(const Tensor<double>& scores) {
  return std::abs(standard_deviation(scores) - 1.0);
}

/// Both sides of a mistake that divides by another number, or by none.
struct Scaled {
  Tensor<double> query;
  Tensor<double> key;
  AttentionStages<double> right;
  AttentionStages<double> wrong;
};

Scaled with_scale(RandomStream& random, double wrong_scale) {
  Scaled scaled{random.randn({tokens, head_width}), random.randn({tokens, head_width}), {}, {}};
  AttentionOptions<double> wrong;
  wrong.scale = wrong_scale;
  scaled.right = scaled_dot_product_attention(scaled.query, scaled.key, scaled.key);
  scaled.wrong = scaled_dot_product_attention(scaled.query, scaled.key, scaled.key, wrong);
  return scaled;
}

MistakeRun compare(const Scaled& scaled) {
  MistakeRun run{scaled.right.weights, scaled.wrong.weights, deviation_error(scaled.right.scores),
                 deviation_error(scaled.wrong.scores),
                 steps::up_to_scores(scaled.query, scaled.key, scaled.right)};
  run.steps.push_back(steps::softmax("right", "scores", run.right));
  return run;
}

MistakeRun wrong_sqrt(RandomStream& random) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(heads * head_width));
  const Scaled scaled = with_scale(random, scale);
  MistakeRun run = compare(scaled);
  run.steps.push_back(
      steps::scaled_scores("wrong_scores", "raw_scores", "model", scale, scaled.wrong.scores));
  run.steps.push_back(steps::softmax("wrong", "wrong_scores", run.wrong));
  return run;
}

MistakeRun no_scaling(RandomStream& random) {
  MistakeRun run = compare(with_scale(random, 1.0));
  run.steps.push_back(steps::softmax("wrong", "raw_scores", run.wrong));
  return run;
}

// Of 16 x 16 products of random vectors of width 16 the standard deviation scatters by about 0.06 around 1.
constexpr double sampling_tolerance = 0.3;
const Text sampling_reason{"16 × 16 個の標本の標準偏差のばらつき約 0.06 の 5 倍",
                           "five times 0.06, by which the deviation of 16 × 16 samples scatters"};
const Text unit_deviation{"乱数の q, k のスコアの標準偏差は 1",
                          "scores of random q and k have standard deviation 1"};

MistakePicture weights_picture() {
  return {{"クエリ", "Query"}, {"キー", "Key"}, {"注意度", "Weight"}, Palette::blues, no_numbers};
}

}  // namespace

std::vector<Mistake> scaling_mistakes() {
  return {{"wrong-sqrt",
           {"√d の d が違う", "the square root of the wrong d"},
           {"√d の d が違う：注意度が均等に近づく", "The square root of the wrong d: the weights go flat"},
           {"ヘッドの次元 d_k = 16 ではなく d_model = 64 の平方根で割ると、スコアが半分になります。",
            "Dividing by the root of d_model = 64 instead of the head's width d_k = 16 halves the scores."},
           {"注意度が均等に近づき、どのキーも選べなくなります。学習は進むので、気づきにくい誤りです。",
            "The weights drift towards equal shares and no key stands out. Training still works, so it goes "
            "unnoticed."},
           "scores / np.sqrt(d_k)      # 16",
           "scores / np.sqrt(d_model)  # 64",
           "unit_deviation",
           unit_deviation,
           sampling_tolerance,
           sampling_reason,
           weights_picture(),
           wrong_sqrt},
          {"no-scaling",
           {"√d で割り忘れる", "no scaling"},
           {"√d で割り忘れる：注意度が少数のキーに偏る", "No scaling: few keys take most of the weight"},
           {"√d_k で割らないと、スコアの標準偏差は √16 = 4 になります。",
            "Without the division by the root of d_k the scores have a standard deviation of √16 = 4."},
           {"注意度が少数のキーに偏り、softmax の勾配が 0 に近づきます。",
            "A few keys take most of the weight, and the gradient of softmax goes to zero."},
           "scores = Q @ K.T / np.sqrt(d_k)",
           "scores = Q @ K.T",
           "unit_deviation",
           unit_deviation,
           sampling_tolerance,
           sampling_reason,
           weights_picture(),
           no_scaling}};
}

}  // namespace attnlab
