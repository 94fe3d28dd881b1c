// Arrays that someone else wrote: npy, npz and csv, read strictly. The bytes are never trusted.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/named_array.hpp"

namespace attnlab {

/// What no file may exceed, whatever it claims.
constexpr std::size_t largest_array_file = std::size_t{256} << 20U;  // bytes, also after unpacking
constexpr std::size_t largest_array_size = std::size_t{1} << 24U;    // values

/// All three throw Error (failed) that names the file, the place, what was found there and what is needed.

/// NumPy's format 1.0 to 3.0 (numpy/lib/format.py): float16, float32, float64, integers and bool of either
/// byte order, C or Fortran order. Refuses Python objects (they would run code), records, complex numbers,
/// strings, and bytes that are missing or left over. The array's name is left empty.
NamedArray read_npy(std::string_view bytes, const std::string& file);

/// One array per member, in the archive's order, named without ".npy". Refuses other members, names that
/// occur twice, encryption and damage.
std::vector<NamedArray> read_npz(std::string_view bytes, const std::string& file);

/// Either a table of numbers, one row per line, split at commas, semicolons, tabs or spaces (numpy.savetxt,
/// pandas with or without its index; lines that begin with # and empty lines are skipped), which gives one
/// unnamed array of two dimensions; or the long form of arrays_csv (array,indices,value).
std::vector<NamedArray> read_csv(std::string_view bytes, const std::string& file);

/// Reads a file by its extension. Refuses folders, pipes and devices. Throws Error (usage) for another
/// extension.
std::vector<NamedArray> read_arrays(const std::filesystem::path& path);

}  // namespace attnlab
