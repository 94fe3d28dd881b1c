// The mistakes of the catalogue where a trace leaves room for them: at one stage, or at several alike.
#include "core/constants.hpp"
#include "core/sentences.hpp"
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;

/// The row of mistakes.toml that holds the words of an id.
const Sentences& row_of(const std::string& id) {
  static const std::map<std::string, Sentences> rows = [] {
    std::map<std::string, Sentences> all;
    for (Sentences& row : read_sentences(mistake_words_files().front(), "mistake")) {
      std::string key = row.at("id").en();
      all.emplace(std::move(key), std::move(row));
    }
    return all;
  }();
  return rows.at(id);
}

/// Each once, in their order.
std::string joined_once(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names) {
    if (!name.empty() && std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  return joined(once, ", ");
}

// --- Which stages a program would treat alike

/// Queries, keys and values go through one function, and so does every layer: "layer_0_w_query" is
/// "layer_#_w_*".
struct Family {
  enum class Role { query, key, value, other };
  std::string name;
  std::string layer;
  Role role = Role::other;
};

Family family_of(const std::string& name) {
  Family family{name, {}};
  static constexpr std::array<const char*, 4> roles{"query", "key", "value", "output"};
  for (std::size_t role = 0; role < roles.size(); ++role) {
    const std::size_t at = family.name.find(roles.at(role));
    if (at == std::string::npos) continue;
    family.name.replace(at, std::strlen(roles.at(role)), "*");
    family.role = static_cast<Family::Role>(role);
    break;
  }
  for (char& letter : family.name) {
    if (letter < '0' || letter > '9') continue;
    family.layer += letter;
    letter = '#';
  }
  return family;
}

/// What tells stages apart that go through one function: the last operand, as a weight, a bias or angles.
Family family_of(const Stage& stage) {
  const std::vector<std::string>& operands = stage.derivation.operands;
  return family_of(operands.empty() ? stage.name : operands.back());
}

using Members = std::vector<std::pair<Family, const Fault*>>;

/// Of stages alike: queries and keys, with the values, and all; each layer by itself, and all layers.
std::vector<Fault> subsets(const Members& members) {
  std::set<std::string> layers{""};
  for (const auto& [family, fault] : members) layers.insert(family.layer);
  std::set<std::vector<std::size_t>> seen;
  std::vector<Fault> faults;
  for (const std::string& layer : layers) {
    for (const Family::Role last : {Family::Role::key, Family::Role::value, Family::Role::other}) {
      Fault together{members.front().second->mistake, {}};
      for (const auto& [family, fault] : members) {
        if (family.role > last || (!layer.empty() && family.layer != layer)) continue;
        together.made.push_back(fault->made.front());
      }
      std::sort(together.made.begin(), together.made.end(),
                [](const auto& a, const auto& b) { return a.first.index < b.first.index; });
      std::vector<std::size_t> sites;
      for (const auto& [site, way] : together.made) sites.push_back(site.index);
      if (sites.size() > 1 && seen.insert(sites).second) faults.push_back(std::move(together));
    }
  }
  return faults;
}

/// Heads that are split wrongly and joined as wrongly.
void add_split_and_joined(std::vector<Fault>& faults, const std::vector<Fault>& single) {
  struct Pair {
    std::string split;
    std::string join;
    UsualMistake both;
  };
  static const std::vector<Pair> pairs{
      {"split-without-transpose", "reshaped-without-transpose",
       UsualMistake("split-and-joined-without-transpose")},
      {"split-interleaved", "joined-interleaved", UsualMistake("split-and-joined-interleaved")}};
  const std::vector<Fault> similar = faults;
  for (const auto& [split, join, both] : pairs) {
    for (const Fault& splits : similar) {
      if (splits.mistake->id != split) continue;
      Fault together{&both, splits.made};
      for (const Fault& fault : single) {
        if (fault.mistake->id == join) together.made.push_back(fault.made.front());
      }
      if (together.made.size() > splits.made.size()) faults.push_back(std::move(together));
    }
  }
}

}  // namespace

const Stage& Site::operand(std::size_t operand) const { return (*trace)[index_of(*trace, name(operand))]; }

std::string UsualMistake::name() const {
  const std::string whole = id;
  return whole.substr(0, whole.find('.'));
}

UsualMistake::UsualMistake(const char* id_, Operations at_, Ways ways_, Where where)
    : id(id_), at(std::move(at_)), ways([make = std::move(ways_), where](const Site& site) {
        return where == nullptr || where(site) ? make(site) : std::vector<Way>{};
      }) {}

UsualMistake::UsualMistake(const char* id_, Operations at_,
                           std::function<Array(const Site&, const Operands&)> make, Where where)
    : UsualMistake(
          id_, std::move(at_),
          [make = std::move(make)](const Site& site) {
            return std::vector<Way>{{[make, site](const Operands& of) { return make(site, of); }}};
          },
          where) {}

UsualMistake::UsualMistake(const char* id_, Operations at_, Array (*make)(const Array&, const Array&),
                           Where where)
    : UsualMistake(
          id_, std::move(at_), [make](const Site&, const Operands& of) { return make(*of[0], *of[1]); },
          where) {}

UsualMistake::UsualMistake(const char* id_, Operations at_, Array (*make)(const Array&))
    : UsualMistake(id_, std::move(at_), [make](const Site&, const Operands& of) { return make(*of[0]); }) {}

std::vector<Way> for_each_root(const Site& site, const std::function<Array(double, const Operands&)>& make) {
  std::set<std::size_t> widths;
  for (const Stage& stage : *site.trace) widths.insert(stage.array.shape.begin(), stage.array.shape.end());
  std::vector<Way> ways;
  for (const std::size_t width : widths) {
    if (width < 2) continue;
    const double root = std::sqrt(static_cast<double>(width));
    ways.push_back({[make, root](const Operands& of) { return make(root, of); }, std::to_string(width)});
  }
  return ways;
}

Text mistake_text(const std::string& id, const MistakeValues& words) {
  const Text& what = row_of(id).at("what");
  const std::string named = words.left + words.right + words.value;
  const char* const is = named.find(", ") == std::string::npos ? "is" : "are";
  return text(what.ja(), what.en(), fmt::arg("is", is), fmt::arg("left", words.left),
              fmt::arg("right", words.right), fmt::arg("number", words.number),
              fmt::arg("value", words.value), fmt::arg("other", words.other));
}

bool is_often_made(const std::string& id) { return row_of(id).count("often") > 0; }

Text Fault::what() const {
  std::array<std::vector<std::string>, 4> reported;
  for (const auto& [site, way] : made) {
    const std::vector<std::string>& operands = site.stage().derivation.operands;
    reported[0].push_back(operands.empty() ? site.stage().name : operands.front());
    reported[1].push_back(operands.size() < 2 ? "" : operands[1]);
    reported[2].push_back(way.value);
    reported[3].push_back(way.other);
  }
  return mistake_text(mistake->id, {joined_once(reported[0]), joined_once(reported[1]),
                                    made.front().first.stage().derivation.number, joined_once(reported[2]),
                                    joined_once(reported[3])});
}

std::vector<Fault> faults_at(const std::vector<Stage>& trace, std::size_t index) {
  const Site site{&trace, index};
  const Operation operation = operation_of(site.stage());
  std::vector<Fault> faults;
  for (const auto* list : {&product_mistakes(), &mask_mistakes(), &softmax_mistakes(), &norm_mistakes(),
                           &position_mistakes(), &head_mistakes()}) {
    for (const UsualMistake& mistake : *list) {
      if (std::find(mistake.at.begin(), mistake.at.end(), operation) == mistake.at.end()) continue;
      for (Way& way : mistake.ways(site)) faults.push_back({&mistake, {{site, std::move(way)}}});
    }
  }
  return faults;
}

std::vector<Fault> faults_at_several(const std::vector<Fault>& single) {
  std::map<std::tuple<const UsualMistake*, std::string, std::size_t>, Members> similar;
  std::map<std::pair<const UsualMistake*, std::size_t>, std::size_t> ways;  // so far, of a mistake at a site
  for (const Fault& fault : single) {
    const Site& site = fault.made.front().first;
    const std::size_t way = ways[{fault.mistake, site.index}]++;
    if (fault.mistake->name() == "wrong-operand") continue;
    Family family = family_of(site.stage());
    Members& members = similar[{fault.mistake, family.name, way}];
    members.emplace_back(std::move(family), &fault);
  }
  std::vector<Fault> faults;
  for (const auto& [what, members] : similar) {
    std::vector<Fault> together = subsets(members);
    std::move(together.begin(), together.end(), std::back_inserter(faults));
  }
  add_split_and_joined(faults, single);
  return faults;
}

Operation operation_of(const Stage& stage) {
  const Derivation& how = stage.derivation;
  return how.operation == Operation::worked ? how.as : how.operation;
}

bool can_be_made_again(const Derivation& derivation) {
  return is_recomputable(derivation) ||
         (derivation.operation == Operation::worked &&
          (derivation.as != Operation::worked || derivation.code == product_of_each));
}

Array made_again(const Derivation& derivation, const Operands& operands) {
  if (derivation.operation != Operation::worked) return computed(derivation, operands);
  if (derivation.as == Operation::worked || derivation.as == Operation::relu) {
    Array result = *operands[0];
    for (std::size_t i = 0; i < result.data.size(); ++i) {
      double& value = result.data[i];
      value = derivation.as == Operation::relu ? activation(derivation.code, value)
                                               : value * operands[1]->data[i % operands[1]->data.size()];
    }
    return result;
  }
  Derivation plain = derivation;
  plain.operation = derivation.as;
  if (derivation.as != Operation::softmax) {
    const Array repeated = repeated_for(*operands[0], *operands[1]);
    return computed(plain, {operands[0], &repeated});
  }
  Array weights = computed(plain, {operands[0]});
  double* row_of_weights = weights.data.data();
  by_rows(*operands[0], [&](const double* row, std::size_t length) {
    if (std::count(row, row + length, -infinity) == static_cast<std::ptrdiff_t>(length))
      std::fill_n(row_of_weights, length, derivation.number);
    row_of_weights += length;
  });
  return weights;
}

Array times(const Array& left, const Array& right) {
  return made_again(derived::worked({}, {}).like(Operation::product), {&left, &right});
}

Array times_transposed(const Array& left, const Array& right) {
  return made_again(derived::worked({}, {}).like(Operation::product_with_transpose), {&left, &right});
}

std::string axis_name(const Array& array, std::size_t from_back) {
  if (array.axes.size() < from_back) return "-" + std::to_string(from_back);
  return array.axes[array.axes.size() - from_back];
}

}  // namespace attnlab
