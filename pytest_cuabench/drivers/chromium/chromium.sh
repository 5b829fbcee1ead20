#!/bin/sh
# Starts $CHROMIUM_PROGRAM with one more feature switched off. It heeds its last list of features only, and Playwright
# gives one, so that list is made longer. RenderDocument makes a new view and compositor even for pages of one site.
for argument do
  shift
  case $argument in --disable-features=*) argument=$argument,RenderDocument ;; esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_PROGRAM" "$@"
