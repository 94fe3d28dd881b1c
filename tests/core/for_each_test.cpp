// Every index once, on however many threads, and no exception lost.
#include "core/for_each.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using attnlab::ForEach;

TEST_CASE("every index is worked on exactly once") {
  for (const ForEach& for_each : {ForEach(attnlab::one_after_another), attnlab::on_all_processors()}) {
    for (const std::size_t count : std::vector<std::size_t>{0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      for_each(count, [&](std::size_t index) { ++visits.at(index); });
      for (const std::atomic<int>& visit : visits) CHECK(visit == 1);
    }
  }
}

TEST_CASE("what a call throws reaches the caller") {
  for (const ForEach& for_each : {ForEach(attnlab::one_after_another), attnlab::on_all_processors()}) {
    std::atomic<int> calls{0};
    const auto fail_at_three = [&](std::size_t index) {
      ++calls;
      if (index == 3) throw std::runtime_error("three");
    };
    CHECK_THROWS_WITH(for_each(1'000'000, fail_at_three), "three");
    CHECK(calls < 1'000'000);  // the rest is left out
  }
}

TEST_CASE("of two calls that throw the first index is heard, whoever throws first") {
  if (std::thread::hardware_concurrency() < 2) return;
  for (const std::size_t first_to_throw : {std::size_t{0}, std::size_t{1}}) {
    for (int again = 0; again < 20; ++again) {
      std::array<std::atomic<bool>, 2> has_begun{};
      std::atomic<bool> throws_now{false};
      const auto fail_both = [&](std::size_t index) {
        if (index > 1) return;
        has_begun.at(index) = true;
        while (!has_begun.at(1 - index)) std::this_thread::yield();
        if (index == first_to_throw) {
          throws_now = true;
        } else {
          while (!throws_now) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        throw std::runtime_error(index == 0 ? "zero" : "one");
      };
      CHECK_THROWS_WITH(attnlab::on_all_processors()(100, fail_both), "zero");
    }
  }
}

TEST_CASE("work may divide its own work, and several callers may ask at once") {
  std::vector<std::atomic<int>> visits(200);
  attnlab::on_all_processors()(20, [&](std::size_t outer) {
    attnlab::on_all_processors()(10, [&](std::size_t inner) { ++visits.at(10 * outer + inner); });
  });
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back(
        [&] { attnlab::on_all_processors()(200, [&](std::size_t index) { ++visits[index]; }); });
  for (std::thread& caller : callers) caller.join();
  for (const std::atomic<int>& visit : visits) CHECK(visit == 5);
}

TEST_CASE("a process that was forked off does not wait for its parent's threads") {
  attnlab::on_all_processors()(100, [](std::size_t) {});
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::atomic<std::size_t> sum{0};
    for (int again = 0; again < 100; ++again)
      attnlab::on_all_processors()(10, [&](std::size_t index) { sum += index; });
    ::_exit(sum == 4500 ? 0 : 1);
  }
  int status = 1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("where the system allows no further thread, the caller does all the work") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::getuid() == 0 && ::setuid(nobody) != 0) ::_exit(2);  // root may always have more
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) ::_exit(3);
    std::size_t sum = 0;
    attnlab::on_all_processors()(10, [&](std::size_t index) { sum += index; });
    ::_exit(sum == 45 ? 0 : 1);
  }
  int status = 1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("progress grows to 1, on the caller's thread") {
  const std::thread::id caller = std::this_thread::get_id();
  double last = 0.0;
  const ForEach for_each = attnlab::on_all_processors([&](double share) {
    CHECK((std::this_thread::get_id() == caller));
    CHECK(share >= last);
    last = share;
  });
  for_each(50, [](std::size_t) {});
  CHECK(last == 1.0);
}
