// Pictures as Pillow wrote them, and arrays of pixels.
#include "io/image_file.hpp"

#include <doctest/doctest.h>

#include "folder.hpp"
#include "foreign_bytes.hpp"

namespace attnlab {
namespace {

using test::complaint_of;
using test::contains;
using test::Folder;
using test::put;

std::string from_hex_digits(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// Image.new("RGBA", (3, 2)): red, green, blue; transparent black, (10, 20, 30), white.
const std::string png = from_hex_digits(
    "89504e470d0a1a0a0000000d49484452000000030000000208060000009d74661a0000001c49444154789c05c1a101000008c020"
    "b2d9ecff5f4e10491498bdaa1e82290b3204628ca80000000049454e44ae426082");

// Image.new("RGB", (16, 8), (200, 100, 50)), quality 95.
const std::string jpeg = from_hex_digits(
    "ffd8ffe000104a46494600010100000100010000ffdb004300020101010101020101010202020202040302020202050404030406"
    "0506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affdb00430102020202020205030305"
    "0a0706070a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"
    "0a0affc00011080008001003012200021101031101ffc4001500010100000000000000000000000000000005ffc4001410010000"
    "0000000000000000000000000000ffc40014010100000000000000000000000000000008ffc40014110100000000000000000000"
    "000000000000ffda000c03010002110311003f009e00ae6c3fffd9");

// Written chunk by chunk with Python's zlib. Grey of 16 bits without gAMA: 0x8080, 0xFFFF.
const std::string grey16 = from_hex_digits(
    "89504e470d0a1a0a0000000d494844520000000200000001100000000081d9fc150000000d4944415478da636868f8ff1f000682"
    "02ff6ce043230000000049454e44ae426082");
// Grey 100 and, transparent, black.
const std::string grey_alpha = from_hex_digits(
    "89504e470d0a1a0a0000000d49484452000000020000000108040000005e2bb7010000000d4944415478da6348f9cfc000000492"
    "0164272f5beb0000000049454e44ae426082");
// A palette of red, green (transparent by tRNS) and blue.
const std::string palette = from_hex_digits(
    "89504e470d0a1a0a0000000d49484452000000030000000108030000002c3ee48600000009504c5445ff000000ff000000ff2d4a"
    "cd8a0000000274524e53ff00e5b7304a0000000c4944415478da63606064020000080004081d630a0000000049454e44ae426082");
// One bit each: 1, 0, 1 and five of 0.
const std::string one_bit = from_hex_digits(
    "89504e470d0a1a0a0000000d4948445200000008000000010100000000cb7bd2ee0000000a4944415478da6358000000a200a171"
    "05cb410000000049454e44ae426082");
// Adam7: 10, 20; 30, 40.
const std::string interlaced = from_hex_digits(
    "89504e470d0a1a0a0000000d494844520000000200000002080000000120da626e0000000f4944415478da63e062106190d30000"
    "00f70065262e0e420000000049454e44ae426082");
// convert -size 8x8 "xc:rgb(200,100,50)" -interlace JPEG -sampling-factor 1x1 -quality 95 -strip
const std::string progressive = from_hex_digits(
    "ffd8ffe000104a46494600010100000100010000ffdb004300020101010101020101010202020202040302020202050404030406"
    "0506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affdb00430102020202020205030305"
    "0a0706070a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"
    "0a0affc20011080008000803011100021101031101ffc40014000100000000000000000000000000000004ffc400140101000000"
    "00000000000000000000000007ffda000c03010002100310000001395b67ffc40014100100000000000000000000000000000000"
    "ffda00080101000105027fffc40014110100000000000000000000000000000000ffda0008010301013f017fffc4001411010000"
    "0000000000000000000000000000ffda0008010201013f017fffc40014100100000000000000000000000000000000ffda000801"
    "0100063f027fffc40014100100000000000000000000000000000000ffda0008010100013f217fffda000c030100020003000000"
    "101fffc40014110100000000000000000000000000000000ffda0008010301013f107fffc4001411010000000000000000000000"
    "0000000000ffda0008010201013f107fffc40014100100000000000000000000000000000000ffda0008010100013f107fffd9");
// convert -size 1x1 "xc:cmyk(255,0,0,0)" -colorspace CMYK -strip
const std::string cmyk = from_hex_digits(
    "ffd8ffee000e41646f626500640000000002ffdb004300030202020202030202020303030304060404040404080606050609080a"
    "0a090809090a0c0f0c0a0b0e0b09090d110d0e0f101011100a0c12131210130f101010ffdb00430103030304030408040408100b"
    "090b1010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010"
    "ffc00014080001000104011100021101031101041100ffc4001500010100000000000000000000000000000809ffc40014100100"
    "000000000000000000000000000000ffc4001501010100000000000000000000000000000709ffc4001411010000000000000000"
    "0000000000000000ffda000e040100021103110400003f003a03154d54dfffd9");

/// The JPEG with EXIF of one entry, an orientation.
std::string turned(char orientation, bool is_big_endian) {
  const std::string tiff = is_big_endian
                               ? from_hex_digits("4d4d002a00000008000101120003000000010000000000000000")
                               : from_hex_digits("49492a0008000000010012010300010000000000000000000000");
  std::string segment = from_hex_digits("ffe10022") + std::string("Exif\0\0", 6) + tiff;
  segment[4 + 6 + 18 + (is_big_endian ? 1U : 0U)] = orientation;
  return jpeg.substr(0, 2) + segment + jpeg.substr(2);
}

std::vector<int> pixel(const Image& image, std::size_t row, std::size_t column) {
  const std::uint8_t* sample = image.at(row, column);
  return {sample[0], sample[1], sample[2]};
}

TEST_CASE("a PNG is read pixel by pixel, what is transparent on white") {
  const Folder folder;
  put(folder / "a.png", png);
  const Image image = read_image((folder / "a.png").string());
  CHECK(image.rows == 2);
  CHECK(image.columns == 3);
  CHECK(pixel(image, 0, 0) == std::vector<int>{255, 0, 0});
  CHECK(pixel(image, 0, 1) == std::vector<int>{0, 255, 0});
  CHECK(pixel(image, 0, 2) == std::vector<int>{0, 0, 255});
  CHECK(pixel(image, 1, 0) == std::vector<int>{255, 255, 255});
  CHECK(pixel(image, 1, 1) == std::vector<int>{10, 20, 30});
}

TEST_CASE("a JPEG is read whatever its name, to within its own rounding") {
  const Folder folder;
  put(folder / "a.picture", jpeg);
  const Image image = read_image((folder / "a.picture").string());
  CHECK(image.rows == 8);
  CHECK(image.columns == 16);
  const std::vector<int> wanted{200, 100, 50};
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(pixel(image, 7, 15)[i] - wanted[i]) <= 2);
}

TEST_CASE("pictures of every depth have the colours that a viewer shows") {
  const Folder folder;
  const auto image_in = [&](const std::string& bytes) {
    put(folder / "a.png", bytes);
    return read_image((folder / "a.png").string());
  };
  CHECK(pixel(image_in(grey16), 0, 0) ==
        std::vector<int>{128, 128, 128});  // a half, not its linear light 188
  CHECK(pixel(image_in(grey16), 0, 1) == std::vector<int>{255, 255, 255});
  CHECK(pixel(image_in(grey_alpha), 0, 0) == std::vector<int>{100, 100, 100});
  CHECK(pixel(image_in(grey_alpha), 0, 1) == std::vector<int>{255, 255, 255});
  CHECK(pixel(image_in(palette), 0, 0) == std::vector<int>{255, 0, 0});
  CHECK(pixel(image_in(palette), 0, 1) == std::vector<int>{255, 255, 255});
  CHECK(pixel(image_in(one_bit), 0, 2) == std::vector<int>{255, 255, 255});
  CHECK(pixel(image_in(one_bit), 0, 1) == std::vector<int>{0, 0, 0});
  CHECK(pixel(image_in(interlaced), 0, 1) == std::vector<int>{20, 20, 20});
  CHECK(pixel(image_in(interlaced), 1, 0) == std::vector<int>{30, 30, 30});
  const std::vector<int> wanted{200, 100, 50};
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(pixel(image_in(progressive), 7, 7)[i] - wanted[i]) <= 2);
}

TEST_CASE("a picture that is to be shown turned says so, and lies as it is stored") {
  const Folder folder;
  const auto image_in = [&](const std::string& bytes) {
    put(folder / "a.jpg", bytes);
    return read_image((folder / "a.jpg").string());
  };
  CHECK(!image_in(jpeg).is_turned);
  for (const bool is_big_endian : {false, true}) {
    CHECK(!image_in(turned(1, is_big_endian)).is_turned);
    for (const char orientation : {'\2', '\3', '\6', '\x08'}) {
      const Image image = image_in(turned(orientation, is_big_endian));
      CHECK(image.is_turned);
      CHECK(image.rows == 8);
      CHECK(image.columns == 16);
    }
  }
}

TEST_CASE("arrays of pixels are pictures in either order, of whole numbers or of shares") {
  const Folder folder;
  put(folder / "last.json", "[[[0, 0.5, 1], [1, 0, 0]]]");
  const Image last = read_image((folder / "last.json").string());
  CHECK(last.rows == 1);
  CHECK(last.columns == 2);
  CHECK(pixel(last, 0, 0) == std::vector<int>{0, 128, 255});
  CHECK(pixel(last, 0, 1) == std::vector<int>{255, 0, 0});
  put(folder / "first.json", "[[[0.0, 1.0], [0, 0]], [[0, 0], [0, 0]], [[0, 0], [0, 1]]]");  // (3, 2, 2)
  const Image first = read_image((folder / "first.json").string());
  CHECK(pixel(first, 0, 1) == std::vector<int>{255, 0, 0});
  CHECK(pixel(first, 1, 1) == std::vector<int>{0, 0, 255});
  put(folder / "grey.json", "[[0, 1], [0.2, 0]]");
  CHECK(pixel(read_image((folder / "grey.json").string()), 1, 0) == std::vector<int>{51, 51, 51});
  put(folder / "bytes.safetensors",
      test::safetensors(R"({"picture":{"dtype":"U8","shape":[1,1,3],"data_offsets":[0,3]}})",
                        "\x01\x02\xff"));
  CHECK(pixel(read_image((folder / "bytes.safetensors:picture").string()), 0, 0) ==
        std::vector<int>{1, 2, 255});
}

TEST_CASE("what is no picture is refused, with what was found") {
  const Folder folder;
  const auto complaint = [&](const std::string& name, const std::string& bytes) {
    put(folder / name, bytes);
    return complaint_of([&] { read_image((folder / name).string()); });
  };
  CHECK(contains(complaint("a.png", png.substr(0, 60)), "damaged"));
  CHECK(contains(complaint("b.png", png.substr(0, 20)), "damaged"));
  CHECK(contains(complaint("a.jpg", jpeg.substr(0, 270)), "damaged"));
  CHECK(contains(complaint("b.jpg", jpeg.substr(0, 4)), "damaged"));
  CHECK(contains(complaint("a.gif", "GIF89a"), "neither PNG nor JPEG"));
  CHECK(contains(complaint("empty.png", ""), "neither PNG nor JPEG"));
  CHECK(contains(complaint("print.jpg", cmyk), "it is a CMYK JPEG"));
  for (const char* odd : {"[[0.5, \"nan\"]]", "[[\"inf\", 0.5]]", "[[\"nan\", 0.5], [\"-inf\", 1]]"})
    CHECK(contains(complaint("odd.json", odd), "it holds NaN or infinity"));
  CHECK(contains(complaint("normal.json", "[[-2.1, 2.6]]"), "from -2.1 to 2.6"));
  CHECK(contains(complaint("nan.json", "[[0.5, NaN]]"), "cannot read"));
  CHECK(contains(
      complaint("five.json", "[[[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]], [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]]"),
      "(2, 2, 5)"));
  std::string huge = png;  // 2^31 - 1 pixels wide and high
  for (const std::size_t at : {16U, 20U}) huge.replace(at, 4, "\x7f\xff\xff\xff");
  CHECK_FALSE(complaint("huge.png", huge).empty());
  CHECK(contains(complaint_of([&] { read_image((folder / "none.png").string()); }), "none.png"));
}

}  // namespace
}  // namespace attnlab
