// `attnlab about`: what this program is, whose work is in it and in its pictures, and how to cite it.
#pragma once

#include <string>

#include "core/text.hpp"

namespace attnlab {

std::string about_text(Language language);

/// {"schema", "name", "version", "licence", "copyright", "fonts", "palettes", "notices", "libraries",
/// "documents", "citation"}; texts are {"ja", "en"}.
std::string about_json();

}  // namespace attnlab
