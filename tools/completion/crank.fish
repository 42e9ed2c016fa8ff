# crank.fish - completion of crank's command line in fish. What there is to complete is asked of the command itself
# (crank --complete, crank COMMAND --complete, crank methods, crank options).
#
#     source tools/completion/crank.fish      or installed: share/fish/vendor_completions.d/crank.fish
# SPDX-License-Identifier: BSD-3-Clause

# first words of the lines of a list, with an ending, and what these lines say
function __crank_words --argument-names ending
    sed -n "s/^ \{0,2\}\([^ \t][^ \t]*\) */\1$ending\t/p"
end

# what may follow: options of the command, or the value of the one before
function __crank_offers
    set -l words (commandline -opc)
    set -l crank $words[1]
    set -l command $words[2]
    switch $words[-1]
        case --method --methods
            $crank methods | __crank_words
        case --option
            $crank options | __crank_words =
        case --coordinates
            printf '%s\n' absolute joint auto
        case --sample
            printf '%s\n' grid list latin sobol
        case --draw
            printf '%s\n' lines points both
        case --norm
            printf '%s\n' max rms
        case '*'
            if string match -q -- '-*' (commandline -ct)
                $crank $command --complete 2>/dev/null | string replace -r '\t[^\t]*\t' '\t'
            end
    end
end

# the commands while there is none
complete -c crank -n 'test (count (commandline -opc)) -eq 1' -f -a '(crank --complete)'
complete -c crank -n 'test (count (commandline -opc)) -gt 1' -a '(__crank_offers)'
