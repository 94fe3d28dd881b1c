// Lays out the planned figures and paints them in their formats.
#include "attnlab/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "attnlab/page_size.hpp"
#include "plotting/backends.hpp"

namespace attnlab {
namespace {

/// In single quotes unless a shell would read it as one plain word.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char letter) {
    constexpr const char* plain_marks = "-_.,:=+/@%";
    return std::isalnum(letter) != 0 || letter >= 0x80 ||
           std::string(plain_marks).find(static_cast<char>(letter)) != std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

void add_once(std::vector<Text>& texts, const Text& text) {
  const bool known =
      std::any_of(texts.begin(), texts.end(), [&](const Text& other) { return other.en() == text.en(); });
  if (!known) texts.push_back(text);
}

Text larger_page(const Figure& figure, const Preset& preset, const PageSize& page) {
  const std::string size = fmt::format("{:.3g}x{:.3g}in", page.width, page.height);
  return {fmt::format("{} は {} のページに入らないため {} で描きました", figure.name, preset.name, size),
          fmt::format("{} has no room on the page of {} and is drawn on {}", figure.name, preset.name, size)};
}

/// A preset keeps its letters: where its page has no room for the figure, the page grows instead.
Layout lay_out_on_preset(const Figure& figure, const Look& look) {
  constexpr double growth = 1.15;
  constexpr int most_steps = 8;
  LayoutOptions options = layout_options(look, figure.page);
  const bool may_grow = look.preset && !look.page;
  for (int step = 0;; ++step) {
    try {
      Layout layout = lay_out(figure, options);
      if (step > 0) layout.warnings.push_back(larger_page(figure, *look.preset, options.page));
      return layout;
    } catch (const NoRoom&) {
      if (!may_grow || step == most_steps) throw;
      options.page = {options.page.width * growth, options.page.height * growth};
    }
  }
}

}  // namespace

std::shared_ptr<const Page> lay_out_page(const Figure& figure, const std::string& command, const Look& look,
                                         std::vector<Text>& warnings) {
  Layout layout = lay_out_on_preset(figure, look);
  for (const Text& warning : layout.warnings) add_once(warnings, warning);
  Metadata metadata{figure.title.in(look.language), figure.description.in(look.language),
                    look.language == Language::ja ? "ja" : "en", command};
  return std::make_shared<Page>(Page{std::move(layout.list), std::move(metadata)});
}

std::string command_of(const Report& report) {
  std::string command = "attnlab " + report.experiment;
  for (const UsedParameter& parameter : report.parameters) {
    if (!parameter.is_default) command += " --" + parameter.name + " " + shell_word(parameter.text);
  }
  return command;
}

Rendering render(const Report& report, const OutputPlan& plan, const Look& look) {
  for (const PlannedFile& file : plan.files) {
    if (file.format != Format::png) continue;
    for (const std::size_t index : file.figures) {
      check_pixels(page_of(look, report.figures[index].page), look.dpi);
    }
  }
  Rendering rendering;
  const std::string command = command_of(report) + (look.filling == Filling::blank ? " --blank" : "");
  std::map<std::size_t, std::shared_ptr<const Page>> pages;  // each figure is laid out once for all its files
  for (const PlannedFile& planned : plan.files) {
    RenderedFile file{planned.path, planned.format, {}};
    for (const std::size_t index : planned.figures) {
      auto found = pages.find(index);
      if (found == pages.end()) {
        found = pages.emplace(index, lay_out_page(report.figures[index], command, look, rendering.warnings))
                    .first;
      }
      file.pages.push_back(found->second);
    }
    rendering.files.push_back(std::move(file));
  }
  return rendering;
}

std::string paint(const RenderedFile& file, double dpi) {
  switch (file.format) {
    case Format::png:
      return paint_png(*file.pages.front(), dpi);
    case Format::svg:
      return paint_svg(*file.pages.front());
    case Format::pdf:
      break;
  }
  std::vector<const Page*> pages;
  for (const std::shared_ptr<const Page>& page : file.pages) pages.push_back(page.get());
  return paint_pdf(pages);
}

}  // namespace attnlab
