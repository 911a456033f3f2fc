#!/bin/sh
# Runs each line of the table in thesis-numbers.md and writes the number of executions that Ravel counts
# (and, in brackets, how many of them are erroneous) into its last column.
# Usage: docs/thesis-numbers.sh [RAVEL_BINARY]
set -u
cd "$(dirname "$0")/.." || exit 2
ravel=${1:-build/ravel}
table=docs/thesis-numbers.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

number() {  # the first number behind "KEY" in a JSON file
    tr -d ' \n' < "$1" | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2
}

erroneous() {  # how many executions show one of the bugs that the JSON file lists; each execution ends at its first
    tr -d ' \n' < "$1" | grep -o '"executions":[0-9]*' | tail -n +2 | cut -d: -f2 | awk '{ n += $1 } END { print n + 0 }'
}

thousands() {  # 118038 -> 118,038
    echo "$1" | sed -e ':again' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/' -e 't again'
}

while IFS= read -r line; do
    case $line in
        '|'*' thesis/'*|'|'*' registration_server/'*)
            program=$(echo "$line" | cut -d'|' -f3 | awk '{print $1}')
            define=$(echo "$line" | cut -d'|' -f3 | awk '{print $2}')
            test=$(echo "$line" | cut -d'|' -f4 | tr -d ' ')
            strategy=$(echo "$line" | cut -d'|' -f5 | awk '{print $1}')
            bound=$(echo "$line" | cut -d'|' -f5 | awk '{print $2}')
            case $program in
                thesis/*) set -- "examples/$program.erl" -t "${program#thesis/}:$test" ;;
                *) set -- "examples/$program"/*.erl -t "reg_server_tests:$test" ;;
            esac
            [ -z "$define" ] || set -- "$@" -D "$define"
            # As in the thesis, where a timeout may fire at any time.
            set -- "$@" --time any --strategy "$strategy" -k --out "$work/out" --json "$work/result.json"
            [ -z "$bound" ] || set -- "$@" --preemptions "$bound"
            rm -rf "$work/out" "$work/result.json"
            "$ravel" check "$@" > "$work/text" 2>&1 < /dev/null
            count=
            [ -f "$work/result.json" ] && count=$(number "$work/result.json" executions)
            bad=
            [ -f "$work/result.json" ] && bad=$(erroneous "$work/result.json")
            cell=$(thousands "${count:-failed}")
            [ -z "$bad" ] || [ "$bad" = 0 ] || cell="$cell ($(thousands "$bad") erroneous)"
            printf '%s| %s |\n' "${line%|*|}" "$cell"
            ;;
        *) printf '%s\n' "$line" ;;
    esac
done < "$table" > "$work/table"
cp "$work/table" "$table"
