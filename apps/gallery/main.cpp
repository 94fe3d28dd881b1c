// Draws the gallery and writes the pages about the experiments: the build target `gallery` runs it.
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include "attnlab/request.hpp"
#include "attnlab/run.hpp"
#include "experiment_pages.hpp"
#include "gallery.hpp"
#include "io/atomic_file.hpp"
#include "plotting/backends.hpp"

namespace {

/// The README's film, made as a user makes it.
void write_film(const std::filesystem::path& folder, attnlab::Language language) {
  const std::string name = language == attnlab::Language::en ? "en" : "ja";
  const std::string file = (folder / name / "vectors-query-angle.gif").string();
  attnlab::carry_out(attnlab::read_request({"sweep", "vectors", "--over", "query-angle=0:350:36", "--seconds",
                                            "3", "--dpi", "64", "--lang", name, "--quiet", "-o", file},
                                           language));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr double dpi = 96.0;  // 960 pixels across: as wide as a README
  if (argc != 4) {
    std::cerr << "usage: attnlab_gallery PICTURES DOCS DATA\n";
    return 2;
  }
  try {
    const std::filesystem::path folder(argv[1]);
    const std::vector<attnlab::GalleryPicture> pictures = attnlab::gallery_pictures(argv[3]);
    for (const attnlab::GalleryPicture& picture : pictures) {
      const std::filesystem::path path = folder / picture.path;
      std::filesystem::create_directories(path.parent_path());
      attnlab::write_file(path, attnlab::paint_png(picture.page, dpi));
    }
    attnlab::write_file(folder / "display-lists.txt", attnlab::gallery_text(pictures));
    const std::filesystem::path docs(argv[2]);
    std::filesystem::create_directories(docs);
    for (const attnlab::Language language : {attnlab::Language::en, attnlab::Language::ja}) {
      attnlab::write_file(docs / attnlab::experiments_page_name(language),
                          attnlab::experiments_page(language, argv[3]));
      write_film(folder, language);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "attnlab_gallery: " << error.what() << '\n';
    return 1;
  }
}
