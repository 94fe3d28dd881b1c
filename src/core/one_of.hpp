// A value of one of several types, whose copies are compiled once instead of in every source that holds one.
#pragma once

#include <variant>

namespace attnlab {

/// std::variant for values that many sources hold. The header that names the type also says
/// `extern template struct OneOf<A, B>;`, one source says `template struct OneOf<A, B>;`.
template <class... Kinds>
struct OneOf : std::variant<Kinds...> {
  using std::variant<Kinds...>::variant;
  OneOf(const OneOf& other);
  OneOf(OneOf&& other) noexcept;
  OneOf& operator=(const OneOf& other);
  OneOf& operator=(OneOf&& other) noexcept;
  ~OneOf();
};

template <class... Kinds>
OneOf<Kinds...>::OneOf(const OneOf&) = default;
template <class... Kinds>
OneOf<Kinds...>::OneOf(OneOf&&) noexcept = default;
template <class... Kinds>
OneOf<Kinds...>& OneOf<Kinds...>::operator=(const OneOf&) = default;
template <class... Kinds>
OneOf<Kinds...>& OneOf<Kinds...>::operator=(OneOf&&) noexcept = default;
template <class... Kinds>
OneOf<Kinds...>::~OneOf() = default;

}  // namespace attnlab
