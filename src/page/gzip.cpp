#include "page/gzip.hpp"

#include <zlib.h>

#include <new>
#include <vector>

namespace attnlab {

std::string gzip(const std::string& text) {
  constexpr int as_gzip = MAX_WBITS + 16;
  constexpr int memory = 8;  // zlib's default
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, as_gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<Bytef> input(text.begin(), text.end());
  std::vector<Bytef> bytes(::deflateBound(&stream, text.size()));
  stream.next_in = input.data();
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  ::deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  ::deflateEnd(&stream);
  return {bytes.begin(), bytes.end()};
}

}  // namespace attnlab
