// Lays out the planned figures and paints them in their formats.
#include "attnlab/render.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "attnlab/page_size.hpp"

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

std::shared_ptr<const Page> lay_out_page(const Figure& figure, const std::string& command, const Look& look,
                                         std::vector<Text>& warnings) {
  Layout layout = lay_out(figure, {look.language, look.theme, look.page.value_or(figure.page)});
  for (const Text& warning : layout.warnings) add_once(warnings, warning);
  Metadata metadata{figure.title.in(look.language), figure.description.in(look.language),
                    look.language == Language::ja ? "ja" : "en", command};
  return std::make_shared<Page>(Page{std::move(layout.list), std::move(metadata)});
}

/// A file of several figures is known by its command and tells their titles.
Metadata about(const RenderedFile& file) {
  Metadata metadata = file.pages.front()->metadata;
  if (file.pages.size() == 1) return metadata;
  metadata.title = metadata.command;
  metadata.description.clear();
  for (const std::shared_ptr<const Page>& page : file.pages) {
    metadata.description += (metadata.description.empty() ? "" : " / ") + page->metadata.title;
  }
  return metadata;
}

}  // namespace

std::string command_of(const Report& report) {
  std::string command = "attnlab " + report.experiment;
  for (const UsedParameter& parameter : report.parameters) {
    if (!parameter.is_default) command += " --" + parameter.name + " " + shell_word(parameter.text);
  }
  return command;
}

Chapter chapter_of(const RenderedFile& file, const std::string& title) {
  Chapter chapter{title, {}};
  for (const std::shared_ptr<const Page>& page : file.pages) chapter.pages.push_back(page.get());
  return chapter;
}

Rendering render(const Report& report, const OutputPlan& plan, const Look& look) {
  for (const PlannedFile& file : plan.files) {
    if (file.format != Format::png) continue;
    for (const std::size_t index : file.figures) {
      check_pixels(look.page.value_or(report.figures[index].page), look.dpi);
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

std::string paint(const RenderedFile& file, const Look& look) {
  const Page& first = *file.pages.front();
  switch (file.format) {
    case Format::png:
      return paint_png(first, look.dpi);
    case Format::svg:
      return paint_svg(first, look.lettering);
    case Format::tex:
      return paint_tikz(first, look.extent);
    case Format::pdf:
      break;
  }
  return paint_pdf({chapter_of(file, "")}, about(file));
}

}  // namespace attnlab
