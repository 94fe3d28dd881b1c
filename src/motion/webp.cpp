// Animated WebP by libwebp, lossless.
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "motion/film.hpp"

namespace attnlab {
namespace {

constexpr int milliseconds_each = 10;  // of a hundredth of a second
constexpr std::uint32_t opaque_pixel = 0xFF000000;

void require_webp(bool success) {
  if (success) return;
  throw Error(ErrorKind::failed, {"WebP を作れません（libwebp）", "cannot encode the WebP (libwebp)"},
              {"--size か --dpi を小さくしてください", "try a smaller --size or --dpi"});
}

struct WebpRelease {
  void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
  void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
};

class WebpData {
 public:
  WebpData() { WebPDataInit(&data_); }
  WebpData(const WebpData&) = delete;
  WebpData& operator=(const WebpData&) = delete;
  WebpData(WebpData&&) = delete;
  WebpData& operator=(WebpData&&) = delete;
  ~WebpData() { WebPDataClear(&data_); }

  WebPData* get() { return &data_; }
  std::string bytes() const { return {data_.bytes, data_.bytes + data_.size}; }

 private:
  WebPData data_{};
};

class Picture {
 public:
  explicit Picture(const Pixels& pixels) {
    require_webp(WebPPictureInit(&picture_) != 0);
    picture_.use_argb = 1;
    picture_.width = static_cast<int>(pixels.width);
    picture_.height = static_cast<int>(pixels.height);
    require_webp(WebPPictureAlloc(&picture_) != 0);
    for (std::size_t row = 0; row < pixels.height; ++row) {
      const auto from = pixels.values.begin() + static_cast<std::ptrdiff_t>(row * pixels.width);
      std::transform(from, from + static_cast<std::ptrdiff_t>(pixels.width),
                     picture_.argb + row * static_cast<std::size_t>(picture_.argb_stride),
                     [](std::uint32_t colour) { return colour | opaque_pixel; });
    }
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
  Picture(Picture&&) = delete;
  Picture& operator=(Picture&&) = delete;
  ~Picture() { WebPPictureFree(&picture_); }

  WebPPicture* get() { return &picture_; }

 private:
  WebPPicture picture_{};
};

/// Little effort: figures have few colours, and more effort makes files only a few percent smaller.
WebPConfig configuration() {
  constexpr int effort = 1;
  WebPConfig config{};
  require_webp(WebPConfigInit(&config) != 0 && WebPConfigLosslessPreset(&config, effort) != 0);
  return config;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    result += letter == '<'   ? "&lt;"
              : letter == '&' ? "&amp;"
              : letter == '>' ? "&gt;"
                              : std::string(1, letter);
  }
  return result;
}

std::string xmp_of(const Metadata& metadata) {
  const auto words = [&](const char* name, const std::string& text) {
    const std::string tag = name;
    return "<" + tag + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" + escaped(text) + "</rdf:li></rdf:Alt></" +
           tag + ">";
  };
  return "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
         "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
         "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">" +
         words("dc:title", metadata.title) + words("dc:description", metadata.description) +
         "<xmp:CreatorTool>" + escaped(metadata.command) +
         "</xmp:CreatorTool></rdf:Description></rdf:RDF></x:xmpmeta>";
}

std::string with_metadata(WebpData& film, const Metadata& metadata) {
  const std::unique_ptr<WebPMux, WebpRelease> mux(WebPMuxCreate(film.get(), 0));
  require_webp(mux != nullptr);
  const std::string xmp = xmp_of(metadata);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  const WebPData chunk{reinterpret_cast<const std::uint8_t*>(xmp.data()), xmp.size()};
  require_webp(WebPMuxSetChunk(mux.get(), "XMP ", &chunk, 0) == WEBP_MUX_OK);
  WebpData complete;
  require_webp(WebPMuxAssemble(mux.get(), complete.get()) == WEBP_MUX_OK);
  return complete.bytes();
}

}  // namespace

std::string encode_webp(const Film& film) {
  WebPAnimEncoderOptions options{};
  require_webp(WebPAnimEncoderOptionsInit(&options) != 0);
  options.anim_params.loop_count = film.repeat == Repeat::once ? 1 : 0;  // 0: for ever
  const WebPConfig config = configuration();
  std::unique_ptr<WebPAnimEncoder, WebpRelease> encoder;
  int milliseconds = 0;
  for (std::size_t i = 0; i < film.frames; ++i) {
    Picture picture(film.frame_at(i));
    if (encoder == nullptr) {
      encoder.reset(WebPAnimEncoderNew(picture.get()->width, picture.get()->height, &options));
      require_webp(encoder != nullptr);
    }
    require_webp(WebPAnimEncoderAdd(encoder.get(), picture.get(), milliseconds, &config) != 0);
    milliseconds += milliseconds_each * film.centiseconds[i];
  }
  require_webp(WebPAnimEncoderAdd(encoder.get(), nullptr, milliseconds, nullptr) != 0);
  WebpData data;
  require_webp(WebPAnimEncoderAssemble(encoder.get(), data.get()) != 0);
  return with_metadata(data, film.metadata);
}

}  // namespace attnlab
