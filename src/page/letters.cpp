#include "page/letters.hpp"

#include "core/text.hpp"
#include "core/utf8.hpp"

namespace attnlab {
namespace {

/// A glyph on the baseline: "12", or "12 640".
struct BaseGlyph {
  std::size_t number = 0;
  std::int64_t x = 0;
};

/// Nothing for a raised or scaled glyph and for the bar of a root.
std::optional<BaseGlyph> base_glyph(const std::string& piece) {
  const std::vector<std::string> words = split(piece, " ");
  const std::optional<std::size_t> number = number_from<std::size_t>(words.front());
  if (!number || words.size() > 2) return std::nullopt;
  if (words.size() == 1) return BaseGlyph{*number, 0};
  const std::optional<std::int64_t> x = number_from<std::int64_t>(words.back());
  return x ? std::optional(BaseGlyph{*number, *x}) : std::nullopt;
}

class BriefWriter {
 public:
  std::string brief(const std::string& label) {
    if (label.empty()) return "";
    before_.reset();
    std::vector<std::string> pieces = split(label, ";");
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::optional<BaseGlyph> glyph = base_glyph(pieces[i]);
      if (glyph) {
        const bool follows = i == 0 ? glyph->x == 0 : before_ && follows_on(*before_, *glyph);
        pieces[i] = std::to_string(glyph->number) + (follows ? "" : " " + std::to_string(glyph->x));
      }
      before_ = glyph;
    }
    return joined(pieces, ";");
  }

  Json advances() const {
    Json all = Json::array();
    for (const auto& [number, advance] : advances_) {
      while (all.size() < number) all.push_back(nullptr);
      all.push_back(advance);
    }
    return all;
  }

 private:
  /// The first that follows a glyph says how far.
  bool follows_on(const BaseGlyph& one, const BaseGlyph& next) {
    const std::int64_t advance = next.x - one.x;
    return advances_.emplace(one.number, advance).first->second == advance;
  }

  std::optional<BaseGlyph> before_;
  std::map<std::size_t, std::int64_t> advances_;
};

}  // namespace

Json brief_letters(const std::vector<std::string>& labels) {
  BriefWriter writer;
  Json written = Json::array();
  for (const std::string& label : labels) written.push_back(writer.brief(label));
  return {{"labels", std::move(written)}, {"advances", writer.advances()}};
}

}  // namespace attnlab
