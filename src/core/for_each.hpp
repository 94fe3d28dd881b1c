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

/// As many threads as the machine has processors, the calling one among them. `progress` is called on that
/// one only, with the share that is done, 0 to 1.
ForEach on_all_processors(std::function<void(double)> progress = {});

/// How many threads work may be divided among that is not done through on_all_processors(): 1 while that has
/// the processors busy, all of them otherwise.
std::size_t free_processors();

}  // namespace attnlab
