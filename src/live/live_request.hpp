// What a live page asks for, in the body of its request.
#pragma once

#include "products/page_request.hpp"

namespace attnlab {

/// Of {"figure": NAME, "parameters": {NAME: TEXT}, "language": "ja" or "en"} as JSON, over what the page
/// began with: its files and arrays stay, and without a language its own. Throws Error (usage) for what the
/// experiment does not take, Json::exception for what is no such request.
PageRun live_request(const std::string& body, const PageRun& begun);

}  // namespace attnlab
