// `attnlab claims`: the documents' sentences, run.
#pragma once

#include <string>

#include "attnlab/request.hpp"

namespace attnlab {

/// `document` is "A" to "E", or "" for all.
void run_claims(const std::string& document, Printing printing, Language language);

}  // namespace attnlab
