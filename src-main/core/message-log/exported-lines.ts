import type { MessageEntry, MessageFilter } from '../../../src-shared/domain/agents/message-log'
import type { RequestOutput } from '../../../src-shared/ipc/contract'
import { TurnShare } from '../lifecycle/turn-share'
import type { Redactor } from '../masking/redact'
import { finderOf, fits, type ServerMessages, shownEntry, shownText } from './shown-message'

/** Of an export, in UTF-16 units. */
const MOST_EXPORTED = 32 * 1024 * 1024
/** Between the members of a message that came over several lines. */
const LINE_ENDS = /[\n\r]+/gu

/** Which messages are exported; `isWhole` is false where that cannot be told of all. */
type Choice = {
  readonly isIn: (entry: MessageEntry) => boolean
  readonly hasText: (shown: string) => boolean
  readonly isWhole: boolean
}

/** The messages that pass the filter as JSON lines, oldest first, and the other halves of their pairs where those are wanted; where there are too many, the newest of them. */
export async function exportedLines(
  messageLog: ServerMessages,
  redactor: Redactor,
  filter: MessageFilter,
  mostLength = MOST_EXPORTED,
): Promise<RequestOutput<'messages.export'>> {
  const { ring } = messageLog
  const choice = await choiceOf(messageLog, redactor, filter)
  const lines: string[] = []
  let room = mostLength
  let { isWhole } = choice
  const turn = new TurnShare()
  for (let seq = ring.nextSeq - 1; seq >= ring.firstSeq && room > 0; seq -= 1) {
    if (turn.isOver) await turn.next()
    const entry = shownEntry(messageLog, seq, redactor)
    if (!entry || !choice.isIn(entry)) continue
    const shown = await shownText(ring.get(seq), redactor)
    // Nobody knows what stands in one that is not held.
    if (shown === undefined) isWhole = false
    else if (choice.hasText(shown)) {
      const line = lineOf(entry, shown)
      room -= line.length
      if (room >= 0) lines.push(line)
    }
  }
  return { text: lines.reverse().join(''), count: lines.length, isWhole: isWhole && room > 0 }
}

async function choiceOf(
  messageLog: ServerMessages,
  redactor: Redactor,
  filter: MessageFilter,
): Promise<Choice> {
  if (filter.isPaired) return pairsOf(messageLog, redactor, filter)
  const hasText = filter.text === undefined ? () => true : finderOf(filter.text)
  return { isIn: (entry) => fits(entry, filter), hasText, isWhole: true }
}

/** The messages that pass the filter, and the other halves of their pairs. */
async function pairsOf(
  messageLog: ServerMessages,
  redactor: Redactor,
  filter: MessageFilter,
): Promise<Choice> {
  const { ring } = messageLog
  const hasText = filter.text === undefined ? undefined : finderOf(filter.text)
  const seqs = new Set<number>()
  let isWhole = true
  const turn = new TurnShare()
  const end = ring.nextSeq
  for (let seq = ring.firstSeq; seq < end; seq += 1) {
    if (turn.isOver) await turn.next()
    const entry = shownEntry(messageLog, seq, redactor)
    if (!entry) continue
    const { requestSeq = seq } = entry
    if (seqs.has(requestSeq)) seqs.add(seq)
    if (fits(entry, filter) && (await isFound(seq))) seqs.add(seq).add(requestSeq)
  }
  return { isIn: ({ seq }) => seqs.has(seq), hasText: () => true, isWhole }

  async function isFound(seq: number): Promise<boolean> {
    if (!hasText) return true
    const shown = await shownText(ring.get(seq), redactor)
    if (shown === undefined) isWhole = false
    return shown !== undefined && hasText(shown)
  }
}

function lineOf({ at, session, direction }: MessageEntry, message: string): string {
  const head = JSON.stringify({ at, session, direction }).slice(0, -1)
  return `${head},"message":${message.replace(LINE_ENDS, ' ')}}\n`
}
