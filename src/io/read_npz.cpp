// NumPy's npz: a zip archive with one npy file per array.
#include <fmt/format.h>
#include <zip.h>

#include <memory>
#include <set>

#include "core/utf8.hpp"
#include "io/array_files.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr zip_uint64_t most_members = 1024;
constexpr std::string_view suffix = ".npy";

const Text save_again{"np.savez で保存し直してください", "save the arrays again with np.savez"};

struct ArchiveRelease {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct FileRelease {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, ArchiveRelease>;
using Member = std::unique_ptr<zip_file_t, FileRelease>;

std::string japanese_reason(int code) {
  switch (code) {
    case ZIP_ER_NOZIP:
      return "zip の形をしていません";
    case ZIP_ER_INCONS:
      return "内部の記録が食い違っています";
    case ZIP_ER_CRC:
      return "検査値（CRC）が合いません";
    case ZIP_ER_EOF:
    case ZIP_ER_READ:
    case ZIP_ER_SEEK:
      return "データが途中で終わっています";
    case ZIP_ER_ZLIB:
    case ZIP_ER_COMPRESSED_DATA:
      return "圧縮されたデータが正しくありません";
    case ZIP_ER_COMPNOTSUPP:
      return "読めない方式で圧縮されています";
    case ZIP_ER_ENCRNOTSUPP:
    case ZIP_ER_NOPASSWD:
    case ZIP_ER_WRONGPASSWD:
      return "暗号化されています";
    default:
      return fmt::format("libzip のエラー番号 {}", code);
  }
}

Text reason_of(zip_error_t* error) {
  return {japanese_reason(zip_error_code_zip(error)), zip_error_strerror(error)};
}

[[noreturn]] void refuse(const std::string& file, const Text& place, const Text& reason) {
  refuse_file(file, place,
              {"zip として壊れています：" + reason.ja(), "the zip archive is damaged: " + reason.en()},
              save_again);
}

Text in_member(const std::string& name) {
  return {quotation(name) + " の中", "in " + quotation(name)};
}

Archive open_archive(std::string_view bytes, const std::string& file) {
  if (bytes.empty())
    refuse(file, at_byte(0),
           {"中身がありません", "the file is empty"});  // to libzip an archive yet to be filled
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  Archive archive(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error));
  if (archive) return archive;
  if (source != nullptr) zip_source_free(source);
  const Text reason = reason_of(&error);
  zip_error_fini(&error);
  refuse(file, at_byte(0), reason);
}

/// The member's bytes; `left` is what all members together may still unpack to.
std::string unpacked(zip_t* archive, zip_uint64_t index, const zip_stat_t& status, const std::string& file,
                     std::size_t left) {
  const std::string name = status.name;
  if (status.size > left) {
    refuse_file(
        file, in_member(name),
        {fmt::format("展開すると {} バイトになります（合計 {} まで）", status.size, largest_array_file),
         fmt::format("it unpacks to {} bytes; at most {} in all are allowed", status.size,
                     largest_array_file)},
        {"必要な配列だけを保存してください", "save only the arrays that are needed"});
  }
  const Member member(zip_fopen_index(archive, index, 0));
  if (!member) refuse(file, in_member(name), reason_of(zip_get_error(archive)));
  std::string bytes(status.size, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const zip_int64_t read = zip_fread(member.get(), bytes.data() + filled, bytes.size() - filled);
    if (read < 0) refuse(file, in_member(name), reason_of(zip_file_get_error(member.get())));
    if (read == 0) break;
    filled += static_cast<std::size_t>(read);
  }
  char more = 0;  // asks for one byte too many, so that the checksum is looked at
  if (filled < bytes.size()) {
    refuse(file, in_member(name), {"データが途中で終わっています", "data end early"});
  }
  if (zip_fread(member.get(), &more, 1) != 0) {
    refuse(file, in_member(name), reason_of(zip_file_get_error(member.get())));
  }
  return bytes;
}

zip_stat_t status_of(zip_t* archive, zip_uint64_t index, const std::string& file) {
  constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive, index, 0, &status) != 0)
    refuse(file, at_byte(0), reason_of(zip_get_error(archive)));
  if ((status.valid & needed) != needed) {
    refuse(file, at_byte(0), {"名前か大きさのない配列があります", "a member without name or size"});
  }
  return status;
}

/// "weights.npy" -> "weights".
std::string array_name(const std::string& member, const std::string& file) {
  if (member.size() > suffix.size() &&
      member.compare(member.size() - suffix.size(), suffix.size(), suffix) == 0) {
    return member.substr(0, member.size() - suffix.size());
  }
  refuse_file(file, Text::same(""),
              {fmt::format("{} は npy ではありません", quotation(member)),
               fmt::format("its member {} is not an npy", quotation(member))},
              save_again);
}

}  // namespace

std::vector<NamedArray> read_npz(std::string_view bytes, const std::string& file) {
  const Archive archive = open_archive(bytes, file);
  const zip_int64_t members = zip_get_num_entries(archive.get(), 0);
  if (members < 0 || static_cast<zip_uint64_t>(members) > most_members) {
    refuse_file(file, at_byte(0),
                {fmt::format("配列が {} 個あります（{} 個まで）", members, most_members),
                 fmt::format("it holds {} arrays; at most {} are allowed", members, most_members)},
                save_again);
  }
  if (members == 0) {
    refuse_file(file, Text::same(""), {"配列が一つも入っていません", "there are no arrays in it"},
                {"np.savez(ファイル名, weights=配列) のように保存してください",
                 "save them as in np.savez(file, weights=array)"});
  }
  std::vector<NamedArray> arrays;
  std::set<std::string> names;
  std::size_t left = largest_array_file;
  for (zip_uint64_t index = 0; index < static_cast<zip_uint64_t>(members); ++index) {
    const zip_stat_t status = status_of(archive.get(), index, file);
    const std::string name = array_name(status.name, file);
    if (!names.insert(name).second) {
      refuse_file(file, Text::same(""),
                  {fmt::format("{} が二つあります", quotation(name)),
                   fmt::format("the name {} occurs twice", quotation(name))},
                  save_again);
    }
    const std::string member = unpacked(archive.get(), index, status, file, left);
    left -= member.size();
    arrays.push_back(read_npy(member, file + ":" + status.name));
    arrays.back().name = name;
  }
  return arrays;
}

}  // namespace attnlab
