// Finds the weights of one layer among the names of a file, by the table of conventions.
#include "attend/projections.hpp"
#include "attend/sentence.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

bool is_divider(char character) {
  return character == '.' || character == '/' || character == ':' || character == '_';
}

/// Where `pattern` begins in `name`, of which it is the end, behind nothing or a divider.
std::optional<std::size_t> place_of_ending(const std::string& name, const std::string& pattern) {
  if (name.size() < pattern.size()) return std::nullopt;
  const std::size_t start = name.size() - pattern.size();
  if (name.compare(start, std::string::npos, pattern) != 0) return std::nullopt;
  if (start > 0 && !is_divider(name[start - 1])) return std::nullopt;
  return start;
}

/// The same of a pattern with `{}`, for whichever head.
std::optional<std::size_t> place_of_pattern(const std::string& name, const std::string& pattern) {
  const std::size_t number = pattern.find("{}");
  if (number == std::string::npos) return place_of_ending(name, pattern);
  const std::string behind = pattern.substr(number + 2);
  const std::size_t tail = name.size() - std::min(name.size(), behind.size());
  if (name.compare(tail, std::string::npos, behind) != 0) return std::nullopt;
  std::size_t digits = tail;
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  return digits == tail ? std::nullopt : place_of_ending(name.substr(0, digits), pattern.substr(0, number));
}

/// The pattern for one head; the same for a pattern that speaks of none.
std::string for_head(std::string pattern, std::size_t head) {
  const std::size_t place = pattern.find("{}");
  return place == std::string::npos ? pattern : pattern.replace(place, 2, std::to_string(head));
}

bool names_one_head(std::string_view pattern) { return pattern.find("{}") != std::string::npos; }

/// The same whatever its case, and with TensorFlow's "a/kernel:0" as "a.kernel".
std::string plain(const std::string& name) {
  std::string result =
      lower_case(name.substr(0, name.size() - (name.rfind(":0") + 2 == name.size() ? 2 : 0)));
  std::replace(result.begin(), result.end(), '/', '.');
  return result;
}

bool belongs(const std::string& name, const std::string& prefix) {
  if (prefix.empty()) return true;
  if (name.compare(0, prefix.size(), prefix) != 0 || name.size() == prefix.size()) return false;
  return is_divider(prefix.back()) || is_divider(name[prefix.size()]);
}

/// The names of a file, plain, and where each stands; those outside the prefix are empty.
class Names {
 public:
  Names(const std::vector<std::string>& names, const std::string& prefix) {
    for (const std::string& name : names) {
      lower_.push_back(belongs(plain(name), prefix) ? plain(name) : "");
      places_.emplace(lower_.back(), lower_.size() - 1);
    }
  }

  const std::vector<std::string>& lower() const { return lower_; }

  /// The tensors behind the prefix that the first fitting pattern names: one, or one per head.
  std::vector<std::size_t> find(const std::string& prefix, const NamePatterns& patterns) const {
    std::vector<std::size_t> found;
    for (const std::string& pattern : patterns) {
      for (std::size_t head = 0; head == found.size(); ++head) {
        const auto place = places_.find(prefix + for_head(pattern, head));
        if (place == places_.end()) break;
        found.push_back(place->second);
        if (!names_one_head(pattern)) break;
      }
      if (!found.empty()) break;
    }
    return found;
  }

 private:
  std::vector<std::string> lower_;
  std::map<std::string, std::size_t> places_;
};

/// A convention that may tell what a tensor is: its queries, or its joint matrix.
struct Candidate {
  const Convention* convention = nullptr;
  std::string prefix;  // of the layer
  std::size_t length = 0;
};

bool has(const Names& names, const Candidate& candidate, const NamePatterns& patterns) {
  return !names.find(candidate.prefix, patterns).empty();
}

/// The role of the first missing weight; nothing where queries, keys and values are complete.
std::optional<WeightRole> missing_role(const Names& names, const Candidate& candidate) {
  const Convention& convention = *candidate.convention;
  if (has(names, candidate, convention.of(WeightRole::joint))) return std::nullopt;
  for (const WeightRole role : {WeightRole::query, WeightRole::key, WeightRole::value}) {
    if (!has(names, candidate, convention.of(role))) return role;
  }
  return std::nullopt;
}

bool fits(const Names& names, const Candidate& candidate) {
  const Convention& convention = *candidate.convention;
  return (convention.needs.empty() || has(names, candidate, convention.needs)) &&
         !has(names, candidate, convention.lacks);
}

/// What the tensor's name says: of the conventions that fit, a complete one, then the longest name, then the
/// first in the table.
std::optional<Candidate> reading_of(const std::string& name, const Names& names) {
  std::optional<Candidate> best;
  bool best_is_complete = false;
  for (const Convention& convention : conventions()) {
    for (const WeightRole role : {WeightRole::query, WeightRole::joint}) {
      for (const std::string& pattern : convention.of(role)) {
        const std::optional<std::size_t> start = place_of_pattern(name, pattern);
        if (!start) continue;
        const Candidate candidate{&convention, name.substr(0, *start), pattern.size()};
        if (!fits(names, candidate)) continue;
        const bool complete = !missing_role(names, candidate);
        const bool better = !best || (complete && !best_is_complete) ||
                            (complete == best_is_complete && pattern.size() > best->length);
        if (!better) continue;
        best = candidate;
        best_is_complete = complete;
      }
    }
  }
  return best;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == most) return list + ", ...";
    list += (list.empty() ? "" : ", ") + quotation(names[i]);
  }
  return list;
}

[[noreturn]] void refuse_layers(const std::map<std::string, Candidate>& layers) {
  std::vector<std::string> prefixes;
  prefixes.reserve(layers.size());
  for (const auto& [prefix, candidate] : layers) prefixes.push_back(prefix);
  const std::string first = prefixes.front().empty() ? prefixes.back() : prefixes.front();
  refuse_attend(
      "layers",
      {{"count", prefixes.size()}, {"names", listed(prefixes)}, {"first", first.substr(0, first.size() - 1)}},
      ErrorKind::failed);
}

[[noreturn]] void refuse_missing(const std::string& what, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  refuse_attend("no_weight", {{"what", what}, {"names", listed(names)}}, ErrorKind::failed);
}

Candidate only_layer(const Names& all, const std::vector<std::string>& names) {
  std::map<std::string, Candidate> layers;
  for (const std::string& name : all.lower()) {
    if (const std::optional<Candidate> reading = reading_of(name, all)) {
      layers.emplace(reading->prefix, *reading);
    }
  }
  if (layers.size() > 1) refuse_layers(layers);
  if (layers.empty()) refuse_missing("W_Q", names);
  const Candidate& layer = layers.begin()->second;
  if (const std::optional<WeightRole> missing = missing_role(all, layer)) {
    const NamePatterns& patterns = layer.convention->of(*missing);
    refuse_missing(quotation(layer.prefix + for_head(patterns.front(), 0)), names);
  }
  return layer;
}

/// Whether the leftover name, without the layer's prefix, is one of these.
bool is_one_of(const std::string& name, const ChangingTensor& tensor) {
  return std::any_of(tensor.names.begin(), tensor.names.end(), [&](const std::string& pattern) {
    const std::optional<std::size_t> start = place_of_ending(name, pattern);
    return start && (!tensor.directly || *start == 0);
  });
}

}  // namespace

bool FoundLayer::is_per_head(WeightRole role) const {
  const NamePatterns& patterns = convention->of(role);
  return std::any_of(patterns.begin(), patterns.end(), names_one_head);
}

FoundLayer find_layer(const std::vector<std::string>& names, const std::string& prefix) {
  const Names all(names, plain(prefix));
  const Candidate layer = only_layer(all, names);
  FoundLayer found{layer.convention, layer.prefix, {}, {}, {}};
  std::set<std::size_t> read;
  for (std::size_t role = 0; role < weight_roles; ++role) {
    const std::vector<std::size_t> places = all.find(layer.prefix, layer.convention->names[role]);
    if (places.empty()) continue;
    found.weights.push_back({static_cast<WeightRole>(role), places});
    read.insert(places.begin(), places.end());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = all.lower()[i];
    if (name.empty() || read.count(i) != 0 || name.compare(0, layer.prefix.size(), layer.prefix) != 0)
      continue;
    const std::string rest = name.substr(layer.prefix.size());
    const auto& changes = changing_tensors();
    const auto change = std::find_if(changes.begin(), changes.end(),
                                     [&](const ChangingTensor& tensor) { return is_one_of(rest, tensor); });
    found.unread.push_back({i, change == changes.end() ? nullptr : &*change});
  }
  const NamePatterns& output = layer.convention->of(WeightRole::output);
  if (all.find(layer.prefix, output).empty()) found.outside = Names(names, "").find(layer.prefix, output);
  return found;
}

}  // namespace attnlab
