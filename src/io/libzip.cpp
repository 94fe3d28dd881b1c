#include "io/libzip.hpp"

#include <dlfcn.h>

#include "core/error.hpp"

namespace attnlab {
namespace {

/// The one that lies beside the program, the system's, or the one that attnlab was built with.
void* open_libzip() {
  for (const char* file : {ATTNLAB_LIBZIP, ATTNLAB_LIBZIP_FILE})
    if (void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL)) return library;
  const std::string reason = dlerror();
  refuse_failed({"npz を扱うための libzip がありません（" + reason + "）",
                 "libzip is missing, with which npz files are read and written (" + reason + ")"},
                {"libzip をインストールしてください", "install libzip"});
}

}  // namespace

void* libzip_function(const char* name) {
  static void* const library = open_libzip();
  return dlsym(library, name);
}

}  // namespace attnlab
