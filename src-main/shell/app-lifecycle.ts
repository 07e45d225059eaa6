import { app } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'

const QUIT_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Beyond the 6 s in which all servers are stopped, quitting waits no longer. */
const CLOSE_LIMIT_MS = 10_000

/**
 * Ties the app's life to its window and its signals. However it is asked to quit, `close` runs once and is
 * waited for; the exit code is 1 when it rejects or takes longer than 10 s. Where a person quits,
 * `mayQuit` is asked first, which resolves to false where they stay; a signal asks nobody, and `end` neither.
 */
export function followAppLifecycle(options: {
  readonly platform: NodeJS.Platform
  readonly showWindow: () => void
  readonly mayQuit: () => Promise<boolean>
  readonly close: () => Promise<void>
}): { readonly end: () => void } {
  app.on('second-instance', options.showWindow)
  app.on('activate', options.showWindow)
  app.on('window-all-closed', () => {
    if (options.platform !== 'darwin') app.quit()
  })
  let closing = false
  function end(): void {
    if (closing) return
    closing = true
    void withTimeLimit(CLOSE_LIMIT_MS, options.close).then(
      () => app.exit(0),
      (error: unknown) => {
        process.stderr.write(`Patchbay did not close in order: ${String(error)}\n`)
        app.exit(1)
      },
    )
  }
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (closing) return
    void options.mayQuit().then((may) => {
      if (may) end()
    })
  })
  for (const signal of QUIT_SIGNALS) process.on(signal, end)
  return { end }
}
