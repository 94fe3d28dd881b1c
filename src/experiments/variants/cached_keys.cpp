// What is cached of each token: keys and values that heads share, or one narrow latent vector for all of
// them.
#include "attention/weight_layout.hpp"
#include "core/counted.hpp"
#include "experiments/variants/variants.hpp"

namespace attnlab {
namespace {

using namespace worked;

constexpr std::size_t cached_tokens = 6;
constexpr std::size_t cached_width = 4;  // of a head
constexpr double bytes_of_number = 2.0;  // at 16 bit

/// Keys and values of one token, of so many heads.
double cached_numbers(std::size_t heads, std::size_t width) { return static_cast<double>(2 * heads * width); }

// --- grouped: the keys of a group of heads become their mean (Ainslie et al. 2023, section 2.1)

constexpr std::size_t query_heads = 8;

/// "query", "key" or "value" of every head.
void draw_heads(Tape& tape, const std::string& name, const std::string& rows) {
  tape.normal(name, {query_heads, cached_tokens, cached_width}, {"heads", rows, "head_width"});
}

/// (kv_heads, keys, width): the mean over the heads of each group.
void record_shared(Tape& tape, const std::string& name, std::size_t kv_heads) {
  const Tensor<double> heads = tape.numbers_of(name);
  const std::size_t group = query_heads / kv_heads;
  const Tensor<double> grouped = xt::reshape_view(heads, {kv_heads, group, cached_tokens, cached_width});
  const Tensor<double> shared = xt::mean(grouped, {1});
  const auto mean = [&](std::size_t g) {
    const auto term = [&](std::size_t k) { return number(heads(g * group + k, 0, 0)); };
    return quotient(sum(group, term), static_cast<double>(group));
  };
  write_entries(tape, "shared_" + name, name == "key" ? "mean_{h ∈ g}(K_h)" : "mean_{h ∈ g}(V_h)", shared,
                {"kv_heads", "keys", "head_width"}, {name},
                fmt::format("{}.reshape({}, {}, {}, {}).mean(axis=1)", name, kv_heads, group, cached_tokens,
                            cached_width),
                mean);
}

VariantRun grouped(Tape& tape, const Arguments& arguments) {
  const std::size_t kv_heads = arguments.count("kv-heads");
  if (query_heads % kv_heads != 0) {
    refuse_usage(text("--kv-heads {} では、クエリの {} ヘッドを同じ数ずつに分けられません",
                      "--kv-heads {} does not divide the {} query heads", kv_heads, query_heads),
                 {"1、2、4、8 のどれかにしてください", "choose 1, 2, 4 or 8"});
  }
  const std::size_t group = query_heads / kv_heads;
  draw_heads(tape, "query", "queries");
  draw_heads(tape, "key", "keys");
  draw_heads(tape, "value", "keys");
  const Tensor<double> plain = attend_as(tape, "plain_", "query", "key", "value").weights;
  record_shared(tape, "key", kv_heads);
  record_shared(tape, "value", kv_heads);
  // the queries of a group one below the other meet the group's keys in one product
  const Tensor<double> stacked =
      xt::reshape_view(tape.numbers_of("query"), {kv_heads, group * cached_tokens, cached_width});
  write_entries(tape, "stacked_query", "Q_g", stacked, {"kv_heads", "queries", "head_width"}, {"query"},
                fmt::format("query.reshape({}, {}, {})", kv_heads, group * cached_tokens, cached_width),
                [&](std::size_t g) {
                  return entry("query", {g * group, 0, 0});
                });
  Tensor<double> shared = attend_as(tape, "shared_", "stacked_query", "shared_key", "shared_value").weights;
  for (const std::string name : {"shared_key", "shared_value"})
    write_entries(tape, "repeated" + name.substr(6), name == "shared_key" ? "K_{g(h)}" : "V_{g(h)}",
                  repeat_heads(tape.numbers_of(name), group), {"heads", "keys", "head_width"}, {name},
                  fmt::format("repeat_heads({}, {})", name, group), [&](std::size_t head) {
                    return entry(name, {head / group, 0, 0});
                  });
  Tensor<double> repeated = attend_as(tape, "repeated_", "query", "repeated_key", "repeated_value").weights;
  shared.reshape({query_heads, cached_tokens, cached_tokens});
  const double change = largest_difference(plain, repeated);
  return {std::move(shared),
          std::move(repeated),
          {{"heads", static_cast<double>(query_heads)},
           {"kv_heads", static_cast<double>(kv_heads)},
           {"ratio", static_cast<double>(group)},
           {"plain_bytes", bytes_of_number * cached_numbers(query_heads, cached_width)},
           {"shared_bytes", bytes_of_number * cached_numbers(kv_heads, cached_width)},
           {"one_bytes", bytes_of_number * cached_numbers(1, cached_width)},
           {"change", change}},
          group == 1 ? "message_plain" : "message"};
}

/// From each key's head to the query heads that attend to it.
Diagram fan(const std::string& id, std::size_t kv_heads) {
  Diagram diagram;
  diagram.flow = Flow::rightwards;
  const auto add = [&](const char* letter, std::size_t i, std::size_t count, double x, std::size_t colour) {
    Node node{fmt::format("{}.{}{}", id, letter, i), Text::same(fmt::format("{}{}", letter, i)), x,
              (static_cast<double>(i) + 0.5) / static_cast<double>(count)};
    node.ink = series_ink(colour % 7);
    diagram.nodes.push_back(std::move(node));
  };
  const std::size_t group = query_heads / kv_heads;
  for (std::size_t head = 0; head < query_heads; ++head) add("Q", head, query_heads, 0.8, head / group);
  for (std::size_t g = 0; g < kv_heads; ++g) add("KV", g, kv_heads, 0.2, g);
  for (std::size_t head = 0; head < query_heads; ++head)
    diagram.edges.push_back(
        {query_heads + head / group, head, 0.12, Text::none(), {}, series_ink(head / group % 7)});
  return diagram;
}

Figure draw_grouped(const VariantStages& /*stages*/, const VariantRun& run) {
  const auto kv_heads = static_cast<std::size_t>(number_of(run, "kv_heads"));
  return Figure{}
      .panel(
          text("ふつう：{} 組のキーとバリュー、1 トークン {:.0f} バイト", "Plain: {}, {:.0f} bytes a token",
               counted(query_heads, "KV head"), number_of(run, "plain_bytes")),
          fan("plain", query_heads))
      .panel(text("共有：{} 組のキーとバリュー、1 トークン {:.0f} バイト", "Shared: {}, {:.0f} bytes a token",
                  counted(kv_heads, "KV head"), number_of(run, "shared_bytes")),
             fan("shared", kv_heads))
      .in_columns(2)
      .on_page(12.0, 7.0);
}

// --- latent: keys and values are restored from C = X W_D, or W_UK moves into the query (DeepSeek-V2, 2.1)

constexpr std::size_t latent_heads = 4;
constexpr std::size_t latent_model = 16;
// DeepSeek-V2: 128 heads of width 128 against a latent of 512 and rotary keys of 64
constexpr double published_plain = 2 * 128 * 128;
constexpr double published_latent = 512 + 64;

VariantRun latent(Tape& tape, const Arguments& arguments) {
  const std::size_t rank = arguments.count("latent");
  tape.normal("x", {cached_tokens, latent_model}, {"tokens", "width"});
  tape.normal("w_query", {latent_heads, latent_model, cached_width}, {"heads", "width", "head_width"},
              over_root(latent_model));
  tape.normal("w_down", {latent_model, rank}, {"width", "latent"}, over_root(latent_model));
  for (const char* name : {"w_key", "w_value"})
    tape.normal(name, {latent_heads, rank, cached_width}, {"heads", "latent", "head_width"}, over_root(rank));
  tape.product("query", "X W_Q", "x", "w_query", {"heads", "queries", "head_width"});
  tape.product("latent", "X W_D", "x", "w_down", {"keys", "latent"});
  tape.product("key", "C W_UK", "latent", "w_key", {"heads", "keys", "head_width"});
  tape.product("value", "C W_UV", "latent", "w_value", {"heads", "keys", "head_width"});
  Tensor<double> restored = attend_as(tape, "restored_", "query", "key", "value").output;
  tape.product_with_transpose("absorbed_query", "Q W_UK^T", "query", "w_key", {"heads", "queries", "latent"});
  attend_as(tape, "absorbed_", "absorbed_query", "latent", "latent",
            1.0 / std::sqrt(static_cast<double>(cached_width)));
  Tensor<double> absorbed =
      tape.product("output", "(A C) W_UV", "absorbed_output", "w_value", {"heads", "queries", "head_width"});
  const double cached = cached_numbers(latent_heads, cached_width);
  return {std::move(absorbed),
          std::move(restored),
          {{"plain_numbers", cached},
           {"latent_numbers", static_cast<double>(rank)},
           {"published_plain", published_plain},
           {"published_latent", published_latent},
           {"published_ratio", published_plain / published_latent}}};
}

/// Left · right = scores, of head 0, what is cached with a bar.
MatrixEquation scores_equation(const VariantStages& stages, const std::string& id, const std::string& left,
                               const std::string& left_name, const Tensor<double>& right,
                               const std::string& right_name) {
  const Tensor<double> query = xt::view(stages(left), 0);
  const Tensor<double> scores = xt::view(stages(id + "_raw_scores"), 0);
  MatrixTerm cached = signed_term(id + ".cached", right_name, attnlab::transpose(right));
  cached.ink = key_ink;
  MatrixTerm first = signed_term(id + ".query", left_name, query);
  first.map.shows.stage = stages.prefix + left;
  MatrixTerm last = signed_term(id + ".scores", "S", scores);
  last.map.shows.stage = stages.prefix + id + "_raw_scores";
  return {{std::move(first), between("×"), std::move(cached), between("="), std::move(last)}};
}

Figure draw_latent(const VariantStages& stages, const VariantRun& run) {
  const Tensor<double> key = xt::view(stages("key"), 0);
  return Figure{}
      .panel(text("復元：キーとバリュー {:.0f} 個の数", "Restored: {:.0f} numbers of keys and values",
                  number_of(run, "plain_numbers")),
             scores_equation(stages, "restored", "query", "Q", key, "K^T"))
      .panel(text("吸収：{:.0f} 次元の潜在ベクトル", "Absorbed: a latent of width {:.0f}",
                  number_of(run, "latent_numbers")),
             scores_equation(stages, "absorbed", "absorbed_query", "Q W_UK^T", stages("latent"), "C^T"))
      .in_columns(1)
      .on_page(10.0, 9.0);
}

}  // namespace

ComputedVariants variants_of_the_cache() {
  return {{"grouped",
           {grouped,
            draw_grouped,
            {{"query", {"8", "6", "4"}}, {"key", {"8", "6", "4"}}, {"value", {"8", "6", "4"}}}}},
          {"latent",
           {latent,
            draw_latent,
            {{"x", {"6", "16"}},
             {"w_query", {"4", "16", "4"}},
             {"w_down", {"16", "latent"}},
             {"w_key", {"4", "latent", "4"}},
             {"w_value", {"4", "latent", "4"}}}}}};
}

}  // namespace attnlab
