// NumPy's npz: a zip archive with one npy file per array.
#include "core/utf8.hpp"
#include "io/formats.hpp"
#include "io/libzip.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

constexpr zip_uint64_t most_members = 1024;
constexpr std::string_view suffix = ".npy";

const Text save_npz_again{"np.savez で保存し直してください", "save the arrays again with np.savez"};

/// libzip reads from the bytes for as long as it lives.
struct Archive {
  SharedBytes bytes;
  ZipArchive zip;
};

std::string japanese_reason(int code) {
  static const std::map<int, std::string> reasons{
      {ZIP_ER_NOZIP, "zip の形をしていません"},
      {ZIP_ER_INCONS, "内部の記録が食い違っています"},
      {ZIP_ER_CRC, "検査値（CRC）が合いません"},
      {ZIP_ER_EOF, "データが途中で終わっています"},
      {ZIP_ER_READ, "データが途中で終わっています"},
      {ZIP_ER_SEEK, "データが途中で終わっています"},
      {ZIP_ER_ZLIB, "圧縮されたデータが正しくありません"},
      {ZIP_ER_COMPRESSED_DATA, "圧縮されたデータが正しくありません"},
      {ZIP_ER_COMPNOTSUPP, "読めない方式で圧縮されています"},
      {ZIP_ER_ENCRNOTSUPP, "暗号化されています"},
      {ZIP_ER_NOPASSWD, "暗号化されています"},
      {ZIP_ER_WRONGPASSWD, "暗号化されています"},
  };
  const auto known = reasons.find(code);
  return known != reasons.end() ? known->second : fmt::format("libzip のエラー番号 {}", code);
}

Text reason_of(zip_error_t* error) {
  return {japanese_reason(zip_error_code_zip(error)), zip_error_strerror(error)};
}

[[noreturn]] void refuse(const std::string& file, const Text& place, const Text& reason) {
  refuse_file(file, place,
              {"zip として壊れています：" + reason.ja(), "the zip archive is damaged: " + reason.en()},
              save_npz_again);
}

Text in_member(const std::string& name) { return {quotation(name) + " の中", "in " + quotation(name)}; }

std::shared_ptr<const Archive> open_archive(const SharedBytes& bytes, const std::string& file) {
  // To libzip an archive yet to be filled.
  if (bytes.view.empty()) refuse(file, at_byte(0), {"中身がありません", "the file is empty"});
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.view.data(), bytes.view.size(), 0, &error);
  zip_t* const zip = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (zip != nullptr) return std::make_shared<const Archive>(Archive{bytes, ZipArchive(zip)});
  if (source != nullptr) zip_source_free(source);
  const Text reason = reason_of(&error);
  zip_error_fini(&error);
  refuse(file, at_byte(0), reason);
}

/// The first `size` bytes of a member, and whether that is all of it.
struct MemberPart {
  zip_uint64_t index;
  std::string name;
  std::size_t size;
  bool whole;
};

std::string unpacked(zip_t* archive, const MemberPart& part, const std::string& file) {
  const ZipMember member(zip_fopen_index(archive, part.index, 0));
  if (!member) refuse(file, in_member(part.name), reason_of(zip_get_error(archive)));
  std::string bytes(part.size, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const zip_int64_t read = zip_fread(member.get(), bytes.data() + filled, bytes.size() - filled);
    if (read < 0) refuse(file, in_member(part.name), reason_of(zip_file_get_error(member.get())));
    if (read == 0) break;
    filled += static_cast<std::size_t>(read);
  }
  if (filled < bytes.size()) {
    refuse(file, in_member(part.name), {"データが途中で終わっています", "data end early"});
  }
  if (!part.whole) return bytes;
  char more = 0;  // asks for one byte too many, so that the checksum is looked at
  const zip_int64_t behind = zip_fread(member.get(), &more, 1);
  if (behind < 0) refuse(file, in_member(part.name), reason_of(zip_file_get_error(member.get())));
  if (behind > 0) {
    refuse(file, in_member(part.name),
           text("{} バイトのはずですが、それより長く展開されます",
                "it unpacks to more than the {} bytes that it claims", part.size));
  }
  return bytes;
}

/// Refuses other methods than NumPy's, and a size that so few packed bytes cannot have: each byte of deflate
/// stands for at most 1032.
void check_packing(const zip_stat_t& status, const std::string& file) {
  constexpr zip_uint64_t most_of_deflate = 1032;
  const bool is_stored = status.comp_method == ZIP_CM_STORE;
  if (!is_stored && status.comp_method != ZIP_CM_DEFLATE) {
    refuse_file(
        file, in_member(status.name),
        text("圧縮方式 {} は読めません", "the packing method {} is not supported", status.comp_method),
        save_npz_again);
  }
  if (status.size / (is_stored ? 1 : most_of_deflate) <= status.comp_size) return;
  refuse(file, in_member(status.name),
         text("{} バイトに展開されるはずですが、{} バイトしかありません", "it claims {} bytes, packed in {}",
              status.size, status.comp_size));
}

/// All members together may unpack to as much as the file itself, or to the limit for texts.
void check_space(const zip_stat_t& status, std::size_t left, std::size_t allowed, const std::string& file) {
  if (status.size <= left) return;
  refuse_file(file, in_member(status.name),
              text("展開すると {} バイトになります（合計 {} まで）",
                   "it unpacks to {} bytes; at most {} in all are allowed", status.size, allowed),
              {"必要な配列だけを保存してください", "save only the arrays that are needed"});
}

zip_stat_t status_of(zip_t* archive, zip_uint64_t index, const std::string& file) {
  constexpr zip_uint64_t needed =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_INDEX | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive, index, 0, &status) != 0)
    refuse(file, at_byte(0), reason_of(zip_get_error(archive)));
  if ((status.valid & needed) != needed) {
    refuse(file, at_byte(0), {"名前か大きさのない配列があります", "a member without name or size"});
  }
  return status;
}

bool has_npy_name(const std::string& member) {
  return member.size() > suffix.size() &&
         member.compare(member.size() - suffix.size(), suffix.size(), suffix) == 0;
}

StoredTensor no_npy(const std::string& member, const std::string& file) {
  return foreign_tensor(member, {}, {"npy でないもの", "no npy"}, [member, file] {
    refuse_file(file, text("{} は npy ではありません", "its member {} is not an npy", quotation(member)),
                save_npz_again);
  });
}

zip_uint64_t checked_count(zip_t* archive, const std::string& file) {
  const zip_int64_t members = zip_get_num_entries(archive, 0);
  if (members < 0 || static_cast<zip_uint64_t>(members) > most_members) {
    refuse_file(file, at_byte(0),
                text("配列が {} 個あります（{} 個まで）", "it holds {} arrays; at most {} are allowed",
                     members, most_members),
                save_npz_again);
  }
  return static_cast<zip_uint64_t>(members);
}

StoredTensor listed(const std::shared_ptr<const Archive>& archive, const zip_stat_t& status,
                    const std::string& file) {
  const std::size_t start = std::min<std::size_t>(status.size, longest_npy_start);
  const MemberPart head{status.index, status.name, start, start == status.size};
  const std::string begin = unpacked(archive->zip.get(), head, file);
  if (!is_npy_start(begin)) return no_npy(status.name, file);
  const MemberPart all{status.index, status.name, status.size, true};
  return npy_tensor(begin, status.size, file + ":" + status.name,
                    [archive, all, file] { return shared(unpacked(archive->zip.get(), all, file)); });
}

}  // namespace

ListedFile list_npz(const SharedBytes& bytes, const std::string& file) {
  const std::shared_ptr<const Archive> archive = open_archive(bytes, file);
  const zip_uint64_t members = checked_count(archive->zip.get(), file);
  std::vector<StoredTensor> tensors;
  std::set<std::string> names;
  const std::size_t allowed = std::max(largest_text_file, bytes.view.size());
  std::size_t left = allowed;
  for (zip_uint64_t index = 0; index < members; ++index) {
    const zip_stat_t status = status_of(archive->zip.get(), index, file);
    const std::string member = status.name;
    const std::string name = has_npy_name(member) ? member.substr(0, member.size() - suffix.size()) : member;
    if (!names.insert(name).second) {
      refuse_file(file, text("{} が二つあります", "the name {} occurs twice", quotation(name)),
                  save_npz_again);
    }
    if (!has_npy_name(member)) {
      tensors.push_back(no_npy(member, file));
      continue;
    }
    check_packing(status, file);
    tensors.push_back(listed(archive, status, file));
    tensors.back().name = name;
    if (tensors.back().foreign && !tensors.back().words) continue;
    check_space(status, left, allowed, file);
    left -= status.size;
  }
  return {std::move(tensors)};
}

}  // namespace attnlab
