#!/usr/bin/env bash
# commit-msg.sh FILE: checks the form of a commit message; Git's hook commit-msg calls it with the
# file that has the message. `make setup` says how to turn it on, and never does so itself.
#
# The subject is an imperative of at most 72 characters, without a full stop; the second line is
# blank. Whether a word is an imperative is guessed from its ending: only plain cases are refused.
# Subjects that Git itself writes (merges, reverts, fixups) pass.
set -euo pipefail

file=${1:?usage: commit-msg.sh FILE}
# As Git does: comments go, and so does all below the scissors of `commit --verbose`.
text=$(sed -e '/^# -* >8 -*$/,$d' -e '/^#/d' "$file" | sed '/./,$!d')
subject=$(sed -n 1p <<<"$text")
second=$(sed -n 2p <<<"$text")

refuse() {
    printf 'commit-msg: %s\n  %s\n' "$1" "$subject" >&2
    exit 1
}

[ -n "$subject" ] || refuse "the message is empty"
case $subject in
    'Merge '* | 'Revert '* | 'fixup! '* | 'squash! '* | 'amend! '*) exit 0 ;;
esac
# Characters, and not bytes, wherever the system has a UTF-8 locale.
export LC_ALL=C.UTF-8
[ ${#subject} -le 72 ] || refuse "the subject has ${#subject} characters of at most 72:"
[ -z "$second" ] || refuse "the line after the subject must be blank:"
[ "${subject%.}" = "$subject" ] || refuse "the subject ends with a full stop:"
word=${subject%% *}
[[ $word =~ ^[A-Z][a-z-]+$ ]] ||
    refuse "the subject must begin with an imperative in a capital and small letters:"
shopt -s nocasematch
case $word in
    bring | process | pass | address | miss | discuss | focus | access | compress | bless) ;;
    embed | speed | feed | need | shed | seed | proceed | exceed | bleed | heed) ;;
    ring | string | spring) ;;
    *ing | *ed | *s) refuse "\"$word\" is no imperative; begin as \"Retry a dropped frame\":" ;;
esac
