#include "core/sha256.hpp"

#include <glib.h>

#include "core/owned.hpp"

namespace attnlab {

std::string sha256(std::string_view bytes) {
  const auto size = static_cast<gssize>(bytes.size());
  return Owned<char, g_free>(g_compute_checksum_for_string(G_CHECKSUM_SHA256, bytes.data(), size)).get();
}

}  // namespace attnlab
