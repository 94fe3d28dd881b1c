// What a reader has against a page: reader.mjs opens it in Chromium and looks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

namespace attnlab {

/// What reader.mjs says of a page.
nlohmann::json faults_of(const Workplace& place, const std::string& page, int width,
                         const std::string& theme);

/// That it says nothing. The page may ask for files of the folder `around`, where one is given.
void check_page(const Workplace& place, const std::string& page, int width, const std::string& theme,
                const std::string& around = "");

}  // namespace attnlab
