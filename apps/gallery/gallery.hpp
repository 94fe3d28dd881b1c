// The README's pictures: every figure with default parameters, in both languages, on light paper.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/framework/parameter.hpp"
#include "plotting/layout/display_list.hpp"

namespace attnlab {

struct GalleryPicture {
  std::string path;  // "en/vectors-arrows.png", below figures/gallery/
  Page page;
};

/// `attend` with the layer in the folder `data`/attend.
Arguments attend_example(const std::filesystem::path& data);

/// Every experiment in book order, each figure once per language; then that example.
std::vector<GalleryPicture> gallery_pictures(const std::filesystem::path& data);

/// All display lists as text (plotting/display_list_text.hpp), one section "== path" per picture: what the
/// test compares with figures/gallery/display-lists.txt.
std::string gallery_text(const std::vector<GalleryPicture>& pictures);

}  // namespace attnlab
