// What pandoc read of a lecture's document, before it writes anything of it.
#pragma once

#include "lecture/lecture.hpp"

namespace attnlab {

/// The tree in pandoc's JSON, of a document whose own part, all but what carries made=MARK, shows no picture
/// but these files, leads to no script, and holds no attribute or formula that a writer of pandoc carries
/// out; without the marks. Throws Error (failed) naming the document's line.
std::string checked_tree(std::string_view text, const Lecture& lecture, const std::set<std::string>& pictures,
                         const std::string& mark);

/// The same tree with `extension` (".png") behind the names of its pictures that have none.
std::string with_pictures(std::string_view text, const std::string& extension);

}  // namespace attnlab
