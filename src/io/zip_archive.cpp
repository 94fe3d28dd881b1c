// Zip archives by libzip.
#include "io/zip_archive.hpp"

#include <deque>

#include "core/error.hpp"
#include "io/libzip.hpp"

namespace attnlab {
namespace {

[[noreturn]] void fail_to_pack(const std::string& reason) {
  refuse_failed({"zip の書庫を作れません: " + reason, "cannot build the zip archive: " + reason},
                {"メモリの空きを確かめてください", "see whether there is memory left"});
}

// One date for all, 1 January 1980, in DOS's own form: a time_t would depend on the time zone.
constexpr zip_uint16_t first_day = (1U << 5U) | 1U;

// The entry's bytes must outlive the archive: libzip reads them when it closes.
void add_entry(zip_t* archive, const ArchiveEntry& entry, zip_int32_t method) {
  zip_source_t* source = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(archive, entry.path.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail_to_pack(zip_strerror(archive));
  }
  const auto place = static_cast<zip_uint64_t>(index);
  if (zip_file_set_dostime(archive, place, 0, first_day, 0) != 0 ||
      zip_set_file_compression(archive, place, method, 0) != 0) {
    fail_to_pack(zip_strerror(archive));
  }
}

std::string read_all(zip_source_t* source) {
  zip_stat_t status;
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
    fail_to_pack(zip_error_strerror(zip_source_error(source)));
  std::string bytes(status.size, '\0');
  const zip_int64_t read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read < 0 || static_cast<std::size_t>(read) != bytes.size())
    fail_to_pack(zip_error_strerror(zip_source_error(source)));
  return bytes;
}

/// An archive in memory that begins with these bytes, as `change` leaves it.
template <class Change>
std::string changed_archive(const std::string& bytes, int flags, const Change& change) {
  zip_error_t error;
  zip_error_init(&error);
  const ZipSource memory(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  if (!memory) fail_to_pack(zip_error_strerror(&error));
  zip_source_keep(memory.get());  // once for the archive, once for reading the result
  ZipArchive archive(zip_open_from_source(memory.get(), flags, &error));
  if (!archive) {
    zip_source_free(memory.get());
    fail_to_pack(zip_error_strerror(&error));
  }
  change(archive.get());
  if (zip_close(archive.get()) != 0) fail_to_pack(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // zip_close has freed it
  return read_all(memory.get());
}

}  // namespace

std::string zip_archive(const std::vector<ArchiveEntry>& entries) {
  // libzip deletes an archive without entries; this is all there is of one: the end record.
  if (entries.empty()) return "PK\x05\x06" + std::string(18, '\0');
  return changed_archive("", ZIP_TRUNCATE, [&](zip_t* archive) {
    for (const ArchiveEntry& entry : entries) add_entry(archive, entry, ZIP_CM_STORE);
  });
}

std::string edited_archive(const std::string& bytes, const std::function<void(ArchiveEntry&)>& edit,
                           const std::vector<ArchiveEntry>& added) {
  std::deque<ArchiveEntry> entries;  // libzip reads them when it closes the archive
  return changed_archive(bytes, 0, [&](zip_t* archive) {
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      const auto place = static_cast<zip_uint64_t>(i);
      zip_stat_t status;
      if (zip_stat_index(archive, place, 0, &status) != 0) fail_to_pack(zip_strerror(archive));
      ArchiveEntry& entry = entries.emplace_back(ArchiveEntry{status.name, std::string(status.size, '\0')});
      const ZipMember member(zip_fopen_index(archive, place, 0));
      if (!member || zip_fread(member.get(), entry.bytes.data(), entry.bytes.size()) !=
                         static_cast<zip_int64_t>(entry.bytes.size()))
        fail_to_pack(zip_strerror(archive));
      const std::string before = entry.bytes;
      edit(entry);
      if (entry.bytes == before) continue;
      zip_source_t* source = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
      if (source == nullptr || zip_file_replace(archive, place, source, 0) != 0) {
        zip_source_free(source);
        fail_to_pack(zip_strerror(archive));
      }
    }
    for (const ArchiveEntry& entry : added) add_entry(archive, entry, ZIP_CM_DEFLATE);
  });
}

std::string undated_archive(const std::string& bytes) {
  return changed_archive(bytes, 0, [](zip_t* archive) {
    const zip_int64_t entries = zip_get_num_entries(archive, 0);
    for (zip_int64_t entry = 0; entry < entries; ++entry)
      zip_file_set_dostime(archive, static_cast<zip_uint64_t>(entry), 0, first_day, 0);
  });
}

}  // namespace attnlab
