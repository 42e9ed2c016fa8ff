# crank.bash - completion of crank's command line in bash. What there is to complete is asked of the command itself
# (crank --complete, crank COMMAND --complete, crank methods, crank options).
#
#     source tools/completion/crank.bash      or installed: share/bash-completion/completions/crank
# SPDX-License-Identifier: BSD-3-Clause

# _crank_words: first words of the lines of a list
_crank_words() {
    sed -n 's/^ \{0,2\}\([^ \t][^ \t]*\).*/\1/p'
}

# _crank_value CRANK OPTION VALUE: what the option's value may be; status 1: a file, or what only the user knows
_crank_value() {
    case $2 in
    --method | --methods) "$1" methods | _crank_words ;;
    --option) "$1" options | _crank_words | sed 's/$/=/' ;;
    --coordinates) printf '%s\n' absolute joint auto ;;
    --sample) printf '%s\n' grid list latin sobol ;;
    --draw) printf '%s\n' lines points both ;;
    --norm) printf '%s\n' max rms ;;
    *) return 1 ;;
    esac
}

_crank() {
    local crank=$1 current=$2 previous=$3 command=${COMP_WORDS[1]} words value
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$crank" --complete | cut -f 1) --help --version" -- "$current")
        return
    fi
    if words=$(_crank_value "$crank" "$previous"); then
        case $words in *=*) compopt -o nospace ;; esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        return
    fi
    if [ "$command" = help ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$crank" --complete | cut -f 1)" -- "$current")
        return
    fi
    value=$("$crank" "$command" --complete 2>/dev/null | awk -F '\t' -v name="$previous" '$1 == name { print $2 }')
    case $current$value in
    -*) mapfile -t COMPREPLY < <(compgen -W "$("$crank" "$command" --complete 2>/dev/null | cut -f 1)" -- "$current") ;;
    *) case $value in
        '' | *FILE* | *RESULT* | *MODEL* | *FOLDER*) compopt -o default ;; # files
        esac ;;
    esac
}

complete -F _crank crank
