// The arrays of a report as NumPy's npz: one .npy file per array in a zip archive without compression.
#include <zip.h>

#include "core/error.hpp"
#include "core/owned.hpp"
#include "io/report_files.hpp"

namespace attnlab {
namespace {

[[noreturn]] void fail(const std::string& reason) {
  refuse_failed({"npz を作れません: " + reason, "cannot build the npz: " + reason},
                {"--data に .json か .csv を指定してください", "use .json or .csv with --data"});
}

// --- npy

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

// --- zip

// `contents` must outlive the archive: libzip reads it when it closes.
void add_file(zip_t* archive, const std::string& name, const std::string& contents) {
  zip_source_t* source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail(zip_strerror(archive));
  }
  // One date for all, 1 January 1980, in DOS's own form: a time_t would depend on the time zone.
  constexpr zip_uint16_t first_day = (1U << 5U) | 1U;
  const auto entry = static_cast<zip_uint64_t>(index);
  if (zip_file_set_dostime(archive, entry, 0, first_day, 0) != 0 ||
      zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0) != 0) {
    fail(zip_strerror(archive));
  }
}

std::string read_all(zip_source_t* source) {
  zip_stat_t status;
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
    fail(zip_error_strerror(zip_source_error(source)));
  std::string bytes(status.size, '\0');
  const zip_int64_t read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read < 0 || static_cast<std::size_t>(read) != bytes.size())
    fail(zip_error_strerror(zip_source_error(source)));
  return bytes;
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
  // libzip deletes an archive without entries; this is all there is of one: the end record.
  if (report.stages.empty()) return "PK\x05\x06" + std::string(18, '\0');
  std::vector<std::string> files;
  files.reserve(report.stages.size());
  zip_error_t error;
  zip_error_init(&error);
  const Owned<zip_source_t, zip_source_free> memory(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!memory) fail(zip_error_strerror(&error));
  zip_source_keep(memory.get());  // once for the archive, once for reading the result
  Owned<zip_t, zip_discard> archive(zip_open_from_source(memory.get(), ZIP_TRUNCATE, &error));
  if (!archive) {
    zip_source_free(memory.get());
    fail(zip_error_strerror(&error));
  }
  for (const Stage& stage : report.stages) {
    files.push_back(array_npy(stage.array));
    add_file(archive.get(), stage.name + ".npy", files.back());
  }
  if (zip_close(archive.get()) != 0) fail(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // zip_close has freed it
  return read_all(memory.get());
}

}  // namespace attnlab
