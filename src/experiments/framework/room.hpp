// What rooms are made of: parameters, random numbers, the trace with its lines, measures, and what `run` is.
#pragma once

#include "attention/matmul.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "experiments/framework/catalogue.hpp"
#include "experiments/framework/entropy.hpp"
#include "experiments/framework/parameter_syntax.hpp"
#include "experiments/framework/random_stream.hpp"
#include "experiments/framework/report_of.hpp"
#include "experiments/framework/tensor_array.hpp"
#include "experiments/framework/tensor_measures.hpp"
#include "experiments/framework/trace.hpp"
#include "experiments/framework/worked_lines.hpp"
