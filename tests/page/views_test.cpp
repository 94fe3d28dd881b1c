#include "page/views.hpp"

#include <doctest/doctest.h>

namespace attnlab {
namespace {

Figure two_heads() {
  return Figure{"f", Text::none()}
      .panel({"ヘッド 0", "Head 0"}, HeatMap{"one", {1, 2, {0.5, 0.5}}})
      .panel(HeatMap{"two", {1, 2, {0.5, 0.5}}});
}

}  // namespace

TEST_CASE("A panel's view holds its marks and what stands around them, in each language") {
  const auto box = [](const std::string& id, double x) {
    return Item{id, FilledBox{{x, 20.0, 10.0, 10.0}, {}}};
  };
  const DisplayList ja{200.0,
                       100.0,
                       {},
                       {box("title[0]", 150.0), box("panel[0].row[0]", 10.0), box("one[0,0]", 30.0),
                        box("one[0,1]", 40.0), box("two[0,0]", 90.0), box("panel[10].row[0]", 180.0)}};
  const DisplayList en{200.0, 100.0, {}, {box("one[0,0]", 60.0), box("two[0,0]", 90.0)}};
  std::vector<PanelView> views;
  add_views(views, two_heads(), ja, Language::ja);
  add_views(views, two_heads(), en, Language::en);
  REQUIRE(views.size() == 2);
  CHECK(views[0].name.ja() == "ヘッド 0");
  CHECK(views[1].name.en() == "2");
  CHECK(views[0].ja.x == 4.0);
  CHECK(views[0].ja.right() == 56.0);
  CHECK(views[0].en.x == 54.0);
  CHECK(views[1].ja.x == 84.0);
}

TEST_CASE("A figure of one panel has no view to choose") {
  std::vector<PanelView> views;
  add_views(views, Figure{"f", Text::none()}.panel(HeatMap{"one", {1, 1, {0.5}}}), {}, Language::en);
  CHECK(views.empty());
}

}  // namespace attnlab
