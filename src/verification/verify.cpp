#include "verification/verify.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include "verification/function_checks.hpp"
#include "verification/report_checks.hpp"

namespace attnlab {
namespace {

using Checks = std::vector<VerifyCheck>;

void add_all(Checks& checks, const Checks& more) {
  checks.insert(checks.end(), more.begin(), more.end());
}

/// "layers" of "layers/linear.json".
std::string folder_of(const EmbeddedFile& file) {
  return std::string(file.path.substr(0, file.path.find('/')));
}

/// "linear" of "layers/linear.json".
std::string stem_of(const EmbeddedFile& file) {
  const std::size_t start = file.path.find('/') + 1;
  return std::string(file.path.substr(start, file.path.rfind('.') - start));
}

class Verifier {
 public:
  Verifier(const Evidence& evidence, const Selection& selection)
      : evidence_(evidence), selection_(selection), runs_(evidence.experiments) {}

  Checks all() {
    Checks checks;
    for (const Section section : sections) {
      if (!selection_.section || *selection_.section == section) add_all(checks, of(section));
    }
    return checks;
  }

 private:
  bool wants(const std::string& subject) const {
    return selection_.subject.empty() || selection_.subject == subject;
  }

  Checks of(Section section) {
    switch (section) {
      case Section::expected:
        return expected();
      case Section::invariants:
      case Section::derivations:
        return of_reports(section);
      case Section::layers:
      case Section::runs:
      case Section::functions:
        return of_files(section);
    }
    return {};
  }

  Checks expected() {
    std::vector<ExpectedValue> rows;
    std::copy_if(evidence_.expected.begin(), evidence_.expected.end(), std::back_inserter(rows),
                 [this](const ExpectedValue& row) { return wants(row.experiment); });
    return check_expected(rows, runs_);
  }

  Checks of_reports(Section section) {
    Checks checks;
    for (const Experiment& experiment : evidence_.experiments) {
      if (!wants(experiment.name)) continue;
      try {
        const Report& report = runs_.report(experiment.name, {});
        add_all(checks,
                section == Section::invariants ? check_invariants(report) : check_derivations(report));
      } catch (const std::exception& error) {
        checks.push_back(failed_check(section, experiment.name, "", Text::same(error.what())));
      }
    }
    return checks;
  }

  Checks of_files(Section section) {
    Checks checks;
    for (const EmbeddedFile& file : evidence_.files) {
      const std::string folder = folder_of(file);
      if (section_of(folder) != section) continue;
      const std::string path(file.path);
      if (!wants(section == Section::runs ? folder : stem_of(file))) continue;
      if (section == Section::layers) add_all(checks, check_layers(path, file.text));
      if (section == Section::runs) add_all(checks, check_run(folder, path, file.text, runs_));
      if (section == Section::functions) add_all(checks, check_functions(path, file.text));
    }
    return checks;
  }

  Section section_of(const std::string& folder) const {
    if (folder == "layers") return Section::layers;
    return runs_.knows(folder) ? Section::runs : Section::functions;
  }

  const Evidence& evidence_;
  const Selection& selection_;
  Runs runs_;
};

}  // namespace

Evidence built_in_evidence() {
  return {expected_values(), experiments(), reference_files()};
}

std::vector<VerifyCheck> verify(const Evidence& evidence, const Selection& selection) {
  return Verifier(evidence, selection).all();
}

}  // namespace attnlab
