// The names under which the weights of an attention layer are saved.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "attend/projections.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

struct KnownName {
  std::string_view name;
  WeightRole role;
  bool out_in;
};

// nn.MultiheadAttention, then Hugging Face's LLaMA, BERT, GPT-2 and ViT, then the textbook's and our own.
constexpr std::array<KnownName, 67> known_names = {{
    {"in_proj_weight", WeightRole::joint, true},
    {"in_proj_bias", WeightRole::joint_bias, true},
    {"q_proj_weight", WeightRole::query, true},
    {"k_proj_weight", WeightRole::key, true},
    {"v_proj_weight", WeightRole::value, true},
    {"out_proj.weight", WeightRole::output, true},
    {"out_proj.bias", WeightRole::output_bias, true},
    {"q_proj.weight", WeightRole::query, true},
    {"k_proj.weight", WeightRole::key, true},
    {"v_proj.weight", WeightRole::value, true},
    {"o_proj.weight", WeightRole::output, true},
    {"q_proj.bias", WeightRole::query_bias, true},
    {"k_proj.bias", WeightRole::key_bias, true},
    {"v_proj.bias", WeightRole::value_bias, true},
    {"o_proj.bias", WeightRole::output_bias, true},
    {"query.weight", WeightRole::query, true},
    {"key.weight", WeightRole::key, true},
    {"value.weight", WeightRole::value, true},
    {"query.bias", WeightRole::query_bias, true},
    {"key.bias", WeightRole::key_bias, true},
    {"value.bias", WeightRole::value_bias, true},
    {"output.dense.weight", WeightRole::output, true},
    {"output.dense.bias", WeightRole::output_bias, true},
    {"c_attn.weight", WeightRole::joint, false},
    {"c_attn.bias", WeightRole::joint_bias, false},
    {"c_proj.weight", WeightRole::output, false},
    {"c_proj.bias", WeightRole::output_bias, false},
    {"qkv.weight", WeightRole::joint, true},
    {"qkv.bias", WeightRole::joint_bias, true},
    {"proj.weight", WeightRole::output, true},
    {"proj.bias", WeightRole::output_bias, true},
    {"w_q", WeightRole::query, false},
    {"w_k", WeightRole::key, false},
    {"w_v", WeightRole::value, false},
    {"w_o", WeightRole::output, false},
    {"wq", WeightRole::query, false},
    {"wk", WeightRole::key, false},
    {"wv", WeightRole::value, false},
    {"wo", WeightRole::output, false},
    {"w_query", WeightRole::query, false},
    {"w_key", WeightRole::key, false},
    {"w_value", WeightRole::value, false},
    {"w_output", WeightRole::output, false},
    {"query", WeightRole::query, false},
    {"key", WeightRole::key, false},
    {"value", WeightRole::value, false},
    {"output", WeightRole::output, false},
    {"b_q", WeightRole::query_bias, false},
    {"b_k", WeightRole::key_bias, false},
    {"b_v", WeightRole::value_bias, false},
    {"b_o", WeightRole::output_bias, false},
    {"bq", WeightRole::query_bias, false},
    {"bk", WeightRole::key_bias, false},
    {"bv", WeightRole::value_bias, false},
    {"bo", WeightRole::output_bias, false},
    {"bias_query", WeightRole::query_bias, false},
    {"bias_key", WeightRole::key_bias, false},
    {"bias_value", WeightRole::value_bias, false},
    {"bias_output", WeightRole::output_bias, false},
    {"query_bias", WeightRole::query_bias, false},
    {"key_bias", WeightRole::key_bias, false},
    {"value_bias", WeightRole::value_bias, false},
    {"output_bias", WeightRole::output_bias, false},
    {"b_query", WeightRole::query_bias, false},
    {"b_key", WeightRole::key_bias, false},
    {"b_value", WeightRole::value_bias, false},
    {"b_output", WeightRole::output_bias, false},
}};

/// "layer.0.attn." of "layer.0.attn.q_proj.weight".
struct Reading {
  std::string prefix;
  const KnownName* known = nullptr;
};

bool is_divider(char character) {
  return character == '.' || character == '/' || character == ':';
}

/// The longest known name that `name` ends with, behind nothing or a divider.
Reading read_name(const std::string& name) {
  const std::string lower = lower_case(name);
  Reading reading;
  for (const KnownName& known : known_names) {
    if (lower.size() < known.name.size()) continue;
    const std::size_t start = lower.size() - known.name.size();
    const bool ends = lower.compare(start, std::string::npos, known.name) == 0;
    const bool is_longer = reading.known == nullptr || known.name.size() > reading.known->name.size();
    if (ends && is_longer && (start == 0 || is_divider(lower[start - 1]))) {
      reading = {name.substr(0, start), &known};
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
  throw Error(
      ErrorKind::failed,
      {fmt::format("--projections のファイルに注意の層が {} 個あります（{}）", layers.size(), listed(layers)),
       fmt::format("the file of --projections holds {} attention layers ({})", layers.size(),
                   listed(layers))},
      {fmt::format("ファイル名:{} のように 1 つを選んでください", first.substr(0, first.size() - 1)),
       fmt::format("choose one of them, as in FILE:{}", first.substr(0, first.size() - 1))});
}

[[noreturn]] void refuse_missing(const std::string& what, const std::vector<std::string>& names) {
  throw Error(ErrorKind::failed,
              {fmt::format("--projections のファイルに {} が見つかりません。入っているのは {} です", what,
                           listed({names.begin(), names.end()})),
               fmt::format("the file of --projections has no {}; it holds {}", what,
                           listed({names.begin(), names.end()}))},
              {"W_Q, W_K, W_V（または in_proj_weight など PyTorch の名前）で保存してください",
               "save them as W_Q, W_K, W_V, or under PyTorch's names such as in_proj_weight"});
}

}  // namespace

std::vector<FoundWeight> find_weights(const std::vector<std::string>& names, const std::string& prefix) {
  std::vector<Reading> readings;
  std::set<std::string> layers;
  for (const std::string& name : names) {
    readings.push_back(belongs(name, prefix) ? read_name(name) : Reading{});
    const KnownName* known = readings.back().known;
    if (known != nullptr && is_input_role(known->role)) layers.insert(readings.back().prefix);
  }
  if (layers.size() > 1) refuse_layers(layers);

  // Of several tensors with one role the nearest to the layer counts (a feed-forward part has an output
  // projection, too), then the one that is known first: w_query before the bare query.
  const std::string layer = layers.empty() ? "" : *layers.begin();
  const auto is_better = [&](const Reading& a, const Reading& b) {
    const std::size_t near_a = nearness(a.prefix, layer);
    const std::size_t near_b = nearness(b.prefix, layer);
    return near_a != near_b ? near_a > near_b : a.known < b.known;
  };
  std::map<WeightRole, FoundWeight> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const KnownName* known = readings[i].known;
    if (known == nullptr) continue;
    const auto other = found.find(known->role);
    if (other == found.end() || is_better(readings[i], readings[other->second.index])) {
      found[known->role] = {known->role, i, known->out_in};
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
