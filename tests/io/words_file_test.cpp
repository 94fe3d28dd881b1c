// Words of files: lines, arrays of NumPy's and JSON's words, what safetensors' metadata say.
#include "io/words_file.hpp"

#include <doctest/doctest.h>

#include "io/folder.hpp"
#include "io/foreign_bytes.hpp"

using attnlab::words_of_file;
using attnlab::test::complaint_of;
using attnlab::test::contains;
using attnlab::test::Folder;
using attnlab::test::put;
using Words = std::vector<std::string>;

namespace {

std::string npy_of_words(const std::string& descr, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + std::string(1, '\0') +
         header + data;
}

}  // namespace

TEST_CASE("An array of words is read with its characters, whatever the order of their bytes") {
  const Folder folder;
  const std::string file = (folder / "t.npy").string();
  put(file, npy_of_words("<U2", "(2,)", std::string("\x2b\x73\0\0\0\0\0\0a\0\0\0,\0\0\0", 16)));
  CHECK(words_of_file(file) == Words{"猫", "a,"});
  put(file, npy_of_words(">U1", "(1,)", std::string("\0\x01\xF6\x00", 4)));  // U+1F600
  CHECK(words_of_file(file) == Words{"\xF0\x9F\x98\x80"});
  put(file, npy_of_words("|S3", "(2,)", std::string("abca\0\0", 6)));
  CHECK(words_of_file(file) == Words{"abc", "a"});
  for (const char* data : {"abcde", "abcdefg"}) {  // too few and too many bytes
    put(file, npy_of_words("|S3", "(2,)", data));
    CHECK(contains(complaint_of([&] { words_of_file(file); }), "it holds no array of words"));
  }
  put(file, npy_of_words("|S99999999999999999999", "(2,)", "ab"));
  CHECK(contains(complaint_of([&] { words_of_file(file); }), "no array of words"));
}

TEST_CASE("A json's list of words is taken alone, or by its name among arrays") {
  const Folder folder;
  const std::string file = (folder / "t.json").string();
  put(file, R"(["the", "c,t"])");
  CHECK(words_of_file(file) == Words{"the", "c,t"});
  put(file, R"({"weights": [[1]], "tokens": ["one"], "other": ["two"]})");
  CHECK(words_of_file(file + ":other") == Words{"two"});
  CHECK(contains(complaint_of([&] { words_of_file(file); }), "its arrays of words are 'other', 'tokens'"));
  CHECK(contains(complaint_of([&] { words_of_file(file + ":weights"); }), "choose one, as in "));
  CHECK(attnlab::open_tensors(file + ":weights").tensors.size() == 1);  // the numbers beside them
}

TEST_CASE("The metadata of safetensors hold a list of words, or lines") {
  const Folder folder;
  const std::string file = (folder / "t.safetensors").string();
  put(file,
      attnlab::test::safetensors(
          R"({"__metadata__":{"tokens":"[\"a\", \"b\"]","lines":"c\nd"},"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}})",
          "x"));
  CHECK(words_of_file(file + ":tokens") == Words{"a", "b"});
  CHECK(words_of_file(file + ":lines") == Words{"c", "d"});
}

TEST_CASE("Any other file is read line by line, and what is no file is no file of words") {
  const Folder folder;
  const std::string file = (folder / "t.txt").string();
  put(file, "\xEF\xBB\xBFthe\r\ncat\r\n");
  CHECK(words_of_file(file) == Words{"the", "cat"});
  CHECK(attnlab::is_words_file(file));
  CHECK_FALSE(attnlab::is_words_file(folder.path().string()));
  CHECK_FALSE(attnlab::is_words_file("the,cat"));
  put(file, "");
  CHECK(contains(complaint_of([&] { words_of_file(file); }), "it holds no label"));
}
