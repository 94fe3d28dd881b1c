#include "live/served_files.hpp"

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/file_bytes.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

const std::string& type_of(const fs::path& file) {
  static const std::map<std::string, std::string> types{{".html", "text/html; charset=utf-8"},
                                                        {".css", "text/css"},
                                                        {".js", "text/javascript"},
                                                        {".svg", "image/svg+xml"},
                                                        {".png", "image/png"},
                                                        {".gif", "image/gif"},
                                                        {".pdf", "application/pdf"}};
  static const std::string other = "application/octet-stream";
  const auto found = types.find(lower_case(file.extension().string()));
  return found == types.end() ? other : found->second;
}

/// "%E3%81%82" as bytes.
std::string decoded(const std::string& path) {
  std::string bytes;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned value = 0;
    const char* begin = path.data() + std::min(i + 1, path.size());
    const char* end = path.data() + std::min(i + 3, path.size());
    const bool is_code =
        path[i] == '%' && end - begin == 2 && std::from_chars(begin, end, value, 16).ptr == end;
    bytes += is_code ? static_cast<char>(value) : path[i];
    if (is_code) i += 2;
  }
  return bytes;
}

/// At the address of the server's word, however deep the page lies.
std::string with_reloading(std::string page, const std::string& path) {
  std::string root = "./";
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i] == '/') root += "../";
  }
  const std::string script =
      fmt::format("<script>new EventSource('{}alive').onmessage = () => location.reload();</script>\n", root);
  const std::size_t end = page.rfind("</body>");
  return end == std::string::npos ? page + script : page.insert(end, script);
}

}  // namespace

void ServedFiles::hold(const fs::path& page, const std::vector<fs::path>& made) {
  const fs::path first = fs::absolute(page).lexically_normal();
  std::map<std::string, fs::path> files{{"/", first}};
  for (const fs::path& file : made) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    const fs::path inside = whole.lexically_relative(first.parent_path());
    if (!inside.empty() && *inside.begin() != "..") files.emplace("/" + inside.generic_string(), whole);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  files_ = std::move(files);
}

std::optional<ServedAnswer> ServedFiles::serve(const HttpRequest& request, const std::string& path) {
  if (request.method != "GET") return std::nullopt;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = files_.find(decoded(path));
  if (found == files_.end()) return std::nullopt;
  return ServedAnswer{[file = found->second, path] {
    try {
      std::string bytes(bytes_of(file.string()).view);
      if (file.extension() == ".html") bytes = with_reloading(std::move(bytes), path);
      return whole_answer(http_status::understood, type_of(file), bytes);
    } catch (const Error&) {
      return whole_answer(http_status::unknown, "text/plain", "404\n");
    }
  }};
}

}  // namespace attnlab
