// Decides which figure goes into which file and in which format. Nothing is written here.
#pragma once

#include "products/typed_command.hpp"

namespace attnlab {

enum class Format { png, svg, pdf };

/// Whether figures are drawn at all (--no-figure).
enum class Drawing { figures, nothing };

/// What was asked for: -o, --output-dir, --format, --figure, --no-figure.
struct OutputOptions {
  std::vector<std::filesystem::path> files;
  std::optional<std::filesystem::path> folder;
  std::vector<Format> formats;  // empty: png, of standard output svg
  std::string figure;           // a figure's name, "all", or "" when not given
  Drawing drawing = Drawing::figures;
};

struct PlannedFile {
  std::filesystem::path path;
  Format format = Format::png;
  std::vector<std::size_t> figures;  // several only as the pages of a pdf
};

struct OutputPlan {
  std::vector<PlannedFile> files;
  std::vector<TypedFlag>
      requested;  // which figures, where not each by its name: "--figure leak", "--steps steps"
  std::vector<std::string>
      left_out;  // figures that were neither drawn nor declined: the user should hear of them
};

/// "png,svg" -> formats without repetition. Throws Error (usage) for an unknown one.
std::vector<Format> parse_formats(const std::string& text);

/// ".png"
std::string extension_of(Format format);

/// The format that a file's extension asks for. Throws Error (usage) naming the four.
Format format_of(const std::filesystem::path& file);

/// The same for one of the options' own files: of standard output the format is that of --format.
Format format_of(const std::filesystem::path& file, const OutputOptions& options);

/// `-o -`: the figure goes to standard output, which then takes nothing else.
bool is_standard_output(const std::filesystem::path& file);
bool writes_standard_output(const OutputOptions& options);

/// "out/x.png", "bars" -> "out/x-bars.png".
std::filesystem::path with_figure_name(const std::filesystem::path& file, const std::string& figure);

/// Whether any figure is asked for in that format.
bool writes(const OutputOptions& options, Format format);

/// The main one for "", else the one of that name. Throws Error (usage) where there is none.
Figure& chosen_figure(Report& report, const std::string& name);

/// What a file of the figure is called: "heads-weights", "train-reverse-weights".
std::string stem_of(const std::string& experiment, const std::string& figure);

/// Without -o: every figure (or --figure NAME) as FOLDER/EXPERIMENT-FIGURE.EXT; FOLDER is --output-dir or
/// "figures". With -o FILE: the main figure, which is the first (or --figure NAME); `--figure all` puts each
/// name before the extension; a pdf takes all as pages. Standard output (`-o -`) takes what a file would.
/// Throws Error (usage) for a figure that is not among `figures`, and for several where there is one place.
OutputPlan plan_output(const std::string& experiment, const std::vector<std::string>& figures,
                       const OutputOptions& options);

/// The figures that --show shows: the main one, or those that `figure` chooses ("", a name, "all"). Throws
/// Error (usage) for a figure that is not among `figures`.
std::vector<std::size_t> shown_indices(const std::string& experiment, const std::vector<std::string>& figures,
                                       const std::string& figure);

/// Where figures go when no -o names their files.
std::filesystem::path folder_of(const OutputOptions& output);

bool writes_folder(const OutputOptions& output);

}  // namespace attnlab
