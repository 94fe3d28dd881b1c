// The figures of every task, on their pages and on slides, in both languages: nothing overlaps, nothing is
// cut.
#include "experiments/framework/caption_checks.hpp"
#include "plotting/layout/label_checks.hpp"
#include "plotting/layout/layout.hpp"
#include "trained.hpp"

namespace attnlab {
namespace {

void check_page(const std::string& name, const Figure& figure, const LayoutOptions& options) {
  INFO(name, " ", figure.name, options.language == Language::ja ? " ja" : " en");
  const DisplayList list = lay_out(figure, options).list;
  check_labels(list);
  CHECK(wrong_words(figure, list) == "");
}

TEST_CASE("the figures of every task lie on their pages, in both languages") {
  const Preset& slide = preset_named("slide-16x9");
  for (const Experiment& experiment : tasks()) {
    if (experiment.name == "train pairs") continue;  // draws what the others draw
    const bool has_steps = find_named(experiment.parameters, "steps") != nullptr;
    const bool has_seeds = find_named(experiment.parameters, "seeds") != nullptr;
    if (has_seeds && !trains_fully) continue;
    if (experiment.name == "train world" && !trains_fully) continue;  // .ci/pass runs it once
    const std::string quickest = experiment.name == "train contrast" ? "positions" : "padding";
    const Report report =
        trained(experiment.name.substr(6), has_steps   ? Typed{{"steps", "40"}}
                                           : has_seeds ? Typed{{"seeds", "1"}, {"of", quickest}}
                                                       : Typed{});
    std::vector<Figure> figures = report.figures;
    if (!report.trained.film.empty()) figures.push_back(report.trained.film.back());
    for (const Figure& figure : report.figures)
      CHECK(std::count(experiment.figures.begin(), experiment.figures.end(), figure.name) == 1);
    for (const Figure& figure : figures) {
      for (const Language language : {Language::ja, Language::en}) {
        check_page(experiment.name, figure, {language, Theme::light, figure.page});
        LayoutOptions large{language, Theme::print, slide.page};
        large.measures = slide.measures;
        check_page(experiment.name + " on a slide", figure, large);
      }
    }
  }
}

}  // namespace
}  // namespace attnlab
