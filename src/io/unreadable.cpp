// Wording shared by the readers, and the limits that keep a hostile file from taking all memory.
#include "io/unreadable.hpp"

#include "core/utf8.hpp"
#include "results/report/array.hpp"

namespace attnlab {

void refuse_file(const std::string& file, const Text& place, const Text& problem, const Text& hint) {
  const std::string name = quotation(file);
  const Text where{place.ja().empty() ? "" : "（" + place.ja() + "）",
                   place.en().empty() ? "" : " " + place.en()};
  refuse_failed(attnlab::text("{} を読めません{}：{}", "cannot read {}{}: {}", name, where, problem), hint);
}

void refuse_file(const std::string& file, const Text& problem, const Text& hint) {
  refuse_file(file, Text::none(), problem, hint);
}

Text at_byte(std::size_t offset) { return attnlab::text("{} バイト目", "at byte {}", offset); }

Text in_array(const std::string& name) { return attnlab::text("配列 {}", "in array {}", quotation(name)); }

std::size_t checked_size(const std::vector<std::size_t>& shape, std::size_t most, const std::string& file,
                         const Text& place) {
  if (shape.size() > most_axes) {
    refuse_file(file, place,
                attnlab::text("軸が {} 本あります（{} 本まで）", "it has {} axes; at most {} are allowed",
                              shape.size(), most_axes),
                {"形状を確かめて保存し直してください", "check its shape and save it again"});
  }
  std::size_t size = 1;  // without the axes of length 0: strides are computed of the others all the same
  bool too_large = false;
  for (const std::size_t length : shape) {
    too_large = too_large || length > most || (length != 0 && size > most / length);
    if (!too_large && length != 0) size *= length;
  }
  const bool empty = std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end();
  if (!too_large) return empty ? 0 : size;
  refuse_file(
      file, place,
      attnlab::text("形状 {} は大きすぎます（値は {} 個まで）",
                    "the shape {} is too large; at most {} values are allowed", shape_text(shape), most),
      {"形状を確かめて保存し直してください", "check its shape and save it again"});
}

void check_text_size(std::string_view text, const std::string& file) {
  if (text.size() <= largest_text_file) return;
  refuse_file(
      file,
      attnlab::text("{} バイトあります。文字で書いた数値は {} バイトまでです",
                    "it has {} bytes; numbers written as text may take {}", text.size(), largest_text_file),
      {"npy か safetensors のファイルに保存してください", "save it to an npy or safetensors file"});
}

}  // namespace attnlab
