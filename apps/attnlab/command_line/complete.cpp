// What may follow an unfinished command line: `attnlab complete -- WORDS`, which the scripts of
// data/completion ask.
#include "attnlab/command_line/commands.hpp"
#include "core/utf8.hpp"
#include "experiments/framework/inputs.hpp"
#include "products/swept.hpp"

namespace attnlab {
namespace {

using Words = std::vector<std::string>;

/// Whether the form is a list, "png,svg,pdf" or "NAME,...", and no choice.
bool is_list(const std::string& form) {
  constexpr std::string_view more = ",...";
  const bool goes_on = form.size() >= more.size() && form.substr(form.size() - more.size()) == more;
  return goes_on || (form.find(',') != std::string::npos && form.find('|') == std::string::npos);
}

/// The words before the cursor, and the one that it stands in.
struct Unfinished {
  Words before;
  std::string word;
  std::size_t hidden = 0;  // how much of it the shell takes for words of their own
};

/// To bash --theme=da is three words.
Unfinished unfinished(const Words& typed) {
  Unfinished line;
  Words& whole = line.before;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    line.hidden = 0;
    if (typed[i] == "=" && !whole.empty()) {
      whole.back() += "=";
      line.hidden = whole.back().size();
      if (i + 1 < typed.size()) whole.back() += typed[++i];
    } else {
      whole.push_back(typed[i]);
    }
  }
  if (whole.empty()) return line;
  line.word = whole.back();
  whole.pop_back();
  return line;
}

/// attnlab itself before a subcommand stands there; nothing for a word that is none.
std::optional<Command> command_among(const Words& words, const std::vector<Command>& commands) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].rfind('-', 0) == 0) {
      if (words[i] == "--lang") ++i;
      continue;
    }
    const Command* met = find_named(commands, words[i]);
    if (met == nullptr) return std::nullopt;
    const bool has_of_word = met->of_word != nullptr && i + 1 < words.size();
    return has_of_word ? met->of_word(words[i + 1]).value_or(*met) : *met;
  }
  return attnlab_command();
}

/// The flag that a word such as --theme or -o stands for, where a value must follow; or nullptr.
const Flag* flag_with_value(const Command& command, const std::string& word) {
  const Flag* flag = word.find('=') == std::string::npos ? flag_of(command, word) : nullptr;
  return flag != nullptr && flag->takes != Flag::Takes::nothing ? flag : nullptr;
}

/// Names of what the command's experiment has, where the flag takes them; with = where a value goes on.
Words names_for(const Flag& flag, const Command& command) {
  if (flag.name == "figure") return usual_names(command).figures;
  if (flag.name == "ask") return usual_names(command).arrays;
  Words names;
  if (flag.name == "check") names = usual_names(command).arrays;
  if (command.experiment != nullptr && flag.name == "input") names = input_names(command.experiment->inputs);
  const bool is_swept = flag.name == "over" || flag.name == "slide";
  if (command.experiment != nullptr && is_swept) names = numeric_parameters(*command.experiment);
  for (std::string& name : names) name += "=";
  return names;
}

struct Offered {
  std::string word;
  std::string meaning;
};

/// With what a subcommand shows.
std::vector<Offered> reported(const Words& words, const std::vector<Command>& commands, Language language) {
  std::vector<Offered> offered;
  for (const std::string& word : words) {
    const Command* named = find_named(commands, word);
    offered.push_back({word, named == nullptr               ? ""
                             : named->experiment != nullptr ? named->experiment->shows.in(language)
                                                            : named->shows.in(language)});
  }
  return offered;
}

/// None again that may stand there only once.
std::vector<Offered> flags_left(const Command& command, const Words& before, Language language) {
  std::vector<Offered> offered;
  for (const Flag& flag : flags_of(command)) {
    const bool is_typed = std::any_of(before.begin(), before.end(), [&](const std::string& word) {
      return word.substr(0, word.find('=')) == "--" + flag.name;
    });
    if (!is_typed || flag.takes == Flag::Takes::values)
      offered.push_back({"--" + flag.name, flag.help.in(language)});
  }
  return offered;
}

/// A line for each word that goes on with what was typed, and one for names of files and folders.
std::string lines_of(const std::vector<Offered>& offered, const Offer& offer, const Unfinished& line,
                     const std::string& begin) {
  std::string lines;
  for (const Offered& one : offered) {
    const std::string whole = begin + one.word;
    if (whole.rfind(line.word, 0) == 0) lines += whole.substr(line.hidden) + "\t" + one.meaning + "\n";
  }
  if (offer.paths == Offer::Paths::files)
    lines += ":files" + (offer.ending.empty() ? "" : " " + offer.ending) + "\n";
  if (offer.paths == Offer::Paths::folders) lines += ":folders\n";
  return lines;
}

/// What may be typed after the flag: of a list, after its last comma; after NAME= what it is of.
std::string values_of(const Flag& flag, const Command& command, const Unfinished& line, std::string begin) {
  Offer offer = offer_of(flag);
  Words names = names_for(flag, command);
  const std::string typed = line.word.substr(begin.size());
  if (is_list(flag.form)) begin += typed.substr(0, typed.rfind(',') + 1);
  offer.words.insert(offer.words.begin(), names.begin(), names.end());
  return lines_of(reported(offer.words, {}, Language::en), offer, line, begin);
}

}  // namespace

RunNames usual_names(const Command& command) {
  const Experiment* experiment = command.experiment;
  const bool is_quick = experiment != nullptr && experiment == find_named(experiments(), experiment->name);
  if (!is_quick) return {};
  const Report report = run(*experiment, Arguments(experiment->parameters));
  return {names_of(report.figures), names_of(report.stages)};
}

Offer offer_of(const Flag& flag) {
  Offer offer;
  offer.words = flag.choices.empty() ? offered_words(flag.form) : flag.choices;
  if (const std::size_t file = flag.form.find("FILE"); file != std::string::npos) {
    offer.paths = Offer::Paths::files;
    const std::string rest = flag.form.substr(file + std::string_view("FILE").size());
    if (rest.rfind('.', 0) == 0) offer.ending = rest;
  }
  if (flag.form.find("FOLDER") != std::string::npos) offer.paths = Offer::Paths::folders;
  return offer;
}

std::string completions(const Words& words, Language language) {
  const std::vector<Command> commands = subcommands(experiments());
  const Unfinished line = unfinished(words);
  const std::optional<Command> command = command_among(line.before, commands);
  if (!command) return "";
  const std::size_t equals = line.word.find('=');
  if (line.word.rfind("--", 0) == 0 && equals != std::string::npos) {
    const Flag* flag = flag_with_value(*command, line.word.substr(0, equals));
    return flag == nullptr ? "" : values_of(*flag, *command, line, line.word.substr(0, equals + 1));
  }
  const Flag* flag = line.before.empty() ? nullptr : flag_with_value(*command, line.before.back());
  if (flag != nullptr) return values_of(*flag, *command, line, "");
  Offer bare;
  if (command->name.empty()) bare.words = names_of(commands);
  if (command->offer != nullptr) bare = command->offer(commands);
  if (!command->positionals.empty()) bare = offer_of(*find_flag(*command, command->positionals.front()));
  const bool offers_flags =
      line.word.rfind('-', 0) == 0 || (bare.words.empty() && bare.paths == Offer::Paths::none);
  if (offers_flags) return lines_of(flags_left(*command, line.before, language), {}, line, "");
  return lines_of(reported(bare.words, commands, language), bare, line, "");
}

}  // namespace attnlab
