#include "attnlab/flags.hpp"

namespace attnlab {

Flag flag_for(const Parameter& parameter) {
  if (std::holds_alternative<SwitchKind>(parameter.kind)) {
    return {parameter.name, 0, Flag::Takes::nothing, "", shown_default(parameter), parameter.help};
  }
  const bool repeats = std::holds_alternative<ItemsKind>(parameter.kind);
  const auto* choice = std::get_if<ChoiceKind>(&parameter.kind);
  return {parameter.name,
          0,
          repeats ? Flag::Takes::values : Flag::Takes::one_value,
          form_of(parameter),
          shown_default(parameter),
          parameter.help,
          choice == nullptr ? std::vector<std::string>{} : choice->choices};
}

std::string usage_of(const Flag& flag) {
  std::string usage = flag.letter == 0 ? "" : std::string("-") + flag.letter + ", ";
  usage += "--" + flag.name;
  return flag.form.empty() ? usage : usage + " " + flag.form;
}

}  // namespace attnlab
