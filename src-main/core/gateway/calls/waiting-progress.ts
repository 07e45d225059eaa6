import { toDisposable } from '../../lifecycle/disposables'
import type { RequestOptions } from '../../mcp/session'

/** How often who waits is told so, in ms: apps give a call up after some 60 s without a word. */
const TELL_EVERY_MS = 5_000
/** So little that what the server reports later is more (MCP, progress: it must increase). */
const STEP = 1e-6

/** Tells an agent at once and then every few seconds, until the result is disposed, what its call waits for. */
export function tellWaiting(
  onProgress: RequestOptions['onProgress'],
  message: string,
  everyMs = TELL_EVERY_MS,
): Disposable {
  if (!onProgress) return toDisposable(() => undefined)
  let progress = 0
  const tell = (): void => {
    progress += STEP
    onProgress({ progress, message })
  }
  tell()
  const telling = setInterval(tell, everyMs)
  telling.unref()
  return toDisposable(() => clearInterval(telling))
}
