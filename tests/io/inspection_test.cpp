// What inspect says of values, and that it says it at once of a huge file.
#include "io/inspection.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/folder.hpp"
#include "io/foreign_bytes.hpp"

using attnlab::Extent;
using attnlab::Inspection;
using attnlab::TensorFormat;
using attnlab::TensorSummary;

namespace {

TensorSummary summary(const std::string& json) {
  return summary_of(attnlab::test::foreign(TensorFormat::json, json).tensors.front());
}

/// A small tensor, one of 65 MiB of which the disk holds nothing, and a small one.
std::string huge_file(const attnlab::test::Folder& folder) {
  constexpr std::size_t giant = std::size_t{65} << 20U;
  std::string path = (folder / "huge.safetensors").string();
  const std::string header = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                             R"("b":{"dtype":"U8","shape":[68157440],"data_offsets":[2,68157442]},)"
                             R"("c":{"dtype":"U8","shape":[1],"data_offsets":[68157442,68157443]}})";
  const std::string start = attnlab::test::safetensors(header, "\x05\x07");
  attnlab::test::put(path, start);
  std::filesystem::resize_file(path, start.size() + giant + 1);
  return path;
}

}  // namespace

TEST_CASE("min, max and mean are those of the finite values, the others are counted") {
  const TensorSummary mixed = summary(R"([1, "nan", -4, "inf", 9, "-inf", "nan"])");
  CHECK(mixed.finite == 3);
  CHECK(mixed.nans == 2);
  CHECK(mixed.infinities == 2);
  CHECK(mixed.smallest == -4.0);
  CHECK(mixed.largest == 9.0);
  CHECK(mixed.mean == 2.0);
  CHECK(summary(R"(["nan"])").finite == 0);
  CHECK(summary("[1e308, 1e308, 1e308]").mean == 1e308);
  CHECK(summary("[]").finite == 0);
}

TEST_CASE("a tensor of many blocks is read to its end") {
  std::string text = "[0";
  for (int i = 1; i < 200000; ++i) text += "," + std::to_string(i);
  std::size_t done = 0;
  const attnlab::TensorFile file = attnlab::test::foreign(TensorFormat::json, text + "]");
  const TensorSummary whole = summary_of(file.tensors.front(), [&](std::size_t bytes) {
    CHECK(bytes > done);
    done = bytes;
  });
  CHECK(whole.finite == 200000);
  CHECK(whole.largest == 199999.0);
  CHECK(whole.mean == 99999.5);
  CHECK(done == stored_bytes(file.tensors.front()));
}

TEST_CASE("values beyond the quickly read bytes are left out unless all are wanted") {
  const attnlab::test::Folder folder;
  const Inspection quick = inspect(attnlab::open_tensors(huge_file(folder)), Extent::quick);
  REQUIRE(quick.summaries.size() == 3);
  CHECK(quick.summaries[0]->largest == 7.0);
  CHECK(!quick.summaries[1]);
  CHECK(quick.summaries[2]->finite == 1);
  const nlohmann::json json = nlohmann::json::parse(inspection_json(quick));
  CHECK(json.at("format") == "safetensors");
  CHECK(json.at("tensors")[0].at("mean") == 6.0);
  CHECK(json.at("tensors")[1].at("bytes") == 68157440);
  CHECK(json.at("tensors")[1].at("nan").is_null());
  double last = 0.0;
  const Inspection full = inspect(attnlab::open_tensors((folder / "huge.safetensors").string()), Extent::full,
                                  [&](double fraction, const std::string&) { last = fraction; });
  CHECK(full.summaries[1]->finite == std::size_t{65} << 20U);
  CHECK(last == 1.0);
}
