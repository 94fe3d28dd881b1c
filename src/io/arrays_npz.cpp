// The arrays of a report as NumPy's npz: one .npy file per array in a zip archive without compression.
#include "io/file_bytes.hpp"
#include "io/report_files.hpp"
#include "io/zip_archive.hpp"

namespace attnlab {

std::string numbers_of(const Array& array) {
  std::string bytes;
  bytes.reserve(array.data.size() * sizeof(double));
  for (const double value : array.data) {
    if (array.dtype == DType::float32) {
      append_little_endian(bytes, static_cast<float>(value));
    } else {
      append_little_endian(bytes, value);
    }
  }
  return bytes;
}

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
  append_little_endian(bytes, static_cast<std::uint16_t>(header.size()));
  return bytes + header + numbers_of(array);
}

std::string arrays_npz(const Report& report) {
  std::vector<ArchiveEntry> files;
  files.reserve(report.stages.size());
  for (const Stage& stage : report.stages) files.push_back({stage.name + ".npy", array_npy(stage.array)});
  return zip_archive(files);
}

}  // namespace attnlab
