// A claim inside a lecture's page.
#pragma once

#include "lecture/built_block.hpp"

namespace attnlab {

std::vector<std::string> claim_ids();

/// The sentence of that id, run; nothing where there is none.
std::optional<BuiltClaim> built_claim(const std::string& id, Language language);

}  // namespace attnlab
