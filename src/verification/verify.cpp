#include "verification/verify.hpp"

#include <exception>

#include "verification/attend_checks.hpp"
#include "verification/function_checks.hpp"
#include "verification/report_checks.hpp"

namespace attnlab {
namespace {

class Verifier {
 public:
  Verifier(const Evidence& evidence, const Selection& selection)
      : evidence_(evidence), selection_(selection), runs_(evidence.experiments) {}

  Checks all() {
    Checks checks;
    for (const Section section : sections) {
      if (!selection_.section || *selection_.section == section) append(checks, of(section));
    }
    return checks;
  }

 private:
  bool wants(const std::string& subject) const {
    return selection_.subject.empty() || selection_.subject == subject;
  }

  Checks of(Section section) {
    if (section == Section::expected) return expected();
    const bool is_of_reports = section == Section::invariants || section == Section::derivations;
    return is_of_reports ? of_reports(section) : of_files(section);
  }

  Checks expected() {
    Checks checks;
    for (const ExpectedValue& row : evidence_.expected) {
      if (wants(row.experiment)) checks.push_back(check_expected(row, runs_));
    }
    return checks;
  }

  Checks of_reports(Section section) {
    Checks checks;
    for (const Experiment& experiment : evidence_.experiments) {
      if (!wants(experiment.name)) continue;
      try {
        const Report& report = runs_.report(experiment.name, {});
        append(checks, section == Section::invariants ? check_invariants(report) : check_derivations(report));
      } catch (const std::exception& error) {
        checks.push_back(failed_check(section, experiment.name, "", Text::same(error.what())));
      }
    }
    return checks;
  }

  Checks of_files(Section section) {
    Checks checks;
    for (const EmbeddedFile& file : evidence_.files) {
      const std::filesystem::path path(file.path);  // "layers/linear.json"
      const std::string folder = path.parent_path();
      if (section_of(folder) != section) continue;
      const bool is_of_folder = section == Section::runs || section == Section::attend;
      if (!wants(is_of_folder ? folder : path.stem().string())) continue;
      if (section == Section::attend) append(checks, check_attend(path.stem().string(), file.text));
      if (section == Section::layers) {
        append(checks,
               folder == "training" ? check_training(path, file.text) : check_layers(path, file.text));
      }
      if (section == Section::runs) append(checks, check_run(folder, path, file.text, runs_));
      if (section == Section::functions) append(checks, check_functions(path, file.text));
    }
    return checks;
  }

  Section section_of(const std::string& folder) const {
    if (folder == "attend") return Section::attend;
    if (folder == "layers" || folder == "training") return Section::layers;
    return runs_.knows(folder) ? Section::runs : Section::functions;
  }

  const Evidence& evidence_;
  const Selection& selection_;
  Runs runs_;
};

}  // namespace

Evidence built_in_evidence() { return {expected_values(), experiments(), reference_files()}; }

Checks verify(const Evidence& evidence, const Selection& selection) {
  return Verifier(evidence, selection).all();
}

}  // namespace attnlab
