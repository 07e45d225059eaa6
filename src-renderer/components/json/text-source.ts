import { useQuery, type UseQueryResult } from '@tanstack/react-query'

import type { MessageRef } from '../../../src-shared/domain/agents/message-log'
import type { TextPart, ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { call, toErrorShape } from '../../ipc/call'
import { showToast } from '../../ui/overlays/toast'
import { fileName, saveBlob } from '../../ui/saving/save-text'

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
  return { key: `messages ${installationId} ${seq}`, length, read }
}

/** Reads a text part by part, as it comes; ends at `most` UTF-16 units, and where a part is empty. */
async function* partsOf(source: TextSource, most: number): AsyncGenerator<TextPart> {
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

/** Longer texts are not read to be shown, in UTF-16 units; they can be saved. */
export const MOST_SHOWN = 16 * 1024 * 1024

/** All of a text of at most `MOST_SHOWN`. */
export function useText(source: TextSource): UseQueryResult<string> {
  return useQuery({
    queryKey: ['text', source.key],
    queryFn: () => readWhole(source, MOST_SHOWN),
    enabled: source.length <= MOST_SHOWN,
    staleTime: Infinity,
    // Another tab may show it next.
    gcTime: 2_000,
  })
}

/** Saves a text of any length as a file named after `name` and the moment. */
export function saveSource(name: string, ending: string, source: TextSource): void {
  const save = async (): Promise<void> => {
    const parts: string[] = []
    for await (const { text } of partsOf(source, Infinity)) parts.push(text)
    const blob = new Blob(parts, { type: 'text/plain;charset=utf-8' })
    saveBlob(fileName(name, Date.now(), ending), blob)
  }
  save().catch((thrown: unknown) => {
    const message = `Can’t create the file. ${toErrorShape(thrown).message}`
    showToast({ message, tone: 'error' })
  })
}
