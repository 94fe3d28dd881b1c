// Every operation as it would be worked on a blackboard: symbols, numbers, result.
#include "results/explain/explanation.hpp"

#include "results/derivation/recompute.hpp"
#include "results/explain/written_numbers.hpp"

namespace attnlab {
namespace {

using formula::call;
using formula::fraction;
using formula::root;
using formula::row;
using formula::sup;
using formula::sym;
using Operation = Derivation::Operation;

using Index = std::vector<std::size_t>;

// How many entries of a row are written before and after the dots.
constexpr std::size_t first_entries = 2;
constexpr std::size_t last_entries = 1;

Shown shown_entries(std::size_t count) { return shown(count, first_entries, last_entries); }

std::vector<std::string> texts_of(const Index& index) {
  std::vector<std::string> texts;
  for (const std::size_t place : index) texts.push_back(std::to_string(place));
  return texts;
}

/// What a line of this step needs: the stage, its operands, and the row.
struct Scene {
  const Stage& stage;
  std::vector<const Array*> operands;
  std::size_t row = 0;

  const std::string& name(std::size_t operand) const { return stage.derivation.operands[operand]; }
  const Array& array(std::size_t operand) const { return *operands[operand]; }
};

/// The index of (row, column) in a stage; a vector has no row.
Index index_of(const Array& array, std::size_t row_index, std::size_t column) {
  const std::size_t rank = array.shape.size();
  if (rank == 0) return {};
  Index index(rank, 0);
  index[rank - 1] = column;
  if (rank >= 2) index[rank - 2] = row_index;
  return index;
}

/// The index of a whole row.
Index row_index_of(const Array& array, std::size_t row_index) {
  Index index = index_of(array, row_index, 0);
  if (!index.empty()) index.pop_back();
  return index;
}

std::size_t flat_of(const Array& array, std::size_t row_index, std::size_t column) {
  return array.shape.size() < 2 ? column : row_index * array.shape.back() + column;
}

std::size_t width_of(const Array& array) { return array.shape.empty() ? 1 : array.shape.back(); }

const double* row_begin(const Array& array, std::size_t row_index) {
  return array.data.data() + flat_of(array, row_index, 0);
}

Chain::Link link(const Written& right) { return {relation(right.exact), right.formula}; }

/// "≈ 2.13" behind a computation: exact only if the computation and the result are.
Chain::Link result_link(double value, bool exact_before) {
  const Written result = written(value);
  return {relation(exact_before && result.exact), result.formula};
}

/// What stands between an entry's name and its value; `exact` while no number in it was rounded.
struct Working {
  std::vector<Chain::Link> links;
  bool exact = false;
};

/// The lines, and below them the entries of the row that are written out, each by `work(column)`, dots
/// between them.
template <class Work>
ExplanationLines with_entries(ExplanationLines lines, const Scene& scene, Work work) {
  const Array& whole = scene.stage.array;
  const Shown columns = shown_entries(width_of(whole));
  for (std::size_t i = 0; i < columns.places.size(); ++i) {
    if (columns.dots_before(i)) lines.push_back(Chain{formula::sym("⋯"), {}});
    const std::size_t column = columns.places[i];
    Working working = work(column);
    working.links.push_back(result_link(whole.data[flat_of(whole, scene.row, column)], working.exact));
    lines.push_back(
        Chain{element_name(scene.stage.name, index_of(whole, scene.row, column)), std::move(working.links)});
  }
  return lines;
}

/// The operand's number that went into this entry, and its name.
struct Source {
  double value = 0.0;
  Formula name;
};

Source source_of(const Scene& scene, std::size_t operand, std::size_t column) {
  const Array& whole = scene.stage.array;
  const Array& array = scene.array(operand);
  const std::size_t place = broadcast_source(flat_of(whole, scene.row, column), whole.shape, array.shape);
  return {array.data[place], element_name(scene.name(operand), index_at(place, array.shape))};
}

// --- Element by element

/// Of a sum or a difference.
ExplanationLines explained_pairs(const Scene& scene) {
  const char* sign = scene.stage.derivation.operation == Operation::sum ? "+" : "−";
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source left = source_of(scene, 0, column);
    const Source right = source_of(scene, 1, column);
    const Written a = written(left.value);
    const Written b = written_in_brackets(right.value);
    const bool exact = a.exact && b.exact;
    return {{{"=", row({left.name, sym(sign), right.name})},
             {relation(exact), row({a.formula, sym(sign), b.formula})}},
            exact};
  });
}

/// 2^x, exp(x), tanh(x), max(0, x): of a name or of a number.
Formula applied(const Derivation& function, const Formula& x) {
  if (function.operation == Operation::relu) return call("max", row({sym("0"), sym(","), x}));
  if (function.operation == Operation::tanh) return call("tanh", x);
  if (function.is_of_e()) return call("exp", x);
  return sup(written(function.number).formula, x);
}

ExplanationLines explained_elements(const Scene& scene) {
  const Derivation& function = scene.stage.derivation;
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Written number = written(source.value);
    return {
        {{"=", applied(function, source.name)}, {relation(number.exact), applied(function, number.formula)}},
        number.exact};
  });
}

ExplanationLines explained_scaling(const Scene& scene) {
  const double factor = scene.stage.derivation.number;
  if (factor == 1.0) return {text("{} と同じです。", "The same as {}.", scene.name(0))};
  const Written scale = written_in_brackets(factor);
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Written number = written_in_brackets(source.value);
    const bool exact = scale.exact && number.exact;
    return {{{relation(scale.exact), row({scale.formula, sym("·"), source.name})},
             {relation(exact), row({scale.formula, sym("·"), number.formula})}},
            exact};
  });
}

// --- Products ----------------------------------------------------------------------------------------------

/// One operand of a sum over k: its numbers and its name.
struct Factor {
  std::vector<double> values;
  Formula name;
};

Factor row_factor(const Scene& scene, std::size_t operand, std::size_t row_index) {
  const Array& array = scene.array(operand);
  const double* begin = row_begin(array, row_index);
  return {{begin, begin + width_of(array)},
          element_name(scene.name(operand), row_index_of(array, row_index))};
}

/// Column j of a matrix: "value[:, 2]".
Factor column_factor(const Scene& scene, std::size_t operand, std::size_t column) {
  const Array& array = scene.array(operand);
  Factor factor;
  const std::size_t rows = rows_of(array);
  for (std::size_t k = 0; k < rows; ++k) {
    factor.values.push_back(array.data[flat_of(array, k, column)]);
  }
  std::vector<Formula> parts{sym(scene.name(operand)), sym("[")};
  for (std::size_t axis = 2; axis < array.shape.size(); ++axis) {
    parts.push_back(sym("0"));
    parts.push_back(sym(","));
  }
  parts.push_back(sym(":,"));  // one piece, so that it is spaced as NumPy's users write it
  parts.push_back(sym(std::to_string(column)));
  parts.push_back(sym("]"));
  factor.name = row(std::move(parts));
  return factor;
}

ExplanationLines explained_product(const Scene& scene) {
  const bool transposes = scene.stage.derivation.operation == Operation::product_with_transpose;
  const bool right_vector = scene.array(1).shape.size() == 1;
  const bool left_vector = scene.array(0).shape.size() == 1;
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    // Where the right side is a vector the result's last axis counts the rows of the left.
    const Factor left = row_factor(scene, 0, left_vector ? 0 : right_vector ? column : scene.row);
    const Factor right = right_vector || transposes ? row_factor(scene, 1, right_vector ? 0 : column)
                                                    : column_factor(scene, 1, column);
    const Written sum = written_products(left.values.data(), right.values.data(), left.values.size());
    return {{{"=", row({left.name, sym("·"), right.name})}, link(sum)}, sum.exact};
  });
}

// --- A whole row: softmax, layer normalisation, heads split and joined, entropy, maximum

Written written_sum(const double* values, std::size_t count) {
  return joined(shown_terms({values, values + count}), "+", [values](std::size_t i) {
    return i == 0 ? written(values[i]) : written_in_brackets(values[i]);
  });
}

/// max(1.2, 0.3, ⋯, 0.7) = 1.2
Chain maximum_line(const Formula& name, const double* values, std::size_t count, double largest) {
  std::vector<double> is_largest(count);
  std::transform(values, values + count, is_largest.begin(),
                 [&](double value) { return value == largest ? 1.0 : 0.0; });
  const Written list =
      joined(shown_terms(is_largest), ",", [values](std::size_t i) { return written(values[i]); });
  return {name, {{relation(list.exact), call("max", list.formula)}, result_link(largest, list.exact)}};
}

/// "masked[0, k]".
Formula entry_k(const Scene& scene) {
  std::vector<std::string> places = texts_of(row_index_of(scene.array(0), scene.row));
  places.emplace_back("k");
  return element_name(scene.name(0), places);
}

/// "projected_query[0, 2, 4:8]": the columns of one head.
Formula columns_of_head(const Scene& scene, std::size_t head) {
  const std::size_t width = width_of(scene.stage.array);
  std::vector<std::string> places = texts_of(row_index_of(scene.array(0), scene.row));
  places.push_back(fmt::format("{}:{}", head * width, (head + 1) * width));
  return element_name(scene.name(0), places);
}

ExplanationLines explained_softmax(const Scene& scene) {
  const double* scores = row_begin(scene.array(0), scene.row);
  const std::size_t count = width_of(scene.array(0));
  const double largest = maximum_of(scores, count);
  std::vector<double> exponentials(count);
  for (std::size_t k = 0; k < count; ++k) exponentials[k] = std::exp(scores[k] - largest);
  const double sum = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);

  ExplanationLines lines{maximum_line(sym("m"), scores, count, largest)};
  const Written m = written_in_brackets(largest);
  const auto shifted = [&](std::size_t k) {
    const Written x = written(scores[k]);
    return Written{call("exp", row({x.formula, sym("−"), m.formula})), x.exact && m.exact};
  };
  const Written exponents = joined(shown_terms(exponentials), "+", shifted);
  const Written terms = written_sum(exponentials.data(), count);
  lines.push_back(Chain{
      sym("Z"),
      {{"=", row({formula::sub(sym("Σ"), sym("k")), call("exp", row({entry_k(scene), sym("−"), sym("m")}))})},
       {relation(false), exponents.formula},
       {relation(false), terms.formula},
       result_link(sum, false)}});
  return with_entries(std::move(lines), scene, [&](std::size_t column) -> Working {
    const Written upper = shifted(column);
    return {{{relation(upper.exact), fraction(upper.formula, sym("Z"))},
             {relation(false), fraction(written(exponentials[column]).formula, written(sum).formula)}}};
  });
}

/// a / (a + b + c)
ExplanationLines explained_share(const Scene& scene) {
  const double* terms = row_begin(scene.array(0), scene.row);
  const Written sum = written_sum(terms, width_of(scene.array(0)));
  const Formula whole = row({sym("Σ"), element_name(scene.name(0), row_index_of(scene.array(0), scene.row))});
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Written part = written(source.value);
    const bool exact = part.exact && sum.exact;
    return {{{"=", fraction(source.name, whole)}, {relation(exact), fraction(part.formula, sum.formula)}},
            exact};
  });
}

ExplanationLines explained_layer_norm(const Scene& scene) {
  const double* x = row_begin(scene.array(0), scene.row);
  const std::size_t count = width_of(scene.array(0));
  const auto length = static_cast<double>(count);
  const double mean = std::accumulate(x, x + count, 0.0) / length;
  std::vector<double> terms;
  for (std::size_t k = 0; k < count; ++k) terms.push_back((x[k] - mean) * (x[k] - mean) / length);
  const double variance = std::accumulate(terms.begin(), terms.end(), 0.0);

  const Formula n = sym(std::to_string(count));
  const Written mu = written_in_brackets(mean);
  const Written squares = joined(shown_terms(terms), "+", [&](std::size_t k) {
    const Formula value = written(x[k]).formula;
    return Written{sup(row({sym("("), value, sym("−"), mu.formula, sym(")")}), sym("2")), false};
  });
  ExplanationLines lines;
  lines.push_back(Chain{
      sym("μ"), {{relation(false), fraction(written_sum(x, count).formula, n)}, result_link(mean, false)}});
  lines.push_back(Chain{sup(sym("σ"), sym("2")),
                        {{relation(false), fraction(squares.formula, n)}, result_link(variance, false)}});
  const Written eps = written(scene.stage.derivation.number);
  const Formula divisor = root(row({written(variance).formula, sym("+"), eps.formula}));
  return with_entries(std::move(lines), scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Formula symbolic = fraction(row({source.name, sym("−"), sym("μ")}),
                                      root(row({sup(sym("σ"), sym("2")), sym("+"), sym("ε")})));
    const Formula numbers = fraction(row({written(source.value).formula, sym("−"), mu.formula}), divisor);
    return {{{"=", symbolic}, {relation(false), numbers}}};
  });
}

/// The mean square of each stretch that a shown entry belongs to, then the entries.
ExplanationLines explained_rms_norm(const Scene& scene) {
  const double* x = row_begin(scene.array(0), scene.row);
  const std::vector<double>& gain = scene.array(1).data;
  const std::size_t length = gain.size();
  const bool single = width_of(scene.array(0)) == length;
  const auto name_of_stretch = [&](std::size_t stretch) {
    return single ? sym("m") : formula::sub(sym("m"), sym(std::to_string(stretch)));
  };
  const auto squares_of = [&](std::size_t stretch) {
    std::vector<double> squares;
    for (std::size_t k = 0; k < length; ++k) {
      const double value = x[stretch * length + k];
      squares.push_back(value * value);
    }
    return squares;
  };
  const auto mean_of = [&](std::size_t stretch) {
    const std::vector<double> squares = squares_of(stretch);
    return std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(length);
  };
  ExplanationLines lines;
  std::set<std::size_t> stretches;
  for (const std::size_t column : shown_entries(width_of(scene.stage.array)).places) {
    const std::size_t stretch = column / length;
    if (!stretches.insert(stretch).second) continue;
    const Written sum = joined(shown_terms(squares_of(stretch)), "+", [&](std::size_t k) {
      return Written{sup(written_in_brackets(x[stretch * length + k]).formula, sym("2")), false};
    });
    lines.push_back(Chain{name_of_stretch(stretch),
                          {{relation(false), fraction(sum.formula, sym(std::to_string(length)))},
                           result_link(mean_of(stretch), false)}});
  }
  const Written eps = written(scene.stage.derivation.number);
  return with_entries(std::move(lines), scene, [&](std::size_t column) -> Working {
    const Source source = source_of(scene, 0, column);
    const Formula gain_name = element_name(scene.name(1), Index{column % length});
    const Formula m = name_of_stretch(column / length);
    const Formula symbolic =
        row({fraction(source.name, root(row({m, sym("+"), sym("ε")}))), sym("·"), gain_name});
    const Formula divisor = root(row({written(mean_of(column / length)).formula, sym("+"), eps.formula}));
    const Formula numbers = row({fraction(written(source.value).formula, divisor), sym("·"),
                                 written_in_brackets(gain[column % length]).formula});
    return {{{"=", symbolic}, {relation(false), numbers}}};
  });
}

/// x cos θ ∓ partner sin θ, and what is beyond the pairs as it is.
ExplanationLines explained_rotation(const Scene& scene) {
  const bool halves = scene.stage.derivation.operation == Operation::rotary_halves;
  const Array& x = scene.array(0);
  const Array& angles = scene.array(1);
  return with_entries({}, scene, [&](std::size_t column) -> Working {
    const std::size_t flat = flat_of(x, scene.row, column);
    const auto named = [&](std::size_t operand, std::size_t place) {
      return element_name(scene.name(operand), index_at(place, scene.array(operand).shape));
    };
    const std::optional<Rotation> at = rotation_of(x.shape, angles.shape, halves, flat);
    if (!at) return {{{"=", named(0, flat)}}, true};
    const char* sign = at->is_first ? "−" : "+";
    const auto turned = [&](const Formula& own, const Formula& partner, const Formula& angle) {
      return row({own, sym("·"), call("cos", angle), sym(sign), partner, sym("·"), call("sin", angle)});
    };
    return {{{"=", turned(named(0, flat), named(0, at->partner), named(1, at->angle))},
             {relation(false), turned(written_in_brackets(x.data[flat]).formula,
                                      written_in_brackets(x.data[at->partner]).formula,
                                      written(angles.data[at->angle]).formula)}}};
  });
}

ExplanationLines explained_splitting(const Scene& scene) {
  const Array& split = scene.stage.array;
  const std::size_t heads = split.shape[split.shape.size() - 3];
  ExplanationLines lines{Text{"行を同じ幅に切り、ヘッドに 1 つずつ渡します。",
                              "Every row is cut into pieces of equal width, one for each head."}};
  const Shown places = shown_entries(heads);
  for (std::size_t i = 0; i < places.places.size(); ++i) {
    if (places.dots_before(i)) lines.push_back(Chain{sym("⋯"), {}});
    Index index = row_index_of(split, scene.row);
    index[index.size() - 2] = places.places[i];
    lines.push_back(
        Chain{element_name(scene.stage.name, index), {{"=", columns_of_head(scene, places.places[i])}}});
  }
  return lines;
}

ExplanationLines explained_joining(const Scene& scene) {
  const Array& heads = scene.array(0);
  const std::size_t rank = heads.shape.size();
  const Shown places = shown_terms(heads.shape[rank - 3]);
  const Written names = joined(places, ",", [&](std::size_t head) {
    Index index(rank - 1, 0);
    index[rank - 3] = head;
    index[rank - 2] = scene.row;
    return Written{element_name(scene.name(0), index), true};
  });
  const Formula name = element_name(scene.stage.name, row_index_of(scene.stage.array, scene.row));
  return {Text{"各ヘッドの同じ行を横に並べます。", "The same row of every head, side by side."},
          Chain{name, {{"=", row({sym("["), names.formula, sym("]")})}}}};
}

ExplanationLines explained_entropy(const Scene& scene) {
  const Array& result = scene.stage.array;
  const std::size_t place = result.shape.empty() ? 0 : std::min(scene.row, result.shape.back() - 1);
  Index index(result.shape.size(), 0);
  if (!index.empty()) index.back() = place;
  const double* shares = row_begin(scene.array(0), place);
  std::vector<double> terms(width_of(scene.array(0)));
  std::transform(shares, shares + terms.size(), terms.begin(),
                 [](double p) { return p > 0.0 ? p * std::log(p) : 0.0; });
  const Written sum = joined(shown_terms(terms), "+", [&](std::size_t k) {
    const Written p = written_in_brackets(shares[k]);
    return Written{row({p.formula, sym("·"), sym("ln"), p.formula}), p.exact};
  });
  return {Chain{element_name(scene.stage.name, index),
                {{relation(false), row({sym("−"), sym("("), sum.formula, sym(")")})},
                 result_link(result.data[place], false)}}};
}

ExplanationLines explained(const Scene& scene) {
  switch (scene.stage.derivation.operation) {
    case Operation::product:
    case Operation::product_with_transpose: return explained_product(scene);
    case Operation::sum:
    case Operation::difference: return explained_pairs(scene);
    case Operation::scaled: return explained_scaling(scene);
    case Operation::softmax: return explained_softmax(scene);
    case Operation::row_share: return explained_share(scene);
    case Operation::power:
    case Operation::tanh:
    case Operation::relu: return explained_elements(scene);
    case Operation::layer_norm: return explained_layer_norm(scene);
    case Operation::rms_norm: return explained_rms_norm(scene);
    case Operation::rotary_pairs:
    case Operation::rotary_halves: return explained_rotation(scene);
    case Operation::split_heads: return explained_splitting(scene);
    case Operation::join_heads: return explained_joining(scene);
    case Operation::row_entropy: return explained_entropy(scene);
    case Operation::given:
    case Operation::measured:
    case Operation::learned:
    case Operation::worked: return {};
  }
  return {};
}

}  // namespace

std::size_t rows_of(const Array& array) {
  return array.shape.size() < 2 ? 1 : array.shape[array.shape.size() - 2];
}

Formula element_name(const std::string& stage, const std::vector<std::string>& places) {
  if (places.empty()) return sym(stage);
  std::vector<Formula> parts{sym(stage), sym("[")};
  for (const std::string& place : places) {
    if (parts.size() > 2) parts.push_back(sym(","));
    parts.push_back(sym(place));
  }
  parts.push_back(sym("]"));
  return row(std::move(parts));
}

Formula element_name(const std::string& stage, const Index& index) {
  return element_name(stage, texts_of(index));
}

Chain row_of_stage(const Stage& stage, std::size_t row_index) {
  const Formula name = element_name(stage.name, row_index_of(stage.array, row_index));
  if (stage.array.data.empty()) return {name, {{"=", row({sym("["), sym("]")})}}};
  if (stage.array.shape.empty()) return {name, {link(written(stage.array.data.front()))}};
  Written numbers = written_row(row_begin(stage.array, row_index), width_of(stage.array));
  return {name, {link(numbers)}};
}

ExplanationLines explained_operation(const Stage& stage, const std::vector<Stage>& trace,
                                     std::size_t row_index) {
  const Scene scene{stage, operands_of(stage, trace), row_index};
  if (stage.array.data.empty() || std::any_of(scene.operands.begin(), scene.operands.end(),
                                              [](const Array* operand) { return operand->data.empty(); })) {
    return {};
  }
  return explained(scene);
}

}  // namespace attnlab
