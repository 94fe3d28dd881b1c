#include "experiments/report_body.hpp"

#include <utility>

namespace attnlab {

void add_heading(std::vector<Block>& body, std::string ja, std::string en) {
  body.emplace_back(Paragraph{Role::heading, {std::move(ja), std::move(en)}});
}

void add_text(std::vector<Block>& body, std::string ja, std::string en) {
  body.emplace_back(Paragraph{Role::text, {std::move(ja), std::move(en)}});
}

}  // namespace attnlab
