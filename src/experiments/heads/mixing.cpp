// What becomes of the heads when H stays behind L (course, task 2): which rows meet in one attention, and how
// much of the weight goes to other heads.
#include "core/counted.hpp"
#include "experiments/heads/heads.hpp"

namespace attnlab {
namespace {

/// The ways from (L, H, D) to what attention takes, whose last two axes are rows and their numbers.
enum class Way { transposed, kept, reshaped };
constexpr std::array<Way, 3> every_way{Way::transposed, Way::kept, Way::reshaped};

Text name_of(Way way) {
  if (way == Way::transposed) return {"転置する（正しい）", "Correct"};
  if (way == Way::kept) return {"H を L の後ろに残す", "H left after L"};
  return {"転置せずにリシェイプ", "Only reshaped"};
}

std::string code_of(Way way) {
  if (way == Way::transposed) return "transpose → (H, L, D)";
  return way == Way::kept ? "(L, H, D)" : "reshape → (H, L, D)";
}

/// (a, b, n) as (b, a, n).
Tensor<double> swapped(const Tensor<double>& values) {
  constexpr std::array<std::size_t, 3> order{1, 0, 2};
  return xt::transpose(values, order);
}

/// (tokens, heads, n) as (attentions, rows, n).
Tensor<double> arranged(const Tensor<double>& by_token, Way way) {
  if (way == Way::transposed) return swapped(by_token);
  if (way == Way::kept) return by_token;
  Tensor<double> cut = by_token;
  cut.reshape({by_token.shape()[1], by_token.shape()[0], by_token.shape()[2]});
  return cut;
}

/// Queries or keys (..., heads, tokens, width) of the first batch entry: (tokens, heads, width).
Tensor<double> by_token(const Tensor<double>& per_head, const HeadsRun& run) {
  Tensor<double> first = Tensor<double>::from_shape({run.heads, run.queries, run.width});
  std::copy_n(per_head.begin(), first.size(), first.begin());
  return swapped(first);
}

/// Which token and which head every row is of: (attentions, rows), token · heads + head.
Tensor<double> origins(const HeadsRun& run, Way way) {
  Tensor<double> numbers = xt::arange<double>(static_cast<double>(run.queries * run.heads));
  numbers.reshape({run.queries, run.heads, 1});
  Tensor<double> found = arranged(numbers, way);
  found.reshape({found.shape()[0], found.shape()[1]});
  return found;
}

std::size_t head_at(const HeadsRun& run, double origin) {
  return static_cast<std::size_t>(origin) % run.heads;
}
std::size_t token_at(const HeadsRun& run, double origin) {
  return static_cast<std::size_t>(origin) / run.heads;
}

/// Every number of a row's origin in the first attention, once.
template <class Of>
std::size_t different(const Tensor<double>& origin, Of of) {
  std::set<std::size_t> found;
  for (std::size_t row = 0; row < origin.shape()[1]; ++row) found.insert(of(origin(0, row)));
  return found.size();
}

/// The mean over all rows of the weight on rows of other heads.
double weight_on_other_heads(const HeadsRun& run, Way way) {
  const Tensor<double> origin = origins(run, way);
  const Tensor<double> weights =
      softmax(Tensor<double>(matmul(arranged(by_token(run.query, run), way),
                                    attnlab::transpose(arranged(by_token(run.key, run), way))) *
                             run.scale));
  double others = 0.0;
  for (std::size_t group = 0; group < origin.shape()[0]; ++group) {
    for (std::size_t i = 0; i < origin.shape()[1]; ++i) {
      for (std::size_t j = 0; j < origin.shape()[1]; ++j) {
        const bool other = head_at(run, origin(group, i)) != head_at(run, origin(group, j));
        if (other) others += weights(group, i, j);
      }
    }
  }
  return others / static_cast<double>(origin.size());
}

constexpr std::size_t colours = 4;  // of heads: yellow, orange, red, purple, the inner ones of six bands
const ColourScale colours_by_head{Palette::bands, -1.5, 4.5, {"ヘッド", "Head"}};

/// The token is written, "t2", and the head is the colour: both as words have no room on a slide.
HeatMap origin_map(const HeadsRun& run, Way way) {
  const Tensor<double> origin = origins(run, way);
  Matrix heads = to_matrix(origin);
  std::vector<std::string> words;
  for (double& number : heads.values) {
    const std::size_t head = head_at(run, number);
    words.push_back(fmt::format("t{}", token_at(run, number)));
    number = static_cast<double>(head % colours);
  }
  HeatMap map = HeatMap{"origins." + code_of(way), std::move(heads)}
                    .rows(way == every_way.front() ? Text{"アテンション", "Attention"} : Text::none())
                    .columns({"その中の位置", "Position in it"})
                    .coloured(colours_by_head)
                    .with_numbers(0);
  map.words = std::move(words);
  return map;
}

}  // namespace

bool can_be_mixed(const HeadsRun& run) { return run.queries == run.keys && run.heads > 1; }

void measure_mixing(HeadsRun& run) {
  run.mixing = Tensor<double>::from_shape({every_way.size()});
  for (std::size_t i = 0; i < every_way.size(); ++i) run.mixing(i) = weight_on_other_heads(run, every_way[i]);
  run.tape.step(
      "weight_on_other_heads", "mean Σ a (other heads)", run.mixing, {"arrangements"},
      derived::worked({"query", "key"}, worked::rows("m", run.mixing),
                      fmt::format("weights_on_other_heads(query, key, {})", python_repr(run.scale))));
}

Table mixing_table(const HeadsRun& run) {
  Table table{{{"L × H × D から", "from L × H × D"},
               {"アテンション 0 のトークン", "tokens in attention 0"},
               {"ヘッド", "heads"},
               {"ほかのヘッドへの注意度", "weight on other heads"}}};
  for (std::size_t i = 0; i < every_way.size(); ++i) {
    const Way way = every_way[i];
    const Tensor<double> origin = origins(run, way);
    table.rows.push_back(
        {text("{}：{}", "{}: {}", name_of(way), code_of(way)),
         std::to_string(different(origin, [&](double place) { return token_at(run, place); })),
         std::to_string(different(origin, [&](double place) { return head_at(run, place); })),
         fmt::format("{:.1f}%", 100.0 * run.mixing(i))});
  }
  return table;
}

Figure heads_mixing_figure(const HeadsRun& run) {
  const double kept = 100.0 * run.mixing(1);  // in the order of every_way
  const double reshaped = 100.0 * run.mixing(2);
  Figure figure =
      Figure{"mixing", text("H を L の後ろに残すと、注意度の {:.0f}% がほかのヘッドに向く",
                            "With H left after L, {:.0f}% of the weight goes to other heads", kept)}
          .described(text(
              "{} 個のトークンと {} 個のヘッドの行が、どのアテンションに入るかを示す 3 枚の表。転置すると 1 行に 1 つのヘッドの全トークンが並ぶ。H を L の後ろに残すと 1 行に 1 つのトークンの全ヘッドが並び、転置せずにリシェイプするとトークンもヘッドも混ざる（注意度の {:.0f}% がほかのヘッドに向く）。",
              "Three tables: into which attention the rows of {} and {} go. Transposed, a line holds all tokens of one head. With H left after L it holds all heads of one token; reshaped without the transpose, tokens and heads are mixed ({:.0f}% of the weight on other heads).",
              counted(run.queries, "token"), counted(run.heads, "head"), reshaped))
          .captioned(text(
              "各行が 1 つのアテンションに入る。t2 はトークン 2、色はそのヘッド。{}",
              "Each row enters one attention. t2 is token 2, the colour its head.{}",
              run.heads > colours ? Text{"4 色をくり返し使う。", " Four colours in turn."} : Text::none()))
          .on_page(14.0, 5.6);
  for (const Way way : every_way) figure.panels.push_back({name_of(way), origin_map(run, way)});
  return figure;
}

}  // namespace attnlab
