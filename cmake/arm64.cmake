# Debian's cross compiler for arm64, and qemu for what the build itself runs: see docs/install.md, For arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Headers alone, in packages that are installed once for all machines.
foreach(library IN ITEMS xsimd xtensor xtensor-blas)
  set(${library}_DIR /usr/lib/x86_64-linux-gnu/cmake/${library})
endforeach()
