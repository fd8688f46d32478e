# given MACHINE FOLDER: prints the folder with the netlists that the machine's file `netlists`
# names, which is FOLDER or a subfolder. Prints nothing if the machine uses none or none are found.
# Sourced in the repository's root.
given() {
    local pattern found
    [ -n "$2" ] && [ -e "machines/$1/netlists" ] || return 0
    pattern=$(cat "machines/$1/netlists")
    found=$(find -L "$2" -maxdepth 2 -name "$pattern" | sort | head -n 1)
    [ -z "$found" ] || dirname "$found"
}
