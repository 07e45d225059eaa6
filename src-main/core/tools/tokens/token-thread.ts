// The entry of the thread that counts tokens; the main thread's side of it is token-counter.ts.
import { serveThread } from '../../lifecycle/thread-ends'
import { estimateTokens } from './estimate-tokens'
import type { TokenCalls } from './token-counter'

const calls: TokenCalls = { count: (texts) => texts.map(estimateTokens) }
serveThread(calls)
