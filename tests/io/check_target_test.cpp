// What cannot become a file is refused before any work, with what to do instead.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/folder.hpp"

using attnlab::check_target;
using attnlab::Error;
using attnlab::Language;
using attnlab::test::contains;
using attnlab::test::Folder;
using attnlab::test::put;

namespace {

std::string error_of(const std::filesystem::path& path, Language language = Language::en) {
  try {
    check_target(path);
  } catch (const Error& error) {
    CHECK(error.kind() == attnlab::ErrorKind::failed);
    return error.message(language);
  }
  return "no error";
}

}  // namespace

TEST_CASE("new files and writable files and devices are accepted and untouched") {
  const Folder folder;
  put(folder / "old.txt", "old");
  for (const std::filesystem::path& path :
       {folder / "new.txt", folder / "old.txt", std::filesystem::path("/dev/null"),
        std::filesystem::path("/dev/stdout"), std::filesystem::path("in-this-folder.txt")}) {
    CHECK(error_of(path) == "no error");
  }
  CHECK(attnlab::test::read(folder / "old.txt") == "old");
  CHECK(folder.entries() == 1);
  CHECK_FALSE(std::filesystem::exists("in-this-folder.txt"));
}

TEST_CASE("a missing folder is named") {
  const Folder folder;
  const std::string message = error_of(folder / "missing/a.png");
  CHECK(contains(message, "missing' does not exist; create it first"));
  CHECK(contains(error_of(folder / "missing/a.png", Language::ja), "がありません。先に作るか"));
}

TEST_CASE("a folder is no file") {
  const Folder folder;
  CHECK(contains(error_of(folder.path()), "is a folder; give the name of a file in it"));
  CHECK(contains(error_of(folder / "new/"), "is a folder"));
  std::filesystem::create_directory_symlink(folder.path(), folder / "link");
  CHECK(contains(error_of(folder / "link"), "is a folder"));
}

TEST_CASE("a file in the place of a folder is an error") {
  const Folder folder;
  put(folder / "file", "x");
  CHECK(contains(error_of(folder / "file/a.png"), "Not a directory"));
}

TEST_CASE("a file that nobody may write is refused even to root") {
  const Folder folder;
  put(folder / "a.txt", "kept");
  REQUIRE(chmod((folder / "a.txt").c_str(), 0444) == 0);
  CHECK(contains(error_of(folder / "a.txt"), "is read-only"));
  CHECK_THROWS_AS(attnlab::write_file(folder / "a.txt", "new"), Error);
  CHECK(attnlab::test::read(folder / "a.txt") == "kept");
}

TEST_CASE("a folder that forbids writing is refused") {
  if (geteuid() == 0) return;  // root may write everywhere
  const Folder folder;
  REQUIRE(chmod(folder.path().c_str(), 0500) == 0);
  CHECK(contains(error_of(folder / "a.txt"), "is not writable"));
  REQUIRE(chmod(folder.path().c_str(), 0700) == 0);
}

TEST_CASE("an empty name and a name that is too long are errors") {
  const Folder folder;
  CHECK(contains(error_of(""), "empty"));
  CHECK(contains(error_of(folder / std::string(300, 'x')), "choose a shorter name"));
}

TEST_CASE("a name of the greatest length can be written") {
  const Folder folder;
  attnlab::write_file(folder / std::string(255, 'x'), "x");
  CHECK(folder.entries() == 1);
}

TEST_CASE("an error is one line whatever the file is called") {
  const Folder folder;
  const std::string message = error_of(folder / "no\nsuch\x1b[31m/a.png");
  CHECK_FALSE(contains(message, "\n"));
  CHECK_FALSE(contains(message, "\x1b"));
  CHECK(contains(message, "does not exist"));
}
