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
