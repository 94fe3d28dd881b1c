#include <fmt/format.h>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/file_bytes.hpp"
#include "io/image_file.hpp"
#include "plotting/backends/backends.hpp"
#include "products/lecture/block_building.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// What stands behind `word` wherever that is found, without a quotation mark in front.
std::vector<std::string_view> behind(std::string_view word, std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    all.push_back(trimmed(text.substr(at + word.size(), 20), " \"'"));
  return all;
}

/// "onload=", "onbegin =": an attribute that is a script.
bool is_script(std::string_view behind_on) {
  const std::size_t end = behind_on.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  return end != 0 && end != std::string_view::npos && trimmed(behind_on.substr(end)).substr(0, 1) == "=";
}

/// What would run or ask for something when an SVG is opened by itself; inside of a page it does neither.
void check_svg(std::string_view bytes, const std::string& target) {
  std::string svg = lower_case(std::string(bytes));
  std::replace_if(
      svg.begin(), svg.end(), [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  bool runs = false;
  for (const char* word : {"<script", "<!entity", "<foreignobject", "<iframe", "javascript:", "@import"})
    runs = runs || svg.find(word) != std::string::npos;
  const std::vector<std::string_view> events = behind(" on", svg);
  if (runs || std::any_of(events.begin(), events.end(), is_script)) {
    refuse_usage(text("画像 {} にスクリプトか実体があります", "the picture {} holds a script or an entity",
                      quotation(target)),
                 {"それらのない SVG にするか、PNG で保存してください", "save it without, or as PNG"});
  }
  for (const char* word : {"href=", "url("}) {
    for (const std::string_view address : behind(word, svg)) {
      if (address.substr(0, 1) == "#" || address.substr(0, 11) == "data:image/") continue;
      refuse_usage(
          text("画像 {} が別のファイルを参照しています", "the picture {} refers to another file",
               quotation(target)),
          {"画像を SVG に埋め込むか、PNG で保存してください", "embed what it shows, or save it as PNG"});
    }
  }
}

/// "png", "jpeg" or "svg+xml".
std::string kind_of(const SharedBytes& bytes, const std::string& target) {
  const std::string_view view = bytes.view;
  const bool is_png = view.substr(0, 4) == "\x89PNG";
  if (is_png || view.substr(0, 3) == "\xFF\xD8\xFF") {
    image_in(bytes, target);  // refuses what is damaged or too large
    return is_png ? "png" : "jpeg";
  }
  if (view.substr(0, 1000).find("<svg") == std::string_view::npos) {
    refuse_usage(
        text("{} は PNG、JPEG、SVG のどれでもありません", "{} is no PNG, JPEG or SVG", quotation(target)),
        {"そのどれかで保存してください", "save it as one of them"});
  }
  check_svg(view, target);
  return "svg+xml";
}

}  // namespace

std::string address_of_picture(const std::string& target, const Workshop& workshop, BuiltPart& part) {
  if (target.find("://") != std::string::npos || target.rfind("data:", 0) == 0) {
    refuse_usage(text("画像 {} は文書の外にあります", "the picture {} lies elsewhere", quotation(target)),
                 {"文書のフォルダーに保存し、その名前を書いてください",
                  "save it in the document's folder, and name that file"});
  }
  const fs::path path = fs::path(target).lexically_normal();
  if (target.empty() || path.is_absolute() || *path.begin() == "..") {
    refuse_usage(text("画像 {} は文書のフォルダーの外にあります",
                      "the picture {} lies outside of the document's folder", quotation(target)),
                 {"文書のフォルダーに置いてください", "put it into the document's folder"});
  }
  const fs::path folder = workshop.lecture.file.parent_path();
  const ReadsBelow documents_folder(folder.empty() ? "." : folder);
  const SharedBytes bytes = bytes_of((folder / path).string());
  const std::string kind = kind_of(bytes, target);
  const bool is_office = workshop.wants(LectureOutput::pptx) || workshop.wants(LectureOutput::docx);
  if (is_office && kind == "svg+xml") {
    refuse_usage(text("PowerPoint と Word には SVG の画像 {} を入れられません",
                      "PowerPoint and Word cannot take the SVG {}", quotation(target)),
                 {"PNG で保存してください", "save it as PNG"});
  }
  part.inputs.push_back(folder / path);
  part.pictures.push_back({path, std::string(bytes.view)});
  return fmt::format("data:image/{};base64,{}", kind, base64(part.pictures.back().bytes));
}

}  // namespace attnlab
