// All that one run of an experiment returns: plain values, from which every output is made.
#pragma once

#include "plotting/figure/figure.hpp"
#include "results/derivation/derivation.hpp"
#include "results/report/array.hpp"

namespace attnlab {

/// One stage of the computation, in order: the trace. `name` is an interface (--json, --data).
struct Stage {
  std::string name;
  Formula formula;  // how it was computed; an input has an empty row
  Array array;
  Derivation derivation = {};
};
/// A stage that was given, not computed.
Stage input(std::string name, Array array);

/// "weights (4, 4): queries × keys".
std::string headline_of(const Stage& stage);

/// A named single number of the result ("largest_weight_unscaled").
struct Scalar {
  std::string name;
  double value = 0.0;
};

/// What must hold of the result, measured on this very run: it holds when error <= tolerance (NaN does not).
struct Invariant {
  std::string name;  // "weights_sum_to_one": an interface (--json, verify)
  Text statement;    // "every row of the weights sums to 1"
  double error = 0.0;
  double tolerance = 0.0;
};
bool holds(const Invariant& invariant);

/// invariant("weights_sum_to_one", error, tolerance, "どの行の和も 1", "every row sums to 1")
template <class... Numbers>
Invariant invariant(std::string name, double error, double tolerance, std::string_view ja,
                    std::string_view en, const Numbers&... values) {
  return {std::move(name), text(ja, en, values...), error, tolerance};
}

/// The same with a statement that is written already.
inline Invariant invariant(std::string name, double error, double tolerance, Text statement) {
  return {std::move(name), std::move(statement), error, tolerance};
}

/// A parameter's value in the type of its declaration; monostate when it has none.
using ParameterValue = std::variant<std::monostate, long long, double, std::vector<double>,
                                    std::vector<std::string>, std::string, bool>;

/// A parameter as it was used. `text` is what the user would type after the flag.
struct UsedParameter {
  std::string name;
  std::string text;
  bool is_default = true;
  ParameterValue value = {};
};

/// What the terminal shows, in order.
enum class Role { heading, text, say, misunderstanding, note };
struct Paragraph {
  Role role = Role::text;
  Text text;

  /// Paragraph::say("キー {} が最大です。", "Key {} is the largest.", key): written as text() writes them.
  template <class... Numbers>
  static Paragraph heading(std::string_view ja, std::string_view en, const Numbers&... values) {
    return {Role::heading, attnlab::text(ja, en, values...)};
  }
  template <class... Numbers>
  static Paragraph plain(std::string_view ja, std::string_view en, const Numbers&... values) {
    return {Role::text, attnlab::text(ja, en, values...)};
  }
  template <class... Numbers>
  static Paragraph say(std::string_view ja, std::string_view en, const Numbers&... values) {
    return {Role::say, attnlab::text(ja, en, values...)};
  }
  template <class... Numbers>
  static Paragraph misunderstanding(std::string_view ja, std::string_view en, const Numbers&... values) {
    return {Role::misunderstanding, attnlab::text(ja, en, values...)};
  }
  template <class... Numbers>
  static Paragraph note(std::string_view ja, std::string_view en, const Numbers&... values) {
    return {Role::note, attnlab::text(ja, en, values...)};
  }
};
/// "label: values", the values as NumPy prints them with suppress=True.
struct Values {
  Text label;
  Array array;
};
struct Equation {
  Formula formula;
};
/// Cells are already formatted; numbers are aligned right by the printer.
struct Table {
  std::vector<Text> header;
  std::vector<std::vector<ShortText>> rows = {};
};
using Block = OneOf<Paragraph, Values, Equation, Table>;
extern template struct OneOf<Paragraph, Values, Equation, Table>;

/// A trained model, as a file keeps it.
struct LearnedModel {
  std::vector<std::pair<std::string, Array>> tensors;  // under GPT-2's names
  std::map<std::string, std::string> metadata;         // what is needed to run it again
};

/// What a training leaves behind, for --save-model and --film.
struct Trained {
  std::optional<LearnedModel> model;
  std::vector<Figure> film;  // its frames, each with its slider: of a run that took a while
};

/// What --code has besides the stages.
struct ProgramParts {
  std::optional<Text> missing;  // why it cannot write this run, and what would help
  std::string numpy_ending;     // lines that a program for NumPy ends with
  std::string torch_ending;     // lines that a program for PyTorch ends with: what autograd says
};

struct Report {
  std::string experiment;
  std::vector<UsedParameter> parameters;
  std::vector<Block> body;
  std::vector<Stage> stages;
  std::vector<Scalar> scalars;
  std::vector<Invariant> invariants;
  std::vector<Figure> figures;       // the first is the main one
  std::vector<Text> warnings = {};   // about the inputs, for standard error
  std::vector<Origin> origins = {};  // of the arrays that the run began with
  bool has_nested_draws = false;     // other sizes than those whose numbers it keeps
  ProgramParts program = {};
  Trained trained = {};
};

/// The stage of that name; throws std::out_of_range naming it when there is none.
const Stage& stage(const Report& report, const std::string& name);

}  // namespace attnlab

extern template class std::vector<attnlab::Stage>;
