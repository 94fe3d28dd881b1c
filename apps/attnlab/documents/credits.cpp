#include "attnlab/documents/documents.hpp"

#include "plotting/colour/palette.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

template <class Which>
void add(std::vector<Credit>& credits, const PaletteEntry<Which>& palette) {
  const auto same = std::find_if(credits.begin(), credits.end(), [&](const Credit& credit) {
    return credit.author.en() == palette.origin.en();
  });
  if (same == credits.end()) {
    credits.push_back({palette.name, palette.origin, palette.licence});
  } else {
    same->name += ", " + palette.name;
  }
}

}  // namespace

std::vector<Credit> font_credits() {
  const Text licence = Text::same("SIL Open Font License 1.1 (OFL-1.1)");
  return {{latin_family,
           {"The Inter Project Authors（Rasmus Andersson）", "The Inter Project Authors (Rasmus Andersson)"},
           licence},
          {japanese_family,
           {"The BIZ UDGothic Project Authors（モリサワ）", "The BIZ UDGothic Project Authors (Morisawa)"},
           licence}};
}

std::vector<Credit> palette_credits() {
  std::vector<Credit> credits;
  for (const auto& palette : palettes()) add(credits, palette);
  for (const auto& palette : series_palettes()) add(credits, palette);
  return credits;
}

const std::vector<LibraryCredit>& library_credits() {
  static const std::vector<LibraryCredit> libraries{
      {"Cairo", {"libcairo."}, "LGPL-2.1-only OR MPL-1.1"},
      {"Pango", {"libpango-", "libpangocairo-", "libpangoft2-"}, "LGPL-2.0-or-later"},
      {"HarfBuzz", {"libharfbuzz."}, "MIT"},
      {"FreeType", {"libfreetype."}, "FTL OR GPL-2.0-or-later"},
      {"GLib", {"libglib-", "libgobject-"}, "LGPL-2.1-or-later"},
      {"Fontconfig", {"libfontconfig."}, "HPND-sell-variant"},
      {"libpng", {"libpng16."}, "libpng-2.0"},
      {"giflib", {"libgif."}, "MIT"},
      {"libimagequant", {"libimagequant."}, "GPL-3.0-or-later"},
      {"libwebp", {"libwebp.", "libwebpmux."}, "BSD-3-Clause"},
      {"Chafa", {"libchafa."}, "LGPL-3.0-or-later"},
      {"zlib", {"libz."}, "Zlib"},
      {"ISA-L", {"libisal."}, "BSD-3-Clause"},
      {"libzip", {"libzip."}, "BSD-3-Clause"},
      {"{fmt}", {"libfmt."}, "MIT"},
      {"toml++", {"libtomlplusplus."}, "MIT"},
      {"cmark", {"libcmark."}, "BSD-2-Clause"},
      {"GCC's libraries", {"libstdc++.", "libgcc_s.", "libgomp."}, "GPL-3.0-or-later WITH GCC-exception-3.1"},
      {"GNU C library", {"libc.", "libm.", "ld-linux"}, "LGPL-2.1-or-later"},
      {"OpenBLAS", {}, "BSD-3-Clause"},
      {"xtensor, xtensor-blas, xtl", {}, "BSD-3-Clause"},
      {"xsimd", {}, "BSD-3-Clause"},
      {"CLI11", {}, "BSD-3-Clause"},
      {"JSON for Modern C++", {}, "MIT"}};
  return libraries;
}

}  // namespace attnlab
