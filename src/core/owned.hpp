// What C libraries make and want back.
#pragma once

#include <memory>

namespace attnlab {

template <auto give_back>
struct Release {
  template <class T>
  void operator()(T* thing) const {
    give_back(thing);
  }
};

/// A thing and the function that takes it back: Owned<cairo_t, cairo_destroy>.
template <class T, auto give_back>
using Owned = std::unique_ptr<T, Release<give_back>>;

}  // namespace attnlab
