// The numbers that `attnlab encoder` must give.
#include <utility>

#include "experiments/expected/rows.hpp"

namespace attnlab::expected {

Rows encoder_rows() {
  const Text norm{"レイヤ正規化", "layer normalisation"};
  const Text layer{"符号器・1 層分", "encoder, one layer"};
  // The first numbers of token 0, computed by data/reference/make_encoder_reference.py --print.
  const auto token = [&layer](const char* stage, std::vector<double> values) {
    return ExpectedValue{"encoder", {}, stage, {6, 16}, 0, std::move(values), exact, Document::slides, layer};
  };
  return {
      {"encoder",
       {},
       "example_norm",
       {4},
       0,
       {-1.3416, -0.4472, 0.4472, 1.3416},
       printed(4),
       Document::slides,
       norm},
      {"encoder", {}, "example_variance_after_slide", {}, 0, {1.118}, printed(3), Document::slides, norm},
      token("attention",
            {-0.009825679359036324, -0.053177534645977104, -0.07642205151698599, 0.007658307129058612}),
      token("residual_1", {1.7542266666086277, 0.34697967372124616, 0.9023159325887532, 2.2485515063305166}),
      token("norm_1", {1.341537405808216, -0.37962077532621125, 0.29959300168762093, 1.9461300937482369}),
      token("mlp", {-0.20263365815152778, 0.22898764055853837, 0.028560642820012663, 0.17082908469409883}),
      token("residual_2",
            {1.1389037476566881, -0.15063313476767287, 0.32815364450763357, 2.1169591784423356}),
      token("output", {1.1986863024895484, -0.08987620380978409, 0.38854880341148995, 2.1760027130318043}),
      {"encoder",
       {},
       "length_output_pre",
       {},
       0,
       {4.020831327108228},
       exact,
       Document::slides,
       {"残差表現（pre-norm は GPT-2）", "residual representation (pre-norm as in GPT-2)"}},
  };
}

}  // namespace attnlab::expected
