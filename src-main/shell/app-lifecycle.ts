import { app, autoUpdater, BrowserWindow, powerMonitor } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'

const QUIT_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Beyond the 6 s in which all servers are stopped, quitting waits no longer. */
const CLOSE_LIMIT_MS = 10_000

/**
 * Ties the app's life to its window, its signals and the session of the system. However the app is asked to quit, `close`
 * runs once and is waited for; the exit code is 1 when it rejects or takes longer than 10 s. Where the user quits,
 * `mayQuit` is asked first, which resolves to false where they stay; a signal, a shutdown and `end` skip that.
 */
export function followAppLifecycle(options: {
  readonly platform: NodeJS.Platform
  readonly showWindow: () => void
  readonly mayQuit: () => Promise<boolean>
  /** Whether the app goes on without a window; on macOS it always does. */
  readonly keepsRunning: () => boolean
  readonly onBackground: () => void
  readonly close: () => Promise<void>
}): { readonly end: () => void } {
  app.on('second-instance', options.showWindow)
  app.on('activate', options.showWindow)
  app.on('window-all-closed', () => {
    if (options.platform === 'darwin') return
    if (!options.keepsRunning()) app.quit()
    else {
      if (options.platform === 'win32') watchSessionWithoutWindow()
      options.onBackground()
    }
  })
  let isClosing = false
  let isClosed = false
  let isUpdating = false
  function end(): void {
    if (isClosing) return
    isClosing = true
    void withTimeLimit(CLOSE_LIMIT_MS, options.close).then(
      () => {
        isClosed = true
        // An updater installs by what follows a quit that nobody prevents.
        if (isUpdating) app.quit()
        else app.exit(0)
      },
      (error: unknown) => {
        process.stderr.write(`Patchbay did not close in order: ${String(error)}\n`)
        app.exit(1)
      },
    )
  }
  autoUpdater.on('before-quit-for-update', () => {
    isUpdating = true
  })
  app.on('before-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    if (isClosing) return
    void options.mayQuit().then((may) => {
      if (may) end()
    })
  })
  for (const signal of QUIT_SIGNALS) process.on(signal, end)
  // Linux and macOS: the system waits as long as the app needs.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    end()
  })
  // Windows sends no `before-quit` for a shutdown or a log-out, and these events to windows alone.
  app.on('browser-window-created', (_event, window) => {
    window.on('query-session-end', end)
    window.on('session-end', end)
  })
  return { end }
}

/** A window that nobody sees, until another one opens. */
function watchSessionWithoutWindow(): void {
  const window = new BrowserWindow({ show: false, skipTaskbar: true })
  app.once('browser-window-created', () => window.destroy())
}
