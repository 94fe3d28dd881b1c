// Every experiment, in book order: THE table. A line here is all that an experiment needs outside its folder:
// subcommand, help, list, README rows, `site` and tests follow from it.
//
// EXPERIMENT(self_attention) is the folder src/experiments/self_attention, whose self_attention_experiment()
// (see experiment.hpp) is `attnlab self-attention`.

EXPERIMENT(by_hand)
EXPERIMENT(softmax)
EXPERIMENT(dot_product)
EXPERIMENT(vectors)
EXPERIMENT(scaling)
EXPERIMENT(variance)
EXPERIMENT(additive)
EXPERIMENT(lookup)
EXPERIMENT(pooling)
EXPERIMENT(recurrence)
EXPERIMENT(filters)
EXPERIMENT(cost)
EXPERIMENT(cache)
EXPERIMENT(self_attention)
EXPERIMENT(heads)
EXPERIMENT(masks)
EXPERIMENT(permutation)
EXPERIMENT(positional)
EXPERIMENT(encoder)
EXPERIMENT(cross_attention)
EXPERIMENT(decoder)
EXPERIMENT(mistakes)
