// What torch.save wrote, as a stranger's training does: beside other things, wrapped, or not as tensors.
#include <doctest/doctest.h>

#include "core/named.hpp"
#include "io/folder.hpp"
#include "io/foreign_bytes.hpp"
#include "io/formats.hpp"
#include "io/pickle.hpp"
#include "io/torch_bytes.hpp"

using namespace attnlab;
using test::contains;
using test::pickled;
using test::pickled_dictionary;
using test::pickled_object;
using test::pickled_tensor;
using test::torch_bytes;

namespace {

std::vector<std::string> torch_names(const std::string& value) {
  return names_of(test::foreign(TensorFormat::pytorch, torch_bytes(value)).tensors);
}

std::string complaint_about_torch(const std::string& value) {
  return test::complaint_about(TensorFormat::pytorch, torch_bytes(value));
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the tensors of a dictionary are found where trainings put them") {
  const std::string weights = pickled_dictionary({{"w", pickled_tensor()}});
  CHECK(torch_names(weights) == Names{"w"});
  for (const char* key : {"model", "state_dict", "model_state_dict"})
    CHECK(torch_names(pickled_dictionary({{"step", "K\7"}, {"loss", pickled_tensor()}, {key, weights}})) ==
          Names{"w"});
  CHECK(torch_names(pickled_dictionary({{"encoder", weights}, {"decoder", weights}})) ==
        Names{"encoder.w", "decoder.w"});
  const std::string deep = pickled_dictionary({{"layers", pickled_dictionary({{"first", weights}})}});
  CHECK(torch_names(pickled_dictionary({{"epoch", "K\7"}, {"model", deep}})) ==
        Names{"model.layers.first.w"});
  CHECK(torch_names(pickled_tensor()) == Names{""});
}

TEST_CASE("what stands beside tensors is listed by its type, and named to whom asks for it") {
  const std::string bytes =
      torch_bytes(pickled_dictionary({{"w", pickled_tensor()},
                                      {"z", pickled_tensor("ComplexFloatStorage")},
                                      {"note", pickled("seed 3")},
                                      {"epoch", "K\7"},
                                      {"scheduler", "}" + pickled("step") + "K\3s"},
                                      {"sizes", "]K\3a"},
                                      {"fitted", "\x88"},
                                      {"nothing", "N"},
                                      {"args", pickled_object("argparse", "Namespace")}}));
  const TensorFile file = test::foreign(TensorFormat::pytorch, bytes);
  CHECK(names_of(file.tensors) == Names{"w"});
  Names types;
  for (const StoredTensor& foreign : file.foreign) types.push_back(foreign.foreign->en());
  CHECK(types == Names{"torch.ComplexFloatStorage", "words", "a number", "a dictionary", "a list",
                       "a truth value", "None", "argparse.Namespace"});
  CHECK(contains(test::complaint_of([&] { refuse_foreign(file, "z"); }),
                 "it is torch.ComplexFloatStorage; a tensor of real numbers is needed"));
}

TEST_CASE("a type without a storage of its own is called by its name") {
  // torch.save({"f8": tensor.to(torch.float8_e4m3fn)}) of PyTorch 2.3, as pickletools lists it
  const std::string f8 = "ctorch._utils\n_rebuild_tensor_v3\n((" + pickled("storage") +
                         "ctorch.storage\nUntypedStorage\n" + pickled("0") + pickled("cpu") + "K\6tQ" +
                         std::string("K\0", 2) +
                         "K\6\x85K\1\x85\x89"
                         "ccollections\nOrderedDict\n)R"
                         "ctorch\nfloat8_e4m3fn\ntR";
  const TensorFile file = test::foreign(
      TensorFormat::pytorch, torch_bytes(pickled_dictionary({{"w", pickled_tensor()}, {"f8", f8}})));
  REQUIRE(file.foreign.size() == 1);
  CHECK(file.foreign[0].foreign->en() == "torch.float8_e4m3fn");
}

TEST_CASE("dictionaries that hold each other are looked into once") {
  std::string circle = "}\x94";  // the memo's first
  for (char name = 'a'; name < 'z'; ++name)
    circle += pickled(std::string(1, name)) + std::string("h\0", 2) + "s";
  CHECK(torch_names(pickled_dictionary(
            {{"loop", circle}, {"inner", pickled_dictionary({{"w", pickled_tensor()}})}})) ==
        Names{"inner.w"});
}

TEST_CASE("numbers that are stored in another order come in that of their indices") {
  // numpy: np.arange(6.0).reshape(2, 3).T
  const TensorFile file = test::foreign(
      TensorFormat::pytorch, torch_bytes(pickled_dictionary({{"w", pickled_tensor("FloatStorage", true)}})));
  const Tensor<double> values = load<double>(file.tensors.front());
  CHECK(std::vector<double>(values.begin(), values.end()) == std::vector<double>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("objects beside tensors are passed over, and none is ever made") {
  const std::string weights = pickled_dictionary({{"w", pickled_tensor()}});
  CHECK(torch_names(pickled_dictionary(
            {{"args", pickled_object("argparse", "Namespace")}, {"model", weights}})) == Names{"w"});
  CHECK(contains(complaint_about_torch(pickled_dictionary(
                     {{"w", pickled_tensor()}, {"x", "cposix\nsystem\n(" + test::pickled("ls") + "tR"}})),
                 "it asks for 'posix.system', but nothing in a file is ever run"));
}

TEST_CASE("a whole pickled model is refused with the line that saves its tensors") {
  const std::string model = pickled_object("__main__", "Net");
  CHECK(contains(complaint_about_torch(model), "'__main__.Net'"));
  CHECK(contains(complaint_about_torch(model),
                 "torch.save(torch.load(\"w\", weights_only=False).state_dict(), \"w-weights.pt\")"));
  CHECK(contains(complaint_about_torch(pickled_dictionary({{"epoch", "K\7"}, {"model", model}})),
                 "torch.load(\"w\", weights_only=False)[\"model\"].state_dict()"));
}

TEST_CASE("a pickle of more than 4 MB is refused before it is read") {
  CHECK(contains(complaint_about_torch(std::string(largest_pickle, ']')), "at most 4194304 are read"));
}

TEST_CASE("every extension of PyTorch's files is read, FILE:NAME among them") {
  const test::Folder folder;
  const std::string bytes = torch_bytes(pickled_dictionary({{"w", pickled_tensor()}}));
  for (const char* name : {"w.pt", "w.pth", "w.bin", "w.ckpt"}) {
    test::put(folder / name, bytes);
    CHECK(open_tensors((folder / name).string()).format == TensorFormat::pytorch);
    CHECK(open_tensors((folder / name).string() + ":w").tensors.size() == 1);
  }
}

TEST_CASE("what torch.compile and DistributedDataParallel put before all names is left out, else nothing") {
  const auto wrapper = [](const std::vector<std::string>& names) {
    std::vector<StoredTensor> tensors;
    for (const std::string& name : names) tensors.push_back(spelt_out<float>(name, {1}, {0.0F}));
    return wrapper_of(tensors);
  };
  CHECK(wrapper({"_orig_mod.a", "_orig_mod.b"}) == "_orig_mod.");
  CHECK(wrapper({"module.a", "module.b"}) == "module.");
  CHECK(wrapper({"_orig_mod.module.a", "_orig_mod.module.b"}) == "_orig_mod.module.");
  CHECK(wrapper({"module._orig_mod.a", "module._orig_mod.b"}) == "module._orig_mod.");
  CHECK(wrapper({"module.a", "module.b", "n_averaged"}) == "module.");
  CHECK(wrapper({"module.a", "b"}).empty());
  CHECK(wrapper({}).empty());
  CHECK(wrapper({"n_averaged"}).empty());
  CHECK(wrapper_of({foreign_tensor("module.a", {}, {"語", "words"}, [] {})}).empty());
}
