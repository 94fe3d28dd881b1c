#include "io/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "io/descriptor.hpp"
#include "io/unreadable.hpp"

namespace attnlab {
namespace {

[[noreturn]] void refuse_system(const std::string& path, int error_number) {
  refuse_file(path, system_reason(error_number),
              {"ファイル名と読み取りの許可を確かめてください", "check its name and whether you may read it"});
}

bool is_stream_status(const struct stat& status) {
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

void check_is_readable(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) {
    refuse_file(path, {"フォルダーです", "it is a folder"},
                {"その中のファイルを指定してください", "name a file in it"});
  }
  if (!S_ISREG(status.st_mode) && !is_stream_status(status)) {
    refuse_file(path,
                {"装置（端末など）で、ファイルでもパイプでもありません",
                 "it is a device such as a terminal, neither a file nor a pipe"},
                {"ファイルに保存するか、パイプで渡してください", "save it to a file, or pipe it in"});
  }
}

[[noreturn]] void refuse_size(const std::string& path) {
  refuse_file(path, text("{} バイトを超えています", "it has more than {} bytes", largest_text_file),
              {"npy か safetensors のファイルに保存してください", "save it to an npy or safetensors file"});
}

SharedBytes mapped(int descriptor, std::size_t size, const std::string& path) {
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (begin == MAP_FAILED) refuse_system(path, errno);
  const std::shared_ptr<const void> owner(begin, [size](void* mapping) { ::munmap(mapping, size); });
  return {{static_cast<const char*>(begin), size}, owner};
}

std::string read_to_end(int descriptor, const std::string& path) {
  constexpr std::size_t block = std::size_t{1} << 16U;
  std::string bytes;
  std::size_t filled = 0;
  while (true) {
    if (filled + block > bytes.size()) bytes.resize(std::max(filled + block, 2 * filled));
    const ssize_t read = ::read(descriptor, bytes.data() + filled, block);
    if (read == 0) break;
    if (read > 0) {
      filled += static_cast<std::size_t>(read);
    } else if (errno == EAGAIN) {
      wait_for(descriptor, POLLIN);
    } else if (errno != EINTR) {
      refuse_system(path, errno);
    }
    if (filled > largest_text_file) refuse_size(path);
  }
  bytes.resize(filled);
  return bytes;
}

SharedBytes bytes_behind(int descriptor, const std::string& path) {
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) refuse_system(path, errno);
  check_is_readable(path, status);
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    return mapped(descriptor, static_cast<std::size_t>(status.st_size), path);
  }
  SharedBytes bytes = shared(read_to_end(descriptor, path));
  if (bytes.view.empty() && is_stream_status(status)) {
    refuse_file(path, {"パイプから何も届きません", "nothing comes out of the pipe"},
                {"書き込む側を先に始めるか、ファイルに保存してください",
                 "start what writes into it first, or save it to a file"});
  }
  return bytes;
}

thread_local std::filesystem::path readable_folder;  // "" for all; else without symbolic links

/// The file without symbolic links, where reading is bound to a folder.
std::string allowed(const std::string& path) {
  if (readable_folder.empty()) return path;
  if (path == "-")
    refuse_file(
        path,
        {"標準入力です。文書のブロックは標準入力を読みません",
         "it is standard input, which no block of a document reads"},
        {"文書のフォルダーのファイルに保存してください", "save it to a file in the document's folder"});
  std::error_code problem;
  const std::filesystem::path file = std::filesystem::weakly_canonical(path, problem);
  const auto [end, differs] =
      std::mismatch(readable_folder.begin(), readable_folder.end(), file.begin(), file.end());
  if (!problem && end == readable_folder.end()) return file.string();
  refuse_file(path, {"文書のフォルダーの外にあります", "it is outside the document's folder"},
              {"文書と同じフォルダーか、その下に置いてください",
               "a document reads files of its own folder and those below it alone: put it there"});
}

}  // namespace

ReadsBelow::ReadsBelow(const std::filesystem::path& folder) : before_(readable_folder) {
  if (folder.empty()) return;
  std::error_code problem;
  const std::filesystem::path resolved = std::filesystem::canonical(folder, problem);
  readable_folder = problem ? folder : resolved;  // in a folder that is gone nothing is
}

ReadsBelow::~ReadsBelow() { readable_folder = before_; }

bool is_stream(const std::string& path) {
  struct stat status {};
  return path == "-" || (::stat(path.c_str(), &status) == 0 && is_stream_status(status));
}

SharedBytes bytes_of(const std::string& path) {
  const std::string file_path = allowed(path);
  if (path == "-") return bytes_behind(STDIN_FILENO, path);
  // Without O_NONBLOCK a named pipe would wait for a writer that may never come.
  const Descriptor file(::open(file_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  return bytes_behind(file.number(), path);
}

}  // namespace attnlab
