// What is made of a run: each kind of product has a file of its own, which says what endings it takes and how
// it is made.
#pragma once

#include "products/figure_files.hpp"
#include "products/page_request.hpp"
#include "products/targets.hpp"
#include "results/code/python_program.hpp"

namespace attnlab {

/// A run that has ended, as its products see it.
struct Finished {
  const Run& run;
  const Look& look;
  Report& report;  // as drawn; a product may borrow an array, and gives it back
  const Progress& progress;
};

struct MadeFile {
  std::filesystem::path path;
  std::function<std::string(const Progress&)>
      bytes;  // pictures are painted one at a time, as they are written
};

/// The file with bytes that stand already.
inline MadeFile made_file(const std::filesystem::path& path, std::string bytes) {
  return {path, [bytes = std::move(bytes)](const Progress&) { return bytes; }};
}

struct Made {
  std::optional<std::filesystem::path> folder = {};  // that is created for the files
  std::vector<MadeFile> files = {};
  std::vector<Text> warnings = {};
  std::vector<std::string> left_out = {};  // figures that were neither drawn nor declined
  bool is_incomplete = false;              // it holds less than was asked for
};

struct Product {
  /// What can be known of its files before the run. Throws Error (usage) for what cannot be.
  std::function<void(Targets&)> announce;
  std::function<Made(const Finished&)> make;
  bool is_picture = false;  // a figure or a page
};

/// --data FILE, or one array of it: --save-output FILE.
struct SavedArrays {
  std::filesystem::path file;
  std::string array;  // "" for all
};

// --- The products. All throw Error (usage) for an extension that names no format.

/// Arrays as json, npz or csv, one alone as npy, too. Made, it throws Error (failed) when the run kept no
/// such array.
Product arrays_product(const SavedArrays& saved);

/// The explanation of a row as md or tex.
Product explanation_product(const std::filesystem::path& file, std::size_t row);

/// A program in Python, and beside it the arrays that it loads where they are many.
Product program_product(const std::filesystem::path& file, Library library);

/// The program as it is printed. Throws Error (usage) where it has too many values.
std::string printed_program(const Report& report, Library library, Language language);

/// What a training has learned, as safetensors. One that was stopped does not take the place of a finished
/// one: it goes beside that, "m.unfinished.safetensors".
Product model_product(const std::filesystem::path& file);

/// What the run kept on its way, as gif or mp4. Made, it throws Error (failed) where it kept nothing.
Product course_product(const std::filesystem::path& file);

/// The figures, each in the files that were asked for; drawn blank, a pdf gets the exercise as pages behind
/// them.
Product figures_product(const OutputOptions& output, const Look& look);

/// A picture of each stage and format in the folder. Made, it throws Error (failed) when the experiment has
/// no weights to lead up to, or its matrices are too large to be drawn side by side.
Product steps_product(const std::filesystem::path& folder, const std::vector<Format>& formats);

/// One page with sliders, in these files.
Product page_product(const std::vector<std::filesystem::path>& files, const PageRequest& page);

}  // namespace attnlab
