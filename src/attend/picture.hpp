// `attend --image`: what one query reads, laid over the picture whose patches are the keys.
#pragma once

#include "attend/run.hpp"
#include "experiments/framework/patch_maps.hpp"

namespace attnlab {

/// How the patches lie among so many keys: as the settings say, else the square that their number allows
/// behind as few other tokens as possible. Throws Error (usage) where there is none, or not so many keys.
PatchGrid patch_grid(const PictureSettings& settings, std::size_t keys);

/// The query that is laid over the picture. Throws Error (usage) where there is none of that number.
std::size_t reader_over(const PatchGrid& grid, const PictureSettings& settings, std::size_t queries);

/// The picture's figure, first of all, its table before the last paragraph, the mean over the heads or the
/// rollout as a stage of the run, and a warning for patches that are no squares. Throws Error (usage) for
/// weights that were not kept, and for a rollout of one layer.
void add_picture(AttendRun& run, Report& report);

}  // namespace attnlab
