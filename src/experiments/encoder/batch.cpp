// The batch axis of the layer's two halves (course, task 1): attention keeps to its sequence, the MLP to its
// token.
#include "experiments/encoder/encoder.hpp"

namespace attnlab {
namespace {

/// (2 · tokens, width) through a function of (2, tokens, width).
OfTokens in_two_sequences(std::size_t tokens, std::size_t width, const OfTokens& function) {
  return [=](const Tensor<double>& x) {
    Tensor<double> batch = x;
    batch.reshape({std::size_t{2}, tokens, width});
    Tensor<double> output = function(batch);
    output.reshape({2 * tokens, width});
    return output;
  };
}

/// The largest entry outside the two blocks of one sequence each.
double largest_between_sequences(const Tensor<double>& reaction) {
  const std::size_t tokens = reaction.shape()[0] / 2;
  return largest_where(reaction,
                       [tokens](std::size_t i, std::size_t j) { return (i < tokens) != (j < tokens); });
}

HeatMap batch_map(const EncoderRun& run, const std::string& id, const Tensor<double>& values) {
  std::vector<ShortText> names;
  for (std::size_t i = 0; i < 2 * run.tokens; ++i) {
    names.emplace_back(fmt::format("{},{}", i / run.tokens, i % run.tokens));
  }
  return share_map(id, values)
      .rows({"結果の系列, トークン", "Sequence, token of the result"}, names)
      .columns({"0 にした系列, トークン", "Sequence, token set to zero"}, names);
}

}  // namespace

BatchReactions react_in_batch(Tape& tape, const EncoderRun& run, const TransformerLayer<double>& layer) {
  const std::size_t tokens = run.tokens;
  const std::size_t width = run.width;
  const Tensor<double> both = xt::concatenate(xt::xtuple(run.x, run.other), 0);
  const auto react = [&](const char* name, const char* formula, const OfTokens& function,
                         std::vector<std::string> operands, const std::string& code) {
    const Tensor<double> moved = reaction(both, in_two_sequences(tokens, width, function));
    return tape.step(
        name, formula, moved, {"batch_tokens", "changed_batch_tokens"},
        derived::worked(
            std::move(operands), worked::rows("Δ", moved),
            fmt::format(
                "reactions(lambda x: ({}).reshape({}, {}), np.concatenate((x, x_2)), lambda row: 0 * row)",
                code, 2 * tokens, width)));
  };
  BatchReactions batch;
  batch.attention = react(
      "batch_attention_reaction", "‖Δ Attention‖",
      [&](const Tensor<double>& x) { return multi_head_attention(layer.attention, x, x, x).output; },
      {"x", "x_2", "w_query", "w_key", "w_value", "w_output"},
      fmt::format("multi_head_attention(x.reshape(2, 1, {}, {}), w_query, w_key, w_value, w_output)", tokens,
                  width));
  batch.mlp = react(
      "batch_mlp_reaction", "‖Δ MLP‖",
      [&](const Tensor<double>& x) { return feed_forward(layer.mlp, x).output; }, {"x", "x_2", "w_1", "w_2"},
      fmt::format("relu(x.reshape(2, {}, {}) @ w_1) @ w_2", tokens, width));
  return batch;
}

std::vector<Invariant> batch_invariants(const EncoderRun& run) {
  return {invariant("sequences_of_a_batch_do_not_mix", largest_between_sequences(run.batch.attention),
                    run.order_rounding, "バッチのほかの系列を変えても、アテンションの結果は同じ",
                    "changing another sequence of the batch leaves attention's result unchanged"),
          invariant("mlp_does_not_mix_in_a_batch", largest_off_diagonal(run.batch.mlp), run.alone_rounding,
                    "MLP では、バッチのどのトークンを変えても、ほかのトークンの結果は同じ",
                    "in the MLP changing any token of the batch changes no other token's result")};
}

Figure encoder_batch_figure(const EncoderRun& run) {
  return Figure{"batch",
                {"アテンションは系列ごと、MLP はトークンごとに計算する",
                 "Attention works within a sequence, the MLP within a token"}}
      .described(text(
          "{0} × {0} のヒートマップが 2 枚。2 つの系列を 1 つのバッチにし、列のトークンを 0 にしたとき、行のトークンの結果が動く長さ。アテンションでは系列ごとの 2 つの {1} × {1} のブロックだけ、MLP では対角線だけが 0 でない。",
          "Two heat maps of {0} by {0}: two sequences make a batch; how far the result of the row's token moves when the column's token is set to zero. In attention only two blocks of {1} by {1} are not zero, one for each sequence; in the MLP only the diagonal.",
          2 * run.tokens, run.tokens))
      .captioned(text("{}。バッチは 2 × {} × {}。系列の間の変化は最大 {:.2g}。",
                      "{}. Batch of 2 × {} × {}. Largest change between the sequences: {:.2g}.",
                      run.tape.described(), run.tokens, run.width,
                      largest_between_sequences(run.batch.attention)))
      .panel({"アテンション", "Attention"}, batch_map(run, "batch_attention_reaction", run.batch.attention))
      .panel({"MLP", "MLP"}, batch_map(run, "batch_mlp_reaction", run.batch.mlp))
      .sharing_scale(share_colours)
      .sharing_axes()
      .on_page(13.0, 7.0);
}

}  // namespace attnlab
