// The contrasts: what the documents claim, as one change of a training.
#include "tasks/all_tasks.hpp"
#include "tasks/contrast/contrast.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

Settings deep_at_rate(const std::string& rate) {
  return {{"steps", "200"}, {"layers", "12"}, {"mlp", "64"},
          {"batch", "32"},  {"norm", "pre"},  {"rate", rate}};
}

std::vector<Variant> norms() {
  return {{{"pre-norm", "pre-norm"}, {}},
          {{"post-norm", "post-norm"}, {{"norm", "post"}}},
          {{"正規化なし", "no norm"}, {{"norm", "none"}}}};
}

}  // namespace

const std::vector<Contrast>& contrasts() {
  static const std::vector<Contrast> table{
      {"scaling",
       {"1/√d で割らないと、次元が大きいとき学習できないか",
        "Does a large width fail to learn without 1/√d?"},
       reverse_task,
       reversal,
       {{"width", "256"}, {"steps", "200"}, {"batch", "32"}},
       {{{"1/√d あり", "with 1/√d"}, {}},
        {{"1/√d なし", "without"}, {{"scale", "none"}}},
        {{"逆に √d 倍", "√d times instead"}, {{"scale", "16"}}}}},
      {"positions",
       {"位置を知らせないと、順序の課題は解けないか", "Does a task of order fail without positions?"},
       reverse_task,
       reversal,
       {{"steps", "300"}},
       {{{"学習する位置", "learned positions"}, {}}, {{"位置なし", "none"}, {{"positions", "none"}}}}},
      {"encoding",
       {"位置は学習したほうがよいか、正弦波や回転でよいか",
        "Are learned positions better than sinusoids and rotations?"},
       reverse_task,
       reversal,
       {{"steps", "300"}},
       {{{"学習", "learned"}, {}},
        {{"正弦波", "sinusoidal"}, {{"positions", "sinusoidal"}}},
        {{"回転", "rotary"}, {{"positions", "rotary"}}}}},
      {"score",
       {"内積のスコアは、加法のスコアより学習しやすいか",
        "Do dot products learn more easily than additive scores?"},
       reverse_task,
       reversal,
       {{"steps", "200"}, {"batch", "32"}},
       {{{"内積", "dot product"}, {}}, {{"加法", "additive"}, {{"score", "additive"}}}}},
      {"heads",
       {"ヘッドは 1 つより 4 つのほうがよいか", "Are four heads better than one?"},
       dictionary_task,
       dictionaries,
       {{"steps", "400"}, {"heads", "4"}},
       {{{"4 ヘッド", "four heads"}, {}}, {{"1 ヘッド", "one head"}, {{"heads", "1"}}}}},
      {"norm",
       {"深いモデルは pre-norm のほうが学習しやすいか", "Do deep models learn more easily with pre-norm?"},
       reverse_task,
       reversal,
       deep_at_rate("0.003"),
       norms()},
      {"rate",
       {"正規化があれば、深いモデルも高い学習率で学習できるか",
        "Does a norm let deep models learn at a high rate?"},
       reverse_task,
       reversal,
       deep_at_rate("0.02"),
       norms()}};
  return table;
}

}  // namespace attnlab
