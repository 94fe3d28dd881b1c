#compdef attnlab
# zsh completion for attnlab: `attnlab complete` says what may follow the words before the cursor, one to a line with a
# tab and what it means, and :files or :folders where zsh completes names.
_attnlab() {
  local offer names
  local -a whole begun # NAME=FILE goes on
  for offer in ${(f)"$(${(Q)~words[1]} complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
    case $offer in
    :*) names=$offer ;;
    *=$'\t'*) begun+=("${${offer%%$'\t'*}//:/\\:}:${offer#*$'\t'}") ;;
    *) whole+=("${${offer%%$'\t'*}//:/\\:}:${offer#*$'\t'}") ;;
    esac
  done
  _describe word whole -- begun -S ''
  if [[ -n $names ]]; then compset -P '*='; fi
  case $names in
  :folders) _path_files -/ ;;
  :files*) _files -g "*${names#:files }" ;;
  esac
}
# Found by name in a folder of $fpath, or read with `source <(attnlab completion zsh)`.
if [[ $funcstack[1] == _attnlab ]]; then _attnlab "$@"; else compdef _attnlab attnlab; fi
