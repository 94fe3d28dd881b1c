// Cairo's assertion on fonts that one thread gives up and another takes up again cannot be met at will: what
// keeps from it, that a drawn font is never given up, can be seen in its number of references.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "plotting/backends/backends.hpp"
#include "plotting/text/typesetting.hpp"

namespace attnlab {
namespace {

Label label_of(const std::string& markup, double size) {
  Label label;
  label.markup = markup;
  label.size = size;
  return label;
}

/// References to the fonts that draw the label on a page of 72 dpi, run by run, and as many more as asking
/// takes.
std::vector<unsigned> references_to(const Label& label) {
  const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 8, 8));
  const Typeset text = typeset(label.markup, label.size, label.weight);
  std::vector<unsigned> counts;
  for_each_run(text.layout.get(), [&](const LayoutRun& at) {
    const CairoContext context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale_to(label.size), scale_to(label.size));
    cairo_set_scaled_font(context.get(),
                          pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(at.run->item->analysis.font)));
    counts.push_back(cairo_scaled_font_get_reference_count(cairo_get_scaled_font(context.get())));
  });
  return counts;
}

void paint_in_a_thread(const Label& label) {
  std::thread([&] {
    Page page;
    page.list.width = page.list.height = 40.0;
    page.list.items.push_back({"label", label});
    paint_pixels(page, 72.0);
  }).join();
}

}  // namespace

TEST_CASE("A font that a thread has painted with is still held when that thread is gone") {
  const Label label = label_of("word 単語", 12.3);  // a size that no other test paints
  std::vector<unsigned> expected = references_to(label);
  REQUIRE(expected.size() == 2);
  paint_in_a_thread(label);
  for (unsigned& count : expected) ++count;
  CHECK(references_to(label) == expected);
  paint_in_a_thread(label);  // kept once, not once more each time
  CHECK(references_to(label) == expected);
}

TEST_CASE("Threads that come and go may paint the same words") {
  const Label label = label_of("softmax(QKᵀ/√d) 注意", 14.2);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { paint_in_a_thread(label); });
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(references_to(label).front() > references_to(label_of("softmax(QKᵀ/√d) 注意", 14.3)).front());
}

}  // namespace attnlab
