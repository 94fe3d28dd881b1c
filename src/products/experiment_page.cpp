#include "products/experiment_page.hpp"

#include <atomic>

#include "core/named.hpp"
#include "page/rasters.hpp"
#include "products/frame_layouts.hpp"
#include "products/product.hpp"
#include "products/render.hpp"
#include "products/telephone.hpp"

namespace attnlab {
namespace {

constexpr double share_of_runs = 0.3;  // of the time, for the progress bar

/// The stages that the frames answer from, as long as the page has room for all of them: those of one frame
/// of a large model are larger than a page.
class KeptStages {
 public:
  std::vector<Stage> of(const Figure& figure, const std::vector<Stage>& trace) {
    if (!have_space()) return {};
    std::vector<Stage> stages = answering_stages(figure, trace);
    for (const Stage& stage : stages) numbers_ += stage.array.data.size();
    return have_space() ? std::move(stages) : std::vector<Stage>{};
  }
  bool have_space() const { return numbers_ <= most_numbers; }

 private:
  std::atomic<std::size_t> numbers_{0};
};

/// An exercise does not answer.
GridFrame kept(Report report, const PageRun& request, const std::string& name, KeptStages& stages) {
  Figure figure = ranged(std::move(chosen_figure(report, name)), request.look);
  std::vector<Stage> answering;
  if (request.look.filling == Filling::complete) answering = stages.of(figure, report.stages);
  return {std::move(figure), std::move(answering)};
}

FrameGrid run_all(const PageRun& request, const std::string& figure, KeptStages& stages,
                  const Progress& progress) {
  std::vector<SweepValues> sliders;
  for (const Swept& slide : request.page.slides) sliders.push_back(slide.values);
  const Context context{steady_seconds, [](double) {},
                        on_all_processors([&](double fraction) { progress(share_of_runs * fraction); })};
  return frame_grid(
      *request.run.experiment, request.run.arguments, sliders,
      [&](Report report) {
        return kept(as_drawn(std::move(report), *request.run.experiment, request.look), request, figure,
                    stages);
      },
      context);
}

// --- Which sliders change the picture

/// Whether a value differs between frames that only this slider tells apart. `stride` is how many frames lie
/// between its neighbours.
bool changes(const std::vector<std::uint32_t>& values, std::size_t stride, std::size_t count) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t place = i / stride % count;
    if (values[i] != values[i - place * stride]) return true;
  }
  return false;
}

bool changes(const PagePicture& picture, std::size_t stride, std::size_t count) {
  const std::vector<PictureElement>& elements = picture.elements();
  return std::any_of(elements.begin(), elements.end(), [&](const PictureElement& element) {
    if (element.id.rfind("caption", 0) == 0) return false;  // which tells the parameters
    return std::any_of(element.attributes.begin(), element.attributes.end(),
                       [&](const auto& attribute) { return changes(attribute.second, stride, count); });
  });
}

/// The first slider that changes nothing, or nullptr.
const SweepValues* idle_slider(const PagePicture& picture, const std::vector<SweepValues>& sliders) {
  std::size_t stride = 1;
  for (const SweepValues& slider : sliders) {
    if (!changes(picture, stride, slider.texts.size())) return &slider;
    stride *= slider.texts.size();
  }
  return nullptr;
}

[[noreturn]] void refuse_idle(const std::string& figure, const SweepValues& slider,
                              std::vector<std::string> names) {
  names.erase(std::remove(names.begin(), names.end(), figure), names.end());
  refuse_usage(text("図 {} は {} を変えても変わりません", "the figure {} does not change with {}", figure,
                    slider.parameter),
               names.empty() ? Text{"別のパラメータを選んでください", "choose another parameter"}
                             : text("別のパラメータか、--figure で別の図を選んでください（ほかの図は {}）",
                                    "choose another parameter, or another figure with --figure: {}",
                                    joined(names, ", ")));
}

// --- The page

/// "attnlab vectors --count 12 --slide query-angle=0:350:36"
std::string command_of(const PageRun& request) {
  const std::vector<Swept> typed = request.page.are_declared ? std::vector<Swept>{} : request.page.slides;
  const std::string command = command_with("attnlab " + request.run.experiment->name,
                                           typed_flags(request.run.arguments, typed, "slide"));
  return drawing_command(command, request.page.figure, request.look);
}

// --- Its pictures, laid out for a desk and for a telephone

/// Figures in the look in which they are drawn, and how wide a window may show them.
struct PictureRequest {
  std::vector<Figure> figures;
  Look look;
  double width;
};

/// All frames stand on a page as narrow and as high as any of them needs.
PictureRequest for_telephone(const std::vector<Figure>& figures, const Look& look) {
  PictureRequest drawing{{}, on_telephone(look), telephone_width};
  for (const Figure& figure : figures) drawing.figures.push_back(arranged_on_telephone(figure, look));
  PageSize& page = drawing.look.preset->page;
  page = drawing.figures.front().page;
  for (const Figure& figure : drawing.figures)
    page = {std::min(page.width, figure.page.width), std::max(page.height, figure.page.height)};
  return drawing;
}

void add_pictures(PageLayout& layout, PageInk& ink, PictureRequest drawing, std::vector<Text>& warnings,
                  const Progress& progress) {
  const std::vector<Figure>& figures = drawing.figures;
  const Language language = drawing.look.language;
  layout.panels.resize(figures.size());
  drawing.look.theme = Theme::light;
  drawing.look = with_space_for(figures, drawing.look, warnings);
  const FrameLayouts layouts(figures, with_readable_letters(figures, drawing.look, drawing.width));
  for (std::size_t i = 0; i < figures.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(figures.size()));
    const DisplayList light = layouts.at(i, Theme::light).list;
    layout.in(language).add(with_rasters(light), with_rasters(layouts.at(i, Theme::dark).list), ink);
    add_views(layout.panels[i], in_language(figures[i], language), light, language);
  }
  for (const Text& warning : layouts.warnings()) add_once(warnings, warning);
}

/// Of a live page: the first picture whose letters can be read in its window, as it was asked for, laid out
/// for the window, or for a telephone.
void add_live_picture(ExplorablePage& page, double window, const std::vector<Figure>& figures,
                      const Look& look, std::vector<Text>& warnings) {
  constexpr double least_desk = 600.0;
  const Progress quietly = [](double) {};
  std::vector<Text> of_size;
  const auto fits = [&](const PictureRequest& request, std::vector<Text>& of_layout) {
    page.wide = {};
    page.ink = {};
    add_pictures(page.wide, page.ink, request, of_layout, quietly);
    return page.wide.in(look.language).least_width() <= window;
  };
  if (fits({figures, look, desk_width}, warnings)) return;
  if (window >= least_desk && fits({figures, in_window(look, window), window}, of_size)) return;
  page.wide = {};
  page.ink = {};
  add_pictures(page.narrow, page.ink, for_telephone(figures, look), of_size, quietly);
}

void add_pictures(ExplorablePage& page, const std::vector<Language>& languages,
                  const std::vector<Figure>& figures, Look look, std::vector<Text>& warnings,
                  const Progress& progress) {
  std::vector<Text> of_size;
  const double pictures = 2.0 * static_cast<double>(languages.size());
  double done = 0.0;
  const auto part = [&](double share) { progress((done + share) / pictures); };
  for (const Language language : languages) {
    look.language = language;
    add_pictures(page.wide, page.ink, {figures, look, desk_width}, warnings, part);
    done += 1.0;
    add_pictures(page.narrow, page.ink, for_telephone(figures, look), of_size, part);
    done += 1.0;
  }
}

/// What is drawn of a page: both layouts in these languages, or in the look's the one for a window.
struct ShownPictures {
  std::vector<Language> languages;
  std::optional<double> window = {};
};

/// Each opens on the run's own value, or the one next to it.
std::vector<PageSlider> sliders_of(const std::vector<SweepValues>& values, const PageRun& request) {
  std::vector<PageSlider> sliders;
  for (const SweepValues& slider : values) {
    const Parameter* parameter = find_named(request.run.experiment->parameters, slider.parameter);
    sliders.push_back(
        {slider.parameter, parameter->help, slider.texts,
         place_of(slider.texts, current_value(request.run.arguments, *parameter, request.look.language))});
  }
  return sliders;
}

const std::vector<Language> every_language{Language::ja, Language::en};

DrawnPage drawn_page(FrameGrid grid, const PageRun& request, const ShownPictures& shown,
                     const KeptStages& stages, const Progress& progress) {
  DrawnPage drawn;
  drawn.names = std::move(grid.names);
  drawn.warnings = std::move(grid.warnings);
  ExplorablePage& page = drawn.page;
  page.language = request.look.language;
  page.title = request.run.experiment->shows;
  page.source = request.run.experiment->source;
  page.command = command_of(request) + " -o page.html";
  page.sliders = sliders_of(grid.sliders, request);
  page.notes = request.page.notes;
  page.has_space_for_stages = stages.have_space();
  std::vector<Figure> figures;
  for (GridFrame& frame : grid.frames) {
    const bool answers = request.look.filling == Filling::complete;
    if (!page.has_space_for_stages) frame.stages.clear();
    page.words.push_back({frame.figure.title, frame.figure.description});
    page.answering.push_back(
        {answers ? grids_of(frame.figure) : std::vector<MarkGrid>{}, std::move(frame.stages)});
    figures.push_back(std::move(frame.figure));
  }
  align_diagrams(page.answering);
  drawn.figure = figures.front().name;
  if (shown.window) {
    add_live_picture(page, *shown.window, figures, request.look, drawn.of_layout);
    return drawn;
  }
  add_pictures(page, shown.languages, figures, request.look, drawn.of_layout,
               [&](double part) { progress(share_of_runs + (1.0 - share_of_runs) * part); });
  for (const PagePicture* picture : {&page.wide.ja, &page.wide.en}) {
    if (picture->frames() == 0) continue;
    if (const SweepValues* idle = idle_slider(*picture, grid.sliders)) drawn.idle = *idle;
  }
  return drawn;
}

DrawnPage drawn_page(const PageRun& request, const std::string& name, const ShownPictures& shown,
                     const Progress& progress) {
  KeptStages stages;
  FrameGrid grid = run_all(request, name, stages, progress);
  return drawn_page(std::move(grid), request, shown, stages, progress);
}

/// Of the run that stands already.
DrawnPage still_page(const PageRun& request, const Report& report, const Progress& progress) {
  KeptStages stages;
  FrameGrid grid;
  grid.names = names_of(report.figures);
  grid.frames.push_back(kept(report, request, request.page.figure, stages));
  return drawn_page(std::move(grid), request, {every_language}, stages, progress);
}

PageRun without_slider(PageRun request, const std::string& parameter) {
  std::vector<Swept>& slides = request.page.slides;
  slides.erase(std::remove_if(slides.begin(), slides.end(),
                              [&](const Swept& slide) { return slide.values.parameter == parameter; }),
               slides.end());
  return request;
}

/// The figure that was asked for; without a wish the first that every slider changes. Of sliders that nobody
/// asked for those stay that change it; without any it stands still.
DrawnPage chosen_page(const PageRun& request, const std::vector<Language>& languages,
                      const Progress& progress) {
  DrawnPage main = drawn_page(request, request.page.figure, {languages}, progress);
  if (!main.idle) return main;
  if (request.page.figure.empty()) {
    for (const std::string& name : main.names) {
      if (name == main.figure) continue;
      DrawnPage other = drawn_page(request, name, {languages}, progress);
      if (!other.idle) return other;
    }
  }
  if (!request.page.are_declared) refuse_idle(main.figure, *main.idle, main.names);
  const PageRun fewer = without_slider(request, main.idle->parameter);
  if (fewer.page.slides.empty()) return main;
  return chosen_page(fewer, languages, progress);
}

}  // namespace

DrawnPage explorable_page(const PageRun& request, const std::vector<Language>& languages) {
  DrawnPage drawn = chosen_page(request, languages, [](double) {});
  if (drawn.idle) refuse_idle(drawn.figure, *drawn.idle, drawn.names);
  return drawn;
}

WrittenPage experiment_page(const PageRun& request, const Report& report, const Progress& progress) {
  std::optional<DrawnPage> drawn;
  try {
    if (!request.page.slides.empty()) drawn = chosen_page(request, every_language, progress);
  } catch (const Error& error) {  // sliders that nobody asked for may not go together with what was typed
    if (error.kind() != ErrorKind::usage || !request.page.are_declared) throw;
  }
  if (!drawn || drawn->idle) drawn = still_page(request, report, progress);
  WrittenPage written = page_html(drawn->page);
  for (const std::vector<Text>* warnings : {&drawn->warnings, &drawn->of_layout, &drawn->page.notes}) {
    for (const Text& warning : *warnings) add_once(written.warnings, warning);
  }
  constexpr double megabyte = 1e6;
  const double size = static_cast<double>(written.html.size()) / megabyte;
  constexpr double usual = 2.0;
  if (size > usual && !drawn->page.sliders.empty()) {
    written.warnings.push_back(text("ページは {:.1f} MB になります。--slide のコマを減らすと小さくなります",
                                    "the page has {:.1f} MB; fewer frames of --slide make it smaller", size));
  }
  return written;
}

DrawnPage live_page(const PageRun& request, double window) {
  DrawnPage drawn = drawn_page(request, request.page.figure, {{}, window}, [](double) {});
  drawn.warnings.insert(drawn.warnings.end(), drawn.of_layout.begin(), drawn.of_layout.end());
  drawn.page.command = command_of(request);
  return drawn;
}

Product page_product(const std::vector<std::filesystem::path>& files, const PageRequest& page) {
  const auto announce = [files](Targets& targets) { targets.add(files); };
  const auto make = [files, page](const Finished& finished) {
    WrittenPage written =
        experiment_page({finished.run, finished.look, page}, finished.report, finished.progress);
    Made made;
    for (const std::filesystem::path& file : files) made.files.push_back(made_file(file, written.html));
    made.warnings = std::move(written.warnings);
    return made;
  };
  return {announce, make, true};
}

}  // namespace attnlab
