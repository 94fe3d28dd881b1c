#include "products/site/site.hpp"

#include "core/embedded_file.hpp"
#include "experiments/framework/experiment.hpp"
#include "plotting/text/text_measure.hpp"

namespace attnlab {
namespace {

constexpr double share_of_pages = 0.9;  // of the time; the rest are small pictures

const std::vector<Language> languages{Language::en, Language::ja};

Language other_than(Language language) { return language == Language::ja ? Language::en : Language::ja; }

/// Documents that come along: "index.en.md".
Lecture document_of(const std::vector<EmbeddedFile>& files, const std::string& name, Language language) {
  const std::string file = name + "." + code_of(language) + ".md";
  return parse_lecture(find_file(files, file)->text, file);
}

struct Place {
  std::string name;  // of the page
  Language language = Language::en;
  const Experiment* experiment = nullptr;  // of its page
};

/// Every page that has a document, in both languages.
std::pair<std::vector<Place>, std::vector<Lecture>> site_documents() {
  std::vector<Place> places;
  std::vector<Lecture> documents;
  for (const Language language : languages) {
    for (const char* name : {"index", "models"}) {
      places.push_back({name, language});
      documents.push_back(document_of(site_texts(), name, language));
    }
    for (const char* name : {"book", "article", "slides", "course"}) {
      places.push_back({name, language});
      documents.push_back(document_of(lecture_documents(), name, language));
    }
    for (const Experiment& experiment : experiments()) {
      places.push_back({experiment.name, language, &experiment});
      documents.push_back(experiment_document(experiment, language));
    }
  }
  return {std::move(places), std::move(documents)};
}

/// What stands above every page: the ways to the others.
std::string site_trail(Language language) {
  const bool is_japanese = language == Language::ja;
  const auto link = [](const char* address, const char* words) {
    return fmt::format("<a href=\"{}.html\">{}</a>", address, words);
  };
  return fmt::format("<nav aria-label=\"{}\" class=\"trail\"><p>{} · {} · {} · {}</p></nav>\n",
                     is_japanese ? "サイト" : "Site", link("index", "attnlab"),
                     link("gallery", is_japanese ? "すべての図" : "All figures"),
                     link("models", is_japanese ? "モデル" : "Models"),
                     link("book", is_japanese ? "講義" : "Lecture"));
}

BuiltFile written(const SitePage& page, Language language, const std::string& author = "") {
  const std::string folder = code_of(language) + "/";
  const std::string other = "../" + code_of(other_than(language)) + "/" + page.name + ".html";
  return {folder + page.name + ".html",
          lecture_html({language, page.title, author, page.sections, other, site_trail(language), "../"})};
}

/// Of a folder one opens index.html: both languages are one step away.
std::string first_page() {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>attnlab</title>\n"
         "<style>body { font: 1.3rem/2 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; text-align: center; }</style>\n</head>\n<body>\n<h1>attnlab</h1>\n"
         "<p><a href=\"en/index.html\" lang=\"en\">Attention and the Transformer, experiment by experiment</a><br>\n<a href=\"ja/index.html\" lang=\"ja\">アテンションと Transformer を、1 つずつの実験で</a></p>\n"
         "<script>\nlocation.replace(navigator.language.startsWith('ja') ? 'ja/index.html' : 'en/index.html');\n</script>\n</body>\n</html>\n";
}

}  // namespace

BuiltFolder built_site(const ReadBlock& read, const Progress& progress) {
  BuiltFolder folder;
  LectureRuns runs;
  const auto [places, documents] = site_documents();
  std::vector<std::vector<BuiltSection>> sections = built_sections(
      documents, read, runs, [&](double share) { progress(share_of_pages * share); }, folder);
  SiteRuns reports;
  for (const Experiment& experiment : experiments())
    reports.emplace_back(&experiment, &runs.report({&experiment, Arguments(experiment.parameters)}));
  std::map<Language, std::vector<SitePage>> texts;  // lectures and models
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [name, language, experiment] = places[i];
    SitePage page{name, documents[i].title, std::move(sections[i])};
    if (experiment != nullptr) {
      for (BuiltSection& section : experiment_sections(
               *experiment, runs.report({experiment, Arguments(experiment->parameters)}), language))
        page.sections.push_back(std::move(section));
    }
    if (name == "index") {  // between what one moves and how it is installed
      page.sections.insert(page.sections.end() - 1, experiments_section(reports, language));
    }
    folder.files.push_back(written(page, language, documents[i].author));
    if (experiment == nullptr && name != "index") texts[language].push_back(std::move(page));
  }
  std::vector<std::vector<BuiltFile>> pictures(languages.size() * reports.size());
  on_all_processors([&](double share) { progress(share_of_pages + (1.0 - share_of_pages) * share); })(
      pictures.size(), [&](std::size_t i) {
        const auto& [experiment, report] = reports[i / languages.size()];
        pictures[i] = thumbnails(*experiment, *report, languages[i % languages.size()]);
      });
  for (std::vector<BuiltFile>& files : pictures)
    std::move(files.begin(), files.end(), std::back_inserter(folder.files));
  for (const Language language : languages) {
    const Text title{"すべての図", "All figures"};
    folder.files.push_back(written(
        {"gallery", title.in(language), {gallery_section(texts[language], reports, language)}}, language));
  }
  std::map<std::string, std::string> shared = shared_files();
  shared.at("pages.css") += site_files().front().text;
  for (const auto& [name, text] : shared) folder.files.push_back({name, text});
  folder.files.push_back({"index.html", first_page()});
  add_checksums(folder);
  return folder;
}

}  // namespace attnlab
