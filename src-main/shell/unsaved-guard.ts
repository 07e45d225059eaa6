import type { BrowserWindow } from 'electron'
import { dialog } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'

/** A page that does not even answer holds nobody back; in ms. */
const ANSWER_LIMIT_MS = 3_000
/** How long an answer to leave holds: a way out that does not come must not lose later text; in ms. */
const LEAVE_MS = { window: 5_000, app: 30_000 }

/** True where the page would ask before it is left. */
const IS_HELD = "!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"

/** Shows a window wherever it is: hidden, minimized or behind others. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Whether a condition holds in the page of a window: none does in one that is gone or hangs. Never rejects. */
export async function holds({ webContents }: BrowserWindow, condition: string): Promise<boolean> {
  try {
    const run = (): Promise<unknown> => webContents.executeJavaScript(condition)
    return (await withTimeLimit(ANSWER_LIMIT_MS, run)) === true
  } catch {
    return false
  }
}

/** Asks before what was typed in a window is lost: when it is closed, loaded again, or the app is quit. */
export class UnsavedGuard {
  #isClosing = false
  #mayLeave: NodeJS.Timeout | undefined
  #isAsking = false

  constructor(private readonly window: BrowserWindow) {
    window.on('close', () => {
      this.#isClosing = true
    })
    window.webContents.on('did-finish-load', () => {
      this.#permit(0)
    })
    // The event cannot wait for an answer, so the way out is taken again after it.
    window.webContents.on('will-prevent-unload', (event) => {
      if (this.#mayLeave) event.preventDefault()
      else void this.#askToUnload()
    })
  }

  /** Whether the app may quit: nothing is unsaved, or its user leaves it. Never rejects. */
  async mayQuit(): Promise<boolean> {
    if (this.window.isDestroyed() || this.window.webContents.isCrashed()) return true
    if (this.#mayLeave || !(await holds(this.window, IS_HELD))) return true
    const may = await this.#ask()
    // The window closes later, and must not ask once more.
    if (may) this.#permit(LEAVE_MS.app)
    return may
  }

  /** Lets the page be left for so long; 0 takes that back. */
  #permit(ms: number): void {
    clearTimeout(this.#mayLeave)
    this.#mayLeave = undefined
    if (ms > 0) this.#mayLeave = setTimeout(() => this.#permit(0), ms)
  }

  async #askToUnload(): Promise<void> {
    const isClosing = this.#isClosing
    this.#isClosing = false
    if (!(await this.#ask()) || this.window.isDestroyed()) return
    this.#permit(LEAVE_MS.window)
    if (isClosing) this.window.close()
    else this.window.webContents.reload()
  }

  /** Resolves to true where the user leaves; asks one question at a time. */
  async #ask(): Promise<boolean> {
    if (this.#isAsking) return false
    this.#isAsking = true
    // The question is attached to the window, which may be hidden or minimized.
    bringToFront(this.window)
    try {
      const { response } = await dialog.showMessageBox(this.window, {
        type: 'question',
        message: 'Leave without saving?',
        detail: 'Your changes will be discarded.',
        buttons: ['Leave', 'Stay'],
        defaultId: 1,
        cancelId: 1,
      })
      return response === 0
    } catch (cause) {
      process.stderr.write(`Patchbay could not ask about unsaved values: ${String(cause)}\n`)
      return false
    } finally {
      this.#isAsking = false
    }
  }
}
