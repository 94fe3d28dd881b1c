// config.json: to the record that drives the block, and to the model's card, which is drawn.
#include "core/error.hpp"
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
    may_refuse([&] { attnlab::family_of(checkpoint); });
    may_refuse([&] { attnlab::architecture_figure(attnlab::card_of(checkpoint)); });
  });
  return 0;
}
