# The release preset says -Og: experiments, words and reports gain nothing from more (all figures and films take the same
# time with -O1 or -O2, which cost a fifth of a build more). What gains asks for it (attnlab_library's OPTIMISE): drawing
# and files -O1, the kernels -O2 and -O3. The tests make do with none.

# attnlab_options: what every target of the project is compiled with.
add_library(attnlab_options INTERFACE)
target_compile_features(attnlab_options INTERFACE cxx_std_17)
target_include_directories(attnlab_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
# How xtensor is meant, wherever it is included: without HAVE_CBLAS xtensor-blas silently uses slow generic loops.
target_compile_definitions(attnlab_options INTERFACE HAVE_CBLAS=1 XTENSOR_USE_XSIMD=1)

# In a united source (cmake/Unite.cmake) the names of other files are no concern of a file (Clang cannot tell them from
# its own), and GCC takes the files for headers, whose anonymous namespaces would differ from unit to unit.
set(is_united $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
set(is_united_by_gcc $<AND:$<CXX_COMPILER_ID:GNU>,${is_united}>)

target_compile_options(
  attnlab_options
  INTERFACE
    # A fused multiply-add changes one NumPy normal in seven: see src/random/numpy_random.cpp.
    -ffp-contract=off
    # Nobody reads errno after std::sqrt, and a loop that might set it is not vectorised.
    -fno-math-errno
    # GCC 12.2 turns a table of four doubles that ends in 0, {c, c, c, 0}, into {c, c, c, c} where the machine has
    # AVX-512: its superword vectoriser broadcasts the first. See tests/core/tensor_traps_test.cpp.
    -fno-tree-slp-vectorize
    # Some libraries' flags have it and others' not; a precompiled header serves only sources with the same.
    -pthread
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
    $<$<NOT:${is_united}>:-Wshadow>
    "$<${is_united_by_gcc}:-Wshadow=local;-Wno-subobject-linkage>"
    # GCC 12 takes the undefined registers of its own AVX-512 header for a mistake of ours (GCC bug 105593).
    "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-uninitialized;-Wno-maybe-uninitialized>"
    # GCC 13 and 14 take what f(report, "name") returns for a reference into the temporary "name", not into the report.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
    # Clang holds to the 65536 characters that every compiler must take; the models that are compiled in have a million.
    $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-overlength-strings>
    $<$<BOOL:${ATTNLAB_WARNINGS_AS_ERRORS}>:-Werror>
    $<$<NOT:$<BOOL:${ATTNLAB_PORTABLE}>>:-march=native>)
