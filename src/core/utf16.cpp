#include "core/utf16.hpp"

#include <glib.h>

#include "core/utf8.hpp"

namespace attnlab {

std::optional<std::string> utf8_of_utf16(std::string_view bytes) {
  if (bytes.size() < 2 || bytes.size() % 2 != 0) return std::nullopt;
  const std::string_view mark = bytes.substr(0, 2);
  const bool has_mark = mark == "\xFF\xFE" || mark == "\xFE\xFF";
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] == '\0') ++zeros[i % 2];
  const auto [fewer, more] = std::minmax(zeros[0], zeros[1]);
  if (!has_mark && more <= std::max(bytes.size() / 16, 8 * fewer)) return std::nullopt;
  const bool is_big_endian = has_mark ? mark[0] == '\xFE' : zeros[0] > zeros[1];
  gsize size = 0;
  const std::unique_ptr<gchar, void (*)(gpointer)> text(
      g_convert(bytes.data(), static_cast<gssize>(bytes.size()), "UTF-8",
                is_big_endian ? "UTF-16BE" : "UTF-16LE", nullptr, &size, nullptr),
      g_free);
  if (!text) return std::nullopt;
  return std::string(without_byte_order_mark({text.get(), size}));
}

}  // namespace attnlab
