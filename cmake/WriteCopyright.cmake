# Writes OUTPUT, what Debian calls the copyright file, from LICENSE and ABOUT: run with cmake -P. Libraries that are
# compiled into the program ask for their notices to be passed on with it; their own packages hold them.
file(READ "${LICENSE}" text)
file(READ "${ABOUT}" about)
# Which kernels multiply matrices is the building machine's affair.
string(REGEX REPLACE "The library that multiplies[^\n]*\n(  [^\n]*\n)+\n" "" about "${about}")
string(APPEND text "\n${about}")
foreach(package IN ITEMS libopenblas-pthread-dev libxtensor-dev libxtensor-blas-dev libxsimd-dev xtl-dev libcli11-dev nlohmann-json3-dev)
  set(notice /usr/share/doc/${package}/copyright)
  if(EXISTS ${notice})
    file(READ ${notice} notices)
    string(APPEND text "\n---- Compiled into attnlab: ${package} ----\n\n${notices}")
  endif()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
