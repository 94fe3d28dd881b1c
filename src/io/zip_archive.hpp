// A zip archive in memory: the same entries give the same bytes.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

struct ArchiveEntry {
  std::string path;  // inside the archive
  std::string bytes;
};

/// The entries in their order, as they are, all dated 1 January 1980. Throws Error (failed) with libzip's
/// reason.
std::string zip_archive(const std::vector<ArchiveEntry>& entries);

/// The archive after `edit` has changed what it likes of each entry's bytes, with what is added behind them.
/// Throws Error (failed) for what is none.
std::string edited_archive(const std::string& bytes, const std::function<void(ArchiveEntry&)>& edit,
                           const std::vector<ArchiveEntry>& added = {});

/// The archive with all its entries dated 1 January 1980. Throws Error (failed) for what is none.
std::string undated_archive(const std::string& bytes);

}  // namespace attnlab
