// The entry of the thread that searches logs; the main thread's side of it is log-search.ts.
import { parentPort } from 'node:worker_threads'

import { createBirpc } from 'birpc'

import { findHits, findLines } from './find-lines'
import type { SearchCalls } from './search-calls'

if (!parentPort) throw new Error('This file is the entry of a worker thread.')
const port = parentPort
const textDecoder = new TextDecoder()
const calls: SearchCalls = {
  findLines: (pattern, texts) =>
    texts.map((text) => Uint32Array.from(findLines(pattern, textDecoder.decode(text)))),
  findHits: (pattern, lines) => lines.map((line) => findHits(pattern, line)),
}
createBirpc<object, SearchCalls>(calls, {
  post: (message) => port.postMessage(message),
  on: (listen) => void port.on('message', listen),
  timeout: -1,
})
