import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { fileName } from '../../ui/saving/save-text'
import { type Saving, useSaving } from '../../ui/saving/saving-line'
import { type CallQuestion, callQuestion, useActivityView } from './activity-view-store'

/** The export of the calls that are found, and how far it is. */
export type CallExport = {
  readonly saving: Saving | null
  readonly start: () => void
  readonly cancel: () => void
}

/** Exports the calls that are found. It takes a while for many, and can be called off. */
export function useCallExport(found: number): CallExport {
  const view = useActivityView()
  const { saving, save, cancel } = useSaving()
  const start = (): void =>
    save(
      fileName('activity', Date.now(), 'jsonl'),
      ({ signal, onProgress }) => {
        onProgress(0, found)
        const run = { signal, onProgress: (done: number) => onProgress(done, found) }
        return exportCalls(callQuestion(view), run)
      },
      tellFailure,
    )
  return { saving, start, cancel }
}

/**
 * All calls that fit a question, as they are kept when they are read, in the parts of a file. Rejects as `call`
 * does; ends early when `signal` says so.
 */
export async function exportCalls(
  question: CallQuestion,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<string[]> {
  const parts: string[] = []
  let before: number | undefined
  let done = 0
  while (!signal.aborted) {
    const { text, count, next } = await call('activity.export', { ...question, before })
    parts.push(text)
    done += count
    onProgress(done)
    if (next === undefined) break
    before = next
  }
  return parts
}
