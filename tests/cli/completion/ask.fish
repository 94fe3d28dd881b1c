# fish ask.fish SCRIPT attnlab heads --th: what the script offers for the last word, a line each.
source $argv[1]
complete -C "$argv[2..-1]" | string replace --regex '\t.*' ''
