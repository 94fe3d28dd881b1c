#include "gallery.hpp"

#include "attnlab/command_line/commands.hpp"
#include "experiments/framework/experiment.hpp"
#include "plotting/layout/display_list.hpp"
#include "plotting/layout/layout.hpp"

namespace attnlab {

namespace {

void add_pictures(const Report& report, const std::string& command, std::vector<GalleryPicture>& pictures) {
  for (const Figure& figure : report.figures)
    for (const Language language : {Language::en, Language::ja}) {
      const std::string folder = language == Language::en ? "en" : "ja";
      pictures.push_back({folder + "/" + report.experiment + "-" + figure.name + ".png",
                          {lay_out(figure, {language, Theme::light, figure.page}).list,
                           {figure.title.in(language), figure.description.in(language), folder, command}}});
    }
}

}  // namespace

Arguments attend_example(const std::filesystem::path& data) {
  Arguments arguments(attend_experiment().parameters);
  arguments.set("x", (data / "attend" / "x.npy").string());
  arguments.set("projections", (data / "attend" / "layer.npz").string());
  arguments.set("heads", "4");
  return arguments;
}

std::vector<GalleryPicture> gallery_pictures(const std::filesystem::path& data) {
  std::vector<GalleryPicture> pictures;
  for (const Experiment& experiment : experiments()) {
    add_pictures(run(experiment, Arguments(experiment.parameters)), "attnlab " + experiment.name, pictures);
  }
  add_pictures(run(attend_experiment(), attend_example(data)),
               "attnlab attend --x x.npy --projections layer.npz --heads 4", pictures);
  return pictures;
}

std::string gallery_text(const std::vector<GalleryPicture>& pictures) {
  std::string text;
  for (const GalleryPicture& picture : pictures)
    text += "== " + picture.path + "\n" + to_text(picture.page.list);
  return text;
}

}  // namespace attnlab
