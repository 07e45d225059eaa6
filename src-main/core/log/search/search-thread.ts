// Entry of the log search thread; log-search.ts is the main thread's side.
import { mainEnd } from '../../lifecycle/thread-ends'
import { findHits, findLines, type SearchCalls } from './find-lines'

const textDecoder = new TextDecoder()
const calls: SearchCalls = {
  findLines: (pattern, texts) =>
    texts.map((text) => Uint32Array.from(findLines(pattern, textDecoder.decode(text)))),
  findHits: (pattern, lines) => lines.map((line) => findHits(pattern, line)),
}
mainEnd().serve(calls)
