#!/usr/bin/env bash
# commit-msg.sh FILE: checks the form of a commit message. Git's hook commit-msg calls it with the
# message's file. `make setup` prints how to enable the hook, but never enables it.
#
# The subject is an imperative of at most 72 characters, without a full stop; the second line is
# blank. The ending of the first word decides whether it is an imperative: only clear cases are
# refused. Subjects written by Git (merges, reverts, fixups) pass.
set -euo pipefail

file=${1:?usage: commit-msg.sh FILE}
# Like Git, remove comments and everything below the scissors line of `commit --verbose`.
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
# Count characters and not bytes, if the system has a UTF-8 locale.
export LC_ALL=C.UTF-8
[ ${#subject} -le 72 ] || refuse "the subject has ${#subject} characters; at most 72 are allowed:"
[ -z "$second" ] || refuse "the line after the subject must be blank:"
[ "${subject%.}" = "$subject" ] || refuse "the subject ends with a full stop:"
word=${subject%% *}
[[ $word =~ ^[A-Z][a-z-]+$ ]] ||
    refuse "the subject must begin with a capitalised imperative:"
shopt -s nocasematch
case $word in
    bring | process | pass | address | miss | discuss | focus | access | compress | bless) ;;
    embed | speed | feed | need | shed | seed | proceed | exceed | bleed | heed) ;;
    ring | string | spring) ;;
    *ing | *ed | *s) refuse "\"$word\" is not an imperative; begin like \"Retry a dropped frame\":" ;;
esac
