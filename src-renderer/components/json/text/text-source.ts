import type { MessageRef } from '../../../../src-shared/domain/agents/message-log'
import type { TextPart, ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import { call } from '../../../ipc/call'

/** A long text that is read in parts. */
export type TextSource = {
  /** Another one for each other text. */
  readonly key: string
  /** In UTF-16 units. */
  readonly length: number
  /** The part that begins at this place; see `toolRun.text`. */
  readonly read: (from: number) => Promise<TextPart>
}

/** The text of a run: its result, or the data of the error that the server answered with; undefined where there is none, or it is no longer held. */
export function toolRunText({ toolRunId, outcome, hasText }: ToolRun): TextSource | undefined {
  if (!hasText || outcome === undefined || outcome.kind === 'failed') return undefined
  const { length } = outcome
  if (length === 0) return undefined
  const read = (from: number): Promise<TextPart> => call('toolRun.text', { toolRunId, from })
  return { key: `trial ${toolRunId}`, length, read }
}

/** The text of one message between Patchbay and a server; `length` in UTF-16 units, as far as it is known. */
export function loggedMessageText(ref: MessageRef, length: number): TextSource {
  const { installationId, seq } = ref
  const read = (from: number): Promise<TextPart> =>
    call('messages.text', { installationId, seq, from })
  return { key: `traffic ${installationId} ${seq}`, length, read }
}

/** Reads a text part by part, as it comes; ends at `most` UTF-16 units, and where a part is empty. */
export async function* partsOf(source: TextSource, most: number): AsyncGenerator<TextPart> {
  for (let from = 0, isOver = false; !isOver;) {
    const { text, length } = await source.read(from)
    yield { text: text.slice(0, most - from), length }
    from += text.length
    isOver = text === '' || from >= length || from >= most
  }
}

/** The beginning of a text, at most `most` UTF-16 units of it. */
export async function readWhole(source: TextSource, most: number): Promise<string> {
  const parts: string[] = []
  for await (const { text } of partsOf(source, most)) parts.push(text)
  return parts.join('')
}
