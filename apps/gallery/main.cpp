// Draws the gallery into the folder given: the build target `gallery` runs it.
#include <exception>
#include <filesystem>
#include <iostream>

#include "gallery.hpp"
#include "io/atomic_file.hpp"
#include "plotting/backends.hpp"

int main(int argc, char** argv) {
  constexpr double dpi = 96.0;  // 960 pixels across: as wide as a README
  if (argc != 2) {
    std::cerr << "usage: attnlab_gallery FOLDER\n";
    return 2;
  }
  try {
    const std::filesystem::path folder(argv[1]);
    const std::vector<attnlab::GalleryPicture> pictures = attnlab::gallery_pictures();
    for (const attnlab::GalleryPicture& picture : pictures) {
      const std::filesystem::path path = folder / picture.path;
      std::filesystem::create_directories(path.parent_path());
      attnlab::write_file(path, attnlab::paint_png(picture.page, dpi));
    }
    attnlab::write_file(folder / "display-lists.txt", attnlab::gallery_text(pictures));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "attnlab_gallery: " << error.what() << '\n';
    return 1;
  }
}
