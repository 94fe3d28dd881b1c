// Lays out the planned figures and paints them in their formats.
#include "products/render.hpp"
#include "core/named.hpp"

#include "plotting/figure/numbers.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

Layout lay_out_on_preset(const Figure& figure, const Look& look) {
  LayoutOptions options = layout_options(look, figure.page);
  const PageSize first = options.page;
  Layout layout;
  options.page = page_with_space(look, figure.page, [&](const PageSize& page) {
    options.page = page;
    layout = lay_out(figure, options);
  });
  if (options.page.width > first.width)
    layout.warnings.push_back(larger_page(figure.name, *look.preset, options.page));
  return layout;
}

/// "masks weights: the numbers are left out": which of many figures. Of a missing font all say the same.
Text naming(const Report& report, const Figure& figure, const Text& warning, const Look& look) {
  if (report.figures.size() == 1 || contains(missing_fonts(look.language), warning)) return warning;
  return text("{0} {1}：{2}", "{0} {1}: {2}", report.experiment, figure.name, warning);
}

/// A file of several figures is known by its command and tells their titles.
Metadata about(const RenderedFile& file) {
  Metadata metadata = file.pages.front()->metadata;
  if (file.pages.size() == 1) return metadata;
  metadata.command = file.command;
  metadata.title = metadata.command;
  metadata.description.clear();
  for (const std::shared_ptr<const Page>& page : file.pages) {
    metadata.description += (metadata.description.empty() ? "" : " / ") + page->metadata.title;
  }
  return metadata;
}

}  // namespace

Metadata metadata_of(const Figure& figure, const std::string& command, const Look& look) {
  return {figure.title.in(look.language), figure.description.in(look.language), code_of(look.language),
          command};
}

RenderedPage render_page(const Figure& figure, const std::string& command, const Look& look) {
  Layout layout = lay_out_on_preset(figure, look);
  return {{std::move(layout.list), metadata_of(figure, command, look)}, std::move(layout.warnings)};
}

Figure dressed(const Figure& figure, const Report& report, const Text& question, const Look& look) {
  Figure shown = figure;
  if (look.filling == Filling::blank) {
    std::vector<std::string> provided;
    for (const UsedParameter& parameter : report.parameters) provided.push_back(parameter.text);
    shown = blank(figure, question, provided);
  }
  if (look.title) shown.title = Text::same(*look.title);
  return shown;
}

Chapter chapter_of(const RenderedFile& file, const std::string& title) {
  Chapter chapter{title, {}};
  for (const std::shared_ptr<const Page>& page : file.pages) chapter.pages.push_back(page.get());
  return chapter;
}

Report as_drawn(Report report, const Experiment& experiment, const Look& look) {
  if (look.filling == Filling::blank) drop_recorded(report.figures);
  for (Figure& figure : report.figures) figure = dressed(figure, report, experiment.shows, look);
  return report;
}

void add_figures(const OutputOptions& output, Targets& targets) {
  for (const std::filesystem::path& file : output.files) {
    if (is_standard_output(file)) continue;
    const bool is_named_by_figure = output.figure == "all" && format_of(file) != Format::pdf;
    targets.add(file, is_named_by_figure ? with_figure_name(file, "all") : file);
  }
  if (writes_folder(output)) targets.add_folder(folder_of(output));
}

void check_pixels(const OutputOptions& output, const Look& look) {
  const bool page_is_known = look.page || look.preset;
  if (page_is_known && writes(output, Format::png)) check_pixels(page_of(look, {}), look.dpi);
}

OutputPlan planned(const Report& report, const OutputOptions& output, const Look& look) {
  OutputPlan plan = plan_output(report.experiment, names_of(report.figures), output);
  if (look.filling == Filling::blank && writes_folder(output)) {
    for (PlannedFile& file : plan.files) file.path = with_figure_name(file.path, "blank");
  }
  return plan;
}

Rendering render(const Report& report, const OutputPlan& plan, const Look& look) {
  for (const PlannedFile& file : plan.files) {
    if (file.format != Format::png) continue;
    for (const std::size_t index : file.figures) {
      check_pixels(page_of(look, report.figures[index].page), look.dpi);
    }
  }
  Rendering rendering;
  const std::string command = command_with(command_of(report), plan.requested);
  const auto command_for = [&](const std::string& figure) {
    return drawing_command(command, plan.requested.empty() ? figure : "", look);
  };
  std::map<std::size_t, std::shared_ptr<const Page>> pages;  // each figure is laid out once for all its files
  for (const PlannedFile& planned : plan.files) {
    RenderedFile file{planned.path, planned.format, {}, command_for("")};
    for (const std::size_t index : planned.figures) {
      auto found = pages.find(index);
      if (found == pages.end()) {
        RenderedPage rendered =
            render_page(report.figures[index], command_for(report.figures[index].name), look);
        for (const Text& warning : rendered.warnings)
          add_once(rendering.warnings, naming(report, report.figures[index], warning, look));
        found = pages.emplace(index, std::make_shared<Page>(std::move(rendered.page))).first;
      }
      file.pages.push_back(found->second);
    }
    rendering.files.push_back(std::move(file));
  }
  return rendering;
}

std::string paint(const RenderedFile& file, const Look& look) {
  const Page& first = *file.pages.front();
  switch (file.format) {
    case Format::png: return paint_png(first, look.dpi);
    case Format::svg: return paint_svg(first, look.lettering);
    case Format::pdf: break;
  }
  return paint_pdf({chapter_of(file, "")}, about(file));
}

}  // namespace attnlab
