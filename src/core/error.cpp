// The message of an error in both languages, and the system's reasons in Japanese.
#include "core/error.hpp"

#include <cerrno>
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

Error::Error(ErrorKind kind, const Text& problem, const Text& hint)
    : kind_(kind), message_(problem.ja() + "。" + hint.ja(), problem.en() + "; " + hint.en()) {}

Error Error::at(const std::string& place) const {
  Error placed = *this;
  placed.kind_ = ErrorKind::failed;
  placed.message_ = {place + ": " + message_.ja(), place + ": " + message_.en()};
  return placed;
}

void refuse_usage(const Text& problem, const Text& hint) { throw Error(ErrorKind::usage, problem, hint); }

void refuse_failed(const Text& problem, const Text& hint) { throw Error(ErrorKind::failed, problem, hint); }

Text system_reason(int error_number) {
  return {japanese(error_number), std::generic_category().message(error_number)};
}

}  // namespace attnlab
