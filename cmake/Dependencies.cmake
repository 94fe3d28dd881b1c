# Every library comes from Debian's packages (see bootstrap); nothing is downloaded or vendored.
find_package(PkgConfig REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PNG REQUIRED)
find_package(xtensor REQUIRED)
find_package(xtensor-blas REQUIRED)
find_package(xsimd REQUIRED)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(pangocairo REQUIRED IMPORTED_TARGET pangocairo pangoft2 fontconfig)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)

# attnlab_xtensor: xtensor with its BLAS. Without HAVE_CBLAS xtensor-blas silently uses slow generic loops.
add_library(attnlab_xtensor INTERFACE)
target_link_libraries(attnlab_xtensor INTERFACE xtensor xsimd PkgConfig::openblas)
target_compile_definitions(attnlab_xtensor INTERFACE HAVE_CBLAS=1 XTENSOR_USE_XSIMD=1)
get_target_property(xtensor_headers xtensor INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(attnlab_xtensor SYSTEM INTERFACE ${xtensor_headers})
