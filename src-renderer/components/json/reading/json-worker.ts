// The entry of the thread that holds long texts; the page's side of it is json-thread.ts.
import { createBirpc } from 'birpc'

import { JsonCalls } from './json-calls'
import type { ThreadCalls } from './json-thread'

const calls = new JsonCalls()
const answers: ThreadCalls = {
  add: (key, part) => calls.add(key, part),
  finish: (key) => calls.finish(key),
  drop: (key) => calls.drop(key),
  openView: (view, key, pointer) => calls.openView(view, key, pointer),
  closeView: (view) => calls.closeView(view),
  rows: (view, from, to) => calls.rows(view, from, to),
  setOpen: (view, row, isOpen) => calls.setOpen(view, row, isOpen),
  openBeside: (view, row) => calls.openBeside(view, row),
  holderRow: (view, row) => calls.holderRow(view, row),
  rowThatBegins: (view, beginning, from) => calls.rowThatBegins(view, beginning, from),
  find: (view, text) => calls.find(view, text),
  reveal: (view, place) => calls.reveal(view, place),
  valueAt: (view, row, most) => calls.valueAt(view, row, most),
  textOf: (key, pointer, most) => calls.textOf(key, pointer, most),
  blobOf: (key, pointer) => calls.blobOf(key, pointer),
  result: (key) => calls.result(key),
  items: (key, from, to) => calls.items(key, from, to),
  stringPart: (key, node, from, length) => calls.stringPart(key, node, from, length),
  media: (key, node) => calls.media(key, node),
}
createBirpc<object, ThreadCalls>(answers, {
  post: (message) => globalThis.postMessage(message),
  on: (listen) =>
    globalThis.addEventListener('message', ({ data }: MessageEvent<unknown>) => listen(data)),
  timeout: -1,
})
