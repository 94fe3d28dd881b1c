// Frames that follow each other, each laid out in the same room: for films and for pages with sliders.
#pragma once

#include "products/look.hpp"

namespace attnlab {

/// With the ends of its colours as --range and its kin choose them for this frame.
Figure ranged(Figure figure, const Look& look);

/// The ends of the colours stay what they are in common to all frames.
LayoutOptions frame_options(const Look& look, const Figure& figure);

/// The figures must outlive it.
class FrameLayouts {
 public:
  FrameLayouts(const std::vector<Figure>& figures, const Look& look);

  /// Throws NoSpace when the frame does not fit with what the others need around their data.
  Layout at(std::size_t index) const { return at(index, look_.theme); }
  Layout at(std::size_t index, Theme theme) const;

  /// In a window of fewer pixels letters are too small to be read.
  double least_width() const { return least_width_; }

  const std::vector<Text>& warnings() const { return warnings_; }

 private:
  const std::vector<Figure>& figures_;
  Look look_;
  Space space_;
  double least_width_ = 0.0;
  std::vector<Text> warnings_;
};

/// The look with a page on which every frame has room: one that is a preset's own grows as that of a still
/// figure does, with a warning.
Look with_space_for(const std::vector<Figure>& figures, Look look, std::vector<Text>& warnings);

/// Where letters, such as subscripts, would be too small in a window of this width, in pixels, the page is
/// narrower by as much, if that leaves every frame room.
Look with_readable_letters(const std::vector<Figure>& figures, const Look& look, double width);

}  // namespace attnlab
