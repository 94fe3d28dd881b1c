// libzip, loaded with the first archive: it brings libcrypto, and the two would take a third of what the
// loader does at every start. LIBZIP(zip_fread)(...) calls its function.
#pragma once

#include <zip.h>

#include "core/owned.hpp"

namespace attnlab {

/// By its name. Throws Error (failed) where the library is not installed.
void* libzip_function(const char* name);

template <class Function>
Function& libzip(const char* name) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what dlsym finds has this type
  return *reinterpret_cast<Function*>(libzip_function(name));
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): only a macro has the name both as a function's and as a
// string
#define LIBZIP(name) (attnlab::libzip<decltype(name)>(#name))

inline void discard_archive(zip_t* archive) { LIBZIP(zip_discard)(archive); }
inline void close_member(zip_file_t* member) { LIBZIP(zip_fclose)(member); }
inline void free_source(zip_source_t* source) { LIBZIP(zip_source_free)(source); }

using ZipArchive = Owned<zip_t, discard_archive>;
using ZipMember = Owned<zip_file_t, close_member>;
using ZipSource = Owned<zip_source_t, free_source>;

}  // namespace attnlab
