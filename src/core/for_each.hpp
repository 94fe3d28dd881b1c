// The same work for many indices: one after another, or on several threads.
#pragma once

#include "core/standard.hpp"

namespace attnlab {

/// Calls work(0), ..., work(count - 1), in any order, perhaps several at the same time, and returns when all
/// are done. What a call throws is thrown on, that of the lowest index where several do, once the calls that
/// had begun are over; the rest is left out.
using ForEach = std::function<void(std::size_t count, const std::function<void(std::size_t index)>& work)>;

/// In order, on the calling thread.
void one_after_another(std::size_t count, const std::function<void(std::size_t index)>& work);

/// As many threads as the machine has processors, the calling one among them; within such work, that one
/// alone. `progress` is called on it only, with the share that is done, 0 to 1.
ForEach on_all_processors(std::function<void(double)> progress = {});

}  // namespace attnlab
