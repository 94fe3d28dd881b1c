// How keys are scored and chosen: queries and keys of one length, and the best keys of a cheap indexer.
#include "core/constants.hpp"
#include "experiments/variants/variants.hpp"

namespace attnlab {
namespace {

using namespace worked;

// --- norm: queries and keys are divided by their root mean square (Henry et al. 2020; OLMo 2, Gemma 3,
// Qwen3)

constexpr std::size_t normed_width = 256;
constexpr std::size_t normed_tokens = 128;

void record_normed(Tape& tape, const std::string& name, const std::string& rows) {
  const Tensor<double> x = tape.numbers_of(name);
  const Tensor<double> size = xt::sqrt(xt::mean(xt::square(x), {1}, xt::keep_dims));
  tape.step("normed_" + name, "\\frac{x}{\\sqrt{mean(x^2)}}", x / size, {rows, "width"},
            derived::rms_norm(name, "gain", 0.0));
}

/// Scores' weights and their entropies, stages behind the prefix; returns the mean entropy in bits.
double record_entropy(Tape& tape, const std::string& prefix, const std::string& scores) {
  const Tensor<double> weights = tape.softmax(prefix + "weights", "softmax(S)", scores);
  const Tensor<double> nats = entropy(weights);
  tape.step(prefix + "entropy", "−Σ_j A_ij ln A_ij", nats, {"queries"},
            derived::row_entropy(prefix + "weights"));
  return xt::mean(nats)() / std::log(2.0);
}

VariantRun norm(Tape& tape, const Arguments& arguments) {
  const Axes pair{"queries", "keys"};
  const Factor magnitude = times(arguments.number("magnitude"));
  tape.normal("query", {normed_tokens, normed_width}, {"queries", "width"}, magnitude);
  tape.normal("key", {normed_tokens, normed_width}, {"keys", "width"}, magnitude);
  tape.step("gain", Formula{}, Tensor<double>({normed_width}, 1.0), {"width"},
            derived::input(fmt::format("np.ones({})", normed_width)));
  tape.product_with_transpose("plain_raw_scores", "Q K^T", "query", "key", pair);
  const Tensor<double> plain =
      tape.scaled("plain_scores", "\\frac{Q K^T}{\\sqrt{d}}", "plain_raw_scores", over_root(normed_width));
  record_normed(tape, "query", "queries");
  record_normed(tape, "key", "keys");
  const Tensor<double> unscaled =
      tape.product_with_transpose("unscaled_scores", "Q' K'^T", "normed_query", "normed_key", pair);
  tape.scaled("normed_scores", "\\frac{Q' K'^T}{\\sqrt{d}}", "unscaled_scores", over_root(normed_width));
  const double plain_bits = record_entropy(tape, "plain_", "plain_scores");
  const double unscaled_bits = record_entropy(tape, "unscaled_", "unscaled_scores");
  const double normed_bits = record_entropy(tape, "normed_", "normed_scores");
  const auto both_lengths =
      xt::concatenate(xt::xtuple(tape.numbers_of("normed_query"), tape.numbers_of("normed_key")), 0);
  Tensor<double> lengths = xt::sqrt(xt::sum(xt::square(both_lengths), {1}));
  const double root = std::sqrt(static_cast<double>(normed_width));
  return {std::move(lengths),
          Tensor<double>({2 * normed_tokens}, root),
          {{"magnitude", arguments.number("magnitude")},
           {"plain_spread", standard_deviation(plain)},
           {"unscaled_spread", standard_deviation(unscaled)},
           {"normed_spread", standard_deviation(unscaled) / root},
           {"plain_bits", plain_bits},
           {"unscaled_bits", unscaled_bits},
           {"normed_bits", normed_bits}}};
}

/// The mean over the queries of their largest weight, their second, and so on.
std::vector<double> mean_by_rank(const Tensor<double>& weights, std::size_t ranks) {
  std::vector<double> means(ranks, 0.0);
  const std::size_t queries = weights.shape()[0];
  for (std::size_t i = 0; i < queries; ++i) {
    std::vector<double> row = values_of(weights, i);
    std::sort(row.begin(), row.end(), std::greater<>());
    for (std::size_t rank = 0; rank < ranks; ++rank) means[rank] += row[rank] / static_cast<double>(queries);
  }
  return means;
}

Figure draw_norm(const VariantStages& stages, const VariantRun& run) {
  constexpr std::size_t ranks = 12;
  std::vector<double> places = counting(ranks);
  for (double& place : places) place += 1.0;
  Chart chart{Axis{{"クエリの中での順位", "Rank among the keys of a query"}},
              Axis{{"注意度（クエリの平均）", "Weight, mean over queries"}}.within(0.0, 1.0)};
  const auto add = [&](const std::string& kind, std::size_t colour, const Text& name) {
    const std::vector<double> means = mean_by_rank(stages(kind + "_weights"), ranks);
    chart.layers.emplace_back(Curve{kind, places, means, series_ink(colour), name});
    chart.layers.emplace_back(Points{kind + ".points", places, means, series_ink(colour)});
  };
  const auto bits = [&](const char* kind) { return number_of(run, std::string(kind) + "_bits"); };
  add("unscaled", 3,
      text("正規化、1/√d なし：{:.2f} bit", "normalised, no 1/√d: {:.2f} bits", bits("unscaled")));
  add("plain", 0, text("ふつう、1/√d：{:.2f} bit", "plain, 1/√d: {:.2f} bits", bits("plain")));
  add("normed", 2, text("正規化、1/√d：{:.2f} bit", "normalised, 1/√d: {:.2f} bits", bits("normed")));
  return Figure{}.panel(std::move(chart)).on_page(10.0, 6.25);
}

// --- sparse: softmax over the k keys that an indexer scores highest (DeepSeek-V3.2, 2025)

constexpr std::size_t sparse_tokens = 24;
constexpr std::size_t sparse_width = 16;
constexpr std::size_t index_width = 8;

/// How many keys of its row score higher.
Tensor<double> ranks_of(const Tensor<double>& scores) {
  Tensor<double> ranks = scores;
  for (std::size_t i = 0; i < scores.shape()[0]; ++i) {
    const std::vector<double> row = values_of(scores, i);
    for (std::size_t j = 0; j < row.size(); ++j)
      ranks(i, j) = static_cast<double>(
          std::count_if(row.begin(), row.end(), [&](double other) { return other > row[j]; }));
  }
  return ranks;
}

/// The stage `name`: the weight that the k keys of the least ranks hold, mean over the queries, k = 1, 2, ...
Tensor<double> record_share(Tape& tape, const std::string& name, const Tensor<double>& weights,
                            const Tensor<double>& ranks, const std::string& ranks_code) {
  const auto kept_by = [&](std::size_t query, std::size_t last) {
    double kept = 0.0;
    for (std::size_t key = 0; key < sparse_tokens; ++key)
      if (ranks(query, key) <= static_cast<double>(last)) kept += weights(query, key);
    return kept;
  };
  Tensor<double> shares({sparse_tokens}, 0.0);
  for (std::size_t k = 0; k < sparse_tokens; ++k)
    for (std::size_t query = 0; query < sparse_tokens; ++query)
      shares(k) += kept_by(query, k) / static_cast<double>(sparse_tokens);
  const auto mean = [&](std::size_t k) {
    return quotient(sum(sparse_tokens, [&](std::size_t query) { return number(kept_by(query, k)); }),
                    static_cast<double>(sparse_tokens));
  };
  return write_entries(tape, name, "share(k)", shares, {"kept"}, {"plain_weights"},
                       fmt::format("kept_share(plain_weights, {})", ranks_code), mean);
}

VariantRun sparse(Tape& tape, const Arguments& arguments) {
  const Axes pair{"queries", "keys"};
  const std::size_t kept = arguments.count("kept");
  draw_scores(tape, sparse_tokens, sparse_width);
  const Tensor<double> plain = tape.softmax("plain_weights", "softmax(S)", "scores");
  for (const std::string name : {"query", "key"}) {
    const Tensor<double> part =
        xt::view(tape.numbers_of(name), xt::all(), xt::range(std::size_t{0}, index_width));
    write_entries(tape, "index_" + name, name == "query" ? "Q_I" : "K_I", part,
                  {name == "query" ? "queries" : "keys", "index_width"}, {name},
                  fmt::format("{}[:, :{}]", name, index_width), [&](std::size_t i) {
                    return entry(name, {i, 0});
                  });
  }
  const Tensor<double> index =
      tape.product_with_transpose("index_scores", "Q_I K_I^T", "index_query", "index_key", pair);
  const Tensor<double> ranks = ranks_of(index);
  write_entries(tape, "rank", "rank(I)", ranks, pair, {"index_scores"}, "ranks(index_scores)",
                [&](std::size_t i) {
                  return together({"#{k : I_k >", index(i, 0), "}"});
                });
  const Tensor<double> mask = xt::where(ranks < static_cast<double>(kept), 0.0, -infinity);
  write_entries(tape, "mask", fmt::format("M(rank < {})", kept), mask, pair, {"rank"},
                fmt::format("np.where(rank < {}, 0.0, -np.inf)", kept),
                [&](std::size_t i) { return call("M", ranks(i, 0)); });
  tape.sum("masked", "S + M", "scores", "mask");
  Tensor<double> weights = tape.softmax("weights", "softmax(S + M)", "masked");
  const Tensor<double> share = record_share(tape, "share", plain, ranks, "rank");
  const Tensor<double> best =
      record_share(tape, "best_share", plain, ranks_of(plain), "ranks(plain_weights)");
  const Tensor<double> chosen = xt::where(ranks < static_cast<double>(kept), plain, 0.0);
  const Tensor<double> kept_weight = xt::sum(chosen, {1}, xt::keep_dims);
  return {std::move(weights),
          chosen / kept_weight,
          {{"kept", static_cast<double>(kept)},
           {"keys", static_cast<double>(sparse_tokens)},
           {"share", 100.0 * share(kept - 1)},
           {"best_share", 100.0 * best(kept - 1)},
           {"uniform_share", 100.0 * static_cast<double>(kept) / static_cast<double>(sparse_tokens)}}};
}

Figure draw_sparse(const VariantStages& stages, const VariantRun& run) {
  const ColourScale colours = weight_colours();
  std::vector<double> counts = counting(sparse_tokens);
  for (double& count : counts) count += 1.0;
  const double last = counts.back();
  Chart chart{Axis{{"選ぶキーの個数 k", "Keys kept, k"}}.within(0.0, last + 1.0),
              Axis{{"残る注意度", "Share of weight kept"}}.within(0.0, 1.05),
              {Curve{"best_share",
                     counts,
                     values_of(stages("best_share")),
                     series_ink(2),
                     {"最良の k 個", "the best k"}},
               Curve{"share", counts, values_of(stages("share")), series_ink(0), {"索引", "the indexer"}},
               Curve{"uniform", {1.0, last}, {1.0 / last, 1.0}, muted_ink, {"無作為", "at random"}, true},
               Rule{"k", Rule::Direction::vertical, number_of(run, "kept"),
                    text("k = {:.0f}", "k = {:.0f}", number_of(run, "kept"))}}};
  for (Layer& layer : chart.layers)
    if (auto* curve = std::get_if<Curve>(&layer)) curve->shows.stage = stages.prefix + curve->id;
  return Figure{}
      .panel({"ふつう", "Plain"}, map_of(stages, "plain_weights").coloured(colours))
      .panel(text("索引の上位 {:.0f} 個", "Top {:.0f} of the indexer", number_of(run, "kept")),
             map_of(stages, "weights").coloured(colours))
      .panel({"残る注意度", "Weight kept"}, std::move(chart))
      .in_columns(3)
      .sharing_scale(colours)
      .on_page(15.0, 6.0);
}

}  // namespace

ComputedVariants variants_of_scored_keys() {
  return {{"norm", {norm, draw_norm, {{"query", {"128", "256"}}, {"key", {"128", "256"}}}}},
          {"sparse", {sparse, draw_sparse, {{"query", {"24", "16"}}, {"key", {"24", "16"}}}}}};
}

}  // namespace attnlab
