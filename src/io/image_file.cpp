#include "io/image_file.hpp"

#include <png.h>
#include <turbojpeg.h>

#include "io/tensor_file.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr std::size_t most_pixels = std::size_t{1} << 26U;

const Text another_picture{"PNG か JPEG で保存し直してください", "save it as PNG or JPEG again"};

/// Room for so many pixels. Refuses what claims none or too many.
Image image_of(const std::string& file, std::size_t rows, std::size_t columns) {
  if (rows == 0 || columns == 0 || rows > most_pixels / columns) {
    refuse_file(file,
                text("{} × {} 画素あります（1～{} 画素まで）", "it has {} × {} pixels, not 1 to {} in all",
                     columns, rows, most_pixels),
                {"小さくして保存し直してください", "save it smaller"});
  }
  return {rows, columns, std::vector<std::uint8_t>(3 * rows * columns)};
}

Image read_png(std::string_view bytes, const std::string& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_imagep)> owner(&png, png_image_free);
  const auto refuse = [&] {
    refuse_file(file, text("PNG が壊れています（{}）", "the PNG is damaged ({})", std::string(png.message)),
                another_picture);
  };
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) refuse();
  Image image = image_of(file, png.height, png.width);
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // else libpng takes 16 bits without gAMA for linear light
  png.format = PNG_FORMAT_RGB;
  const png_color white{255, 255, 255};
  if (png_image_finish_read(&png, &white, image.samples.data(), 0, nullptr) == 0) refuse();
  return image;
}

// --- EXIF

/// Numbers of a TIFF, whose first letters tell the byte order; 0 beyond its end.
struct Tiff {
  std::string_view bytes;

  std::size_t number(std::size_t at, std::size_t size) const {
    if (at > bytes.size() || size > bytes.size() - at) return 0;
    std::string digits(bytes.substr(at, size));
    if (bytes[0] == 'M') std::reverse(digits.begin(), digits.end());
    return static_cast<std::size_t>(little_endian(digits));
  }
};

/// Whether an orientation other than the stored one stands in the first directory (tag 0x0112; CIPA DC-008).
bool turns(const Tiff& tiff) {
  const std::size_t directory = tiff.number(4, 4);
  const std::size_t entries = tiff.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (tiff.number(entry, 2) == 0x0112) return tiff.number(entry + 8, 2) > 1;
  }
  return false;
}

/// The segments before the picture's data, each with its length.
bool is_turned(std::string_view jpeg) {
  constexpr std::string_view exif("Exif\0\0", 6);
  for (std::size_t at = 2; at + 4 <= jpeg.size() && jpeg[at] == '\xFF' && jpeg[at + 1] != '\xDA';) {
    const std::size_t high = static_cast<unsigned char>(jpeg[at + 2]);
    const std::size_t length =
        std::max<std::size_t>(256 * high + static_cast<unsigned char>(jpeg[at + 3]), 2);
    const std::string_view segment = jpeg.substr(at + 4, length - 2);
    if (jpeg[at + 1] == '\xE1' && segment.substr(0, exif.size()) == exif)
      return segment.size() > exif.size() && turns({segment.substr(exif.size())});
    at += 2 + length;
  }
  return false;
}

Image read_jpeg(std::string_view bytes, const std::string& file) {
  const std::unique_ptr<void, int (*)(tjhandle)> reader(tjInitDecompress(), tjDestroy);
  const auto* data = static_cast<const unsigned char*>(static_cast<const void*>(bytes.data()));
  const auto size = static_cast<unsigned long>(bytes.size());
  const auto refuse = [&](const std::string& reason) {
    refuse_file(file, text("JPEG が壊れています（{}）", "the JPEG is damaged ({})", reason), another_picture);
  };
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
  if (tjDecompressHeader3(reader.get(), data, size, &width, &height, &subsampling, &colours) != 0)
    refuse(tjGetErrorStr2(reader.get()));
  if (width < 1 || height < 1) refuse("no SOF");
  if (colours == TJCS_CMYK || colours == TJCS_YCCK) {
    refuse_file(file,
                {"CMYK（印刷用の 4 色）の JPEG です", "it is a CMYK JPEG, with the four colours of print"},
                {"RGB に変換してください（例：magick 元.jpg -colorspace sRGB 先.png）",
                 "convert it to RGB, as in magick from.jpg -colorspace sRGB to.png"});
  }
  Image image = image_of(file, static_cast<std::size_t>(height), static_cast<std::size_t>(width));
  if (tjDecompress2(reader.get(), data, size, image.samples.data(), width, 0, height, TJPF_RGB,
                    TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) != 0)
    refuse(tjGetErrorStr2(reader.get()));
  image.is_turned = is_turned(bytes);
  return image;
}

// --- Arrays

/// Where the colours of a pixel lie in an array: how many there are, and how far apart.
struct Channels {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t count = 1;
  std::size_t pixel_stride = 1;
  std::size_t channel_stride = 0;
};

std::optional<Channels> channels_of(const std::vector<std::size_t>& shape) {
  if (shape.size() == 2) return Channels{shape[0], shape[1]};
  if (shape.size() != 3) return std::nullopt;
  const auto are_colours = [](std::size_t length) { return length == 1 || length == 3; };
  if (are_colours(shape[2])) return Channels{shape[0], shape[1], shape[2], shape[2], 1};
  if (are_colours(shape[0])) return Channels{shape[1], shape[2], shape[0], 1, shape[1] * shape[2]};
  return std::nullopt;
}

bool begins(std::string_view bytes, std::string_view with) { return bytes.substr(0, with.size()) == with; }

}  // namespace

Image image_in(const StoredTensor& tensor, const std::string& file) {
  const std::optional<Channels> channels = channels_of(tensor.shape);
  if (!channels) {
    refuse_file(
        file, in_array(tensor.name),
        text("形状 {} は画像ではありません", "the shape {} is no picture's", shape_text(tensor.shape)),
        {"(行, 列, 3)、(行, 列)、(3, 行, 列) のどれかにしてください",
         "give it the shape (rows, columns, 3), (rows, columns) or (3, rows, columns)"});
  }
  Image image = image_of(file, channels->rows, channels->columns);
  const Tensor<double> values = load<double>(tensor);
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    refuse_file(file, tensor.name.empty() ? Text::none() : in_array(tensor.name),
                {"NaN か ∞ があります", "it holds NaN or infinity"},
                {"画素は 0～255 の整数か 0～1 の数にしてください",
                 "give whole numbers from 0 to 255, or numbers from 0 to 1"});
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const bool is_whole = tensor.encoding.type < ElementType::float16;
  if (!(*low >= 0.0 && *high <= (is_whole ? 255.0 : 1.0))) {
    refuse_file(file, in_array(tensor.name),
                text("値が {:.3g}～{:.3g} です", "its values run from {:.3g} to {:.3g}", *low, *high),
                {"0～255 の整数か 0～1 の数にしてください。正規化したものは戻してください",
                 "give whole numbers from 0 to 255, or numbers from 0 to 1; undo what normalised them"});
  }
  const double unit = is_whole ? 1.0 : 255.0;
  for (std::size_t pixel = 0; pixel < channels->rows * channels->columns; ++pixel) {
    for (std::size_t colour = 0; colour < 3; ++colour) {
      const std::size_t channel = channels->count == 1 ? 0 : colour;
      const double value = values.flat(pixel * channels->pixel_stride + channel * channels->channel_stride);
      image.samples[3 * pixel + colour] = static_cast<std::uint8_t>(std::lround(unit * value));
    }
  }
  return image;
}

Image image_in(const SharedBytes& bytes, const std::string& file) {
  if (begins(bytes.view, "\x89PNG")) return read_png(bytes.view, file);
  if (begins(bytes.view, "\xff\xd8\xff")) return read_jpeg(bytes.view, file);
  refuse_file(file, {"PNG でも JPEG でもありません", "it is neither PNG nor JPEG"}, another_picture);
}

Image read_image(const std::string& words) {
  if (format_of_name(file_of(words)))
    return image_in(only_tensor(open_tensors(words), "", "--image "), words);
  return image_in(bytes_of(words), words);
}

}  // namespace attnlab
