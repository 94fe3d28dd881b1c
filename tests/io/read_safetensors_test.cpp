// Safetensors made by hand after the format's description: read exactly, and refused where they lie.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/constants.hpp"
#include "io/folder.hpp"
#include "io/foreign_bytes.hpp"

using attnlab::infinity;
using attnlab::load;
using attnlab::TensorFile;
using attnlab::TensorFormat;
using attnlab::test::complaint_about;
using attnlab::test::contains;
using attnlab::test::safetensors;

namespace {

TensorFile file_of(const std::string& header, const std::string& data) {
  return attnlab::test::foreign(TensorFormat::safetensors, safetensors(header, data));
}

std::string complaint(const std::string& header, const std::string& data) {
  return complaint_about(TensorFormat::safetensors, safetensors(header, data));
}

/// A header with one tensor.
std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"w":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

/// The values of the only tensor.
std::vector<double> values(const std::string& dtype, const std::string& shape, const std::string& data) {
  const TensorFile file = file_of(entry(dtype, shape, "[0," + std::to_string(data.size()) + "]"), data);
  REQUIRE(file.tensors.size() == 1);
  const attnlab::Tensor<double> tensor = attnlab::load<double>(file.tensors.front());
  return {tensor.begin(), tensor.end()};
}

}  // namespace

TEST_CASE("safetensors of every type are read exactly") {
  CHECK(values("F64", "[1]", std::string("\0\0\0\0\0\0\xd0\x3f", 8)) == std::vector<double>{0.25});
  CHECK(values("F32", "[1,1]", std::string("\0\0\x40\xc0", 4)) == std::vector<double>{-3.0});
  CHECK(values("F16", "[2]", std::string("\x01\0\0\xc0", 4)) ==
        std::vector<double>{std::ldexp(1.0, -24), -2.0});
  CHECK(values("I64", "[1]", std::string("\xfe\xff\xff\xff\xff\xff\xff\xff", 8)) == std::vector<double>{-2});
  CHECK(values("U16", "[2]", std::string("\x01\x02\xff\xff", 4)) == std::vector<double>{513, 65535});
  CHECK(values("I8", "[2]", "\x80\x7f") == std::vector<double>{-128, 127});
  CHECK(values("BOOL", "[2]", std::string("\0\1", 2)) == std::vector<double>{0, 1});
}

TEST_CASE("a bfloat16 is widened exactly") {
  // 1, 3.140625 (0x4049), the smallest number (2^-133), -infinity
  const std::vector<double> wide = values("BF16", "[4]", std::string("\x80\x3f\x49\x40\x01\0\x80\xff", 8));
  CHECK(wide == std::vector<double>{1.0, 3.140625, std::ldexp(1.0, -133), -infinity});
  CHECK(std::isnan(values("BF16", "[1]", "\xc0\x7f").front()));
}

TEST_CASE("safetensors lie in the order of their data and tell where") {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"a.later":{"dtype":"U8","shape":[2,1],"data_offsets":[4,6]},)"
      R"("none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
      R"("z.first":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}   )";
  const TensorFile file = file_of(header, std::string("\0\0\x80\x3f\x07\x08", 6));
  REQUIRE(file.tensors.size() == 3);
  CHECK(file.tensors[0].name == "z.first");
  CHECK(file.tensors[0].offset == 8 + header.size());
  CHECK(load<float>(file.tensors[0])() == 1.0F);
  CHECK(file.tensors[1].name == "none");
  CHECK(load<float>(file.tensors[1]).size() == 0);
  CHECK(file.tensors[2].shape == std::vector<std::size_t>{2, 1});
  CHECK(load<double>(file.tensors[2])(1, 0) == 8.0);
}

TEST_CASE("a safetensors header may claim no more than the file holds") {
  const auto about = [](const std::string& bytes) {
    return complaint_about(TensorFormat::safetensors, bytes);
  };
  CHECK(contains(about(""), "it has 0 bytes"));
  CHECK(contains(about("\x02"), "it has 1 bytes"));
  CHECK(contains(about(std::string("\x03\0\0\0\0\0\0\0{}", 10)), "claims 3 bytes; at most 2"));
  CHECK(contains(about("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "claims 18446744073709551615 bytes"));
  CHECK(contains(complaint("[]", ""), "not a JSON object"));
  CHECK(contains(complaint("{\"w\":", ""), "not valid JSON"));
  CHECK(contains(complaint("{\"\xff\":1}", ""), "at byte 10: it is not valid JSON"));
  CHECK(contains(complaint(std::string(100000, '['), ""), "nested more than 40 levels"));
}

TEST_CASE("data of a safetensors file must fit shape and type and one another") {
  const std::string four(4, '\0');
  CHECK(complaint(entry("F32", "[1]", "[0,4]"), four).empty());
  CHECK(contains(complaint(entry("F32", "[1]", "[0,4]"), "abc"), "end at byte 4 of 3"));
  CHECK(contains(complaint(entry("F32", "[2]", "[0,4]"), four),
                 "4 bytes of data; float32 of shape (2,) needs 8"));
  CHECK(contains(complaint(entry("F32", "[1]", "[4,0]"), four), "not [begin, end]"));
  CHECK(contains(complaint(entry("F32", "[1]", "[0]"), four), "not [begin, end]"));
  CHECK(contains(complaint(entry("F32", "[-1]", "[0,4]"), four), "\"shape\" is not a list of whole numbers"));
  CHECK(
      contains(complaint(entry("F32", "[1.0]", "[0,4]"), four), "\"shape\" is not a list of whole numbers"));
  CHECK(contains(complaint(entry("F32", "[1152921504606846976]", "[0,4]"), four), "too large"));
  CHECK(contains(complaint(entry("F32", "[4294967296,4294967296]", "[0,0]"), ""), "too large"));
  CHECK(contains(complaint(entry("F32", "[1]", "[0,4]"), four + "x"),
                 "1 bytes from here on belong to no tensor"));
  CHECK(contains(complaint(entry("F32", "[1]", "[1,5]"), four + "x"), "leave a gap"));
  CHECK(contains(complaint(entry("F8_E4M3", "[4]", "[0,4]"), four), "'F8_E4M3' is not supported"));
  CHECK(contains(complaint(R"({"w":{"shape":[1],"data_offsets":[0,4]}})", four), "it has no \"dtype\""));
  CHECK(contains(complaint(R"({"w":3})", ""), "it is not an object"));
  const std::string overlapping =
      R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}})";
  CHECK(contains(complaint(overlapping, four), "'b' overlap"));
  const std::string twice =
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})";
  CHECK(contains(complaint(twice, four), "'a' occurs twice"));
}

TEST_CASE("types that are not ours leave the other tensors readable wherever they lie") {
  for (const std::string type : {"F8_E4M3", "F8_E5M2", "F8_E8M0", "F4", "C64", "what"}) {
    const std::string header =
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"f":{"dtype":")" + type +
        R"(","shape":[2],"data_offsets":[0,4]},"z":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
    const TensorFile file =
        attnlab::test::foreign(TensorFormat::safetensors, safetensors(header, std::string(12, '\0')));
    REQUIRE(file.tensors.size() == 2);
    CHECK(load<float>(file.tensors[1]).size() == 1);
    REQUIRE(file.foreign.size() == 1);
    CHECK(file.foreign[0].foreign->en() == type);
    CHECK(file.foreign[0].shape == std::vector<std::size_t>{2});
    CHECK(contains(attnlab::test::complaint_of([&] { refuse_foreign(file, "f"); }),
                   "in tensor 'f': the type '" + type + "' is not supported"));
    // The places of foreign data are checked like the others'.
    CHECK(contains(complaint(header, std::string(13, '\0')), "1 bytes from here on belong to no tensor"));
  }
}

TEST_CASE("every truncation and no changed byte of a safetensors file comes as a surprise") {
  const std::string header =
      R"({"q":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},"k":{"dtype":"U8","shape":[1,2],"data_offsets":[4,6]}})";
  const std::string bytes = safetensors(header, "abcdef");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK(!complaint_about(TensorFormat::safetensors, bytes.substr(0, length)).empty());
  }
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    std::string spoilt = bytes;
    for (const unsigned change : {0x01U, 0x10U, 0xFFU}) {
      spoilt[place] = static_cast<char>(static_cast<unsigned char>(bytes[place]) ^ change);
      CHECK_NOTHROW(complaint_about(TensorFormat::safetensors, spoilt));
    }
  }
}

TEST_CASE("a complaint about safetensors in Japanese has no English left in it") {
  const auto about = [](const std::string& header) {
    return complaint_about(TensorFormat::safetensors, safetensors(header, ""), attnlab::Language::ja);
  };
  CHECK(contains(about(entry("F32", "[1]", "[0,4]")),
                 "データが 4 バイト目まであるはずですが、0 バイトしかありません"));
  CHECK(contains(about(entry("Q4", "[1]", "[0,4]")), "テンソル 'w'"));
  CHECK(contains(about("{"), "JSON として正しくありません"));
  CHECK(contains(about("{\"a\":1,\"a\":2}"), "キー 'a' が二度あります"));
}
