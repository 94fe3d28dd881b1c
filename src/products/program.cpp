// The run as a program in Python: --code.
#include "io/report_files.hpp"
#include "products/product.hpp"

namespace attnlab {

Product program_product(const std::filesystem::path& file, Library library) {
  const auto make = [file, library](const Finished& finished) {
    Report arrays;
    arrays.stages = arrays_beside(finished.report);
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
  if (!arrays_beside(report).empty()) {
    refuse_usage(
        {"--code のプログラムに書く値が多すぎます", "the program of --code has too many values to write out"},
        {"-o FILE.py なら FILE.arrays.npz に保存して読み込みます",
         "-o FILE.py loads them from FILE.arrays.npz, written beside it"});
  }
  return python_program(report, library, language, command_of(report));
}

}  // namespace attnlab
