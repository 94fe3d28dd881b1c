// Files by name: the format from the extension or the first bytes, FILE:TENSOR, pipes, and what is not a
// file.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <thread>

#include "core/constants.hpp"
#include "io/folder.hpp"
#include "io/foreign_bytes.hpp"
#include "io/torch_bytes.hpp"
#include "source_dir.hpp"

using attnlab::ElementType;
using attnlab::infinity;
using attnlab::load;
using attnlab::open_tensors;
using attnlab::StoredTensor;
using attnlab::TensorFile;
using attnlab::TensorFormat;
using attnlab::test::complaint_of;
using attnlab::test::contains;
using attnlab::test::Folder;
using attnlab::test::pickled_dictionary;
using attnlab::test::pickled_tensor;
using attnlab::test::put;
using attnlab::test::torch_bytes;

namespace {

std::string saved_tensor(const std::string& name) {
  return (attnlab::source_dir() / "data" / "reference" / "array_files" / name).string();
}

/// What comes out of a named pipe into which someone writes `bytes`, fewer than a pipe holds.
TensorFile through_pipe(const std::string& bytes) {
  const Folder folder;
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int end = open(pipe.c_str(), O_RDWR);  // reading, too: opening does not wait for the reader
  REQUIRE(write(end, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  // Its destructor waits for the end of the work.
  const std::future<void> writer = std::async(std::launch::async, [end] {
    int waiting = 1;  // what stands in a pipe that nobody holds open is lost: the reader comes first
    for (int tries = 0; tries < 10'000 && ioctl(end, FIONREAD, &waiting) == 0 && waiting > 0; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    close(end);
  });
  return open_tensors(pipe);
}

/// Standard input comes from this file until the end of its life.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : kept_(dup(STDIN_FILENO)) {
    const int file = open(path.c_str(), O_RDONLY);
    dup2(file, STDIN_FILENO);
    close(file);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput(StandardInput&&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  StandardInput& operator=(StandardInput&&) = delete;
  ~StandardInput() {
    dup2(kept_, STDIN_FILENO);
    close(kept_);
  }

 private:
  int kept_;
};

}  // namespace

TEST_CASE("a listing tells type, byte order, order and place without the values") {
  const StoredTensor tensor = open_tensors(saved_tensor("float16_big_endian_fortran.npy")).tensors.front();
  CHECK(tensor.encoding.type == ElementType::float16);
  CHECK(tensor.encoding.big_endian);
  CHECK(tensor.fortran_order);
  CHECK(tensor.shape == std::vector<std::size_t>{2, 3});
  CHECK(tensor.offset == 128);
}

TEST_CASE("big-endian float16 in Fortran order is loaded as NumPy has it") {
  const StoredTensor tensor = open_tensors(saved_tensor("float16_big_endian_fortran.npy")).tensors.front();
  const attnlab::Tensor<float> values = load<float>(tensor);
  CHECK(values(0, 0) == 0.5F);
  CHECK(values(0, 1) == static_cast<float>(-infinity));
  CHECK(std::isnan(values(0, 2)));
  CHECK(values(1, 0) == std::ldexp(1.0F, -23));  // 1e-7 rounded to a float16: 2 times the smallest
  CHECK(values(1, 1) == 2.0F);
  CHECK(values(1, 2) == -3.0F);
}

TEST_CASE("tensors outlive the listing that they came from") {
  StoredTensor member;
  {
    TensorFile file = open_tensors(saved_tensor("stored.npz"));
    member = file.tensors[0];
  }
  CHECK(load<double>(member)(0, 1) == 0.75);
}

TEST_CASE("a colon after the file names one tensor") {
  const TensorFile one = open_tensors(saved_tensor("stored.npz") + ":output");
  REQUIRE(one.tensors.size() == 1);
  CHECK(load<double>(one.tensors.front())(1) == 2.5);
  const auto complaint = [](const std::string& words) { return complaint_of([&] { open_tensors(words); }); };
  CHECK(contains(complaint(saved_tensor("stored.npz") + ":outputs"),
                 "no tensor 'outputs'; it holds 'weights', 'output'"));
  CHECK(contains(complaint(saved_tensor("scalar.npy") + ":w"), "its only tensor has no name"));
}

TEST_CASE("colons may stand in the names of files and of tensors") {
  const Folder folder;
  put(folder / "w.json:1.json", "[5]");
  CHECK(load<double>(open_tensors((folder / "w.json:1.json").string()).tensors.front())(0) == 5.0);
  put(folder / "w.json", R"({"a:b": [7], "1.json": [8]})");
  CHECK(load<double>(open_tensors((folder / "w.json:a:b").string()).tensors.front())(0) == 7.0);
}

TEST_CASE("the first bytes of a pipe tell its format") {
  CHECK(through_pipe(attnlab::test::read(saved_tensor("float64.npy"))).format == TensorFormat::npy);
  CHECK(through_pipe(attnlab::test::read(saved_tensor("stored.npz"))).format == TensorFormat::npz);
  CHECK(through_pipe(torch_bytes(pickled_dictionary({{"w", pickled_tensor()}}))).format ==
        TensorFormat::pytorch);
  CHECK(through_pipe(" {\"w\": [1]}").format == TensorFormat::json);
  CHECK(through_pipe("[1]").format == TensorFormat::json);
  CHECK(through_pipe("1,2\n").format == TensorFormat::csv);
  const std::string one = R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  const TensorFile file = through_pipe(attnlab::test::safetensors(one, "a"));
  CHECK(file.format == TensorFormat::safetensors);
  CHECK(load<double>(file.tensors.front())(0) == 97.0);
}

TEST_CASE("a dash is standard input") {
  const StandardInput input(saved_tensor("stored.npz"));
  const TensorFile file = open_tensors("-:output");
  CHECK(file.format == TensorFormat::npz);
  CHECK(load<double>(file.tensors.front())(0) == 1.5);
}

TEST_CASE("folders, devices and pipes without a writer are refused at once") {
  const Folder folder;
  const auto complaint = [](const std::string& words) { return complaint_of([&] { open_tensors(words); }); };
  std::filesystem::create_directory(folder / "folder.safetensors");
  CHECK(contains(complaint((folder / "folder.safetensors").string()), "is a folder"));
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(contains(complaint((folder / "pipe").string()), "nothing comes out of the pipe"));
  std::filesystem::create_symlink("/dev/zero", folder / "zero.npy");
  CHECK(contains(complaint((folder / "zero.npy").string()), "a device"));
  put(folder / "empty.npy", "");
  CHECK(contains(complaint((folder / "empty.npy").string()), "it is empty"));
  CHECK(contains(complaint((folder / "missing.json").string() + ":w"), "missing.json': No such file"));
}
