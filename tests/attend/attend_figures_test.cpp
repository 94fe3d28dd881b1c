// The figures of every kind of run, in both languages and themes: nothing overlaps, nothing is left out.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attend_cases.hpp"
#include "experiments/framework/caption_checks.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/layout/layout.hpp"
#include "plotting/layout/style.hpp"

namespace attnlab {

TEST_CASE("the figures of attend lie on their pages without complaint, in both languages and themes") {
  std::size_t pages = 0;
  for (const AttendCase& one : attend_cases()) {
    for (const Figure& figure : one.report.figures) {
      for (const Language language : {Language::ja, Language::en}) {
        for (const Theme theme : {Theme::light, Theme::dark}) {
          INFO(one.name, " ", figure.name, language == Language::ja ? " ja" : " en");
          const Layout layout = lay_out(figure, {language, theme, figure.page});
          for (const Text& warning : layout.warnings) {
            INFO(warning.en());
            CHECK(layout.warnings.empty());
          }
          CHECK(wrong_words(figure, layout.list) == "");
          std::vector<Corners> inks;
          std::vector<std::string> words;
          for (const Item& item : layout.list.items) {
            const auto* label = std::get_if<Label>(&item.shape);
            if (label == nullptr) continue;
            CHECK(label->size >= smallest_text);
            const Corners ink = ink_corners(*label);
            const Box box = bounds_of(ink);
            INFO(item.id, " '", label->markup, "'");
            CHECK(box.x >= 0.0);
            CHECK(box.y >= 0.0);
            CHECK(box.x + box.width <= layout.list.width);
            CHECK(box.y + box.height <= layout.list.height);
            for (std::size_t i = 0; i < inks.size(); ++i) {
              if (overlap(inks[i], ink) <= 0.5) continue;
              INFO("over '", words[i], "'");
              CHECK(overlap(inks[i], ink) <= 0.5);
            }
            inks.push_back(ink);
            words.push_back(label->markup);
          }
          ++pages;
        }
      }
    }
  }
  CHECK(pages == attend_cases().size() * 8);
}

}  // namespace attnlab
