// What Ctrl-C leaves behind: nothing unfinished.
#pragma once

namespace attnlab {

/// From now on SIGINT, SIGTERM and SIGHUP remove the file that is being written, then end the program as they
/// always do. What was ignored before (nohup) stays ignored. SIGPIPE ends the program quietly, whatever was
/// inherited.
void clean_up_on_interruption();

}  // namespace attnlab
