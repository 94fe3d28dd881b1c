// The system's own words are English alone.
#include "core/system_reason.hpp"

#include <cerrno>
#include <map>
#include <string>
#include <system_error>

namespace attnlab {
namespace {

std::string japanese(int error_number) {
  static const std::map<int, std::string> reasons{
      {ENOENT, "ファイルまたはフォルダーがありません"},
      {EACCES, "許可がありません"},
      {EPERM, "許可がありません"},
      {EISDIR, "フォルダーです"},
      {ENOTDIR, "フォルダーではありません"},
      {ENOSPC, "空き容量がありません"},
      {EDQUOT, "割り当てられた容量を使い切りました"},
      {EFBIG, "ファイルが大きすぎます"},
      {EROFS, "読み取り専用の場所です"},
      {ENAMETOOLONG, "名前が長すぎます"},
      {ELOOP, "シンボリックリンクが輪になっています"},
      {EPIPE, "読み手がいません"},
      {EIO, "装置の入出力エラーです"},
  };
  const auto known = reasons.find(error_number);
  return known != reasons.end() ? known->second : "システムのエラー番号 " + std::to_string(error_number);
}

}  // namespace

Text system_reason(int error_number) {
  return {japanese(error_number), std::generic_category().message(error_number)};
}

}  // namespace attnlab
