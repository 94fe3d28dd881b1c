// config.json: to the record that drives the block, to the model's card, which is drawn, and to what attend
// takes from it.
#include "core/error.hpp"
#include "io/model_facts.hpp"
#include "model/card/card.hpp"
#include "model/families.hpp"
#include "written_file.hpp"

namespace {

template <class Read>
void may_refuse(const Read& read) {
  try {
    read();
  } catch (const attnlab::Error&) {  // refused
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  may_refuse([&] {
    attnlab::Checkpoint checkpoint;
    checkpoint.place = attnlab::fuzz::written_file("config.json", bytes, size);
    checkpoint.config = attnlab::json_of_file(checkpoint.place);
    attnlab::facts_in(checkpoint.config);
    may_refuse([&] { attnlab::family_of(checkpoint); });
    may_refuse([&] { attnlab::architecture_figure(attnlab::card_of(checkpoint)); });
  });
  return 0;
}
