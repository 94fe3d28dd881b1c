# Every library comes from Debian's packages (see bootstrap); nothing is downloaded or vendored.
find_package(PkgConfig REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PNG REQUIRED)
find_package(GIF 5 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(xtensor REQUIRED)
find_package(xtensor-blas REQUIRED)
find_package(xsimd REQUIRED)
find_package(tomlplusplus REQUIRED)

# OpenBLAS that several threads may call at once (openblas-serial gives wrong products then), linked statically (its
# 20,000 symbols would otherwise be looked up at every start). It has no threads of its own: see
# src/attention/before_blas.cpp. Elsewhere than on Debian any OpenBLAS with locks will do.
find_library(
  ATTNLAB_OPENBLAS
  NAMES libopenblas.a
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread
  NO_DEFAULT_PATH)
add_library(attnlab_openblas INTERFACE)
if(ATTNLAB_OPENBLAS)
  target_link_libraries(attnlab_openblas INTERFACE ${ATTNLAB_OPENBLAS})
else()
  pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
  target_link_libraries(attnlab_openblas INTERFACE PkgConfig::openblas)
endif()
pkg_check_modules(pangocairo REQUIRED IMPORTED_TARGET pangocairo pangoft2 fontconfig)
pkg_check_modules(chafa REQUIRED IMPORTED_TARGET chafa)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(turbojpeg REQUIRED IMPORTED_TARGET libturbojpeg)
pkg_check_modules(md4c REQUIRED IMPORTED_TARGET md4c)

# attnlab_xtensor: xtensor with its BLAS.
add_library(attnlab_xtensor INTERFACE)
target_link_libraries(attnlab_xtensor INTERFACE xtensor xsimd attnlab_openblas)
get_target_property(xtensor_headers xtensor INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(attnlab_xtensor SYSTEM INTERFACE ${xtensor_headers})
