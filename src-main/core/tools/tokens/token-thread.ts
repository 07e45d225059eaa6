// The entry of the thread that counts tokens; the main thread's side of it is token-counter.ts.
import { mainEnd } from '../../lifecycle/thread-ends'
import { estimateTokens } from './estimate-tokens'
import type { TokenCalls } from './token-counter'

const calls: TokenCalls = { count: (texts) => texts.map(estimateTokens) }
mainEnd().serve(calls)
