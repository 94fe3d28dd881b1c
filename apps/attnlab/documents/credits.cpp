#include "attnlab/documents/documents.hpp"

#include "core/sentences.hpp"
#include "core/utf8.hpp"
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
           licence},
          {sign_family, Text::same("Bitstream, DejaVu fonts team"), Text::same("Bitstream Vera License")}};
}

std::vector<Credit> palette_credits() {
  std::vector<Credit> credits;
  for (const auto& palette : palettes()) add(credits, palette);
  for (const auto& palette : series_palettes()) add(credits, palette);
  return credits;
}

const std::vector<LibraryCredit>& library_credits() {
  static const std::vector<LibraryCredit> libraries = [] {
    std::vector<LibraryCredit> credits;
    for (const Sentences& row : read_sentences(document_files().front(), "library")) {
      const std::string& files = row.at("files").en();
      credits.push_back({row.at("name").en(), files.empty() ? std::vector<std::string>{} : split(files, " "),
                         row.at("licence").en()});
    }
    return credits;
  }();
  return libraries;
}

}  // namespace attnlab
