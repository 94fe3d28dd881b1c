// The former name of pdf_of_all.hpp, until run.cpp includes that.
#pragma once

#include "attnlab/pdf_of_all.hpp"
