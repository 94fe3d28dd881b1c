# bash completion for attnlab: `attnlab complete` says what may follow the words before the cursor, one to a line with
# a tab and what it means, and :files or :folders where bash, which knows how to quote them, completes names.
_attnlab() {
  local offer offers current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  mapfile -t offers < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  for offer in "${offers[@]}"; do
    case $offer in
    :folders) compopt -o dirnames ;;
    :files) compopt -o default ;;
    :files*) compopt -o filenames -o plusdirs; mapfile -t COMPREPLY < <(compgen -f -X "!*${offer#:files }" -- "$current") ;;
    *) COMPREPLY+=("${offer%%$'\t'*}") ;;
    esac
  done
  if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi # NAME=FILE goes on
}
complete -F _attnlab attnlab
