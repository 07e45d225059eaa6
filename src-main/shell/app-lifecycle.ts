import { setTimeout as delay } from 'node:timers/promises'

import { app, autoUpdater, BrowserWindow, powerMonitor } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'
import { startsHiddenFor } from './login-item'

const QUIT_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Time limit of quitting, beyond the 6 s in which all servers stop. */
const CLOSE_LIMIT_MS = 10_000
/** How long native calls may delay the exit, in ms. */
const BLOCKED_LIMIT_MS = 3_000
const BLOCKED_POLL_MS = 50

/**
 * Ties the app's life to its window, signals and the system's session. However the app is asked to quit, `close` runs once and is awaited;
 * the exit code is 1 if it rejects or takes longer than 10 s. If the user quits, `mayQuit` is asked first and resolves to false if they
 * stay; signals, a shutdown and `end` skip that.
 */
export function followAppLifecycle(options: {
  readonly platform: NodeJS.Platform
  readonly showWindow: () => void
  readonly mayQuit: () => Promise<boolean>
  /** Whether the app continues without a window; on macOS it always does. */
  readonly keepsRunning: () => boolean
  readonly onBackground: () => void
  readonly close: () => Promise<void>
  /** Whether a system call is running that the process's exit would wait for. */
  readonly isBlocked: () => boolean
}): { readonly end: () => void } {
  app.on('second-instance', (_event, argv) => {
    // The system starts the app at login even if it is running.
    if (!startsHiddenFor(argv)) options.showWindow()
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
        // An updater installs after a quit that nothing prevents.
        if (isUpdating) app.quit()
        else void exit(0, options.isBlocked)
      },
      (error: unknown) => {
        process.stderr.write(`Patchbay did not close in order: ${String(error)}\n`)
        void exit(1, options.isBlocked)
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
    // A package may have registered a listener, and since then Chromium has taken the signal and quits with a question. Only the first
    // listener makes Node take it back.
    process.removeAllListeners(signal)
    process.on(signal, end)
  }
  // Linux and macOS: the system waits as long as the app needs.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    end()
  })
  // Windows sends no `before-quit` for a shutdown or log-out, and these events to windows only.
  app.on('browser-window-created', (_event, window) => {
    window.on('query-session-end', end)
    window.on('session-end', end)
  })
  return { end }
}

/** Ends the process. Electron waits for native calls, such as to a keychain that never answers: they get 3 s. */
async function exit(code: number, isBlocked: () => boolean): Promise<void> {
  const until = performance.now() + BLOCKED_LIMIT_MS
  while (isBlocked() && performance.now() < until) await delay(BLOCKED_POLL_MS)
  // Everything is closed in order, so nothing is lost.
  if (isBlocked()) process.kill(process.pid, 'SIGKILL')
  else app.exit(code)
}

/** An invisible window, until another one opens. */
function watchSessionWithoutWindow(): void {
  const window = new BrowserWindow({ show: false, skipTaskbar: true })
  app.once('browser-window-created', () => window.destroy())
}
