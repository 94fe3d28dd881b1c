// Bytes, and whatever keeps them where they are: a mapping, a buffer, an unpacked archive member.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

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

}  // namespace attnlab
