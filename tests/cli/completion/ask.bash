# bash ask.bash SCRIPT attnlab heads --th: what the script offers for the last word, a line each; "files" or "folders"
# where it leaves the names to bash.
source "$1"
shift

compopt() {
  case $2 in
  default) echo files ;;
  dirnames) echo folders ;;
  esac
}

COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_attnlab
if ((${#COMPREPLY[@]})); then printf '%s\n' "${COMPREPLY[@]}"; fi
