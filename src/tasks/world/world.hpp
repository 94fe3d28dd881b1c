// What `train world` has to tell, and draws.
#pragma once

#include "tasks/framework/training_report.hpp"
#include "tasks/world/exam.hpp"

namespace attnlab {

struct World {
  Language language;
  WorldGrammar grammar;
  std::vector<WorldStory> held_out = {};  // stories that are never trained on
  std::vector<MarkedPlaces> marks = {};
};

/// A mark that is asked for so seldom says nothing.
constexpr std::size_t fewest_places = 20;

/// By how much an accuracy must fall without a head before a sentence rests on it.
constexpr double clear_fall = 0.1;

/// Whether a head matters for a mark.
bool needs_a_head(const MarkedPlaces& mark);

/// The whole maps of the heads that single marks cannot do without, each by its mark; nothing where there are
/// none.
std::optional<Figure> roles_figure(const Learned& learned, const World& world, const TaskWords& words);
/// Of each mark that is asked for often enough: what the heads that matter most read there.
Figure reads_figure(const Learned& learned, const World& world, const TaskWords& words);
/// The accuracy of every mark without one head after the other.
Figure ablated_figure(const Learned& learned, const World& world, const TaskWords& words);
/// One sentence behind two others: what may come next.
Figure next_figure(const Learned& learned, const World& world, const TaskWords& words);

}  // namespace attnlab
