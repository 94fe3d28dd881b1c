// SHA-256 by GLib, which comes with Pango.
#include <glib.h>

#include <memory>

#include "lecture/built_lecture.hpp"

namespace attnlab {

std::string sha256(const std::string& bytes) {
  const std::unique_ptr<char, decltype(&g_free)> digest(
      g_compute_checksum_for_string(G_CHECKSUM_SHA256, bytes.data(), static_cast<gssize>(bytes.size())),
      g_free);
  return digest.get();
}

}  // namespace attnlab
