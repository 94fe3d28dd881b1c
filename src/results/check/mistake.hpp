// The catalogue of mistakes. Each is a right step with one thing wrong: where it may be made, how the wrong
// array is computed, and its words (mistakes.toml), so that whoever shows, seeks or marks mistakes reads one
// list.
#pragma once

#include "results/check/check.hpp"
#include "results/derivation/recompute.hpp"

namespace attnlab {

using Operands = std::vector<const Array*>;

/// A stage of a trace, where a mistake may be made.
struct Site {
  const std::vector<Stage>* trace = nullptr;
  std::size_t index = 0;

  const Stage& stage() const { return (*trace)[index]; }
  const std::string& name(std::size_t operand) const { return stage().derivation.operands[operand]; }
  const Stage& operand(std::size_t operand) const;
};

/// One way of making a mistake at one site. The operands are those that the site has when mistakes before it
/// are made, too; `make` throws ShapeMismatch where their shapes leave no room for it.
struct Way {
  std::function<Array(const Operands&)> make;
  std::string value = {};  // what the words name besides the site's operands
  std::string other = {};
};

struct UsualMistake {
  using Operations = std::vector<Derivation::Operation>;
  using Ways = std::function<std::vector<Way>(const Site&)>;
  using Where = bool (*)(const Site&);

  const char* id;  // in mistakes.toml: "mask-off-by-one.many"
  Operations at;   // of the stages where it may be made
  Ways ways;

  /// Never sought at one stage alone.
  explicit UsualMistake(const char* id_) : id(id_) {}
  /// In as many ways as the site leaves room for, where nothing forbids it.
  UsualMistake(const char* id_, Operations at_, Ways ways_, Where where = nullptr);
  /// In one way: made of the operands, or of the first alone.
  UsualMistake(const char* id_, Operations at_, std::function<Array(const Site&, const Operands&)> make,
               Where where = nullptr);
  UsualMistake(const char* id_, Operations at_, Array (*make)(const Array&, const Array&),
               Where where = nullptr);
  UsualMistake(const char* id_, Operations at_, Array (*make)(const Array&));

  /// "mask-off-by-one": an interface (--check with --json).
  std::string name() const;
};

// The catalogue by what they go wrong in; of one operation, what is more usual stands first.
const std::vector<UsualMistake>& product_mistakes();
const std::vector<UsualMistake>& mask_mistakes();
const std::vector<UsualMistake>& softmax_mistakes();
const std::vector<UsualMistake>& norm_mistakes();
const std::vector<UsualMistake>& position_mistakes();
const std::vector<UsualMistake>& head_mistakes();

/// The words of an id: {left} and {right} are the site's operands, {number} that of its derivation.
struct MistakeValues {
  std::string left = {};
  std::string right = {};
  double number = 0.0;
  std::string value = {};
  std::string other = {};
};
Text mistake_text(const std::string& id, const MistakeValues& words);

/// Whether it is among the mistakes that are also sought in pairs.
bool is_often_made(const std::string& id);

// --- The same mistakes in a trace (faults.cpp)

/// Made at these sites, each by its own way: at one, or at several alike, as one function of a program serves
/// them all.
struct Fault {
  const UsualMistake* mistake = nullptr;
  std::vector<std::pair<Site, Way>> made;

  /// "w_query and w_key are transposed".
  Text what() const;
};

/// What usually goes wrong at the stage `trace[index]` alone.
std::vector<Fault> faults_at(const std::vector<Stage>& trace, std::size_t index);

/// What goes wrong at several stages alike: at queries and keys, at the heads of all three, in every layer.
std::vector<Fault> faults_at_several(const std::vector<Fault>& single);

/// What goes wrong at several stages at once that are not alike: roles exchanged, norms at another place.
std::vector<Fault> joint_faults(const std::vector<Stage>& trace);

/// Inputs drawn in another way from those origins.
std::vector<Fault> draw_faults(const std::vector<Stage>& trace, const std::vector<Origin>& origins);

/// A stage's array with something wrong as a whole, and its words.
struct WrongWhole {
  const char* id = "";
  Array array;
  MistakeValues words;
  double digits = 6.0;  // that the array must tell of it: more for what was fitted to the given values
};
std::vector<WrongWhole> wrong_wholes(const std::vector<Stage>& trace, std::size_t target,
                                     const NamedArray& submitted);

/// The id where the values are all 0 or all NaN.
std::optional<std::string> wrong_everywhere(const Stage& stage, const NamedArray& submitted);

/// The trace up to a stage, the last, with the steps inside its stages, from that one upwards as far as there
/// is time to make mistakes in them.
std::vector<Stage> with_steps_inside(const std::vector<Stage>& trace, std::size_t target,
                                     const StepsInside& inside);

// --- What the mistakes share

/// Derivation::code of worked stages that can be made again: A ∘ B; and, like Operation::relu, of
/// activations.
constexpr const char* product_of_each = "A * B";
double activation(const std::string& name, double x);

/// The operation of a stage, also where its run writes it out itself (Derivation::as).
Derivation::Operation operation_of(const Stage& stage);

bool can_be_made_again(const Derivation& derivation);

/// As `computed`; of a product with fewer heads on the right, each serves as many on the left.
Array made_again(const Derivation& derivation, const Operands& operands);

/// Each head on the right as often as heads on the left share it; unchanged where none is shared.
Array repeated_for(const Array& left, const Array& right);

Array times(const Array& left, const Array& right);
Array times_transposed(const Array& left, const Array& right);
Array reshaped(const Array& array, const std::vector<std::size_t>& shape);

/// `function(values, length)` on each row.
template <class Function>
Array by_rows(Array array, Function function) {
  if (array.shape.empty()) throw ShapeMismatch("no rows");
  const std::size_t length = array.shape.back();
  for (std::size_t start = 0; length > 0 && start < array.data.size(); start += length) {
    function(array.data.data() + start, length);
  }
  return array;
}

/// `function(value)` of each.
template <class Function>
Array by_values(Array array, Function function) {
  std::transform(array.data.begin(), array.data.end(), array.data.begin(), function);
  return array;
}

/// An operation along the last axis, carried out along another, counted from the back.
template <class Function>
Array along_axis(const Array& array, std::size_t from_back, Function function) {
  return swapped(function(swapped(array, from_back)), from_back);
}

/// The axis's name where there is one: "queries".
std::string axis_name(const Array& array, std::size_t from_back);

Array softmax_of(const Array& scores);

/// A way for every length that a wrong √d might have been taken of: `make(√d, operands)`.
std::vector<Way> for_each_root(const Site& site, const std::function<Array(double, const Operands&)>& make);

/// Far enough below 0 to stand for "never": -1e4, float16's -65504, -1e5, -1e9, -inf.
bool is_masking(double value);

/// 0 where a key may be seen, a very negative number where not, and both occur.
bool is_mask(const Array& array);

/// A causal mask over scores that have none: the first query sees the first key, or the last query the last
/// key.
enum class Corner { top_left, bottom_right };
Array with_causal_mask(const Array& scores, Corner corner);

}  // namespace attnlab
