// The program of `train microgpt`.
#include "core/embedded_file.hpp"
#include "core/escape.hpp"
#include "tasks/microgpt.hpp"

namespace attnlab {
namespace {

std::string quoted(const std::string& text) { return "\"" + with_backslashes(text, "\"\\") + "\""; }

std::string listed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return "[" + list + "]";
}

/// Lines that begin with "# ja: " and "# en: " are for one language.
std::string in_language(std::string_view text, Language language) {
  const std::string own = "# " + code_of(language) + ": ";
  std::string lines;
  for (const std::string& line : split(std::string(text), "\n")) {
    if (line.rfind(own, 0) == 0) {
      lines += "# " + line.substr(own.size()) + "\n";
    } else if (line.rfind("# ja: ", 0) != 0 && line.rfind("# en: ", 0) != 0) {
      lines += line + "\n";
    }
  }
  lines.pop_back();
  return lines;
}

}  // namespace

std::string microgpt_program(const MicrogptRun& run, const Arguments& arguments, Language language) {
  std::string losses;
  for (std::size_t i = 0; i < run.losses.size(); i = i < 4 ? i + 1 : i + microgpt_mean)
    losses += fmt::format("{}{}: {:.10f}", losses.empty() ? "" : ", ", i, run.losses[i]);
  const bool is_given = arguments.given("text");
  std::string documents =
      fmt::format("documents = [line.strip() for line in open({}, encoding=\"utf-8\") if line.strip()]",
                  quoted(arguments.text("text")));
  if (!is_given) documents = fmt::format("documents = \"\"\"\n{}\"\"\".split()", shipped_names());
  std::string program = in_language(microgpt_files().front().text, language);
  const std::vector<std::pair<std::string, std::string>> values{
      {"@SEED@", arguments.text("seed")},
      {"@DOCUMENTS@", documents},
      {"@WIDTH@", fmt::format("{}", run.sizes.width)},
      {"@HEADS@", fmt::format("{}", run.sizes.heads)},
      {"@LAYERS@", fmt::format("{}", run.sizes.layers)},
      {"@BLOCK@", fmt::format("{}", run.sizes.block)},
      {"@STEPS@", fmt::format("{}", run.losses.size())},
      {"@SAMPLES@", fmt::format("{}", run.written.size())},
      {"@TEMPERATURE@", arguments.text("temperature")},
      {"@LOSSES@", "{" + losses + "}"},
      {"@WRITTEN@", listed(run.written)}};
  for (const auto& [name, value] : values) program.replace(program.find(name), name.size(), value);
  return program;
}

}  // namespace attnlab
