#include "products/page_request.hpp"

namespace attnlab {
namespace {

std::vector<Swept> slides_of(const Experiment& experiment, const std::vector<DeclaredSlider>& sliders) {
  std::vector<Swept> slides;
  slides.reserve(sliders.size());
  for (const DeclaredSlider& slider : sliders)
    slides.push_back(read_swept(experiment, "slide", slider.words, slider.pattern));
  return slides;
}

}  // namespace

std::vector<Swept> declared_slides(const Experiment& experiment) {
  return slides_of(experiment, experiment.sliders);
}

void take_declared_slides(PageRequest& page, const Experiment& experiment, Arguments& arguments,
                          Language language) {
  page.slides.clear();
  page.are_declared = true;
  const std::vector<Swept> slides = experiment.sliders_of == nullptr
                                        ? declared_slides(experiment)
                                        : slides_of(experiment, experiment.sliders_of(arguments));
  for (const Swept& slide : slides) {
    if (const std::optional<Swept> own = with_own_value(slide, arguments, language))
      page.slides.push_back(*own);
  }
}

}  // namespace attnlab
