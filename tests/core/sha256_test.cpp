#include "core/sha256.hpp"

#include <doctest/doctest.h>

namespace attnlab {

TEST_CASE("Checksums are SHA-256") {
  // FIPS 180-2, appendix B.1, and the digest of nothing.
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace attnlab
