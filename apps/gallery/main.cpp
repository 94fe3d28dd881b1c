// Writes what belongs to the gallery's pictures: their display lists and the pages about the experiments. The
// build target `gallery` draws the pictures themselves with `attnlab build` before it runs this.
#include <exception>
#include <filesystem>
#include <iostream>

#include "experiment_pages.hpp"
#include "gallery.hpp"
#include "io/atomic_file.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: attnlab_gallery PICTURES DOCS DATA\n";
    return 2;
  }
  try {
    const std::filesystem::path pictures(argv[1]);
    const std::filesystem::path docs(argv[2]);
    const std::filesystem::path data(argv[3]);
    attnlab::write_file(pictures / "display-lists.txt",
                        attnlab::gallery_text(attnlab::gallery_pictures(data)));
    for (const attnlab::Language language : {attnlab::Language::en, attnlab::Language::ja}) {
      attnlab::write_file(docs / attnlab::experiments_page_name(language),
                          attnlab::experiments_page(language, data));
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "attnlab_gallery: " << error.what() << '\n';
    return 1;
  }
}
