# given MACHINE FOLDER: the folder with the netlists that the machine's file `netlists` names, in
# FOLDER or in a folder in it; nothing if it takes none or there are none. Sourced in the
# repository's root.
given() {
    local pattern found
    [ -n "$2" ] && [ -e "machines/$1/netlists" ] || return 0
    pattern=$(cat "machines/$1/netlists")
    found=$(find -L "$2" -maxdepth 2 -name "$pattern" | sort | head -n 1)
    [ -z "$found" ] || dirname "$found"
}
