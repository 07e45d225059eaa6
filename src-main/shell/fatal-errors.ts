import { app, dialog, shell } from 'electron'

import { AppError } from '../../src-shared/domain/app-error'
import { errorMessage } from '../../src-shared/domain/error-message'
import { withTimeLimit } from '../core/lifecycle/time-limit'

/** Stopping all servers takes 6 s at most. */
const CLOSE_LIMIT_MS = 10_000

/**
 * Ends the app after an unhandled error: Electron only warns of a rejection, and continues in an unknown state after an exception. Servers
 * are stopped in order first. The user is informed once; later errors go to the log.
 */
export class FatalErrors {
  #isEnding = false
  /** Closes everything opened so far. */
  close: () => Promise<void> = () => Promise.resolve()
  /** Path of the app's log, which the message offers to show; undefined before there is one. */
  logPath: string | undefined

  /** Handles every later uncaught exception and unhandled rejection of this process. */
  watch(): void {
    const handle = (error: unknown): void => {
      this.end('Patchbay quit because of an unexpected error', error)
    }
    process.on('uncaughtException', handle)
    process.on('unhandledRejection', handle)
  }

  /** Ends an app that could not start, and says why. */
  failStart(error: unknown): void {
    this.end('Patchbay couldn’t start', error, reasonOf(error))
  }

  /** Ends the app with exit code 1; the text of an unexpected error may hold anything, and goes to the log alone. */
  end(message: string, error: unknown, detail = 'See the log for details.'): void {
    process.stderr.write(`${message}: ${traceOf(error)}\n`)
    if (this.#isEnding) return
    this.#isEnding = true
    void this.#closeAndInform(message, detail).finally(() => app.exit(1))
  }

  async #closeAndInform(message: string, detail: string): Promise<void> {
    try {
      await withTimeLimit(CLOSE_LIMIT_MS, this.close)
    } catch (cause) {
      process.stderr.write(`Patchbay did not close in order: ${String(cause)}\n`)
    }
    const { logPath } = this
    // Before the app is ready only this one can be shown.
    if (!app.isReady() || logPath === undefined) {
      dialog.showErrorBox(message, detail)
      return
    }
    const options = { type: 'error' as const, message, detail, cancelId: 0 }
    const { response } = await dialog.showMessageBox({ ...options, buttons: ['Quit', 'Show log'] })
    if (response === 1) shell.showItemInFolder(logPath)
  }
}

/** What happened, and what to do where that is known. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return [error.message, error.hint].filter(Boolean).join('\n\n')
  return errorMessage(error)
}

function traceOf(error: unknown): string {
  return error instanceof Error && !(error instanceof AppError)
    ? (error.stack ?? error.message)
    : reasonOf(error)
}
