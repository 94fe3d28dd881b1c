// Operations on a whole row: softmax, layer normalisation, heads split and joined, entropy, maximum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "results/explain/explained_scene.hpp"

namespace attnlab::explaining {
namespace {

using formula::call;
using formula::fraction;
using formula::root;
using formula::row;
using formula::sup;
using formula::sym;

std::vector<Written> written_terms(const double* values, const Shown& places) {
  std::vector<Written> terms;
  for (std::size_t i = 0; i < places.places.size(); ++i) {
    const double value = values[places.places[i]];
    terms.push_back(i == 0 ? written(value) : written_in_brackets(value));
  }
  return terms;
}

/// max(1.2, 0.3, ⋯, 0.7) = 1.2
Chain maximum_line(const Formula& name, const double* values, std::size_t count, double largest) {
  const Shown places = shown_terms(count);
  std::vector<Written> numbers;
  for (const std::size_t place : places.places) numbers.push_back(written(values[place]));
  const Written list = joined(numbers, places, ",");
  return {name, {{relation(list.exact), call("max", list.formula)}, result_link(largest, list.exact)}};
}

/// NaN if one of them is.
double maximum(const double* values, std::size_t count) {
  double largest = values[0];
  for (std::size_t i = 1; i < count; ++i) {
    if (std::isnan(values[i]) || values[i] > largest) largest = values[i];
  }
  return largest;
}

/// "masked[0, k]".
Formula entry_k(const Scene& scene) {
  const Index index = row_index_of(scene.array(0), scene.row);
  std::vector<Formula> parts{sym(scene.name(0)), sym("[")};
  for (const std::size_t place : index) {
    parts.push_back(sym(std::to_string(place)));
    parts.push_back(sym(","));
  }
  parts.push_back(sym("k"));
  parts.push_back(sym("]"));
  return row(std::move(parts));
}

/// The row of the operand that a reduction took, for the row that was asked for.
struct Reduced {
  const double* values = nullptr;
  std::size_t count = 0;
  Formula name;
  double result = 0.0;
};

Reduced reduced_row(const Scene& scene) {
  const Array& array = scene.array(0);
  const Array& result = scene.stage.array;
  const std::size_t place = result.shape.empty() ? 0 : std::min(scene.row, result.shape.back() - 1);
  Index index(result.shape.size(), 0);
  if (!index.empty()) index.back() = place;
  return {row_begin(array, place), width_of(array), element_name(scene.stage.name, index),
          result.data[place]};
}

}  // namespace

ExplanationLines explained_softmax(const Scene& scene) {
  const double* scores = row_begin(scene.array(0), scene.row);
  const std::size_t count = width_of(scene.array(0));
  const double largest = maximum(scores, count);
  std::vector<double> exponentials(count);
  for (std::size_t k = 0; k < count; ++k) exponentials[k] = std::exp(scores[k] - largest);
  const double sum = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);

  ExplanationLines lines{maximum_line(sym("m"), scores, count, largest)};
  const Written m = written_in_brackets(largest);
  const Shown places = shown_terms(count);
  std::vector<Written> upper;
  for (const std::size_t k : places.places) {
    const Written x = written(scores[k]);
    upper.push_back({call("exp", row({x.formula, sym("−"), m.formula})), x.exact && m.exact});
  }
  const Written exponents = joined(upper, places, "+");
  const Written terms = joined(written_terms(exponentials.data(), places), places, "+");
  lines.push_back(Chain{
      sym("Z"),
      {{"=", row({formula::sub(sym("Σ"), sym("k")), call("exp", row({entry_k(scene), sym("−"), sym("m")}))})},
       {relation(false), exponents.formula},
       {relation(false), terms.formula},
       result_link(sum, false)}});
  add_entries(lines, scene, [&](std::size_t column) {
    const Written x = written(scores[column]);
    const Formula upper_formula = call("exp", row({x.formula, sym("−"), m.formula}));
    return Chain{name_of_entry(scene, column),
                 {{relation(x.exact && m.exact), fraction(upper_formula, sym("Z"))},
                  {relation(false), fraction(written(exponentials[column]).formula, written(sum).formula)},
                  result_link(entry(scene, column), false)}};
  });
  return lines;
}

ExplanationLines explained_layer_norm(const Scene& scene) {
  const double* x = row_begin(scene.array(0), scene.row);
  const std::size_t count = width_of(scene.array(0));
  const auto length = static_cast<double>(count);
  const double mean = std::accumulate(x, x + count, 0.0) / length;
  double variance = 0.0;
  for (std::size_t k = 0; k < count; ++k) variance += (x[k] - mean) * (x[k] - mean) / length;

  const Shown places = shown_terms(count);
  const Formula n = sym(std::to_string(count));
  const Written mu = written_in_brackets(mean);
  std::vector<Written> squares;
  for (const std::size_t k : places.places) {
    const Written value = written(x[k]);
    squares.push_back({sup(row({sym("("), value.formula, sym("−"), mu.formula, sym(")")}), sym("2")), false});
  }
  ExplanationLines lines;
  lines.push_back(
      Chain{sym("μ"),
            {{relation(false), fraction(joined(written_terms(x, places), places, "+").formula, n)},
             result_link(mean, false)}});
  lines.push_back(Chain{
      sup(sym("σ"), sym("2")),
      {{relation(false), fraction(joined(squares, places, "+").formula, n)}, result_link(variance, false)}});
  const Written eps = written(scene.stage.derivation.number);
  const Formula divisor = root(row({written(variance).formula, sym("+"), eps.formula}));
  add_entries(lines, scene, [&](std::size_t column) {
    const Source source = source_of(scene, 0, column);
    const Formula symbolic = fraction(row({source.name, sym("−"), sym("μ")}),
                                      root(row({sup(sym("σ"), sym("2")), sym("+"), sym("ε")})));
    const Formula numbers = fraction(row({written(source.value).formula, sym("−"), mu.formula}), divisor);
    return Chain{name_of_entry(scene, column),
                 {{"=", symbolic}, {relation(false), numbers}, result_link(entry(scene, column), false)}};
  });
  return lines;
}

namespace {

/// "projected_query[0, 2, 4:8]": the columns of one head.
Formula columns_of_head(const Scene& scene, std::size_t head) {
  const Array& joined = scene.array(0);
  const std::size_t width = width_of(scene.stage.array);
  std::vector<Formula> parts{sym(scene.name(0)), sym("[")};
  for (const std::size_t index : row_index_of(joined, scene.row)) {
    parts.push_back(sym(std::to_string(index)));
    parts.push_back(sym(","));
  }
  parts.push_back(sym(fmt::format("{}:{}", head * width, (head + 1) * width)));
  parts.push_back(sym("]"));
  return row(std::move(parts));
}

}  // namespace

ExplanationLines explained_splitting(const Scene& scene) {
  const Array& split = scene.stage.array;
  const std::size_t heads = split.shape[split.shape.size() - 3];
  ExplanationLines lines{Text{"行を同じ幅に切り、ヘッドに 1 つずつ渡します。",
                              "Every row is cut into pieces of equal width, one for each head."}};
  const Shown places = shown_entries(heads);
  for (std::size_t i = 0; i < places.places.size(); ++i) {
    if (places.elided && i == places.cut) lines.push_back(Chain{sym("⋯"), {}});
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
  std::vector<Written> names;
  for (const std::size_t head : places.places) {
    Index index(rank - 1, 0);
    index[rank - 3] = head;
    index[rank - 2] = scene.row;
    names.push_back({element_name(scene.name(0), index), true});
  }
  const Formula name = element_name(scene.stage.name, row_index_of(scene.stage.array, scene.row));
  return {Text{"各ヘッドの同じ行を横に並べます。", "The same row of every head, side by side."},
          Chain{name, {{"=", row({sym("["), joined(names, places, ",").formula, sym("]")})}}}};
}

ExplanationLines explained_entropy(const Scene& scene) {
  const Reduced reduced = reduced_row(scene);
  const Shown places = shown_terms(reduced.count);
  std::vector<Written> terms;
  for (const std::size_t k : places.places) {
    const Written p = written_in_brackets(reduced.values[k]);
    terms.push_back({row({p.formula, sym("·"), sym("ln"), p.formula}), p.exact});
  }
  const Formula sum = joined(terms, places, "+").formula;
  return {Chain{
      reduced.name,
      {{relation(false), row({sym("−"), sym("("), sum, sym(")")})}, result_link(reduced.result, false)}}};
}

ExplanationLines explained_maximum(const Scene& scene) {
  const Reduced reduced = reduced_row(scene);
  return {maximum_line(reduced.name, reduced.values, reduced.count, reduced.result)};
}

}  // namespace attnlab::explaining
