// Arrays of a run as files: --data, and the flags of `attend` that save one array.
#include "core/named.hpp"
#include "core/utf8.hpp"
#include "io/report_files.hpp"
#include "products/product.hpp"

namespace attnlab {
namespace {

using ArraysWriter = std::string (*)(const Report&);

/// Throws Error (usage) for another extension.
ArraysWriter arrays_writer(const SavedArrays& saved) {
  const std::string extension = lower_case(saved.file.extension().string());
  if (extension == ".json") return arrays_json;
  if (extension == ".npz") return arrays_npz;
  if (extension == ".csv") return arrays_csv;
  if (extension == ".npy" && !saved.array.empty()) {
    return [](const Report& report) { return array_npy(report.stages.at(0).array); };
  }
  const std::string file = quotation(saved.file.string());
  const Text formats = saved.array.empty() ? Text{".json, .npz, .csv", ".json, .npz or .csv"}
                                           : Text{".json, .npz, .csv, .npy", ".json, .npz, .csv or .npy"};
  refuse_usage(text("配列を保存する {} の拡張子では形式が決まりません",
                    "the extension of {}, for arrays, names no format", file),
               text("拡張子は {} のどれかにしてください", "end the name in {}", formats));
}

/// What goes into the file; the report is as before afterwards.
std::string bytes_of(const SavedArrays& saved, ArraysWriter write, Report& report) {
  if (saved.array.empty()) return write(report);
  Stage* found = find_named(report.stages, saved.array);
  if (found == nullptr) {
    refuse_failed(
        text("{} は残していないので保存できません", "the {} were not kept and cannot be saved", saved.array),
        {"--weights keep を付けてください", "add --weights keep"});
  }
  Report one{report.experiment, report.parameters, {}, {}, {}, {}, {}};
  one.stages.push_back(std::move(*found));  // lent: an array may take most of the memory
  std::string bytes = write(one);
  *found = std::move(one.stages.front());
  return bytes;
}

}  // namespace

Product arrays_product(const SavedArrays& saved) {
  const ArraysWriter write = arrays_writer(saved);
  return {[saved](Targets& targets) { targets.add(saved.file); },
          [saved, write](const Finished& finished) {
            return Made{{}, {made_file(saved.file, bytes_of(saved, write, finished.report))}};
          }};
}

}  // namespace attnlab
