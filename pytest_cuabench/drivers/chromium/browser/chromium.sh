#!/bin/sh
# Starts $CHROMIUM_PROGRAM with one more feature switched off. It heeds its last list of features only, and Playwright
# gives one, so that list is made longer. RenderDocument makes a new view and compositor even for pages of one site.
# $CHROMIUM_BUBBLEWRAP is a file of arguments for bubblewrap, for a browser under policies (policies.py).
for argument do
  shift
  case $argument in --disable-features=*) argument=$argument,RenderDocument ;; esac
  set -- "$@" "$argument"
done
[ -z "${CHROMIUM_BUBBLEWRAP-}" ] || exec bwrap --args 9 -- "$CHROMIUM_PROGRAM" "$@" 9<"$CHROMIUM_BUBBLEWRAP"
exec "$CHROMIUM_PROGRAM" "$@"
