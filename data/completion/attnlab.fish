# fish completion for attnlab: `attnlab complete` says what may follow the words before the cursor, one to a line with
# a tab and what it means, and :files or :folders where fish completes names.
function __attnlab_offers
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l begin (string match -r '^.*=' -- $current) # of --theme=dark, of NAME=FILE
    for offer in ($program complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $offer
            case ':folders'
                __fish_complete_directories (string replace -r '^.*=' '' -- "$current") | string replace -r -- '^' "$begin"
            case ':files*'
                __fish_complete_suffix (string replace -r '^.*=' '' -- "$current") (string replace -r '^:files ?' '' -- $offer) | string replace -r -- '^' "$begin"
            case '*'
                echo $offer
        end
    end
end
complete -c attnlab -f -a '(__attnlab_offers)'
