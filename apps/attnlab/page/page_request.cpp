#include "attnlab/page/page_request.hpp"

#include "core/utf8.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_sliders = 2;

void check_slides(const std::vector<Swept>& slides) {
  if (slides.size() > most_sliders) {
    refuse_usage(text("--slide が {} 個あります", "there are {} sliders (--slide)", slides.size()),
                 {"2 個までにしてください", "give one or two"});
  }
  if (slides.size() < most_sliders) return;
  const SweepValues& first = slides[0].values;
  const SweepValues& second = slides[1].values;
  if (first.parameter == second.parameter) {
    refuse_usage(text("--slide {} が 2 個あります", "--slide {} stands there twice", first.parameter),
                 {"別のパラメータにしてください", "choose two parameters"});
  }
}

void check_frames(const std::vector<Swept>& slides) {
  std::size_t frames = 1;
  std::string product;
  for (const Swept& slide : slides) {
    frames *= slide.values.texts.size();
    product += (product.empty() ? "" : " × ") + std::to_string(slide.values.texts.size());
  }
  if (frames <= most_grid_frames) return;
  refuse_usage(text("ページのコマが {} 個になります", "the page would have {} frames", product),
               text("{} 個までです。値を減らしてください（例：--slide {}=始め:終わり:10）",
                    "the most is {}: take fewer values, as in --slide {}=FROM:TO:10", most_grid_frames,
                    slides.front().values.parameter));
}

std::vector<Swept> slides_of(const Experiment& experiment, const std::vector<DeclaredSlider>& sliders) {
  std::vector<Swept> slides;
  slides.reserve(sliders.size());
  for (const DeclaredSlider& slider : sliders)
    slides.push_back(read_swept(experiment, "slide", slider.words, slider.pattern));
  return slides;
}

}  // namespace

Flag slide_flag() {
  return flag("slide", "NAME=FROM:TO[:lin|log][:FRAMES]").repeated();
}

std::vector<Swept> declared_slides(const Experiment& experiment) {
  return slides_of(experiment, experiment.sliders);
}

PageRequest read_page_request(const ParsedCommand& parsed, const Experiment& experiment) {
  PageRequest page;
  for (const std::filesystem::path& file : parsed.files("output")) {
    if (is_page(file)) page.files.push_back(file);
  }
  if (page.files.empty()) {
    if (!parsed.given("slide")) return page;
    refuse_usage({"--slide は html のページに使います", "--slide is for a page in html"},
                 {"-o page.html を付けてください。動画なら attnlab sweep で作れます",
                  "add -o page.html; films are made by attnlab sweep"});
  }
  page.figure = parsed.value("figure");
  if (page.figure == "all") {
    refuse_usage({"ページの図は 1 つです", "a page shows one figure"},
                 {"--figure に図の名前を指定してください", "name the figure after --figure"});
  }
  const std::vector<std::string> typed = parsed.all("slide");
  for (const std::string& words : typed) {
    page.slides.push_back(read_swept(parsed, experiment, "slide", words));
  }
  if (typed.empty()) {
    page.slides = declared_slides(experiment);
    page.are_declared = true;
  }
  check_slides(page.slides);
  check_frames(page.slides);
  return page;
}

void take_declared_slides(PageRequest& page, const Experiment& experiment, Arguments& arguments,
                          Language language) {
  page.slides.clear();
  page.are_declared = true;
  const std::vector<Swept> slides = experiment.sliders_of == nullptr
                                        ? declared_slides(experiment)
                                        : slides_of(experiment, experiment.sliders_of(arguments));
  for (const Swept& slide : slides) {
    if (const std::optional<Swept> own = with_own_value(slide, arguments, language))
      page.slides.push_back(*own);
  }
}

ParsedCommand without_pages(ParsedCommand parsed, const PageRequest& page) {
  if (page.files.empty()) return parsed;
  std::vector<std::string>& files = parsed.values["output"];
  files.erase(std::remove_if(files.begin(), files.end(), is_page), files.end());
  if (files.empty()) parsed.values.erase("output");
  if (page.are_declared) return parsed;
  for (const Swept& slide : page.slides) {
    if (parsed.given(slide.values.parameter)) {
      parsed.values[slide.values.parameter] = {slide.values.texts.front()};
    }
  }
  return parsed;
}

}  // namespace attnlab
