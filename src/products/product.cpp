#include "products/product.hpp"

#include "core/utf8.hpp"

namespace attnlab {

MadeFile made_file(const std::filesystem::path& path, std::string bytes) {
  return {path, [bytes = std::move(bytes)](const Progress&) { return bytes; }};
}

void check_ending(const std::string& flag, const std::filesystem::path& file, const std::string& ending) {
  if (lower_case(file.extension().string()) == ending) return;
  refuse_usage(text("--{} {} は {} ではありません", "--{} {} does not end in {}", flag,
                    quotation(file.string()), ending),
               text("拡張子は {} にしてください", "end the name in {}", ending));
}

}  // namespace attnlab
