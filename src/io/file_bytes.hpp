// The bytes of what the user named, and whatever keeps them where they are: a mapping, a buffer, an unpacked
// member.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

struct SharedBytes {
  std::string_view view;
  std::shared_ptr<const void> owner;

  SharedBytes part(std::size_t offset, std::size_t size) const { return {view.substr(offset, size), owner}; }
};

inline SharedBytes shared(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {*owner, owner};
}

constexpr bool is_big_endian_here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/// The unsigned number of these bytes, at most 8, the lowest first.
inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The number behind the bytes, its lowest byte first.
template <class Number>
void append_little_endian(std::string& bytes, Number number) {
  std::array<char, sizeof number> own{};
  std::memcpy(own.data(), &number, own.size());
  if (is_big_endian_here) std::reverse(own.begin(), own.end());
  bytes.append(own.data(), own.size());
}

/// Whether `path` is standard input (-) or a pipe, whose name says nothing of the format.
bool is_stream(const std::string& path);

/// While it lives, this thread reads files in the folder and those below it alone, wherever symbolic links
/// lead;
/// "" is no bound.
class ReadsBelow {
 public:
  explicit ReadsBelow(const std::filesystem::path& folder);
  ~ReadsBelow();
  ReadsBelow(const ReadsBelow&) = delete;
  ReadsBelow(ReadsBelow&&) = delete;
  ReadsBelow& operator=(const ReadsBelow&) = delete;
  ReadsBelow& operator=(ReadsBelow&&) = delete;

 private:
  std::filesystem::path before_;
};

/// A file is mapped; standard input (-) and pipes are read to their end. Throws Error (failed) for folders,
/// devices, what cannot be opened, what ReadsBelow keeps out, and a stream of more than largest_text_file
/// bytes.
SharedBytes bytes_of(const std::string& path);

}  // namespace attnlab
