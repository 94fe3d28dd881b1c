# zsh -f ask.zsh SCRIPT attnlab heads --th: what the script offers for the last word, a line each. Completion works only
# in a line editor, so a second zsh is asked, on a terminal of its own; what it would list goes to a file.
zmodload zsh/zpty
local script=${1:a} answers=$(mktemp)
zpty asked zsh -f -i
zpty -w asked "autoload -Uz compinit; compinit -D; source ${(q)script}; answers=${(q)answers}"
zpty -w asked 'compadd() { local -a hits; builtin compadd -A hits "$@"; print -rl -- $hits >>$answers; builtin compadd "$@" }'
zpty -w asked 'zle -C offer complete-word _main_complete; ask() { zle offer; exit }; zle -N ask; bindkey "^I" ask'
zpty -n -w asked "${argv[2,-1]}"$'\t'
local line
while zpty -r asked line; do :; done
sed '/^$/d' $answers | awk '!seen[$0]++'
rm -f $answers
