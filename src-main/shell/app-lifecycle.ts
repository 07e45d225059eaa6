import { setTimeout as delay } from 'node:timers/promises'

import { app, autoUpdater, BrowserWindow, powerMonitor } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'
import { asksHidden } from './login-item'

const QUIT_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Beyond the 6 s in which all servers are stopped, quitting waits no longer. */
const CLOSE_LIMIT_MS = 10_000
/** How long native calls may hold up the end, in ms. */
const HELD_LIMIT_MS = 3_000
const HELD_POLL_MS = 50

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
  /** Whether a call to the system is under way that the end of the process would wait for. */
  readonly isHeld: () => boolean
}): { readonly end: () => void } {
  app.on('second-instance', (_event, argv) => {
    // The system starts the app at login although it runs.
    if (!asksHidden(argv)) options.showWindow()
  })
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
        else void exit(0, options.isHeld)
      },
      (error: unknown) => {
        process.stderr.write(`Patchbay did not close in order: ${String(error)}\n`)
        void exit(1, options.isHeld)
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
  for (const signal of QUIT_SIGNALS) {
    // A package may listen since the app was loaded; Chromium took the signal since then, and quits with a question. Only the
    // first listener has Node take it back.
    process.removeAllListeners(signal)
    process.on(signal, end)
  }
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

/** Ends the process. Electron waits for native calls, such as those to a keychain that never answers: they get 3 s, and then no more. */
async function exit(code: number, isHeld: () => boolean): Promise<void> {
  const until = performance.now() + HELD_LIMIT_MS
  while (isHeld() && performance.now() < until) await delay(HELD_POLL_MS)
  // Everything is closed in order, so that nothing is lost.
  if (isHeld()) process.kill(process.pid, 'SIGKILL')
  else app.exit(code)
}

/** A window that nobody sees, until another one opens. */
function watchSessionWithoutWindow(): void {
  const window = new BrowserWindow({ show: false, skipTaskbar: true })
  app.once('browser-window-created', () => window.destroy())
}
