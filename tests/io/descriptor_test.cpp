// Pipes that do not wait.
#include <doctest/doctest.h>

#include <fcntl.h>

#include <chrono>
#include <thread>

#include "io/descriptor.hpp"
#include "open_pipe.hpp"

TEST_CASE("all bytes go into a pipe that does not wait for its reader") {
  const std::array<int, 2> ends = attnlab::open_pipe();
  for (const int end : ends) REQUIRE(::fcntl(end, F_SETFL, O_NONBLOCK) == 0);
  const attnlab::Descriptor reading(ends[0]);
  attnlab::Descriptor writing(ends[1]);
  const std::string sent(1U << 20U, 'x');
  std::size_t received = 0;
  std::thread reader([&] {
    std::array<char, 4096> block{};
    while (received < sent.size()) {
      const ssize_t got = ::read(reading.number(), block.data(), block.size());
      if (got > 0) received += static_cast<std::size_t>(got);
      if (got < 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  CHECK(attnlab::write_all(writing.number(), sent));
  reader.join();
  CHECK(received == sent.size());
}
