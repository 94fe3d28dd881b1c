// Memory: how much there is, and what a program does with what it has freed.
#pragma once

#include <cstddef>

namespace attnlab {

/// Keeps freed arrays of up to 16 MB for the next ones. Returning them to the system means that it hands out
/// zeroed pages again, one by one: more than half the time of an attention of 512 tokens. The first 8 MB come
/// as huge pages where the system has them, which spares a figure two page faults of five. Call it first.
void keep_freed_memory();

/// So many threads that are about to start get a heap each: with one, they wait for each other a fifth of the
/// time that a site takes. Without effect once another thread has begun.
void let_threads_have_heaps(std::size_t threads);

/// Bytes that new arrays may take without driving others out: what Linux calls available, or else all that
/// the machine has.
double available_memory();

}  // namespace attnlab
