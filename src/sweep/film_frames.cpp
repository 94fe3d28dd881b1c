// Frames with limits and colour ranges in common, and with the slider that moves them.
#include "sweep/sweep.hpp"

#include "experiments/framework/heat_maps.hpp"
#include "plotting/figure/scales.hpp"
#include "plotting/layout/chart_frame.hpp"

namespace attnlab {
namespace {

Interval united(const Interval& one, const Interval& other) {
  return {std::min(one.low, other.low), std::max(one.high, other.high)};
}

std::size_t most_panels(const std::vector<Figure>& frames) {
  std::size_t most = 0;
  for (const Figure& frame : frames) most = std::max(most, frame.panels.size());
  return most;
}

// --- Axes

void align_axes(const std::vector<Chart*>& charts) {
  if (charts.empty()) return;
  Interval x = x_limits(*charts.front());
  Interval y = y_limits(*charts.front());
  for (const Chart* chart : charts) {
    x = united(x, x_limits(*chart));
    y = united(y, y_limits(*chart));
  }
  for (Chart* chart : charts) {
    chart->x.limits = x;
    chart->y.limits = y;
  }
}

std::vector<Chart*> charts_at(std::vector<Figure>& frames, std::size_t panel) {
  std::vector<Chart*> charts;
  for (Figure& frame : frames) {
    if (panel >= frame.panels.size()) continue;
    if (auto* chart = std::get_if<Chart>(&frame.panels[panel].content)) charts.push_back(chart);
  }
  return charts;
}

// --- Colours

/// A scale, and the words under a matrix that may name its range.
struct Place {
  std::string id;  // of what it colours
  ColourScale* scale;
  std::string* below;  // of a matrix, or nullptr
};

std::string* words_below(MatrixTerm& term) { return &term.shape; }
template <class Other>
std::string* words_below(Other& /*part*/) {
  return nullptr;
}

/// All but those of veils over a picture.
std::vector<Place> scales_of(Panel& panel) {
  std::vector<Place> scales;
  const auto* map = std::get_if<HeatMap>(&panel.content);
  if (map != nullptr && map->picture != nullptr) return scales;
  for_each_scale(panel, [&](const std::string& id, ColourScale& scale, auto& part) {
    scales.push_back({id, &scale, words_below(part)});
  });
  return scales;
}

/// Every way in which captions and the words under a matrix spell the range of colours.
std::vector<std::string> spellings(const Interval& range) {
  const Text text = range_text(range);
  std::vector<std::string> spelled{text.ja(), text.en(), fmt::format("{:.2g}–{:.2g}", range.low, range.high),
                                   fmt::format("{:g}～{:.2g}", range.low, range.high),
                                   fmt::format("{:g} to {:.2g}", range.low, range.high)};
  if (range.low == -range.high) spelled.push_back(fmt::format("±{:.2g}", range.high));
  return spelled;
}

bool is_in_number(const std::string& text, std::size_t at) {
  return at < text.size() && std::string("0123456789").find(text[at]) != std::string::npos;
}

/// `old` stands there as a number of its own: not as the beginning of a longer one.
bool stands_alone(const std::string& text, const std::string& old, std::size_t at) {
  const std::size_t end = at + old.size();
  const bool goes_on =
      is_in_number(text, end) || (text.compare(end, 1, ".") == 0 && is_in_number(text, end + 1));
  return !goes_on && !(at > 0 && (is_in_number(text, at - 1) || text[at - 1] == '.'));
}

std::string with_range(std::string text, const Interval& own, const Interval& common) {
  const std::vector<std::string> old = spellings(own);
  const std::vector<std::string> by = spellings(common);
  for (std::size_t i = 0; i < std::min(old.size(), by.size()); ++i) {
    const std::size_t at = text.find(old[i]);
    if (at == std::string::npos || !stands_alone(text, old[i], at)) continue;
    return text.replace(at, old[i].size(), by[i]);
  }
  return text;
}

/// The places of one scale, each in its frame.
struct InFrame {
  Place place;
  Figure* frame;
};

void align_scales(const std::vector<InFrame>& scales) {
  if (scales.empty()) return;
  const auto range_of = [](const InFrame& one) {
    return Interval{one.place.scale->low, one.place.scale->high};
  };
  Interval common = range_of(scales.front());
  for (const InFrame& one : scales) common = united(common, range_of(one));
  for (const InFrame& one : scales) {
    const Interval own = range_of(one);
    one.place.scale->low = common.low;
    one.place.scale->high = common.high;
    if (own.low == common.low && own.high == common.high) continue;
    Text& caption = one.frame->caption;
    caption = {with_range(caption.ja(), own, common), with_range(caption.en(), own, common)};
    if (one.place.below != nullptr) *one.place.below = with_range(*one.place.below, own, common);
  }
}

/// The scales of one panel in all frames, those of one id together.
void align_panel(std::vector<Figure>& frames, std::size_t panel) {
  std::map<std::string, std::vector<InFrame>> scales;
  for (Figure& frame : frames) {
    if (panel >= frame.panels.size()) continue;
    for (const Place& place : scales_of(frame.panels[panel])) scales[place.id].push_back({place, &frame});
  }
  for (const auto& [id, places] : scales) align_scales(places);
}

/// One colour bar for all panels: it and they are one scale.
void align_shared(std::vector<Figure>& frames) {
  std::vector<InFrame> scales;
  for (Figure& frame : frames) {
    if (!frame.shared_scale) continue;
    scales.push_back({{"", &*frame.shared_scale, nullptr}, &frame});
    for (Panel& panel : frame.panels) {
      for (const Place& place : scales_of(panel)) scales.push_back({place, &frame});
    }
  }
  align_scales(scales);
}

}  // namespace

std::vector<Figure> aligned(std::vector<Figure> frames) {
  PageSize page{0.0, 0.0};
  for (const Figure& frame : frames) {
    page = {std::max(page.width, frame.page.width), std::max(page.height, frame.page.height)};
  }
  for (Figure& frame : frames) frame.page = page;
  for (std::size_t panel = 0; panel < most_panels(frames); ++panel) {
    align_axes(charts_at(frames, panel));
    align_panel(frames, panel);
  }
  align_shared(frames);
  return frames;
}

std::vector<Figure> with_slider(FrameGrid grid) {
  const SweepValues& taken = grid.sliders.front();
  Slider slider{taken.parameter, taken.texts, taken.places, 0};
  const double first = taken.places.front();
  const double span = taken.places.back() - first;
  for (double& place : slider.places) place = (place - first) / span;
  std::vector<Figure> figures;
  for (GridFrame& frame : grid.frames) {
    frame.figure.slider = slider;
    ++slider.frame;
    figures.push_back(std::move(frame.figure));
  }
  return figures;
}

}  // namespace attnlab
