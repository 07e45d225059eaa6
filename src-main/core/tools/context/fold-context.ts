import type { FoldedContext } from '../../../../src-shared/domain/agents/tools'
import { lineDiff } from '../../line-diff'
import { FRAME, LINE_BEGINS } from './agent-context'

/** A block in a text, as the index of its first line and of the one after its last. */
type Place = { readonly from: number; readonly to: number }

/**
 * The text with `block` (of `agentContext`) in the place of the block that Patchbay put there before; further ones are
 * removed, and every other byte stays. Where there is none, it is added at the end; an empty `block` takes it away.
 *
 * A block is what `agentContext` makes, whatever its words: the begin marker, lines, a fence with lines in it, and the
 * end marker. Or, without markers and fence: the heading, its note if there is one, an empty line if there is one, and
 * from a line that begins with `Server ` on all that begin so or with `- `.
 */
export function foldContext(text: string, block: string): string {
  let lines = linesOf(text)
  const lineEnd = lines[0]?.endsWith('\r\n') === true ? '\r\n' : '\n'
  const ours = block.replaceAll('\n', lineEnd)
  let places = placesOf(lines)
  if (places.length === 0) return ours === '' ? text : appended(text, ours, lineEnd)
  // What is left around a removed block may be one again.
  do {
    lines = replaced(lines, places, ours)
    places = placesOf(lines)
  } while (places.length > (ours === '' ? 0 : 1))
  return lines.join('')
}

/** As `foldContext`, with what it does to the text. */
export function withContext(text: string, block: string): FoldedContext {
  const folded = foldContext(text, block)
  return {
    text: folded,
    replaced: countContexts(text),
    isEmpty: block === '',
    diff: lineDiff(text, folded),
  }
}

/** How many blocks a text has. */
export function countContexts(text: string): number {
  return placesOf(linesOf(text)).length
}

function appended(text: string, block: string, lineEnd: string): string {
  if (text === '') return block + lineEnd
  const ended = text.endsWith('\n') ? text : text + lineEnd
  return `${ended}${lineEnd}${block}${lineEnd}`
}

function replaced(lines: readonly string[], places: readonly Place[], block: string): string[] {
  const kept: string[] = []
  let at = 0
  for (const [index, { from, to }] of places.entries()) {
    for (const line of lines.slice(at, from)) kept.push(line)
    const lastEnd = /\r?\n$/u.exec(lines[to - 1] ?? '')?.[0] ?? ''
    if (index === 0 && block !== '') for (const line of linesOf(block + lastEnd)) kept.push(line)
    at = to
  }
  for (const line of lines.slice(at)) kept.push(line)
  return kept
}

function placesOf(lines: readonly string[]): Place[] {
  const bare = lines.map((line) => line.replace(/\r?\n$/u, ''))
  const places: Place[] = []
  for (let from = 0; from < bare.length; from += 1) {
    const to = framedEnd(bare, from) ?? unfencedEnd(bare, from)
    if (to === undefined) continue
    places.push({ from, to })
    from = to - 1
  }
  return places
}

function framedEnd(lines: readonly string[], from: number): number | undefined {
  if (lines[from] !== FRAME.begin) return undefined
  const open = nextOfFrame(lines, from + 1)
  if (lines[open] !== FRAME.open) return undefined
  const close = nextOfFrame(lines, open + 1)
  const isWhole = lines[close] === FRAME.close && lines[close + 1] === FRAME.end
  return isWhole ? close + 2 : undefined
}

/** The next line that is a marker or begins like a fence. */
function nextOfFrame(lines: readonly string[], from: number): number {
  let at = from
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === FRAME.begin || line === FRAME.end || line.startsWith(FRAME.close)) break
  }
  return at
}

function unfencedEnd(lines: readonly string[], from: number): number | undefined {
  if (lines[from] !== FRAME.heading) return undefined
  let at = from + 1
  if (lines[at] === FRAME.note) at += 1
  if (lines[at] === '') at += 1
  const [server] = LINE_BEGINS
  if (lines[at]?.startsWith(server) !== true) return undefined
  while (LINE_BEGINS.some((begin) => lines[at]?.startsWith(begin) === true)) at += 1
  return at
}

/** With their ends, so that joined they are the text again. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? []
}
