// One description of a parameter: it makes the flag, the help line, the range error and the JSON record.
#pragma once

#include <memory>

#include "results/report/report.hpp"

namespace attnlab {

struct IntegerRange {
  long long low;
  long long high;
};
struct NumberRange {  // both ends included
  double low;
  double high;
};
struct ListLength {
  std::size_t least;
  std::size_t most;
};

/// Characters of a word that stands in a figure.
constexpr std::size_t longest_label = 200;

/// What may be typed after the flag.
struct IntegerKind {
  IntegerRange range;
};
struct NumberKind {
  NumberRange range;
};
struct NumbersKind {  // 2,-1,0.5
  ListLength length;
  NumberRange range;
};
struct WordsKind {  // comma-separated labels (a comma in one: \,), or one of the named lists
};
struct ChoiceKind {
  std::vector<std::string> choices;
};
struct SyntaxKind {  // a small language of its own ("none|default|NUMBER"), parsed by the experiment
  std::string form;
};
struct SwitchKind {  // on when the flag stands there, without a value; its text is "on" or "off"
};
struct FileKind {  // the name of a file; reports keep it without its folders
  enum class Holds { anything, text, model, config };

  std::string form;
  // A UTF-8 text and a trained model reach the run as contents() and model(); so does the JSON of a
  // configuration, in whose place a word may stand that only the experiment knows.
  Holds holds = Holds::anything;
};
struct ItemsKind {  // words of a small language and files, joined by commas (of a file's name: \,); the flag
                    // may be repeated instead
  std::string form;
};
using ParameterKind = OneOf<IntegerKind, NumberKind, NumbersKind, WordsKind, ChoiceKind, SyntaxKind,
                            SwitchKind, FileKind, ItemsKind>;
extern template struct OneOf<IntegerKind, NumberKind, NumbersKind, WordsKind, ChoiceKind, SyntaxKind,
                             SwitchKind, FileKind, ItemsKind>;

struct Parameter {
  std::string name;  // "query-angle": the flag without its dashes
  ParameterKind kind;
  std::string default_text;  // as the user would type it; "" = not given
  Text help;
  std::string default_in_english = {};  // as an English reader would type it, where that differs
};

/// parameter("keys", IntegerKind{{2, 100}}, "20", "キーの個数", "how many keys")
Parameter parameter(std::string name, ParameterKind kind, std::string default_text, std::string ja,
                    std::string en);

/// The file's name without its folders, printable, and with the :NAME that may follow it.
std::string without_folders(const std::string& words);

/// The default as help shows it; empty when there is none.
Text shown_default(const Parameter& parameter);

/// What a help line shows, the same in both languages: "1..512", "0.1..10", "NUMBER > 0", "X,X,... (2..64)",
/// "WORD,WORD,...", "png|svg|pdf", "none|default|NUMBER"; empty for a switch.
std::string form_of(const Parameter& parameter);

/// The words of such a form that stand for themselves: none, default of "none|default|NUMBER".
std::vector<std::string> offered_words(const std::string& form);

/// An array of the user's own, in place of what a run would draw or assume: `--input x=x.npy`.
struct InputArray {
  std::string name;
  std::string source;  // "x.npy": the file without its folders
  Array values;
  std::string axes = {};           // "tokens, width": as declared, for messages
  std::vector<bool> free = {};     // by axis: whether its length is the array's own affair
  std::optional<Text> doubt = {};  // about how its file was read: the run's report warns of it
};

struct FirstDraws;  // framework/nested_draws.hpp

/// What stands in the files that some values name, opened before a run: of what kind, its experiment knows.
struct OpenedFiles {
  std::vector<std::string> names = {};  // of the files
  std::vector<Text> warnings = {};      // about them: every run's report has them
};

/// What a run takes from elsewhere than its values.
struct Sources {
  std::vector<InputArray> arrays = {};               // checked by give_arrays() (framework/inputs.hpp)
  std::map<std::string, std::string> contents = {};  // of the files of text, by parameter
  std::optional<LearnedModel> model = {};            // a trained one
  std::shared_ptr<const OpenedFiles> files = {};     // that the values name (Experiment::open)
  std::filesystem::path folder = {};                 // files are read below it alone; "" for no bound
  std::vector<std::string> nested_sizes = {};    // a film or a slider over these sizes: the run keeps what
                                                 // it draws with their defaults (nested_draws.hpp)
  std::shared_ptr<FirstDraws> first_draws = {};  // what a run before this one draws, and this one keeps
};

/// The values of one run: every parameter, set or default. Parses and checks at `set`.
class Arguments {
 public:
  explicit Arguments(std::vector<Parameter> parameters);

  Sources sources;  // NOLINT(*-non-private-member-variables-in-classes): no value depends on them

  /// Throws Error (usage) naming the flag, what was got, and the range or form. The files are opened again.
  /// "--tokens must be a whole number from 1 to 512, got '0'; for example --tokens 4".
  void set(const std::string& name, const std::string& text);

  bool is_set(const std::string& name) const;
  const std::string& text(const std::string& name) const;

  /// These throw std::logic_error for a parameter that is not declared, not set, or of another kind.
  long long integer(const std::string& name) const;
  std::size_t count(const std::string& name) const;  // an integer whose range starts at 0 or above
  double number(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;     // empty when there is no default
  std::vector<std::string> words(const std::string& name) const;  // likewise; spaces around words removed
  bool is_on(const std::string& name) const;                      // a switch
  /// A choice, as the enumeration whose values stand in the order of its words.
  template <class Meaning>
  Meaning chosen(const std::string& name) const {
    return static_cast<Meaning>(place_of_choice(name));
  }
  ParameterValue value(const std::string& name) const;

  const std::vector<Parameter>& parameters() const { return parameters_; }

 private:
  std::size_t place_of_choice(const std::string& name) const;

  std::vector<Parameter> parameters_;
  std::map<std::string, std::string> values_set_;
};

/// Every parameter in the order of declaration, for Report::parameters; --input only where it was given. A
/// value that equals the default's is default, however it was typed.
std::vector<UsedParameter> used_parameters(const Arguments& arguments);

}  // namespace attnlab
