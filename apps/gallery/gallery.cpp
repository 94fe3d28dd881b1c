#include "gallery.hpp"

#include "experiments/experiment.hpp"
#include "plotting/display_list_text.hpp"
#include "plotting/layout.hpp"

namespace attnlab {

std::vector<GalleryPicture> gallery_pictures() {
  std::vector<GalleryPicture> pictures;
  for (const Experiment& experiment : experiments()) {
    const Report report = run(experiment, Arguments(experiment.parameters));
    for (const Figure& figure : report.figures)
      for (const Language language : {Language::en, Language::ja}) {
        const std::string folder = language == Language::en ? "en" : "ja";
        pictures.push_back({folder + "/" + experiment.name + "-" + figure.name + ".png",
                            {lay_out(figure, {language, Theme::light, figure.page}).list,
                             {figure.title.in(language), figure.description.in(language), folder,
                              "attnlab " + experiment.name}}});
      }
  }
  return pictures;
}

std::string gallery_text(const std::vector<GalleryPicture>& pictures) {
  std::string text;
  for (const GalleryPicture& picture : pictures)
    text += "== " + picture.path + "\n" + to_text(picture.page.list);
  return text;
}

}  // namespace attnlab
