// Mistakes that show at several stages at once: roles exchanged, norms at another place, inputs that were
// drawn or stored in another way.
#include "core/named.hpp"
#include "random/numpy_generator.hpp"
#include "random/numpy_random.hpp"
#include "results/check/check.hpp"
#include "results/check/mistake.hpp"

namespace attnlab {
namespace {

using Operation = Derivation::Operation;
using Trace = std::vector<Stage>;
using Numbers = std::vector<double>;

Way constant(const Array& array, std::string value = {}, std::string other = {}) {
  return {[array](const Operands&) { return array; }, std::move(value), std::move(other)};
}

// --- Roles

/// softmax(Q Kᵀ) V with Q, K and V handed over in another order.
void add_other_roles(const Trace& trace, std::vector<Fault>& faults) {
  static const UsualMistake mistake("roles-exchanged");
  constexpr std::array<std::array<std::size_t, 3>, 4> orders{{{0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}}};
  for (std::size_t end = 0; end < trace.size(); ++end) {
    if (operation_of(trace[end]) != Operation::product) continue;
    const std::vector<bool> part = made_of(trace, index_of(trace, trace[end].derivation.operands[0]));
    for (std::size_t begin = 0; begin < end; ++begin) {
      if (!part[begin] || operation_of(trace[begin]) != Operation::product_with_transpose) continue;
      std::vector<std::string> names = trace[begin].derivation.operands;
      names.push_back(trace[end].derivation.operands[1]);
      const auto array = [&](std::size_t role) { return &trace[index_of(trace, names[role])].array; };
      for (const auto& order : orders) {
        const Site scores{&trace, begin};
        const Site mean{&trace, end};
        const std::string taken = joined({names[order[0]], names[order[1]], names[order[2]]}, ", ");
        const auto of_scores = [scores, q = array(order[0]), k = array(order[1])](const Operands&) {
          return made_again(scores.stage().derivation, {q, k});
        };
        const auto of_mean = [mean, v = array(order[2])](const Operands& of) {
          return made_again(mean.stage().derivation, {of[0], v});
        };
        faults.push_back(
            {&mistake, {{scores, {of_scores, taken, joined(names, ", ")}}, {mean, {of_mean, "", ""}}}});
      }
    }
  }
}

/// Two products of one operand, each in the other's place: gate and up, keys and values.
void add_exchanged_products(const Trace& trace, std::vector<Fault>& faults) {
  static const UsualMistake mistake("roles-exchanged.products");
  const auto is_equal = [&](const Stage& a, const Stage& b) {
    return operation_of(b) == Operation::product && a.array.shape == b.array.shape &&
           a.derivation.operands[0] == b.derivation.operands[0];
  };
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (operation_of(trace[i]) != Operation::product) continue;
    for (std::size_t j = i + 1; j < trace.size(); ++j) {
      if (!is_equal(trace[i], trace[j]) || trace[i].name.find("query") != std::string::npos) continue;
      faults.push_back({&mistake,
                        {{{&trace, i}, constant(trace[j].array, trace[i].name + ", " + trace[j].name)},
                         {{&trace, j}, constant(trace[i].array)}}});
    }
  }
}

// --- Norms

bool is_norm(const Stage& stage) {
  const Operation operation = operation_of(stage);
  return operation == Operation::layer_norm || operation == Operation::rms_norm;
}

/// N(A + f(A)) as A + f(N(A)): the norm does nothing where it stands, and whoever uses A but for the sum uses
/// N(A). All norms at once.
void add_norm_first(const Trace& trace, std::vector<Fault>& faults) {
  static const UsualMistake mistake("norm-first");
  Fault together{&mistake, {}};
  for (std::size_t at = 0; at < trace.size(); ++at) {
    if (!is_norm(trace[at])) continue;
    const std::size_t sum = index_of(trace, trace[at].derivation.operands[0]);
    if (trace[sum].derivation.operation != Operation::sum) continue;
    const std::vector<bool> part = made_of(trace, sum);
    const auto normed = [at, &trace](const Array& array) {
      Operands operands = operands_of(trace[at], trace);
      operands[0] = &array;
      return made_again(trace[at].derivation, operands);
    };
    for (const std::string& name : trace[sum].derivation.operands) {
      std::vector<std::pair<Site, Way>> users;
      for (std::size_t user = 0; user < sum; ++user) {
        const std::vector<std::string>& operands = trace[user].derivation.operands;
        if (!part[user] || operands.empty() || operands[0] != name ||
            !can_be_made_again(trace[user].derivation))
          continue;
        users.emplace_back(Site{&trace, user}, Way{[user, normed, &trace](const Operands& of) {
                             const Array read = normed(*of[0]);
                             Operands others = of;
                             others[0] = &read;
                             return made_again(trace[user].derivation, others);
                           }});
      }
      if (users.empty()) continue;
      together.made.insert(together.made.end(), users.begin(), users.end());
      together.made.emplace_back(Site{&trace, at}, Way{[](const Operands& of) { return *of[0]; }});
    }
  }
  if (!together.made.empty()) faults.push_back(std::move(together));
}

/// A layer norm left out with its gain and bias, where these are steps of their own.
void add_norms_left_out(const Trace& trace, std::vector<Fault>& faults) {
  static const UsualMistake mistake("not-normed.whole");
  const auto unchanged = [](const Operands& of) { return *of[0]; };
  for (std::size_t at = 0; at < trace.size(); ++at) {
    if (operation_of(trace[at]) != Operation::layer_norm) continue;
    Fault fault{&mistake, {{{&trace, at}, {unchanged, trace[at].derivation.operands[0], ""}}}};
    std::string name = trace[at].name;
    for (std::size_t next = at + 1; next < trace.size(); ++next) {
      const Derivation& how = trace[next].derivation;
      if (how.operands.size() != 2 || how.operands[0] != name) continue;
      if (how.operation != Operation::sum && how.code != product_of_each) continue;
      if (trace[index_of(trace, how.operands[1])].array.shape.size() != 1) continue;
      fault.made.push_back({{&trace, next}, {unchanged, "", ""}});
      name = trace[next].name;
    }
    if (fault.made.size() > 1) faults.push_back(std::move(fault));
  }
}

// --- Inputs

/// Every input in the same way: as whole numbers, in half precision.
void add_all_inputs(const Trace& trace, std::vector<Fault>& faults) {
  std::map<std::string, Fault> all;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (trace[i].derivation.operation != Operation::input) continue;
    for (Fault& fault : faults_at(trace, i)) {
      const std::string id = fault.mistake->id;
      if (id.rfind("inputs-", 0) != 0) continue;
      Fault& together = all.try_emplace(id, Fault{fault.mistake, {}}).first->second;
      together.made.push_back(std::move(fault.made.front()));
    }
  }
  for (auto& [id, fault] : all) {
    if (fault.made.size() > 1) faults.push_back(std::move(fault));
  }
}

/// One array that was drawn from NumPy's stream: randn(shape) times a factor.
struct Draw {
  std::size_t stage = 0;
  double factor = 1.0;
};

/// What a run drew, in its order, and the seed; nothing where something was drawn in another way.
struct Draws {
  std::uint32_t seed = 0;
  std::vector<Draw> draws;

  Draws(const Trace& trace, const std::vector<Origin>& origins) {
    constexpr std::size_t most = 1U << 17U;  // numbers that are drawn anew for each mistake
    std::vector<Draw> found;
    std::size_t size = 0;
    bool has_stream = false;
    for (const Origin& origin : origins) {
      if (origin.kind == Origin::Kind::stream) {
        if (has_stream || origin.name != "numpy") return;
        has_stream = true;
        seed = static_cast<std::uint32_t>(std::stoul(origin.code));
      }
      if (origin.kind != Origin::Kind::drawn) continue;
      const Stage* const stage = find_named(trace, origin.name);
      if (stage == nullptr || origin.code.rfind("randn(", 0) != 0) return;
      found.push_back({index_of(trace, origin.name)});
      size += stage->array.data.size();
    }
    if (!has_stream || size > most) return;
    NumpyRandom random(seed);
    for (Draw& draw : found) {
      const Numbers& values = trace[draw.stage].array.data;
      double largest = 0.0;
      Numbers normals;
      for (const double value : values) {
        normals.push_back(random.normal());
        if (std::abs(normals.back()) <= largest) continue;
        largest = std::abs(normals.back());
        draw.factor = value / normals.back();
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::abs(values[i] - draw.factor * normals[i]) > 1e-6 * largest * std::abs(draw.factor)) return;
      }
    }
    draws = std::move(found);
  }

  /// With `number()` in the order of the places, times the factors.
  template <class Number>
  Fault drawn(const UsualMistake& mistake, const Trace& trace, const std::vector<std::size_t>& places,
              Number number, const std::string& value = {}) const {
    Fault fault{&mistake, {}};
    for (const std::size_t place : places) {
      const Draw& draw = draws[place];
      Array array = trace[draw.stage].array;
      for (double& entry : array.data) entry = draw.factor * number(place);
      fault.made.emplace_back(Site{&trace, draw.stage}, constant(array, value));
    }
    return fault;
  }
};

}  // namespace

std::vector<Fault> joint_faults(const Trace& trace) {
  std::vector<Fault> faults;
  add_other_roles(trace, faults);
  add_exchanged_products(trace, faults);
  add_norm_first(trace, faults);
  add_norms_left_out(trace, faults);
  add_all_inputs(trace, faults);
  return faults;
}

std::vector<Fault> draw_faults(const Trace& trace, const std::vector<Origin>& origins) {
  static const UsualMistake uniform("drawn-uniform");
  static const UsualMistake newer("drawn-by-default-rng");
  static const UsualMistake again("seeded-again");
  static const UsualMistake order("drawn-in-another-order");
  static const UsualMistake turned("drawn-transposed");
  static const UsualMistake bare("factor-forgotten");
  const Draws all(trace, origins);
  std::vector<std::size_t> places(all.draws.size());
  std::iota(places.begin(), places.end(), 0);
  std::vector<Fault> faults;
  if (places.empty()) return faults;
  NumpyRandom flat(all.seed);
  faults.push_back(all.drawn(uniform, trace, places, [&](std::size_t) { return flat.uniform(); }));
  NumpyGenerator generator(all.seed);
  faults.push_back(all.drawn(
      newer, trace, places, [&](std::size_t) { return generator.normal(); }, std::to_string(all.seed)));
  std::map<std::size_t, NumpyRandom> streams;
  faults.push_back(all.drawn(again, trace, places, [&](std::size_t place) {
    return streams.try_emplace(place, all.seed).first->second.normal();
  }));
  std::vector<std::size_t> other = places;
  constexpr std::size_t most_permuted = 4;
  while (other.size() <= most_permuted && std::next_permutation(other.begin(), other.end())) {
    NumpyRandom random(all.seed);
    std::vector<std::string> names;
    names.reserve(other.size());
    for (const std::size_t place : other) names.push_back(trace[all.draws[place].stage].name);
    faults.push_back(all.drawn(
        order, trace, other, [&](std::size_t) { return random.normal(); }, joined(names, ", ")));
  }
  Fault factors{&bare, {}};
  for (const Draw& draw : all.draws) {
    const Array& right = trace[draw.stage].array;
    const std::string name = trace[draw.stage].name;
    if (right.shape.size() == 2) {
      const Array drawn = transposed(reshaped(right, {right.shape[1], right.shape[0]}));
      faults.push_back({&turned, {{Site{&trace, draw.stage}, constant(drawn, name)}}});
    }
    if (std::abs(draw.factor - 1.0) < 1e-9) continue;
    const Array drawn = by_values(right, [&](double value) { return value / draw.factor; });
    const Way way = constant(drawn, name, fmt::format("{:.4g}", draw.factor));
    faults.push_back({&bare, {{Site{&trace, draw.stage}, way}}});
    factors.made.emplace_back(Site{&trace, draw.stage}, way);
  }
  if (factors.made.size() > 1) faults.push_back(std::move(factors));
  return faults;
}

}  // namespace attnlab
