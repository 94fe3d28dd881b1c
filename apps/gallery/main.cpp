// Writes what belongs to the gallery's pictures: the lines about the experiments in the READMEs, the
// gallery's documents, the pictures' display lists and the pages about the experiments. The build target
// `gallery` draws the pictures themselves with `attnlab build` after it has run this, from the root of the
// clone.
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
    attnlab::write_file("figures/gallery/display-lists.txt",
                        attnlab::gallery_text(attnlab::gallery_pictures("data")));
    for (const attnlab::Language language : {attnlab::Language::en, attnlab::Language::ja}) {
      attnlab::write_file(std::filesystem::path("docs") / attnlab::experiments_page_name(language),
                          attnlab::experiments_page(language, "data"));
      attnlab::write_file("data/gallery." + attnlab::code_of(language) + ".md",
                          attnlab::gallery_document(language));
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "attnlab_gallery: " << error.what() << '\n';
    return 1;
  }
}
