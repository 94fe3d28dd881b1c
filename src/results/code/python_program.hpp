// A run as a Python program of its own: what was drawn, every stage, and the values to agree with.
#pragma once

#include "results/report/report.hpp"

namespace attnlab {

/// In the order of --code's words.
enum class Library { numpy, torch };
constexpr std::array<const char*, 2> library_names{"numpy", "torch"};

/// How a stage is computed, as an expression of NumPy over the names of earlier stages: "x @ w_query". Empty
/// for what is measured, and for an input that its values alone can tell.
std::string numpy_code(const Stage& stage, const std::vector<Stage>& trace);

/// The same in PyTorch: np.exp as torch.exp, axis as dim.
std::string torch_code(const std::string& numpy);

/// Where a program has the values that no line of code gives: written out, or in an npz beside it,
/// FILE.arrays.npz of FILE.py.
enum class ProgramValues { written, beside };

/// The arrays of that npz; none where they have few values, which are written out, or where there is no
/// program.
std::vector<Stage> arrays_beside(const Report& report);

/// The program, runnable under Python 3.9 or later: draws in their order, a line per stage that was not
/// measured, and assertions that hold to 8 digits (4 where PyTorch's float32 normals are drawn). `command` is
/// what one types for this run. Throws Error (usage) naming a stage of which no code is known, and for a run
/// that no program can give, or with more inputs than one can read.
std::string python_program(const Report& report, Library library, Language language,
                           const std::string& command, ProgramValues values = ProgramValues::written);

}  // namespace attnlab
