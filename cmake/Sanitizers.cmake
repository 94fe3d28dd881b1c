# AddressSanitizer and UndefinedBehaviorSanitizer for every target, on request.
if(ATTNLAB_FUZZ)
  target_compile_options(attnlab_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ATTNLAB_SANITIZE)
  # Each check is described by data full of addresses: as a position-independent program, attnlab would spend most of
  # its start, and half a second, on relocating five million of them.
  set(sanitizer_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -fno-pie)
  # GCC 12 warns about std::regex itself under the sanitizers (GCC bug 105562).
  target_compile_options(attnlab_options INTERFACE ${sanitizer_flags} $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(attnlab_options INTERFACE ${sanitizer_flags} -no-pie)
endif()
