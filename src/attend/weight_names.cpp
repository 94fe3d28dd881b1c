// The names under which the weights of an attention layer are saved.
#include "attend/projections.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// The names that one library gives, in the order of WeightRole; "" where it has none.
struct NamingScheme {
  bool out_in = true;
  std::array<std::string_view, 12> names;
};

// Where two schemes fit, the earlier one counts: w_query before the bare query.
constexpr std::array<NamingScheme, 11> naming_schemes{{
    // nn.MultiheadAttention
    {true,
     {"q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight", "in_proj_weight",  //
      "", "", "", "out_proj.bias", "in_proj_bias"}},
    // Hugging Face's LLaMA
    {true,
     {"q_proj.weight", "k_proj.weight", "v_proj.weight", "o_proj.weight", "",  //
      "q_proj.bias", "k_proj.bias", "v_proj.bias", "o_proj.bias", ""}},
    // BERT
    {true,
     {"query.weight", "key.weight", "value.weight", "output.dense.weight", "",  //
      "query.bias", "key.bias", "value.bias", "output.dense.bias", ""}},
    // GPT-2, ViT
    {false, {"", "", "", "c_proj.weight", "c_attn.weight", "", "", "", "c_proj.bias", "c_attn.bias"}},
    {true, {"", "", "", "proj.weight", "qkv.weight", "", "", "", "proj.bias", "qkv.bias"}},
    // the textbook's and our own
    {false, {"w_q", "w_k", "w_v", "w_o", "", "b_q", "b_k", "b_v", "b_o", ""}},
    {false, {"wq", "wk", "wv", "wo", "", "bq", "bk", "bv", "bo", ""}},
    {false,
     {"w_query", "w_key", "w_value", "w_output", "",  //
      "bias_query", "bias_key", "bias_value", "bias_output", ""}},
    {false,
     {"query", "key", "value", "output", "",  //
      "query_bias", "key_bias", "value_bias", "output_bias", ""}},
    {false, {"", "", "", "", "", "b_query", "b_key", "b_value", "b_output", ""}},
    // Qwen3, OLMo2
    {true, {"", "", "", "", "", "", "", "", "", "", "q_norm.weight", "k_norm.weight"}},
}};

/// "layer.0.attn." of "layer.0.attn.q_proj.weight".
struct Reading {
  std::string prefix;
  std::optional<WeightRole> role;
  std::size_t scheme = 0;
};

bool is_divider(char character) {
  return character == '.' || character == '/' || character == ':';
}

/// The longest known name that `name` ends with, behind nothing or a divider.
Reading read_name(const std::string& name) {
  const std::string lower = lower_case(name);
  Reading reading;
  std::size_t longest = 0;
  for (std::size_t scheme = 0; scheme < naming_schemes.size(); ++scheme) {
    for (std::size_t role = 0; role < naming_schemes[scheme].names.size(); ++role) {
      const std::string_view known = naming_schemes[scheme].names[role];
      if (known.size() <= longest || lower.size() < known.size()) continue;
      const std::size_t start = lower.size() - known.size();
      if (lower.compare(start, std::string::npos, known) != 0) continue;
      if (start > 0 && !is_divider(lower[start - 1])) continue;
      longest = known.size();
      reading = {name.substr(0, start), static_cast<WeightRole>(role), scheme};
    }
  }
  return reading;
}

/// How much of the layer's prefix a name shares: BERT and ViT keep the output projection beside the rest.
std::size_t nearness(const std::string& prefix, const std::string& layer) {
  const auto differ = std::mismatch(prefix.begin(), prefix.end(), layer.begin(), layer.end());
  return static_cast<std::size_t>(differ.first - prefix.begin());
}

bool belongs(const std::string& name, const std::string& prefix) {
  if (prefix.empty()) return true;
  if (name.compare(0, prefix.size(), prefix) != 0 || name.size() == prefix.size()) return false;
  return is_divider(prefix.back()) || is_divider(name[prefix.size()]);
}

/// The output projection of GPT-2, BERT and ViT lies beside or below the attention proper: a layer is named
/// by where its queries come from.
bool is_input_role(WeightRole role) {
  return role == WeightRole::query || role == WeightRole::joint;
}

std::string listed(const std::set<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (count++ == most) return list + ", ...";
    list += (list.empty() ? "" : ", ") + quotation(name);
  }
  return list;
}

[[noreturn]] void refuse_layers(const std::set<std::string>& layers) {
  const std::string first = layers.begin()->empty() ? *layers.rbegin() : *layers.begin();
  refuse_failed(
      text("--projections のファイルに注意の層が {} 個あります（{}）",
           "the file of --projections holds {} attention layers ({})", layers.size(), listed(layers)),
      text("ファイル名:{} のように 1 つを選んでください", "choose one of them, as in FILE:{}",
           first.substr(0, first.size() - 1)));
}

[[noreturn]] void refuse_missing(const std::string& what, const std::vector<std::string>& names) {
  refuse_failed(
      text("--projections のファイルに {} が見つかりません。入っているのは {} です",
           "the file of --projections has no {}; it holds {}", what, listed({names.begin(), names.end()})),
      {"W_Q, W_K, W_V（または in_proj_weight など PyTorch の名前）で保存してください",
       "save them as W_Q, W_K, W_V, or under PyTorch's names such as in_proj_weight"});
}

}  // namespace

std::vector<FoundWeight> find_weights(const std::vector<std::string>& names, const std::string& prefix) {
  std::vector<Reading> readings;
  std::set<std::string> layers;
  for (const std::string& name : names) {
    readings.push_back(belongs(name, prefix) ? read_name(name) : Reading{});
    const Reading& reading = readings.back();
    if (reading.role && is_input_role(*reading.role)) layers.insert(reading.prefix);
  }
  if (layers.size() > 1) refuse_layers(layers);

  // Of several tensors with one role the nearest to the layer counts (a feed-forward part has an output
  // projection, too), then the one that is known first: w_query before the bare query.
  const std::string layer = layers.empty() ? "" : *layers.begin();
  const auto is_better = [&](const Reading& a, const Reading& b) {
    const std::size_t near_a = nearness(a.prefix, layer);
    const std::size_t near_b = nearness(b.prefix, layer);
    return near_a != near_b ? near_a > near_b : a.scheme < b.scheme;
  };
  std::map<WeightRole, FoundWeight> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!readings[i].role) continue;
    const WeightRole role = *readings[i].role;
    const auto other = found.find(role);
    if (other == found.end() || is_better(readings[i], readings[other->second.index])) {
      found[role] = {role, i, naming_schemes[readings[i].scheme].out_in};
    }
  }
  if (found.count(WeightRole::joint) == 0) {
    if (found.count(WeightRole::query) == 0) refuse_missing("W_Q", names);
    if (found.count(WeightRole::key) == 0) refuse_missing("W_K", names);
    if (found.count(WeightRole::value) == 0) refuse_missing("W_V", names);
  }
  std::vector<FoundWeight> weights;
  weights.reserve(found.size());
  for (const auto& [role, weight] : found) weights.push_back(weight);
  return weights;
}

}  // namespace attnlab
