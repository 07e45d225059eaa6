import { useQuery, type UseQueryResult } from '@tanstack/react-query'

import type { MessageRef } from '../../../src-shared/domain/agents/message-log'
import type { TextPart, ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { call, toErrorShape } from '../../ipc/call'
import { showToast } from '../../ui/overlays/toast'
import { fileName, saveText } from '../../ui/saving/save-text'

/** A long text that is read in parts. */
export type TextSource = {
  /** Unique for each text. */
  readonly key: string
  /** Length in UTF-16 units. */
  readonly length: number
  /** Returns the part that starts at this offset; see `toolRun.text`. */
  readonly read: (from: number) => Promise<TextPart>
}

/** Returns the text of a run: the result, or the data of the server's error. Undefined if there is none or it is no longer stored. */
export function toolRunText({ toolRunId, outcome, hasText }: ToolRun): TextSource | undefined {
  if (!hasText || outcome === undefined || outcome.kind === 'failed') return undefined
  const { length } = outcome
  if (length === 0) return undefined
  const read = (from: number): Promise<TextPart> => call('toolRun.text', { toolRunId, from })
  return { key: `trial ${toolRunId}`, length, read }
}

/** Returns the text of one message between Patchbay and a server; `length` is the known length in UTF-16 units. */
export function loggedMessageText(ref: MessageRef, length: number): TextSource {
  const { installationId, seq } = ref
  const read = (from: number): Promise<TextPart> =>
    call('messages.text', { installationId, seq, from })
  return { key: `messages ${installationId} ${seq}`, length, read }
}

/** Reads the start of a text in parts, at most `maxLength` UTF-16 units; stops at an empty part. */
export async function readAll(source: TextSource, maxLength: number): Promise<string> {
  let result = ''
  for (let isComplete = false; !isComplete;) {
    const { text, length } = await source.read(result.length)
    result += text
    isComplete = text === '' || result.length >= length || result.length >= maxLength
  }
  return result.slice(0, maxLength)
}

/** Maximum length of a text to show, in UTF-16 units; longer texts can only be saved. */
export const MAX_SHOWN = 16 * 1024 * 1024

/** Loads a whole text of at most `MAX_SHOWN` UTF-16 units. */
export function useText(source: TextSource): UseQueryResult<string> {
  return useQuery({
    queryKey: ['text', source.key],
    queryFn: () => readAll(source, MAX_SHOWN),
    enabled: source.length <= MAX_SHOWN,
    staleTime: Infinity,
    // Another tab may show the text next.
    gcTime: 2_000,
  })
}

/** Saves a text of any length as a file whose name contains `name` and the time. */
export function saveSource(name: string, ending: string, source: TextSource): void {
  const save = async (): Promise<void> => {
    saveText(fileName(name, Date.now(), ending), await readAll(source, Infinity))
  }
  save().catch((thrown: unknown) => {
    const message = `Can’t create the file. ${toErrorShape(thrown).message}`
    showToast({ message, tone: 'error' })
  })
}
