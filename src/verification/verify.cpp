#include "verification/verify.hpp"

#include <exception>

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
      try {
        append(checks, of_file(section, path, parsed_json(file.text)));
      } catch (const std::exception& error) {
        checks.push_back(failed_check(section, path, "", Text::same(error.what())));
      }
    }
    return checks;
  }

  Checks of_file(Section section, const std::filesystem::path& path, const Json& file) {
    if (section == Section::attend) return check_attend(path.stem(), file);
    if (section == Section::runs) return check_run(path, file, runs_);
    if (section == Section::functions) return check_functions(path, file);
    return path.parent_path() == "training" ? check_training(path, file) : check_layers(file);
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
