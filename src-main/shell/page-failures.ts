import type { BrowserWindow } from 'electron'
import { dialog } from 'electron'

import { withTimeLimit } from '../core/lifecycle/time-limit'

/** After this many crashes within `CRASHES_WITHIN_MS` a reload would go on forever. */
const MAX_CRASHES = 3
const CRASHES_WITHIN_MS = 60_000
/** How long a window stays hidden while its page paints nothing, in ms. */
const SHOW_WITHIN_MS = 3_000
/** How long a page that has loaded may stay empty, in ms. */
const FILLED_WITHIN_MS = 10_000
/** A page that doesn't answer is not empty; in ms. */
const ANSWER_LIMIT_MS = 3_000
/** True where the page shows no text: Chromium counts an empty page as painted too. */
const IS_EMPTY = "document.body === null || document.body.innerText.trim() === ''"
/** `ERR_ABORTED`: another load took the place of this one. */
const ABORTED = -3

/**
 * Shows a window once its page paints, after 3 s at the latest, and immediately when the page fails. A page that crashes is
 * reloaded. One that cannot load, keeps crashing or stays empty is explained, with a button to reload.
 */
export function watchPage(
  window: BrowserWindow,
  { reveal, showLog }: { readonly reveal: () => void; readonly showLog: () => void },
): void {
  const { webContents } = window
  const explain = explainOnce(window, reveal, showLog)
  const timers: { show: NodeJS.Timeout; fill?: NodeJS.Timeout } = {
    show: setTimeout(reveal, SHOW_WITHIN_MS),
  }
  let crashes: number[] = []
  window.once('ready-to-show', reveal)
  window.once('closed', () => Object.values(timers).forEach(clearTimeout))
  webContents.on('did-finish-load', () => {
    clearTimeout(timers.fill)
    timers.fill = setTimeout(() => {
      void isEmpty(window).then((empty) => {
        if (empty) explain('The window’s page is empty.')
      })
    }, FILLED_WITHIN_MS)
  })
  webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return
    explain(`The window’s page did not load: ${description} (${String(code)}).`)
  })
  webContents.on('preload-error', (_event, _path, error) => {
    explain(`The window’s page couldn’t be prepared: ${error.message}`)
  })
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    process.stderr.write(`The page of the window crashed: ${reason}\n`)
    reveal()
    const now = Date.now()
    crashes = [...crashes.filter((at) => at > now - CRASHES_WITHIN_MS), now]
    if (crashes.length < MAX_CRASHES) webContents.reload()
    else
      explain(`The window’s page crashed ${String(MAX_CRASHES)} times within a minute (${reason}).`)
  })
}

/** Never rejects. */
async function isEmpty({ webContents }: BrowserWindow): Promise<boolean> {
  try {
    const run = (): Promise<unknown> => webContents.executeJavaScript(IS_EMPTY)
    return (await withTimeLimit(ANSWER_LIMIT_MS, run)) === true
  } catch {
    return false // the page is gone or hangs, which other events report
  }
}

/** Shows one explanation at a time. */
function explainOnce(
  window: BrowserWindow,
  reveal: () => void,
  showLog: () => void,
): (problem: string) => void {
  let isOpen = false
  return (problem) => {
    process.stderr.write(`${problem}\n`)
    if (isOpen || window.isDestroyed()) return
    isOpen = true
    reveal()
    void ask(window, problem, showLog).finally(() => {
      isOpen = false
    })
  }
}

async function ask(window: BrowserWindow, problem: string, showLog: () => void): Promise<void> {
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: 'Patchbay’s window can’t be shown',
      detail: `${problem} Servers and agents keep running.`,
      buttons: ['Reload', 'Show log', 'Not now'],
      cancelId: 2,
    })
    if (response === 0 && !window.isDestroyed()) window.webContents.reload()
    if (response === 1) showLog()
  } catch (cause) {
    process.stderr.write(`Patchbay could not ask about its window: ${String(cause)}\n`)
  }
}
