// Entry of the worker thread that counts tokens; token-counter.ts is its counterpart on the main thread.
import { mainEnd } from '../../lifecycle/thread-ends'
import { estimateTokens } from './estimate-tokens'
import type { TokenCalls } from './token-counter'

const calls: TokenCalls = { count: (texts) => texts.map(estimateTokens) }
mainEnd().serve(calls)
