// The arrays of a report as NumPy's npz: one .npy file per array in a zip archive without compression.
#include "io/report_files.hpp"
#include "io/zip_archive.hpp"

namespace attnlab {
namespace {

// Little-endian, whatever this machine is.
template <class Unsigned>
void append_bytes(std::string& bytes, Unsigned bits) {
  for (std::size_t i = 0; i < sizeof bits; ++i)
    bytes += static_cast<char>(std::uint64_t{bits} >> (8 * i) & 0xFFU);
}

void append_number(std::string& bytes, double value, DType dtype) {
  if (dtype == DType::float32) {
    const auto narrow = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    append_bytes(bytes, bits);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    append_bytes(bytes, bits);
  }
}

}  // namespace

// Format 1.0: magic, version, length of the header, a Python dict filled up with spaces to a multiple of 64.
// Source: numpy/lib/format.py.
std::string array_npy(const Array& array) {
  constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t alignment = 64;
  std::string header = array.dtype == DType::float32 ? "{'descr': '<f4'" : "{'descr': '<f8'";
  header += ", 'fortran_order': False, 'shape': " + shape_text(array.shape) + ", }";
  const std::size_t unpadded = magic.size() + sizeof(std::uint16_t) + header.size() + 1;
  header += std::string((alignment - unpadded % alignment) % alignment, ' ') + '\n';

  std::string bytes(magic);
  bytes.reserve(unpadded + alignment + array.data.size() * (array.dtype == DType::float32 ? 4 : 8));
  append_bytes(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
  for (const double value : array.data) append_number(bytes, value, array.dtype);
  return bytes;
}

std::string arrays_npz(const Report& report) {
  std::vector<ArchiveEntry> files;
  files.reserve(report.stages.size());
  for (const Stage& stage : report.stages) files.push_back({stage.name + ".npy", array_npy(stage.array)});
  return zip_archive(files);
}

}  // namespace attnlab
