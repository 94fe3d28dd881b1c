// Animated WebP by libwebp, lossless.
#include <webp/encode.h>
#include <webp/mux.h>

#include "core/error.hpp"
#include "core/escape.hpp"
#include "core/owned.hpp"
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

/// The caller frees it.
void fill(WebPPicture& picture, const Pixels& pixels) {
  require_webp(WebPPictureInit(&picture) != 0);
  picture.use_argb = 1;
  picture.width = static_cast<int>(pixels.width);
  picture.height = static_cast<int>(pixels.height);
  require_webp(WebPPictureAlloc(&picture) != 0);
  for (std::size_t row = 0; row < pixels.height; ++row) {
    const auto from = pixels.values.begin() + static_cast<std::ptrdiff_t>(row * pixels.width);
    std::transform(from, from + static_cast<std::ptrdiff_t>(pixels.width),
                   picture.argb + row * static_cast<std::size_t>(picture.argb_stride),
                   [](std::uint32_t colour) { return colour | opaque_pixel; });
  }
}

/// Little effort: figures have few colours, and more effort makes files only a few percent smaller.
WebPConfig configuration() {
  constexpr int effort = 1;
  WebPConfig config{};
  require_webp(WebPConfigInit(&config) != 0 && WebPConfigLosslessPreset(&config, effort) != 0);
  return config;
}

std::string escaped(const std::string& text) {
  return with_words(text, {{'<', "&lt;"}, {'&', "&amp;"}, {'>', "&gt;"}});
}

std::string xmp_of(const Metadata& metadata) {
  const auto words = [&](const char* name, const std::string& text) {
    const std::string tag = name;
    return "<" + tag + "><rdf:Alt><rdf:li xml:lang=\"x-default\">" + escaped(text) + "</rdf:li></rdf:Alt></" +
           tag + ">";
  };
  return "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">" +
         words("dc:title", metadata.title) + words("dc:description", metadata.description) +
         "<xmp:CreatorTool>" + escaped(metadata.command) +
         "</xmp:CreatorTool></rdf:Description></rdf:RDF></x:xmpmeta>";
}

std::string with_metadata(const WebPData& film, const Metadata& metadata) {
  const Owned<WebPMux, WebPMuxDelete> mux(WebPMuxCreate(&film, 0));
  require_webp(mux != nullptr);
  const std::string xmp = xmp_of(metadata);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  const WebPData chunk{reinterpret_cast<const std::uint8_t*>(xmp.data()), xmp.size()};
  require_webp(WebPMuxSetChunk(mux.get(), "XMP ", &chunk, 0) == WEBP_MUX_OK);
  WebPData complete{};
  const Owned<WebPData, WebPDataClear> cleared(&complete);
  require_webp(WebPMuxAssemble(mux.get(), &complete) == WEBP_MUX_OK);
  return {complete.bytes, complete.bytes + complete.size};
}

}  // namespace

std::string encode_webp(const Film& film) {
  WebPAnimEncoderOptions options{};
  require_webp(WebPAnimEncoderOptionsInit(&options) != 0);
  options.anim_params.loop_count = film.repeat == Repeat::once ? 1 : 0;  // 0: for ever
  const WebPConfig config = configuration();
  Owned<WebPAnimEncoder, WebPAnimEncoderDelete> encoder;
  int milliseconds = 0;
  for (std::size_t i = 0; i < film.frames; ++i) {
    WebPPicture picture{};
    const Owned<WebPPicture, WebPPictureFree> freed(&picture);
    fill(picture, film.frame_at(i));
    if (encoder == nullptr) {
      encoder.reset(WebPAnimEncoderNew(picture.width, picture.height, &options));
      require_webp(encoder != nullptr);
    }
    require_webp(WebPAnimEncoderAdd(encoder.get(), &picture, milliseconds, &config) != 0);
    milliseconds += milliseconds_each * film.centiseconds[i];
  }
  require_webp(WebPAnimEncoderAdd(encoder.get(), nullptr, milliseconds, nullptr) != 0);
  WebPData data{};
  const Owned<WebPData, WebPDataClear> cleared(&data);
  require_webp(WebPAnimEncoderAssemble(encoder.get(), &data) != 0);
  return with_metadata(data, film.metadata);
}

}  // namespace attnlab
