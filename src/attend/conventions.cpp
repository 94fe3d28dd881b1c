#include "attend/conventions.hpp"

#include "attend/sentence.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::array<const char*, weight_roles> role_keys{
    "query",    "key",        "value",       "output",     "joint",      "query_bias",
    "key_bias", "value_bias", "output_bias", "joint_bias", "query_norm", "key_norm"};

constexpr std::size_t first_bias = static_cast<std::size_t>(WeightRole::query_bias);
constexpr std::size_t last_bias = static_cast<std::size_t>(WeightRole::joint_bias);

/// NAME.bias for each NAME.weight and NAME.kernel.
NamePatterns biases_of(const NamePatterns& weights) {
  NamePatterns biases;
  for (const std::string& weight : weights) {
    const std::size_t dot = weight.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string ending = weight.substr(dot);
    if (ending == ".weight" || ending == ".kernel") biases.push_back(weight.substr(0, dot) + ".bias");
  }
  return biases;
}

StoredLayout layout_of(const std::string& word) {
  if (word == "out-in") return StoredLayout::out_in;
  if (word == "shape, in-out") return StoredLayout::open_in_out;
  return word == "shape, out-in" ? StoredLayout::open_out_in : StoredLayout::in_out;
}

Convention convention_of(const Sentences& row) {
  Convention convention;
  convention.id = word_of(row, "id");
  convention.source = row.at("source");
  for (std::size_t role = 0; role < weight_roles; ++role) {
    NamePatterns& names = convention.names[role];
    names = words_of(row, role_keys[role]);
    const bool is_bias = role >= first_bias && role <= last_bias;
    if (names.empty() && is_bias) names = biases_of(convention.names[role - first_bias]);
  }
  convention.needs = words_of(row, "needs");
  convention.lacks = words_of(row, "lacks");
  convention.layout = layout_of(word_of(row, "layout"));
  convention.heads_inside = word_of(row, "layout") == "in-heads-out";
  const std::string order = word_of(row, "order");
  convention.order = order.rfind("groups", 0) == 0 ? JointOrder::by_group : JointOrder::blocks;
  convention.order_is_open = order.find("open") != std::string::npos;
  convention.scales = word_of(row, "scale").empty();
  convention.rotary = word_of(row, "rotary");
  return convention;
}

ChangingTensor changing_of(const Sentences& row) {
  return {words_of(row, "names"), Text{row.at("ja").ja(), row.at("en").en()},
          word_of(row, "only") == "direct", word_of(row, "unless")};
}

template <class Row, class Read>
std::vector<Row> rows_of(const std::string& name, Read read) {
  std::vector<Row> rows;
  for (const Sentences& row : read_sentences(attend_file("conventions"), name)) rows.push_back(read(row));
  return rows;
}

// --- As a text

Text layout_text(const Convention& convention) {
  if (convention.heads_inside)
    return {"(入力, ヘッド, 幅) か (入力, 出力)", "(in, heads, width) or (in, out)"};
  switch (convention.layout) {
    case StoredLayout::in_out: return {"(入力, 出力)", "(in, out)"};
    case StoredLayout::out_in: return {"(出力, 入力)", "(out, in)"};
    case StoredLayout::open_in_out:
      return {"形状による。正方なら (入力, 出力) とみなして警告",
              "by shape; a square one counts as (in, out), with a warning"};
    case StoredLayout::open_out_in: break;
  }
  return {"形状による。正方なら (出力, 入力) とみなして警告",
          "by shape; a square one counts as (out, in), with a warning"};
}

std::string lines_of(const Convention& convention, Language language) {
  std::string lines = fmt::format("{}\n  {}\n", convention.id, convention.source.in(language));
  const auto add = [&](const Text& name, const std::string& words) {
    lines += fmt::format("    {}: {}\n", name.in(language), words);
  };
  for (std::size_t role = 0; role < weight_roles; ++role) {
    if (convention.names[role].empty()) continue;
    add(Text::same(role_keys[role]), joined(convention.names[role], ", "));
  }
  if (!convention.needs.empty()) add({"あるとき", "only with"}, joined(convention.needs, ", "));
  if (!convention.lacks.empty()) add({"ないとき", "only without"}, joined(convention.lacks, ", "));
  add({"向き", "layout"}, layout_text(convention).in(language));
  if (convention.order == JointOrder::by_group) {
    add({"列の順", "columns"}, name_of(convention.order).in(language));
  }
  if (!convention.scales) add({"スケール", "scale"}, Text{"なし", "none"}.in(language));
  if (!convention.rotary.empty()) add({"回転位置", "rotary"}, "--rope " + convention.rotary);
  return lines;
}

}  // namespace

const std::vector<Convention>& conventions() {
  static const std::vector<Convention> table = rows_of<Convention>("convention", convention_of);
  return table;
}

Text name_of(JointOrder order) {
  if (order == JointOrder::blocks) return {"Q、K、V のすべてを順に", "all queries, then keys, then values"};
  return {"グループごとに q, k, v", "group by group: q, k, v"};
}

const std::vector<RotaryModels>& rotary_models() {
  static const std::vector<RotaryModels> table = rows_of<RotaryModels>("rotary", [](const Sentences& row) {
    const std::string part = word_of(row, "part");
    return RotaryModels{words_of(row, "models"), word_of(row, "pairs"), part.empty() ? 1.0 : std::stod(part)};
  });
  return table;
}

const std::vector<ChangingTensor>& changing_tensors() {
  static const std::vector<ChangingTensor> table = rows_of<ChangingTensor>("change", changing_of);
  return table;
}

std::string conventions_text(Language language) {
  std::string lines =
      Text{"--projections が読む重みの名前。上から順に試し、大文字と小文字は区別しません。\n\n",
           "The names that --projections reads, tried from the top; case does not matter.\n\n"}
          .in(language);
  for (const Convention& convention : conventions()) lines += lines_of(convention, language) + "\n";
  lines += Text{"層の中に次の配列が残っていればエラーにします（--ignore 名前 で無視します）。\n",
                "These, left over in the layer, are an error (--ignore NAME leaves them out):\n"}
               .in(language);
  for (const ChangingTensor& tensor : changing_tensors()) {
    lines += fmt::format("  {}\n    {}\n", joined(tensor.names, ", "), tensor.what.in(language));
  }
  return lines;
}

}  // namespace attnlab
