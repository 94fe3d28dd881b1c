// What `model` prints: the tokens, the words that come next, the heads that stand out.
#include "core/counted.hpp"
#include "core/utf8.hpp"
#include "model/run.hpp"
#include "results/report/terminal.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_named = 5;

Text percent_of(double share) { return text("{:.1f} %", "{:.1f}%", 100.0 * share); }

std::string millions(std::size_t parameters) {
  const auto number = static_cast<double>(parameters);
  if (number >= 1e9) return fmt::format("{:.2f} G", number / 1e9);
  return number >= 1e6 ? fmt::format("{:.1f} M", number / 1e6) : fmt::format("{:.0f} k", number / 1e3);
}

Text positions_text(const Architecture& a) {
  if (a.rotary) {
    const std::string& method = a.rotary->scaling.method;
    const Text scaling = method == "default" ? Text::none() : text("、{}", " ({})", method);
    const Text in_windows =
        a.window_rotary ? text("、窓の層では {:g}", ", {:g} in layers with a window", a.window_rotary->base)
                        : Text::none();
    const Text without = a.turns.empty() ? Text::none()
                                         : text("、{} 層は位置なし", ", {} layers without positions",
                                                std::count(a.turns.begin(), a.turns.end(), false));
    return text("回転位置（底 {:g}{}{}{}）", "rotary positions of base {:g}{}{}{}", a.rotary->base, scaling,
                in_windows, without);
  }
  if (!a.alibi_slopes.empty()) return {"線形バイアス（ALiBi）", "linear biases (ALiBi)"};
  if (a.places == PlaceTable::learned) return {"位置は学習した表", "learned positions"};
  return a.places == PlaceTable::sinusoidal ? Text{"位置は正弦波", "sinusoidal positions"}
                                            : Text{"位置なし", "no positions"};
}

/// "'The' ' animal' ' didn' "'t'": the tokens as the model sees them.
std::string tokens_text(const ModelRun& run) {
  std::vector<std::string> quoted;
  for (const std::size_t token : run.tokens) quoted.push_back(quoted_token(run, token));
  return joined(quoted, " ");
}

Table answers_table(const ModelRun& run) {
  const std::vector<double> answered = answer_of(run, *run.pass);
  Table table{{{"トークン", "Token"}, {"番号", "Number"}, {"確率", "Probability"}}};
  const std::vector<double> before = run.leaves_out() ? answer_of(run, *run.whole) : answered;
  if (run.leaves_out()) table.header.emplace_back(Text{"取り除く前", "Complete model"});
  for (const std::size_t token : largest_places(answered, most_named)) {
    std::vector<ShortText> cells{quoted_token(run, token), std::to_string(token),
                                 fmt::format("{:.4f}", answered[token])};
    if (run.leaves_out()) cells.emplace_back(fmt::format("{:.4f}", before[token]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// For each measure the head that has most of it.
Table heads_table(const ModelRun& run) {
  Table table{{{"注意度の向く先", "Weight on"}, {"最も多いヘッド", "Head with most"}, {"割合", "Share"}}};
  for (const RoleMeasure& measure : role_measures()) {
    if (measure.of == &HeadRoles::entropy) continue;
    double most = -1.0;
    std::string name;
    for (std::size_t layer = 0; layer < run.pass->roles.size(); ++layer) {
      for (std::size_t head = 0; head < run.pass->roles[layer].size(); ++head) {
        const double share = run.roles(layer, head).*measure.of;
        if (!(share > most)) continue;
        most = share;
        name = name_of_head(layer, head);
      }
    }
    if (most < 0.0) continue;  // no token stands there twice
    table.rows.push_back({measure.title, name, fmt::format("{:.3f}", most)});
  }
  return table;
}

Text answer_sentence(const ModelRun& run) {
  const std::vector<double> answered = answer_of(run, *run.pass);
  const std::size_t best = largest_places(answered, 1).front();
  const bool is_next = run.answer + 1 == run.tokens.size() && run.architecture().is_causal;
  if (is_next) {
    return text("続きとして最も確からしいのは {}（{}）です。", "The most likely next token is {} ({}).",
                quoted_token(run, best), percent_of(answered[best]));
  }
  return text("{} 番目のトークンの位置で最も確からしいのは {}（{}）です。",
              "The most likely token at position {} is {} ({}).", run.answer, quoted_token(run, best),
              percent_of(answered[best]));
}

Text without_sentence(const ModelRun& run) {
  const std::vector<double> before = answer_of(run, *run.whole);
  const std::vector<double> now = answer_of(run, *run.pass);
  const std::size_t word = largest_places(before, 1).front();
  return text("{} を取り除くと、{} の確率は {} から {} になります。",
              "Without {}, the probability of {} goes from {} to {}.", printable(run.settings.without_text),
              quoted_token(run, word), percent_of(before[word]), percent_of(now[word]));
}

void add_generation(std::vector<Block>& body, const ModelRun& run) {
  if (run.generation.empty()) return;
  body.emplace_back(Paragraph::heading("生成した続き", "Continuation"));
  Tokens written;
  for (const GeneratedToken& token : run.generation) written.push_back(token.token);
  if (run.opened.tokenizer) {
    Tokens all = run.tokens;
    all.insert(all.end(), written.begin(), written.end());
    for (const std::string& line : split(run.opened.tokenizer->decode(all), "\n"))
      body.emplace_back(Paragraph{Role::text, Text::same(printable(line))});
  } else {
    body.emplace_back(Paragraph{Role::text, Text::same(joined(written, ","))});
  }
  const std::size_t most = most_tokens_of(run.opened.model);
  if (run.tokens.size() + run.generation.size() > most)
    body.emplace_back(Paragraph{Role::note, model_sentence("slides", {{"most", most}})});
  if (run.generation.size() < run.settings.generate)
    body.emplace_back(Paragraph::note("文の終わりで止まりました（{} トークン）。", "It ended after {}.",
                                      counted(run.generation.size(), "token")));
}

}  // namespace

Text model_summary(const OpenedModel& opened) {
  const Architecture& a = opened.model.architecture;
  const Text shared =
      a.heads == a.kv_heads ? Text::none() : text("（キーは {} 個）", " ({} of keys)", a.kv_heads);
  return text("{}：{} 層、{} ヘッド{}、幅 {}、語彙 {}、パラメータ {}、{}。",
              "{}: {}, {}{}, width {}, a vocabulary of {}, {} parameters, {}.", printable(a.type),
              counted(a.layers, "layer"), counted(a.heads, "head"), shared, a.width, a.vocabulary,
              millions(opened.model.weights.parameters), positions_text(a));
}

std::size_t answer_row(const ModelRun& run, const ModelPass& pass) {
  return pass.forward.logits.shape()[0] == 1 ? 0 : run.answer;
}

std::vector<double> answer_of(const ModelRun& run, const ModelPass& pass) {
  const Tensor<float>& logits = pass.forward.logits;
  const std::size_t words = logits.shape()[1];
  return probabilities(logits.data() + answer_row(run, pass) * words, words);
}

bool has_answer(const ModelRun& run, const ModelPass& pass) {
  return run.has_words() && !std::isnan(answer_of(run, pass).front());
}

std::string name_of_head(std::size_t layer, std::size_t head) { return fmt::format("L{} H{}", layer, head); }

std::string quoted_token(const ModelRun& run, std::size_t token) {
  const auto& tokenizer = run.opened.tokenizer;
  if (!tokenizer) return fmt::format("#{}", token);
  const bool has_blank =
      token < tokenizer->pieces.size() &&
      (tokenizer->pieces[token].rfind(' ', 0) == 0 || tokenizer->pieces[token].rfind("\xE2\x96\x81", 0) == 0);
  const std::string label = tokenizer->label(token);
  const bool is_blank = label == "\xE2\x90\xA3";
  return "'" + (is_blank ? std::string(" ") : (has_blank ? " " : "") + label) + "'";
}

std::vector<Block> model_body(const ModelRun& run) {
  std::vector<Block> body{Paragraph::heading("モデルに文を読ませる", "A model reads a text"),
                          Paragraph{Role::text, model_summary(run.opened)},
                          Paragraph::plain("トークン（{} 個）：{}", "{}: {}",
                                           counted(run.tokens.size(), "token"), tokens_text(run))};
  if (has_answer(run, *run.pass)) {
    body.emplace_back(Paragraph::heading("確からしいトークン", "The most likely tokens"));
    body.emplace_back(answers_table(run));
    body.emplace_back(Paragraph{Role::say, answer_sentence(run)});
    if (run.leaves_out() && has_answer(run, *run.whole))
      body.emplace_back(Paragraph{Role::say, without_sentence(run)});
  } else if (run.has_words()) {
    body.emplace_back(Paragraph{Role::say, model_sentence("no_answer")});
  } else {
    body.emplace_back(Paragraph::note("このモデルのファイルには出力の行列がありません。",
                                      "This model's file has no output matrix (unembedding)."));
  }
  add_generation(body, run);
  Table heads = heads_table(run);
  if (heads.rows.empty()) return body;  // of all heads some weights are NaN
  body.emplace_back(Paragraph::heading("ヘッド", "Heads"));
  body.emplace_back(Paragraph::plain(
      "クエリについての平均です。最後の 2 つは、前にも出たトークンがクエリのときだけを数えます。",
      "Means over the queries; the last two count only queries whose token occurred before."));
  body.emplace_back(std::move(heads));
  return body;
}

std::string model_listing(const OpenedModel& opened, Language language) {
  const Architecture& a = opened.model.architecture;
  std::vector<Block> body{Paragraph{Role::heading, Text::same(printable(opened.checkpoint.name))},
                          Paragraph{Role::text, model_summary(opened)}};
  Table table{{{"項目", "What"}, {"値", "Value"}}};
  const auto add = [&](const Text& what, const ShortText& value) { table.rows.push_back({what, value}); };
  add({"系統", "Family"}, printable(a.type));
  add({"1 ヘッドの幅", "Width of a head"}, std::to_string(a.head_width));
  add({"MLP の幅", "Width of the MLP"}, std::to_string(a.hidden));
  add({"文脈の長さ（トークン）", "Context length"}, std::to_string(a.positions - a.first_position));
  if (a.window > 0 && a.has_window.empty()) add({"窓", "Window"}, std::to_string(a.window));
  if (a.window > 0 && !a.has_window.empty())
    add({"窓", "Window"}, text("{}（{} 層のうち {} 層）", "{0} ({2} of {1} layers)", a.window, a.layers,
                               std::count(a.has_window.begin(), a.has_window.end(), true)));
  if (a.score_cap > 0.0) add({"スコアの上限", "Cap of scores"}, fmt::format("{:g}", a.score_cap));
  if (a.logit_cap > 0.0) add({"ロジットの上限", "Cap of logits"}, fmt::format("{:g}", a.logit_cap));
  if (a.experts > 0)
    add({"エキスパート", "Experts"}, text("{} 個から {} 個", "{1} of {0}", a.experts, a.experts_read));
  if (opened.model.has_words())
    add({"最後の行列", "Last matrix"}, a.is_tied ? Text{"埋め込みと同じ", "the embedding"}
                                                 : Text{"埋め込みとは別", "separate from the embedding"});
  add({"トークナイザー", "Tokenizer"},
      opened.tokenizer ? ShortText(fmt::format("{} ({})", opened.tokenizer->kind, opened.tokenizer->size))
                       : ShortText(Text{"なし", "none"}));
  if (!a.unknown_keys.empty()) add({"未知の設定", "Unknown keys"}, joined(a.unknown_keys, ", "));
  body.emplace_back(std::move(table));
  if (!opened.model.weights.unread.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : opened.model.weights.unread) names.push_back(quotation(name));
    body.emplace_back(Paragraph::note("使わなかったテンソル（結果は変わりません）：{}",
                                      "Unused tensors, which change nothing here: {}", joined(names, ", ")));
  }
  return to_terminal(body, language, Colouring::plain);
}

}  // namespace attnlab
