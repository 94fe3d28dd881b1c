#include "core/escape.hpp"

#include <doctest/doctest.h>

namespace attnlab {

TEST_CASE("In Markdown letters mean themselves, and what stands between backticks is code") {
  CHECK(markdown_text("W_O * 2 & &lt;") == "W\\_O \\* 2 & \\&lt;");
  CHECK(markdown_text("see `heads --model a_b`, then W_O") == "see `heads --model a_b`, then W\\_O");
  CHECK(markdown_text("`a_b``c_d`") == "`a_b``c_d`");
  CHECK(markdown_text("one ` alone_x") == "one \\` alone\\_x");
}

}  // namespace attnlab
