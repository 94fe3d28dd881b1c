// The figures of every kind of run, in both languages and themes: nothing overlaps, nothing is left out.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attend_cases.hpp"
#include "experiments/framework/caption_checks.hpp"
#include "plotting/layout/label_checks.hpp"
#include "plotting/layout/layout.hpp"

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
          check_labels(layout.list);
          ++pages;
        }
      }
    }
  }
  CHECK(pages > attend_cases().size() * 8);  // maps, bars, and lines where a cell is one weight
}

}  // namespace attnlab
