// The blocks that open and carry a report's text.
#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"

namespace attnlab {

void add_heading(std::vector<Block>& body, std::string ja, std::string en);
void add_text(std::vector<Block>& body, std::string ja, std::string en);

}  // namespace attnlab
