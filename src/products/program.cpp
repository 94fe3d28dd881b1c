// The run as a program in Python: --code.
#include "io/report_files.hpp"
#include "products/product.hpp"

namespace attnlab {
namespace {

/// The arrays that are too many to be written out; empty where none are.
Report loaded_arrays(const Report& report) {
  Report arrays;
  if (!report.no_program) arrays.stages = arrays_beside(report);
  return arrays;
}

}  // namespace

Product program_product(const std::filesystem::path& file, Library library) {
  const auto make = [file, library](const Finished& finished) {
    const Report arrays = loaded_arrays(finished.report);
    const bool beside = !arrays.stages.empty();
    Made made;
    made.files.push_back(made_file(
        file, python_program(finished.report, library, finished.look.language, command_of(finished.report),
                             beside ? ProgramValues::beside : ProgramValues::written)));
    if (beside) {
      made.files.push_back(
          made_file(std::filesystem::path(file).replace_extension(".arrays.npz"), arrays_npz(arrays)));
    }
    return made;
  };
  return {[file](Targets& targets) { targets.add(file); }, make};
}

std::string printed_program(const Report& report, Library library, Language language) {
  if (!loaded_arrays(report).stages.empty()) {
    refuse_usage(
        {"--code のプログラムに書く値が多すぎます", "the program of --code has too many values to write out"},
        {"-o FILE.py なら FILE.arrays.npz に保存して読み込みます",
         "-o FILE.py loads them from FILE.arrays.npz, written beside it"});
  }
  return python_program(report, library, language, command_of(report));
}

}  // namespace attnlab
