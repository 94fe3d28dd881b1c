#include "attnlab/lecture/written_folder.hpp"

#include "attnlab/terminal/console.hpp"
#include "io/atomic_file.hpp"

namespace attnlab {

void write_folder(const BuiltFolder& built, const std::filesystem::path& folder, Targets targets,
                  Language language) {
  for (const BuiltFile& file : built.files) {
    const std::filesystem::path target = folder / file.path;
    targets.add_below(target.parent_path(), target);
  }
  targets.check();
  write_warnings(built.warnings, language);
  for (const BuiltFile& file : built.files) {
    const std::filesystem::path target = folder / file.path;
    create_folder(target.parent_path());
    write_file(target, file.bytes);
  }
}

}  // namespace attnlab
