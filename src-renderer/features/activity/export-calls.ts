import { call } from '../../ipc/call'
import type { CallQuestion } from './found-calls'

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
