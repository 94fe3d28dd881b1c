// A zip archive in memory: the same entries give the same bytes.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

enum class Packing { stored, deflated };

struct ArchiveEntry {
  std::string path;  // inside the archive
  std::string bytes;
};

/// The entries in their order, all dated 1 January 1980. Throws Error (failed) with libzip's reason.
std::string zip_archive(const std::vector<ArchiveEntry>& entries, Packing packing);

}  // namespace attnlab
