#include "results/explain/explanation.hpp"
#include "core/utf8.hpp"
#include "products/product.hpp"

namespace attnlab {
namespace {

using ExplanationWriter = std::string (*)(const Explanation&, Language);

/// Throws Error (usage) for another extension.
ExplanationWriter explanation_writer(const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".md") return explanation_markdown;
  if (extension == ".tex") return explanation_latex;
  refuse_usage(text("--explain-to {} の拡張子では形式が決まりません",
                    "the extension of --explain-to {} names no format", quotation(file.string())),
               {"拡張子は.md（Markdown）か .tex（LaTeX）にしてください",
                "end the name in .md (Markdown) or .tex (LaTeX)"});
}

}  // namespace

Product explanation_product(const std::filesystem::path& file, std::size_t row) {
  const ExplanationWriter write = explanation_writer(file);
  return {[file](Targets& targets) { targets.add(file); },
          [file, row, write](const Finished& finished) {
            const Explanation explanation = explain(finished.report, finished.run.experiment->shows, row);
            return Made{{}, {made_file(file, write(explanation, finished.look.language))}};
          }};
}

}  // namespace attnlab
