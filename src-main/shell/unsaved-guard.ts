import type { BrowserWindow } from 'electron'
import { dialog } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'

/** Time for the page to answer; a hanging page doesn't block, in ms. */
const RESPONSE_MS = 3_000
/** How long the permission to leave lasts: if leaving fails, later text must not be lost; in ms. */
const LEAVE_MS = { window: 5_000, app: 30_000 }

/** True if the page would ask before it is left. */
const BLOCKS_UNLOAD = "!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"

/** Shows a hidden, minimized or covered window. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Evaluates a condition in a window's page; false if the page is gone or hangs. Never rejects. */
export async function evaluatesTrue(
  { webContents }: BrowserWindow,
  condition: string,
): Promise<boolean> {
  try {
    const run = (): Promise<unknown> => webContents.executeJavaScript(condition)
    return (await withTimeLimit(RESPONSE_MS, run)) === true
  } catch {
    return false
  }
}

/** Asks before unsaved text is lost: on close, reload and quit. */
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
    // The event can't wait for an answer, so the action is repeated after it.
    window.webContents.on('will-prevent-unload', (event) => {
      if (this.#mayLeave) event.preventDefault()
      else void this.#askToUnload()
    })
  }

  /** Whether the app may quit: nothing is unsaved, or the user leaves. Never rejects. */
  async mayQuit(): Promise<boolean> {
    if (this.window.isDestroyed() || this.window.webContents.isCrashed()) return true
    if (this.#mayLeave || !(await evaluatesTrue(this.window, BLOCKS_UNLOAD))) return true
    const may = await this.#ask()
    // The window closes later and must not ask again.
    if (may) this.#permit(LEAVE_MS.app)
    return may
  }

  /** Allows leaving the page for this time; 0 revokes that. */
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

  /** Resolves to true if the user leaves; shows one question at a time. */
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
