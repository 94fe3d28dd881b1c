// What a usage error says.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "core/error.hpp"

namespace attnlab {

/// The English message of the usage error that the attempt ends in; "no error" without one.
template <class Attempt>
std::string message_of(Attempt attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.message(Language::ja) != error.message(Language::en));
    return error.message(Language::en);
  }
  return "no error";
}

}  // namespace attnlab
