// The entry of the thread that counts tokens; the main thread's side of it is token-counter.ts.
import { parentPort } from 'node:worker_threads'

import { createBirpc } from 'birpc'

import { estimateTokens } from './estimate-tokens'
import type { TokenCalls } from './token-counter'

if (!parentPort) throw new Error('This file is the entry of a worker thread.')
const port = parentPort
const calls: TokenCalls = { count: (texts) => texts.map(estimateTokens) }
createBirpc<object, TokenCalls>(calls, {
  post: (message) => port.postMessage(message),
  on: (listen) => void port.on('message', listen),
  timeout: -1,
})
