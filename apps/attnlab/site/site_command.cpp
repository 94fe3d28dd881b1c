// `attnlab site`: every experiment, figure and lecture as pages that can be put on any server, or opened from
// a stick.
#include "attnlab/command_line/parser.hpp"
#include "attnlab/lecture/block_command.hpp"
#include "attnlab/lecture/written_folder.hpp"
#include "attnlab/terminal/console.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "products/site/site.hpp"

namespace attnlab {
namespace {

namespace fs = std::filesystem;

/// Nothing is written before everything is made.
Ending run_site(const ParsedCommand& parsed, Language language) {
  const fs::path folder =
      only_topic(parsed, {"site に書き込むフォルダーがありません", "site needs a folder to write into"},
                 {"例：attnlab site pages", "for example: attnlab site pages"});
  Targets targets;
  targets.add_folder(folder);
  targets.check();
  ProgressBar bar;
  const BuiltFolder site = built_site(read_block, [&](double share) { bar.show(share, "site"); });
  bar.clear();
  write_folder(site, folder, targets, language);
  double bytes = 0.0;
  for (const BuiltFile& file : site.files) bytes += static_cast<double>(file.bytes.size());
  if (read_printing(parsed) == Printing::nothing) return Ending::done;
  constexpr double megabyte = 1e6;
  write_output(text("{} 個のファイル（{:.1f} MB）を書きました：{}\n", "{} written ({:.1f} MB): {}\n",
                    counted(site.files.size(), "file"), bytes / megabyte, (folder / "index.html").string())
                   .in(language));
  return Ending::done;
}

}  // namespace

Command site_command() {
  return {"site",
          command_words("site"),
          {report_group({quiet_flag()}), general_group()},
          run_site,
          {" フォルダー", " FOLDER"},
          [](const std::vector<Command>&) {
            return Offer{{}, Offer::Paths::folders};
          }};
}

}  // namespace attnlab
