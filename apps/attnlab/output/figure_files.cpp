// The rules of -o, --output-dir, --format and --figure.
#include "attnlab/output/figure_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "attnlab/suggestions.hpp"
#include "core/error.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

const std::string every_figure = "all";

struct FormatName {
  Format format;
  const char* name;
};
constexpr std::array<FormatName, 4> format_names = {
    FormatName{Format::png, "png"}, FormatName{Format::svg, "svg"}, FormatName{Format::pdf, "pdf"},
    FormatName{Format::tex, "tex"}};

std::optional<Format> format_named(const std::string& name) {
  for (const FormatName& known : format_names) {
    if (lower_case(name) == known.name) return known.format;
  }
  return std::nullopt;
}

void refuse_together(const std::string& one, const std::string& other, const Text& hint) {
  throw Error(ErrorKind::usage,
              {fmt::format("{} と {} は同時に指定できません", one, other),
               fmt::format("{} and {} cannot be given together", one, other)},
              hint);
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
  const fs::path folder = options.folder.value_or("figures");
  const std::vector<Format> formats = options.formats.empty() ? std::vector{Format::png} : options.formats;
  std::vector<PlannedFile> files;
  for (const std::size_t index : chosen) {
    const std::string stem = experiment + "-" + figures[index];
    for (const Format format : formats) {
      files.push_back({folder / (stem + extension_of(format)), format, {index}});
    }
  }
  return files;
}

/// One -o FILE: a pdf with all chosen figures as pages, else a file per chosen figure.
std::vector<PlannedFile> plan_file(const fs::path& file, const std::vector<std::string>& figures,
                                   const std::vector<std::size_t>& chosen, const OutputOptions& options) {
  const Format format = format_of(file);
  if (format == Format::pdf) return {{file, format, chosen}};
  if (options.figure != every_figure) return {{file, format, {chosen.front()}}};
  std::vector<PlannedFile> files;
  files.reserve(chosen.size());
  for (const std::size_t index : chosen) {
    files.push_back({with_figure_name(file, figures[index]), format, {index}});
  }
  return files;
}

/// The same for every name of one file.
fs::path whole(const fs::path& path) {
  std::error_code ignored;  // an unreadable folder is reported when the target is checked
  const fs::path canonical = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  return canonical.empty() ? path.lexically_normal() : canonical;
}

}  // namespace

std::string extension_of(Format format) {
  for (const FormatName& known : format_names) {
    if (known.format == format) return std::string(".") + known.name;
  }
  return "";
}

std::vector<Format> parse_formats(const std::string& text) {
  std::vector<Format> formats;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<Format> format = format_named(text.substr(begin, end - begin));
    if (!format) {
      throw Error(ErrorKind::usage,
                  {fmt::format("--format {} は使えません", quotation(text)),
                   fmt::format("--format {} is not possible", quotation(text))},
                  {"png, svg, pdf, tex から選び、いくつもあればコンマで区切ってください",
                   "choose from png, svg, pdf, tex, separated by commas"});
    }
    if (std::find(formats.begin(), formats.end(), *format) == formats.end()) formats.push_back(*format);
    begin = end + 1;
  }
  return formats;
}

Format format_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  const std::optional<Format> format = format_named(extension.empty() ? "" : extension.substr(1));
  if (format) return *format;
  throw Error(
      ErrorKind::usage,
      {fmt::format("-o {} の拡張子では形式が決まりません", quotation(file.string())),
       fmt::format("the extension of -o {} names no format", quotation(file.string()))},
      {"拡張子は .png, .svg, .pdf, .tex のどれかにしてください", "end the name in .png, .svg, .pdf or .tex"});
}

fs::path with_figure_name(const fs::path& file, const std::string& figure) {
  return file.parent_path() / (file.stem().string() + "-" + figure + file.extension().string());
}

bool writes(const OutputOptions& options, Format format) {
  if (options.drawing == Drawing::nothing) return false;
  if (!options.files.empty()) {
    return std::any_of(options.files.begin(), options.files.end(),
                       [format](const fs::path& file) { return format_of(file) == format; });
  }
  const std::vector<Format>& formats = options.formats;
  if (formats.empty()) return format == Format::png;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

void refuse_figure(const std::string& experiment, const std::vector<std::string>& choices,
                   const std::string& name) {
  const std::string known = fmt::format("{}", fmt::join(choices, ", "));
  const std::optional<std::string> meant = did_you_mean(name, choices);
  throw Error(ErrorKind::usage,
              {fmt::format("{} に {} という図はありません", experiment, quotation(name)),
               fmt::format("{} has no figure {}", experiment, quotation(name))},
              {meant ? fmt::format("{} のことですか。選べるのは {} です", *meant, known)
                     : fmt::format("選べるのは {} です", known),
               meant ? fmt::format("did you mean {}? choose from {}", *meant, known)
                     : fmt::format("choose from {}", known)});
}

void check_options(const OutputOptions& options) {
  if (options.drawing == Drawing::nothing) {
    const Text hint = {"図が要るなら --no-figure を外してください", "leave out --no-figure to have figures"};
    if (!options.files.empty()) refuse_together("-o", "--no-figure", hint);
    if (options.folder) refuse_together("--output-dir", "--no-figure", hint);
    if (!options.figure.empty()) refuse_together("--figure", "--no-figure", hint);
    if (!options.formats.empty()) refuse_together("--format", "--no-figure", hint);
  }
  if (options.files.empty()) return;
  if (options.folder) {
    refuse_together(
        "-o", "--output-dir",
        {"-o のファイル名にフォルダーを書いてください", "write the folder into the name after -o"});
  }
  if (!options.formats.empty()) {
    refuse_together("-o", "--format",
                    {"-o の形式は拡張子で決まります。-o は何度でも書けます",
                     "the extension after -o chooses the format, and -o may be repeated"});
  }
  for (const fs::path& file : options.files) format_of(file);
}

OutputPlan plan_output(const std::string& experiment, const std::vector<std::string>& figures,
                       const OutputOptions& options) {
  OutputPlan plan;
  if (options.drawing == Drawing::nothing || figures.empty()) return plan;
  std::vector<std::size_t> chosen = all_of(figures);
  if (!options.figure.empty() && options.figure != every_figure) {
    chosen = {index_of(experiment, figures, options.figure)};
  }
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

void check_distinct(const std::vector<fs::path>& paths) {
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    if (seen.insert(whole(path)).second) continue;
    throw Error(ErrorKind::usage,
                {fmt::format("{} に二度書き込むことになります", quotation(path.string())),
                 fmt::format("{} would be written twice", quotation(path.string()))},
                {"別のファイル名にしてください", "choose different names"});
  }
}

void check_spares(const std::vector<fs::path>& targets, const std::vector<fs::path>& read) {
  std::set<fs::path> spared;
  for (const fs::path& path : read) spared.insert(whole(path));
  for (const fs::path& path : targets) {
    if (spared.count(whole(path)) == 0) continue;
    throw Error(
        ErrorKind::usage,
        {fmt::format("{} は読み込むファイルなので、上書きしません", quotation(path.string())),
         fmt::format("{} is read by this run, and will not be overwritten", quotation(path.string()))},
        {"別のファイル名にしてください", "choose another name"});
  }
}

}  // namespace attnlab
