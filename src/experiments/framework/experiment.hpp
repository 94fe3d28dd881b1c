// What an experiment is: a name, where it comes from, its parameters, and a pure function.
#pragma once

#include "core/for_each.hpp"
#include "experiments/framework/parameter.hpp"

namespace attnlab {

/// What a run may ask of its surroundings that is not a value: almost no experiment needs it. Only an
/// experiment that measures time looks at the clock; only long work reports progress or is divided.
struct Context {
  std::function<double()> seconds;                    // a steady clock; its zero means nothing
  std::function<void(double fraction)> progress;      // 0 to 1
  ForEach for_each = one_after_another;               // for parts that may run at the same time
  std::function<void(const Text& state)> state = {};  // what is said beside the progress: "loss 0.31"
  std::function<bool()> stops = {};                   // someone wants the run to end with what it has
};

/// A clock that stands still, a progress that nobody sees and one thread: for every run that measures
/// nothing.
Context quiet_context();

/// An array that a run draws or assumes, and that `--input NAME=FILE` replaces.
struct DeclaredInput {
  std::string name;
  /// One per axis: the name of an integer parameter, which takes the array's length; a number; "keys?" for a
  /// length that the run takes as it comes; any other text says what it must be: "query-width + key-width".
  /// "..." at the front: any shape that broadcasts to that of scores whose last axes these are
  /// (Inputs::mask).
  std::vector<std::string> axes;
  bool may_hide = false;  // a mask: -inf is allowed
};

/// What the reader of a page moves: a parameter and its values as `--slide` takes them,
/// "query-angle=0:350:36". With a pattern, such as "2,@", each value takes the place of its @.
struct DeclaredSlider {
  std::string words;
  std::string pattern = {};
};

struct Experiment;

/// `--example NAME`: arrays that another experiment lends.
struct DeclaredExample {
  Parameter parameter;
  std::function<std::vector<InputArray>(const Experiment&)> arrays;  // those of its inputs that there are
};

/// Of a document; learned, by `train`; or over the user's own files.
enum class ExperimentKind { book, learned, user_files };

struct Experiment {
  std::string name;  // the subcommand: "vectors", "train reverse"
  Text shows;        // one line for `attnlab list`
  Text source;       // document and figure: "教科書 図2.2.13, 2.2.14" / "textbook fig. 2.2.13, 2.2.14"
  std::vector<Parameter> parameters;
  /// Opens no file. Same arguments, same report (except what was measured by the context's clock). Throws
  /// Error (usage) for arguments that do not fit together.
  Report (*run)(const Arguments& arguments, const Context& context);
  /// Parameters that may be given as bare words, one after another: `attnlab mistakes wrong-axis`.
  std::vector<std::string> positionals = {};
  std::vector<DeclaredInput> inputs = {};
  std::optional<DeclaredExample> example = {};
  std::vector<DeclaredSlider> sliders = {};  // of a page for which none is named: one, or two as a grid
  /// The same where they depend on what the arguments name, a model's layers and heads: sets what they slide
  /// to the run's own value.
  std::vector<DeclaredSlider> (*sliders_of)(Arguments& arguments) = nullptr;
  bool may_be_stopped = false;  // asks Context::stops, and ends with what it has
  ExperimentKind kind = ExperimentKind::book;
  std::string task = {};  // of a learned one: "reverse"
  std::vector<std::string> figures =
      {};  // that a run may have, where it takes long: a slip is told before it
  /// Opens the files that the arguments name; nothing where a run needs none, or their contents were given.
  std::shared_ptr<const OpenedFiles> (*open)(const Arguments& arguments) = nullptr;

  /// Experiment{...}.with_inputs({{"x", {"tokens", "width"}}}).with_sliders({{"seed=0:19"}})
  Experiment with_positionals(std::vector<std::string> names) && {
    positionals = std::move(names);
    return std::move(*this);
  }
  Experiment with_inputs(std::vector<DeclaredInput> declared) && {
    inputs = std::move(declared);
    return std::move(*this);
  }
  Experiment with_example(DeclaredExample declared) && {
    example = std::move(declared);
    return std::move(*this);
  }
  Experiment with_sliders(std::vector<DeclaredSlider> declared) && {
    sliders = std::move(declared);
    return std::move(*this);
  }
};

/// Every experiment, in book order: THE table. `list`, the subcommands, `all` and the tests read it.
const std::vector<Experiment>& experiments();

/// The arguments with the files that they name, open.
Arguments with_files(const Experiment& experiment, Arguments arguments);

/// Runs an experiment, with its files opened before where they are not, and records its name and the
/// parameters used in the report.
Report run(const Experiment& experiment, const Arguments& arguments,
           const Context& context = quiet_context());

/// Throws Error (failed) that names the first invariant of the run that does not hold: for films and
/// lectures, of which nothing is then written.
void require_invariants(const Report& report);

}  // namespace attnlab
