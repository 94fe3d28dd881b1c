// How much memory there is.
#pragma once

namespace attnlab {

/// Bytes that new arrays may take without driving others out: what Linux calls available, or else all that
/// the machine has.
double available_memory();

}  // namespace attnlab
