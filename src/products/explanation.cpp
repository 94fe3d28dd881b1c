#include "results/explain/explanation.hpp"
#include "core/utf8.hpp"
#include "products/product.hpp"

namespace attnlab {
Product explanation_product(const std::filesystem::path& file, std::size_t row) {
  const auto write =
      lower_case(file.extension().string()) == ".md" ? explanation_markdown : explanation_latex;
  return {[file](Targets& targets) { targets.add(file); },
          [file, row, write](const Finished& finished) {
            const Explanation explanation = explain(finished.report, finished.run.experiment->shows, row);
            return Made{{}, {made_file(file, write(explanation, finished.look.language))}};
          }};
}

}  // namespace attnlab
