// Figures of a lecture: for its page, as files, and as pictures for documents.
#include "core/named.hpp"
#include "core/similar_words.hpp"
#include "page/rasters.hpp"
#include "products/lecture/block_building.hpp"
#include "products/lecture/slide_design.hpp"

#include "core/formula_line.hpp"
#include "io/report_files.hpp"
#include "products/render.hpp"

namespace attnlab {
namespace {

/// The figure of that name, or all of them for "".
std::vector<const Figure*> chosen_figures(const Report& report, const std::string& name) {
  std::vector<const Figure*> chosen;
  for (const Figure& figure : report.figures) {
    if (name.empty() || figure.name == name) chosen.push_back(&figure);
  }
  if (chosen.empty()) refuse_name({"図", "figure"}, name, names_of(report.figures));
  return chosen;
}

std::string painted(const Page& page, const std::string& format, const Look& look) {
  if (format == "svg") return paint_svg(page, look.lettering);
  if (format == "png") return paint_png(page, look.dpi);
  return paint_pdf(page);
}

/// What a lecturer would say of the run.
std::vector<std::string> reported_of(const Report& report, Language language) {
  std::vector<std::string> sentences;
  for (const Block& block : report.body) {
    const auto* paragraph = std::get_if<Paragraph>(&block);
    if (paragraph != nullptr && paragraph->role == Role::say)
      sentences.push_back(paragraph->text.in(language));
  }
  return sentences;
}

/// "12.33x6in"
std::string size_of(const Page& page) {
  return fmt::format("{}x{}in", page.list.width / points_per_inch, page.list.height / points_per_inch);
}

void add_warnings(const BlockRun& requested, const Figure& figure, const std::vector<Text>& warnings,
                  BuiltPart& part) {
  const std::string& experiment = requested.run.experiment->name;
  for (const Text& warning : warnings)
    add_once(part.warnings, text("{} {}：{}", "{} {}: {}", experiment, figure.name, warning));
}

/// Without title and caption; a preset's page loses what these and the margins take. A page of a slide, which
/// it is where nobody asked for another, so fills what is left below a slide's title, or beside text there; a
/// size that was typed grows as far as it must to have such a shape.
Look slide_look(Look look, OnSlide place) {
  constexpr double share_of_width = 0.93;
  constexpr double share_of_height = 0.788;
  constexpr double height = slide_picture_height;
  constexpr double widest = slide_picture_width / height;
  constexpr double narrowest = slide_picture_beside / height;
  look.title.reset();
  look.has_title = false;
  look.has_caption = false;
  const auto is_of_words = [](const TypedFlag& flag) {
    return is_one_of(flag.name, {"title", "no-title", "no-caption", "size"});
  };
  look.typed.erase(std::remove_if(look.typed.begin(), look.typed.end(), is_of_words), look.typed.end());
  for (const char* name : {"no-title", "no-caption"}) look.typed.push_back({name, std::nullopt});
  if (!look.preset && !look.page) look.preset = presets().front();
  PageSize page = look.page.value_or(look.preset->page);
  if (!look.page) {
    page.width *= share_of_width;
    page.height *= share_of_height;
    if (place == OnSlide::beside_text) page.width = page.height * narrowest;
  }
  page.width = std::max(page.width, page.height * narrowest);
  page.height = std::max(page.height, page.width / widest);
  (look.page ? *look.page : look.preset->page) = page;
  return look;
}

/// The arrays of the run, and its program.
void add_run_files(const Report& report, const std::string& name, const BlockRun& requested,
                   const Workshop& workshop, BuiltPart& part, std::vector<std::string>& data) {
  if (workshop.wants(LectureOutput::data)) {
    data = {"data/" + name + ".npz", "data/" + name + ".csv"};
    part.files.push_back({data[0], arrays_npz(report)});
    part.files.push_back({data[1], arrays_csv(report)});
  }
  if (!workshop.wants(LectureOutput::code)) return;
  if (report.program.missing) {
    part.warnings.push_back(
        text("プログラムはありません：{}", "there is no program of it: {}", *report.program.missing));
    return;
  }
  part.files.push_back({"code/" + name + ".py",
                        python_program(report, Library::numpy, requested.look.language, command_of(report))});
}

}  // namespace

std::string caption_of(const BlockAttributes& attributes, const Figure& figure, Language language) {
  const auto own = attributes.values.find("caption");
  return own == attributes.values.end() ? figure.caption.in(language) : own->second;
}

BuiltFigure draw_still(const Figure& figure, const std::string& name, const Report* report,
                       const BlockRun& requested, const Workshop& workshop, BuiltPart& part,
                       const std::function<void(DisplayList&)>& change) {
  Look look = slide_look(requested.look, requested.place);
  BuiltFigure still;
  still.name = name;
  still.title = figure.title.in(look.language);
  still.description = figure.description.in(look.language);
  still.caption = figure.caption.in(look.language);
  still.on_slide = requested.place != OnSlide::nowhere;
  if (report != nullptr) still.say = reported_of(*report, look.language);
  if (!workshop.shows(requested.place)) return still;
  RenderedPage rendered = render_page(figure, "", look);
  add_warnings(requested, figure, rendered.warnings, part);
  Page& page = rendered.page;
  if (change) change(page.list);
  look.typed.push_back({"size", size_of(page)});
  if (report != nullptr) {
    page.metadata.command = drawing_command(command_of(*report), figure.name, look);
    still.command = drawing_command(command_of(*report), figure.name, requested.look);
  }
  for (const std::string& format : workshop.pictures) {
    if (format == "png") check_pixels(page_of(look, figure.page), look.dpi);
    part.files.push_back({picture_of(look.language, name) + "." + format, painted(page, format, look)});
  }
  return still;
}

std::vector<BuiltFigure> draw_figures(const BlockRun& requested, const BlockAttributes& attributes,
                                      const std::string& name, const Workshop& workshop, BuiltPart& part) {
  const Look& look = requested.look;
  const Report& report = workshop.runs.report(requested.run);
  std::vector<BuiltFigure> drawn;
  std::vector<std::string> data;
  for (const Figure* figure : chosen_figures(report, requested.figure)) {
    const std::string stem = name.empty() ? stem_of(requested.run.experiment->name, figure->name) : name;
    if (drawn.empty()) add_run_files(report, stem, requested, workshop, part, data);
    const Figure shown = dressed(*figure, report, requested.run.experiment->shows, look);
    const std::string command = drawing_command(command_of(report), figure->name, look);
    RenderedPage rendered;
    if (workshop.pictures.empty() || workshop.wants(LectureOutput::html) ||
        workshop.wants(LectureOutput::figures)) {
      rendered = render_page(shown, command, look);
      add_warnings(requested, shown, rendered.warnings, part);
    }
    BuiltFigure built = draw_still(shown, stem, &report, requested, workshop, part);
    built.name = stem;
    built.title = shown.title.in(look.language);
    const auto alt = attributes.values.find("alt");
    built.description = alt == attributes.values.end() ? shown.description.in(look.language) : alt->second;
    built.caption = caption_of(attributes, shown, look.language);
    built.command = command;
    built.data = data;
    if (workshop.wants(LectureOutput::html)) {
      built.wide = desk_picture(shown, look, requested.chooser);
      built.narrow = telephone_picture(shown, look, requested.chooser);
      built.hovers = hover_texts(shown, look.language);
      if (built.hovers.size() > most_page_cells) built.hovers.clear();
    }
    for (const std::string& format : workshop.lecture.formats) {
      if (!workshop.wants(LectureOutput::figures)) break;
      if (format == "png") check_pixels(page_of(look, figure->page), look.dpi);
      built.files.push_back(fmt::format("{}/{}.{}", code_of(look.language), stem, format));
      part.files.push_back({built.files.back(), painted(rendered.page, format, look)});
    }
    drawn.push_back(std::move(built));
  }
  return drawn;
}

}  // namespace attnlab
