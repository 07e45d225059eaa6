#!/bin/bash
# Runs the `electron` beside it, and hands on what it writes. Once the app ends, Node's inspector says that it waits for its
# debugger, and then tells it that its context is gone: a debugger that has left by then crashes Node 16, which writes to a
# connection that is no more. So the debugger hears of it a little later.
exec "${0%/*}/electron" "$@" 2> >(
  while IFS= read -r line || [[ -n $line ]]; do
    [[ $line == 'Waiting for the debugger to disconnect...' ]] && sleep 0.2
    printf '%s\n' "$line"
  done >&2
)
