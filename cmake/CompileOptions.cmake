# attnlab_options: what every target of the project is compiled with.
add_library(attnlab_options INTERFACE)
target_compile_features(attnlab_options INTERFACE cxx_std_17)
target_include_directories(attnlab_options INTERFACE ${PROJECT_SOURCE_DIR}/src)

target_compile_options(
  attnlab_options
  INTERFACE
    # A fused multiply-add changes one NumPy normal in seven: see src/random/numpy_random.cpp.
    -ffp-contract=off
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
    $<$<BOOL:${ATTNLAB_WARNINGS_AS_ERRORS}>:-Werror>
    $<$<NOT:$<BOOL:${ATTNLAB_PORTABLE}>>:-march=native>)
