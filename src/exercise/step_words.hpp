// An operation of the trace as a sentence that a reader can follow with pencil or program.
#pragma once

#include "exercise/exercise.hpp"

namespace attnlab {

/// Whether words say how to compute the stage. Of the others (inputs, and what takes a program) the numbers
/// are given.
bool can_be_recorded(const Stage& stage);

/// "the matrix product of x and w_query".
Text words_of(const Stage& stage);

/// "3. scores (4, 4), queries × keys: raw_scores times 0.35355339".
Text sentence_of(const Stage& step, std::size_t number);

/// What is to be done, in a sentence.
Text task_of(const Exercise& exercise);

}  // namespace attnlab
