import type { BrowserWindow } from 'electron'
import { dialog } from 'electron'

/** So many ends of the page within this time, in ms, are no accident: loading it anew would go on for ever. */
const MOST_CRASHES = 3
const WITHIN_MS = 60_000

/**
 * Loads the page of a window anew where its process ended, as for want of memory: the servers go on, but the window
 * would stay blank. Where that happens again and again, its person is asked; `show` of the window tries once more.
 */
export function mendCrashedPage(window: BrowserWindow): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    process.stderr.write(`The page of the window ended: ${reason}\n`)
    const now = Date.now()
    crashes = [...crashes.filter((at) => at > now - WITHIN_MS), now]
    if (crashes.length < MOST_CRASHES) window.webContents.reload()
    else void ask(window, reason)
  })
}

async function ask(window: BrowserWindow, reason: string): Promise<void> {
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: 'The window of Patchbay ends again and again',
      detail: `Its page ended ${String(MOST_CRASHES)} times within a minute (${reason}). The servers and agents go on without it.`,
      buttons: ['Load it again', 'Not now'],
      cancelId: 1,
    })
    if (response === 0 && !window.isDestroyed()) window.webContents.reload()
  } catch (cause) {
    process.stderr.write(`Patchbay could not ask about its window: ${String(cause)}\n`)
  }
}
