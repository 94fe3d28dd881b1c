#include "attnlab/output/page_flags.hpp"

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

/// What stands under the parameter's own flag: "" or a text with an @.
std::string pattern_of(const ParsedCommand& parsed, const std::string& flag, const std::string& name) {
  std::string pattern = parsed.value(name);
  if (!parsed.is_set(name) || pattern.find('@') != std::string::npos) return pattern;
  refuse_usage(
      text("--{0} と --{1} {0} の両方があります", "--{0} and --{1} {0} both give its value", name, flag),
      text("--{} を外すか、値が入る所を @ と書いてください", "leave out --{}, or write @ where the values go",
           name));
}

}  // namespace

PageRequest read_sliders(const ParsedCommand& parsed, const Experiment& experiment) {
  PageRequest page;
  page.figure = parsed.value("figure");
  if (page.figure == "all") {
    refuse_usage({"ページの図は 1 つです", "a page shows one figure"},
                 {"--figure に図の名前を指定してください", "name the figure after --figure"});
  }
  const std::vector<std::string> typed = parsed.all("slide");
  for (const std::string& words : typed)
    page.slides.push_back(read_swept(parsed, experiment, "slide", words));
  if (typed.empty()) {
    page.slides = declared_slides(experiment);
    page.are_declared = true;
  }
  check_slides(page.slides);
  check_frames(page.slides);
  return page;
}

ParsedCommand without_patterns(ParsedCommand parsed, const PageRequest& page) {
  if (page.are_declared) return parsed;
  for (const Swept& slide : page.slides) {
    if (parsed.is_set(slide.values.parameter))
      parsed.values[slide.values.parameter] = {slide.values.texts.front()};
  }
  return parsed;
}

Swept read_swept(const ParsedCommand& parsed, const Experiment& experiment, const std::string& flag,
                 const std::string& typed) {
  const std::string name = swept_name(typed);
  const bool has_values = name != typed && find_named(experiment.parameters, name) != nullptr;
  return read_swept(experiment, flag, typed, has_values ? pattern_of(parsed, flag, name) : "");
}

}  // namespace attnlab
