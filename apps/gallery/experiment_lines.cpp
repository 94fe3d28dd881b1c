#include "experiment_lines.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "experiment_pages.hpp"
#include "experiments/framework/experiment.hpp"

namespace attnlab {

std::string readme_table(Language language) {
  const Text head{"| コマンド | 内容 | 文書 |", "| command | what it shows | document |"};
  std::string table = head.in(language) + "\n|---|---|---|\n";
  for (const Experiment& experiment : experiments()) {
    table += fmt::format("| [`attnlab {0}`](docs/{1}#{0}) | {2} | {3} |\n", experiment.name,
                         experiments_page_name(language), experiment.shows.in(language),
                         experiment.source.in(language));
  }
  return table;
}

std::string manifest_entries() {
  std::string entries;
  for (const Experiment& experiment : experiments()) {
    entries += fmt::format("\n  [[section.figure]]\n  experiment = \"{}\"\n", experiment.name);
  }
  return entries + "\n";
}

std::string with_experiment_lines(const std::string& file, const std::string& lines) {
  const std::size_t opening = file.find("experiments begin");
  const std::size_t closing = file.find("experiments end");
  if (opening == std::string::npos || closing == std::string::npos || closing < opening) {
    throw std::runtime_error("no lines between \"experiments begin\" and \"experiments end\"");
  }
  return file.substr(0, file.find('\n', opening) + 1) + lines + file.substr(file.rfind('\n', closing) + 1);
}

}  // namespace attnlab
