// libzip's handles, which close themselves.
#pragma once

#include <zip.h>

#include "core/owned.hpp"

namespace attnlab {

using ZipArchive = Owned<zip_t, zip_discard>;
inline void close_member(zip_file_t* member) { zip_fclose(member); }
using ZipMember = Owned<zip_file_t, close_member>;
using ZipSource = Owned<zip_source_t, zip_source_free>;

}  // namespace attnlab
