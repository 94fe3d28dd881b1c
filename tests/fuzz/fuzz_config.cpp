// config.json: to the record that drives the block, and to the model's card, which is drawn.
#include "core/error.hpp"
#include "model/card/card.hpp"
#include "model/families.hpp"
#include "written_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    attnlab::Checkpoint checkpoint;
    checkpoint.place = attnlab::fuzz::written_file("config.json", bytes, size);
    checkpoint.config = attnlab::json_of_file(checkpoint.place);
    attnlab::architecture_figure(attnlab::card_of(checkpoint));
    attnlab::unknown_keys(checkpoint);
  } catch (const attnlab::Error&) {  // refused
  }
  return 0;
}
