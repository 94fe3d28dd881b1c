#include "products/page_request.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

std::vector<Swept> slides_of(const Experiment& experiment, const std::vector<DeclaredSlider>& sliders) {
  std::vector<Swept> slides;
  slides.reserve(sliders.size());
  for (const DeclaredSlider& slider : sliders)
    slides.push_back(read_swept(experiment, "slide", slider.words, slider.pattern));
  return slides;
}

/// Of a slider over what the arguments name, such as a model's layers: which of them it reaches, if not all.
void add_note(const Swept& slide, PageRequest& page) {
  const auto first = number_from<std::size_t>(slide.values.texts.front());
  const auto last = number_from<std::size_t>(slide.values.texts.back());
  if (!first || !last || *last - *first < slide.values.texts.size()) return;
  page.notes.push_back(text(
      "{0} は {2} 個のうち {1} 個だけを動かせます。--slide {0}=A,B,... で選べます。attnlab explore ではすべてを見られます",
      "{0} reaches {1} of {2}; --slide {0}=A,B,... takes others, attnlab explore every one",
      slide.values.parameter, slide.values.texts.size(), *last - *first + 1));
}

}  // namespace

std::vector<Swept> declared_slides(const Experiment& experiment) {
  return slides_of(experiment, experiment.sliders);
}

void take_declared_slides(PageRequest& page, const Experiment& experiment, Arguments& arguments,
                          Language language) {
  page.slides.clear();
  page.notes.clear();
  page.are_declared = true;
  const std::vector<Swept> slides = experiment.sliders_of == nullptr
                                        ? declared_slides(experiment)
                                        : slides_of(experiment, experiment.sliders_of(arguments));
  for (const Swept& slide : slides) {
    const std::optional<Swept> own = with_current_value(slide, arguments, language);
    if (!own) continue;
    page.slides.push_back(*own);
    if (experiment.kind != ExperimentKind::book) add_note(*own, page);
  }
}

}  // namespace attnlab
