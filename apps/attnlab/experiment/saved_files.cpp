#include "attnlab/experiment/experiment_request.hpp"

#include "core/utf8.hpp"
#include "io/report_files.hpp"

namespace attnlab {

namespace fs = std::filesystem;

DataWriter data_writer(const SavedArrays& saved) {
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

std::string contents(const SavedArrays& saved, Report& report) {
  const DataWriter write = data_writer(saved);
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

ExplanationWriter explanation_writer(const fs::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".md") return explanation_markdown;
  if (extension == ".tex") return explanation_latex;
  refuse_usage(text("--explain-to {} の拡張子では形式が決まりません",
                    "the extension of --explain-to {} names no format", quotation(file.string())),
               {"拡張子は.md（Markdown）か .tex（LaTeX）にしてください",
                "end the name in .md (Markdown) or .tex (LaTeX)"});
}

}  // namespace attnlab
