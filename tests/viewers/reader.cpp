#include "reader.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cli/shell.hpp"
#include "programs.hpp"
#include "source_dir.hpp"

namespace attnlab {

nlohmann::json faults_of(const Workplace& place, const std::string& page, int width,
                         const std::string& theme) {
  const std::string reported = printed_by(fmt::format("timeout 120 node {} {} {} {}",
                                                      shell_path(source_dir() / "tests/viewers/reader.mjs"),
                                                      shell_path(place.path(page)), width, theme));
  REQUIRE_MESSAGE(!reported.empty(), page);
  return nlohmann::json::parse(reported);
}

void check_page(const Workplace& place, const std::string& page, int width, const std::string& theme,
                const std::string& around) {
  CAPTURE(page);
  CAPTURE(width);
  nlohmann::json faults = faults_of(place, page, width, theme);
  nlohmann::json& requests = faults.at("requests");
  const std::string own = "file://" + place.path(around).string() + "/";
  for (std::size_t i = requests.size(); !around.empty() && i-- > 0;) {
    if (requests[i].get<std::string>().rfind(own, 0) == 0) requests.erase(i);
  }
  CHECK(faults.at("overflow") == 0);
  for (const char* kind : {"wide", "small", "smallLetters", "cut", "unsaid", "colliding", "outside", "tiny",
                           "twins", "unnamed", "console", "requests"}) {
    CHECK_MESSAGE(faults.at(kind).empty(), kind << ": " << faults.at(kind).dump());
  }
  if (around.empty()) CHECK(faults.at("pictures").get<int>() > 0);  // a gallery shows files
}

}  // namespace attnlab
