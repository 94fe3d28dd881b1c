// The rules of -o, --output-dir, --format and --figure.
#include "products/figure_files.hpp"
#include "core/error.hpp"
#include "core/named.hpp"

#include "core/similar_words.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

const std::string every_figure = "all";

/// In the order of Format.
constexpr std::array<const char*, 3> format_names = {"png", "svg", "pdf"};

std::string name_of(Format format) { return format_names.at(static_cast<std::size_t>(format)); }

std::optional<Format> format_named(const std::string& name) {
  const auto* found = std::find(format_names.begin(), format_names.end(), lower_case(name));
  if (found == format_names.end()) return std::nullopt;
  return static_cast<Format>(found - format_names.begin());
}

[[noreturn]] void refuse_figure(const std::string& experiment, const std::vector<std::string>& choices,
                                const std::string& name) {
  refuse_usage(
      attnlab::text("{} に {} という図はありません", "{} has no figure {}", experiment, quotation(name)),
      suggestion_before(name, choices, choose_from(choices)));
}

std::size_t index_of(const std::string& experiment, const std::vector<std::string>& figures,
                     const std::string& name) {
  const auto found = std::find(figures.begin(), figures.end(), name);
  if (found == figures.end()) {
    std::vector<std::string> choices = figures;
    choices.push_back(every_figure);
    refuse_figure(experiment, choices, name);
  }
  return static_cast<std::size_t>(found - figures.begin());
}

std::vector<std::size_t> all_of(const std::vector<std::string>& figures) {
  std::vector<std::size_t> indices(figures.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

/// FOLDER/EXPERIMENT-FIGURE.EXT, every format of one figure after the other.
std::vector<PlannedFile> plan_folder(const std::string& experiment, const std::vector<std::string>& figures,
                                     const std::vector<std::size_t>& chosen, const OutputOptions& options) {
  const fs::path folder = folder_of(options);
  const std::vector<Format> formats = options.formats.empty() ? std::vector{Format::png} : options.formats;
  std::vector<PlannedFile> files;
  for (const std::size_t index : chosen) {
    const std::string stem = stem_of(experiment, figures[index]);
    for (const Format format : formats) {
      files.push_back({folder / (stem + extension_of(format)), format, {index}});
    }
  }
  return files;
}

/// One -o FILE: a pdf with all chosen figures as pages, else a file per chosen figure.
std::vector<PlannedFile> plan_file(const fs::path& file, const std::vector<std::string>& figures,
                                   const std::vector<std::size_t>& chosen, const OutputOptions& options) {
  const Format format = format_of(file, options);
  if (format == Format::pdf) return {{file, format, chosen}};
  if (options.figure != every_figure || chosen.size() == 1) return {{file, format, {chosen.front()}}};
  if (is_standard_output(file)) {
    refuse_usage(
        attnlab::text("標準出力（-o -）に入る {} の図は 1 枚です",
                      "standard output (-o -) holds one figure in {}", name_of(format)),
        attnlab::text("--figure で 1 枚を選ぶか（{}）、--format pdf にしてください",
                      "choose one with --figure ({}), or write --format pdf", joined(figures, ", ")));
  }
  std::vector<PlannedFile> files;
  files.reserve(chosen.size());
  for (const std::size_t index : chosen) {
    files.push_back({with_figure_name(file, figures[index]), format, {index}});
  }
  return files;
}

}  // namespace

std::string extension_of(Format format) { return "." + name_of(format); }

std::vector<Format> parse_formats(const std::string& text) {
  std::vector<Format> formats;
  for (const std::string& name : split(text, ",")) {
    const std::optional<Format> format = format_named(name);
    if (!format) {
      refuse_usage(attnlab::text("--format {} は使えません", "--format {} is not possible", quotation(text)),
                   {"png, svg, pdf から選び、いくつもあればコンマで区切ってください",
                    "choose from png, svg, pdf, separated by commas"});
    }
    if (std::find(formats.begin(), formats.end(), *format) == formats.end()) formats.push_back(*format);
  }
  return formats;
}

Format format_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  const std::optional<Format> format = format_named(extension.empty() ? "" : extension.substr(1));
  if (format) return *format;
  refuse_usage(
      attnlab::text("-o {} の拡張子では形式が決まりません", "the extension of -o {} names no format",
                    quotation(file.string())),
      {"拡張子は .png, .svg, .pdf のどれかにしてください（実験のページなら .html、標準出力なら -）",
       "end the name in .png, .svg or .pdf (.html for a page of an experiment), or write - for standard output"});
}

Format format_of(const fs::path& file, const OutputOptions& options) {
  if (!is_standard_output(file)) return format_of(file);
  return options.formats.empty() ? Format::svg : options.formats.front();
}

bool is_standard_output(const fs::path& file) { return file == "-"; }

bool writes_standard_output(const OutputOptions& options) {
  return std::any_of(options.files.begin(), options.files.end(), is_standard_output);
}

fs::path with_figure_name(const fs::path& file, const std::string& figure) {
  return file.parent_path() / (file.stem().string() + "-" + figure + file.extension().string());
}

bool writes(const OutputOptions& options, Format format) {
  if (options.drawing == Drawing::nothing) return false;
  if (!options.files.empty()) {
    return std::any_of(options.files.begin(), options.files.end(),
                       [&](const fs::path& file) { return format_of(file, options) == format; });
  }
  const std::vector<Format>& formats = options.formats;
  if (formats.empty()) return format == Format::png;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::string stem_of(const std::string& experiment, const std::string& figure) {
  std::string stem = experiment + "-" + figure;
  std::replace(stem.begin(), stem.end(), ' ', '-');
  return stem;
}

Figure& chosen_figure(Report& report, const std::string& name) {
  const bool is_main = name.empty() && !report.figures.empty();
  Figure* chosen = is_main ? &report.figures.front() : find_named(report.figures, name);
  if (chosen == nullptr) refuse_figure(report.experiment, names_of(report.figures), name);
  return *chosen;
}

OutputPlan plan_output(const std::string& experiment, const std::vector<std::string>& figures,
                       const OutputOptions& options) {
  OutputPlan plan;
  if (options.drawing == Drawing::nothing || figures.empty()) return plan;
  const std::vector<std::size_t> chosen =
      options.figure.empty() ? all_of(figures) : shown_indices(experiment, figures, options.figure);
  if (chosen.size() < figures.size()) plan.requested = {{"figure", options.figure}};
  if (options.files.empty()) {
    plan.files = plan_folder(experiment, figures, chosen, options);
    return plan;
  }
  std::set<std::size_t> drawn;
  for (const fs::path& file : options.files) {
    for (const PlannedFile& planned : plan_file(file, figures, chosen, options)) {
      drawn.insert(planned.figures.begin(), planned.figures.end());
      plan.files.push_back(planned);
    }
  }
  if (writes_standard_output(options)) return plan;  // whoever pipes one figure wants no word of others
  for (const std::size_t index : chosen) {
    if (drawn.count(index) == 0) plan.left_out.push_back(figures[index]);
  }
  return plan;
}

std::vector<std::size_t> shown_indices(const std::string& experiment, const std::vector<std::string>& figures,
                                       const std::string& figure) {
  if (figures.empty() || figure == every_figure) return all_of(figures);
  if (figure.empty()) return {0};
  return {index_of(experiment, figures, figure)};
}

fs::path folder_of(const OutputOptions& output) { return output.folder.value_or("figures"); }

bool writes_folder(const OutputOptions& output) {
  return output.drawing == Drawing::figures && output.files.empty();
}

}  // namespace attnlab
