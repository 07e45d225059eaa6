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
  readonly look: () => Promise<void>
}): Disposable {
  const { time, platform, paths, look } = parts
  let isOver = false
  let wait: Disposable | undefined
  let seen = ''
  const after = (ms: number): void => {
    if (!isOver) wait = time.after(ms, () => background(turn(), 'looking at the files of apps'))
  }
  const turn = async (): Promise<void> => {
    const now = await stampOf(paths(), platform)
    if (now !== seen && !isOver) await look()
    seen = now
    after(EVERY_MS)
  }
  after(FIRST_MS)
  return toDisposable(() => {
    isOver = true
    wait?.[Symbol.dispose]()
  })
}

/** Returns a text that differs if a file was written, replaced, created or deleted. */
async function stampOf(paths: readonly string[], platform: NodeJS.Platform): Promise<string> {
  const facts = await Promise.all(
    paths.map(async (path) => {
      if (isRemotePath(path, platform)) return ''
      const found = await stat(path).catch(() => undefined)
      return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ') : ''
    }),
  )
  return facts.join('\n')
}
