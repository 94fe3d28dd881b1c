// What a training has learned, and the way it went: --save-model, --film.
#include "core/utf8.hpp"
#include "io/learned_model.hpp"
#include "products/film.hpp"
#include "products/product.hpp"
#include "products/render.hpp"
#include "sweep/sweep.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

Made made_model(const fs::path& file, const Report& report) {
  Made made;
  fs::path written = file;
  if (report.trained.model->metadata.count("stopped") != 0) {
    made.is_incomplete = true;
    written.replace_extension(".unfinished" + file.extension().string());
    made.warnings.push_back(text("学習が終わっていないので、モデルは {1} に保存し、{0} は書きません",
                                 "the training is unfinished: the model goes to {1}, and {0} is not written",
                                 quotation(file.string()), quotation(written.string())));
  }
  made.files.push_back(made_file(written, model_safetensors(report, command_of(report))));
  return made;
}

Made made_course(const fs::path& file, const Finished& finished) {
  if (finished.report.trained.film.empty()) {
    refuse_failed({"学習していないので、--film で描く経過がありません",
                   "nothing was trained, so there is no course for --film"},
                  {"--model を外してください", "leave --model out"});
  }
  const std::vector<Figure> frames = aligned(finished.report.trained.film);
  Look look = finished.look;
  const PageSize page = page_of(look, frames.front().page);
  if (!look.page && !look.preset) look.dpi = film_dpi(page);
  check_film_pixels(page, look.dpi);
  const std::string extension = lower_case(file.extension().string());
  const std::string command = command_with(command_of(finished.report), {{"film", "film" + extension}});
  const auto bytes = [file, frames, look, command](const Progress& progress) {
    const FrameLayouts layouts(frames, look);
    const Metadata metadata = metadata_of(frames.back(), drawing_command(command, "", look), look);
    const Sequence sequence = sequence_of(frames.size(), Course::forth, 5.0);
    return film_bytes(file, painted_film(layouts, sequence, look.dpi, metadata), progress);
  };
  return {{}, {{file, bytes}}};
}

}  // namespace

Product model_product(const fs::path& file) {
  if (lower_case(file.extension().string()) != ".safetensors") {
    refuse_usage(text("--save-model {} は .safetensors ではありません",
                      "--save-model {} does not end in .safetensors", quotation(file.string())),
                 {"拡張子は .safetensors にしてください", "end the name in .safetensors"});
  }
  return {[file](Targets& targets) { targets.add(file); },
          [file](const Finished& finished) { return made_model(file, finished.report); }};
}

Product course_product(const fs::path& file) {
  check_film_file(file);
  return {[file](Targets& targets) { targets.add(file); },
          [file](const Finished& finished) { return made_course(file, finished); }};
}

}  // namespace attnlab
