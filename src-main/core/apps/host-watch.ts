import { stat } from 'node:fs/promises'

import { isRemotePath } from '../launch/paths/check-path'
import { background } from '../lifecycle/background'
import { toDisposable } from '../lifecycle/disposables'
import type { Timekeeper } from '../ports'

/** In ms; the app's start doesn't wait for app files. */
const FIRST_MS = 2_000
const EVERY_MS = 60_000

/** Reads files soon after the start, then each minute if any of them has changed; ends when disposed. */
export function watchHosts(parts: {
  readonly time: Timekeeper
  readonly platform: NodeJS.Platform
  /** All watched paths, absolute. */
  readonly paths: () => readonly string[]
  /** Never rejects. */
  readonly refresh: () => Promise<void>
}): Disposable {
  const { time, platform, paths, refresh } = parts
  let isDisposed = false
  let timer: Disposable | undefined
  let lastStamp = ''
  const after = (ms: number): void => {
    if (!isDisposed)
      timer = time.after(ms, () => background(turn(), 'looking at the files of apps'))
  }
  const turn = async (): Promise<void> => {
    const stamp = await stampOf(paths(), platform)
    if (stamp !== lastStamp && !isDisposed) await refresh()
    lastStamp = stamp
    after(EVERY_MS)
  }
  after(FIRST_MS)
  return toDisposable(() => {
    isDisposed = true
    timer?.[Symbol.dispose]()
  })
}

/** Returns a text that differs if a file was written, replaced, created or deleted. */
async function stampOf(paths: readonly string[], platform: NodeJS.Platform): Promise<string> {
  const facts = await Promise.all(
    paths.map(async (path) => {
      if (isRemotePath(path, platform)) return ''
      const stats = await stat(path).catch(() => undefined)
      return stats ? [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ') : ''
    }),
  )
  return facts.join('\n')
}
