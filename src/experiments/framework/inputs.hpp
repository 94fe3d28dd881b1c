// What a run begins with: arrays that are drawn, typed or assumed, and in their place those of the user
// (`--input NAME=FILE`). Each is remembered with how it arose: programs (`--code`) and docs tell it.
#pragma once

#include "attention/mask_axes.hpp"
#include "experiments/framework/experiment.hpp"
#include "experiments/framework/random_stream.hpp"

namespace attnlab {

class Inputs {
 public:
  Inputs() = default;
  /// Starts the stream of the arguments' "rng" and "seed" (or `seed` under another name), where the
  /// experiment has them.
  explicit Inputs(const Arguments& arguments, const std::string& seed = "seed");

  /// Starts another stream for what is drawn from now on.
  void start(const std::string& rng, std::uint32_t seed);

  /// Standard normals times the factor, or the user's array. They are drawn in either case: the other draws
  /// keep their numbers. Throws Error (usage) when the user's array has another shape.
  Tensor<double> normal(const std::string& name, const std::vector<std::size_t>& shape,
                        const Factor& factor = {});

  /// What was typed or is assumed, or the user's array, whose free lengths (see DeclaredInput) may differ.
  /// The expression that makes it may be given where its values would be a long list.
  Tensor<double> user_or(const std::string& name, const Tensor<double>& assumed,
                         const std::string& code = {});

  /// The user's mask of any shape that broadcasts to the scores, with all their axes, queries and keys in
  /// full length; nothing where none was given. Where its shape fits several axes NumPy's way is taken, with
  /// a warning. Throws Error (usage) where it fits none.
  std::optional<Tensor<double>> mask(const std::string& name, const ScoreShape& scores);

  /// Drawn in a way of its own from stream(), and the expression over randn that does the same:
  /// "np.array([randn(d) for d in (1, 10)])". It may leave several arrays: "a, b" (which no user replaces).
  Tensor<double> drawn(const std::string& name, const std::string& code, const Tensor<double>& values);

  /// A line of the program in between, for what no array of a name is: "layers = [...]".
  void record(const std::string& name, const std::string& code);

  /// Names of arrays stand behind this prefix from now on.
  void prefix_names(const std::string& prefix) { prefix_ = prefix; }
  const std::string& prefix() const { return prefix_; }

  /// The type of what is drawn, shown and computed from here on, in the program too. What it rounds is kept
  /// as double.
  void compute_in(DType type) { dtype_ = type; }

  RandomStream& stream() { return *stream_; }
  const std::vector<Origin>& origins() const { return origins_; }
  const std::vector<Text>& warnings() const { return warnings_; }

  /// As it is written, of the stream that is started first.
  const std::string& seed() const { return origins_.front().code; }

  /// How captions begin: "乱数の種 42" / "Seed 42", "Seed 42 (PyTorch), x: x.npy" where arrays were given,
  /// and "x: x.npy, w: w.npy" where nothing else was drawn.
  Text described() const;

  /// Its arrays come from a model that read a text: "world.en, layer 3" stands in the place of the seed.
  void come_from(Text source);

  /// Whether any array is the user's own, or a model's.
  bool any_read() const;
  bool comes_from_model() const { return comes_from_model_; }

  /// Whether it keeps the numbers of a run of other sizes (nested_draws.hpp).
  bool has_nested_draws() const;

  /// Throws Error (usage) for an array that was given and not asked for: this variant has none of that name.
  void require_all_used() const;

 protected:
  DType dtype() const { return dtype_; }

 private:
  Tensor<double> chosen(Origin::Kind kind, const std::string& base, const Tensor<double>& own,
                        const std::string& code);

  /// What the run before has drawn under the name, cut or continued.
  Tensor<double> kept(const std::string& base, const std::vector<std::size_t>& shape, const Factor& factor);

  std::vector<InputArray> arrays_;
  std::shared_ptr<FirstDraws> first_;  // that it fills, or keeps
  bool keeps_ = false;
  std::size_t kept_whole_ = 0;  // arrays that it keeps as they are
  std::uint32_t last_seed_ = 0;
  std::optional<RandomStream> stream_;
  std::vector<Origin> origins_;
  std::vector<Text> warnings_;
  Text seed_ = Text::none();
  bool comes_from_model_ = false;
  DType dtype_ = DType::float64;
  std::string prefix_;
};

// --- From the command line --------------------------------------------------------------------------------

/// Each name once: variants may declare one of several shapes.
std::vector<std::string> input_names(const std::vector<DeclaredInput>& inputs);

/// `--input NAME=FILE`, which an experiment with inputs gets by itself (see experiments()).
Parameter input_parameter(const std::vector<DeclaredInput>& inputs);

/// The arrays become part of the arguments. Integer parameters that a declaration names as a length take it
/// (tokens and width of an x of (6, 16)), a list of numbers of the array's name its values. Throws Error
/// (usage) naming both sources where an array contradicts what was typed or another array, for another number
/// of axes, for values that are not finite, and for lengths outside the parameter's range.
void give_arrays(Arguments& arguments, const Experiment& experiment, const std::vector<InputArray>& arrays);

}  // namespace attnlab
