// The system's own words are English alone.
#include "core/system_reason.hpp"

#include <cerrno>
#include <string>
#include <system_error>

namespace attnlab {
namespace {

std::string japanese(int error_number) {
  switch (error_number) {
    case ENOENT:
      return "ファイルまたはフォルダーがありません";
    case EACCES:
    case EPERM:
      return "許可がありません";
    case EISDIR:
      return "フォルダーです";
    case ENOTDIR:
      return "フォルダーではありません";
    case ENOSPC:
      return "空き容量がありません";
    case EDQUOT:
      return "割り当てられた容量を使い切りました";
    case EFBIG:
      return "ファイルが大きすぎます";
    case EROFS:
      return "読み取り専用の場所です";
    case ENAMETOOLONG:
      return "名前が長すぎます";
    case ELOOP:
      return "シンボリックリンクが輪になっています";
    case EPIPE:
      return "読み手がいません";
    case EIO:
      return "装置の入出力エラーです";
    default:
      return "システムのエラー番号 " + std::to_string(error_number);
  }
}

}  // namespace

Text system_reason(int error_number) {
  return {japanese(error_number), std::generic_category().message(error_number)};
}

}  // namespace attnlab
