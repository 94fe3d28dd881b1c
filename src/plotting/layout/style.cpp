#include "plotting/preset.hpp"

#include <algorithm>
#include <stdexcept>

namespace attnlab {

const std::vector<Preset>& presets() {
  // title, panel title, body, tick, caption, smallest, margin, line
  static const std::vector<Preset> all{
      {"slide-16x9",
       {"16:9 のスライド全面", "a whole slide of 16:9"},
       {40.0 / 3.0, 7.5},
       {30.0, 23.0, 20.0, 18.5, 18.0, 18.0, 27.0, 2.6}},
      {"slide-4x3",
       {"4:3 のスライド全面", "a whole slide of 4:3"},
       {10.0, 7.5},
       {27.0, 22.0, 20.0, 18.5, 18.0, 18.0, 24.0, 2.4}},
      {"book",
       {"A5 の書籍の版面幅", "the width of the text in an A5 book"},
       {4.6, 3.2},
       {10.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.0, 0.9},
       Captions::left_to_text},
      {"column",
       {"二段組の一段", "one of a paper's two columns"},
       {3.4, 2.7},
       {9.0, 8.0, 7.5, 7.0, 7.0, 7.0, 4.0, 0.75},
       Captions::left_to_text},
      {"poster",
       {"A0 のポスターの横幅の半分ほど", "about half the width of an A0 poster"},
       {18.0, 12.0},
       {46.0, 36.0, 32.0, 29.0, 27.0, 24.0, 36.0, 4.0}},
      {"square",
       {"正方形。1080 ピクセルなら --dpi 135", "a square; 1080 pixels with --dpi 135"},
       {8.0, 8.0},
       {24.0, 19.0, 17.0, 16.0, 14.5, 13.0, 22.0, 2.0}}};
  return all;
}

const Preset& preset_named(const std::string& name) {
  const auto found = std::find_if(presets().begin(), presets().end(),
                                  [&](const Preset& preset) { return preset.name == name; });
  if (found == presets().end()) throw std::out_of_range("no preset " + name);
  return *found;
}

}  // namespace attnlab
