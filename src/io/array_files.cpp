// Opens what the user named and hands its bytes to the reader for its extension.
#include "io/array_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/system_reason.hpp"
#include "core/utf8.hpp"
#include "io/descriptor.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_system(const fs::path& path, int error_number) {
  refuse_file(path.string(), Text::same(""), system_reason(error_number),
              {"ファイル名と読み取りの許可を確かめてください", "check its name and whether you may read it"});
}

void check_is_file(const fs::path& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) {
    refuse_file(path.string(), Text::same(""), {"フォルダーです", "it is a folder"},
                {"その中のファイルを指定してください", "name a file in it"});
  }
  if (!S_ISREG(status.st_mode)) {
    refuse_file(path.string(), Text::same(""),
                {"普通のファイルではありません（パイプか装置）", "it is a pipe or a device, not a file"},
                {"先にファイルに保存してください", "save it to a file first"});
  }
}

[[noreturn]] void refuse_size(const fs::path& path) {
  refuse_file(path.string(), Text::same(""),
              {fmt::format("{} バイトを超えています", largest_array_file),
               fmt::format("it has more than {} bytes", largest_array_file)},
              {"必要な配列だけを保存してください", "save only the arrays that are needed"});
}

std::string bytes_of(const fs::path& path) {
  // Without O_NONBLOCK a named pipe would wait for a writer that may never come.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) refuse_system(path, errno);
  check_is_file(path, status);
  if (static_cast<std::size_t>(status.st_size) > largest_array_file) refuse_size(path);
  constexpr std::size_t block = std::size_t{1} << 16U;
  std::string bytes;
  std::size_t filled = 0;
  while (true) {  // to its end, wherever that is by now
    bytes.resize(std::max(filled + block, static_cast<std::size_t>(status.st_size) + 1));
    const ssize_t read = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) refuse_system(path, errno);
    if (read == 0) break;
    filled += static_cast<std::size_t>(read);
    if (filled > largest_array_file) refuse_size(path);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

std::vector<NamedArray> read_arrays(const fs::path& path) {
  const std::string extension = lower_case(path.extension().string());
  const std::string file = path.string();
  if (extension == ".npy") return {read_npy(bytes_of(path), file)};
  if (extension == ".npz") return read_npz(bytes_of(path), file);
  if (extension == ".csv") return read_csv(bytes_of(path), file);
  throw Error(ErrorKind::usage,
              {fmt::format("{} の拡張子では形式が決まりません", quotation(file)),
               fmt::format("the extension of {} names no format", quotation(file))},
              {"拡張子は .npy, .npz, .csv のどれかにしてください", "end the name in .npy, .npz or .csv"});
}

}  // namespace attnlab
