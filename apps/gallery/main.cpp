// Writes the lines about the experiments in the READMEs, and the checksums of all figures; the build target
// `gallery`, which runs this from the root of the clone, then draws the pictures of READMEs and docs.
#include <exception>
#include <iostream>

#include "gallery.hpp"
#include "io/atomic_file.hpp"
#include "io/file_bytes.hpp"

namespace {

void rewrite(const std::filesystem::path& file, const std::string& lines) {
  const std::string text(attnlab::bytes_of(file.string()).view);
  attnlab::write_file(file, attnlab::with_experiment_lines(text, lines));
}

}  // namespace

int main() {
  try {
    rewrite("README.md", attnlab::readme_table(attnlab::Language::en));
    rewrite("README.ja.md", attnlab::readme_table(attnlab::Language::ja));
    attnlab::write_file("tests/gallery/figures.sha256",
                        attnlab::figure_checksums(attnlab::drawn_figures("data")));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "attnlab_gallery: " << error.what() << '\n';
    return 1;
  }
}
