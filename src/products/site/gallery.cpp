// All figures of the site on one page, and the box that finds one.
#include "core/embedded_file.hpp"
#include "plotting/text/text_measure.hpp"
#include "products/figure_files.hpp"
#include "products/site/site.hpp"

namespace attnlab {
namespace {

/// `words` are found, too, and not shown.
std::string card(const std::string& address, const std::string& picture, const std::string& title,
                 const std::string& words) {
  const std::string image =
      picture.empty()
          ? ""
          : fmt::format(
                "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"../{0}.dark.png\"><img src=\"../{0}.png\" alt=\"\" loading=\"lazy\" width=\"300\"></picture>\n",
                picture);
  return fmt::format("<a class=\"card\" href=\"{}\" data-words=\"{}\">\n{}<span>{}</span></a>\n",
                     escape(address), escape(words), image, escape(title));
}

std::string cards_of(const Experiment& experiment, const Report& report, Language language) {
  std::string cards;
  const std::string about =
      fmt::format("{} {} {}", experiment.name, experiment.shows.in(language), experiment.source.in(language));
  for (const Figure& figure : report.figures) {
    cards += card(experiment.name + ".html#" + stem_of(experiment.name, figure.name),
                  thumbnail_of(experiment, figure, language), figure.title.in(language),
                  about + " " + figure.name + " " + figure.description.in(language));
  }
  return cards;
}

std::string group(const std::string& title, const std::string& address, const std::string& cards) {
  const std::string heading =
      address.empty() ? escape(title) : fmt::format("<a href=\"{}\">{}</a>", escape(address), escape(title));
  return fmt::format("<div class=\"group\">\n<h3>{}</h3>\n<div class=\"cards\">\n{}</div>\n</div>\n", heading,
                     cards);
}

}  // namespace

BuiltSection experiments_section(const SiteRuns& runs, Language language) {
  std::string cards;
  for (const auto& [experiment, report] : runs) {
    cards += card(experiment->name + ".html", thumbnail_of(*experiment, report->figures.front(), language),
                  title_of(*experiment, language), "");
  }
  return {Text{"実験", "Experiments"}.in(language),
          {BuiltHtml{fmt::format("<div class=\"cards\">\n{}</div>\n", cards)}}};
}

BuiltSection gallery_section(const std::vector<SitePage>& others, const SiteRuns& runs, Language language) {
  const bool is_japanese = language == Language::ja;
  std::string html = fmt::format(
      "<p class=\"find\" hidden><label>{} <input type=\"search\" id=\"find\" autocomplete=\"off\"></label> <output for=\"find\"></output></p>\n",
      is_japanese ? "言葉で探す" : "Find a word");
  for (const auto& [experiment, report] : runs) {
    html += group(title_of(*experiment, language), experiment->name + ".html",
                  cards_of(*experiment, *report, language));
  }
  std::string pages;
  for (const SitePage& page : others) {
    for (std::size_t i = 0; i < page.sections.size(); ++i) {
      if (page.sections[i].title.empty()) continue;
      pages += card(fmt::format("{}.html#section.{}", page.name, i + 1), "",
                    page.title + ": " + page.sections[i].title, "");
    }
  }
  html += group(is_japanese ? "講義とモデル" : "Lectures and models", "", pages);
  html += fmt::format("<script>\n{}</script>\n", site_files().back().text);
  return {"", {BuiltHtml{html}}};
}

}  // namespace attnlab
