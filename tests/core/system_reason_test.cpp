// Why the system refused: in the reader's language where it is one of the usual reasons.
#include "core/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <string>

using attnlab::system_reason;

TEST_CASE("the usual reasons are Japanese in Japanese") {
  for (const int number : {ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, ENOSPC, EDQUOT, EFBIG, EROFS, ENAMETOOLONG,
                           ELOOP, EPIPE, EIO}) {
    CAPTURE(number);
    const std::string japanese = system_reason(number).ja();
    CHECK(!japanese.empty());
    CHECK(std::none_of(japanese.begin(), japanese.end(),
                       [](unsigned char letter) { return letter < 0x80 && std::isalnum(letter) != 0; }));
  }
  CHECK(system_reason(ENOSPC).en() == "No space left on device");
}

TEST_CASE("a rare reason keeps its number") {
  CHECK(system_reason(ENOTTY).ja() == "システムのエラー番号 " + std::to_string(ENOTTY));
  CHECK(system_reason(ENOTTY).en() == "Inappropriate ioctl for device");
}
