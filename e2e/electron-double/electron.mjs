import { EventEmitter } from 'node:events'
import { join } from 'node:path'

import { app } from './app.mjs'
import { BrowserWindow } from './browser-window.mjs'
import { autoUpdater, Menu, nativeImage, Notification, powerMonitor, Tray } from './desktop.mjs'
import { ipcMain } from './ipc-main.mjs'
import { net } from './net.mjs'
import { protocol, session } from './protocol.mjs'
import { clipboard, dialog, shell } from './recorded.mjs'
import { strict } from './strict.mjs'

process.versions.electron ??= '45.4.1'
process.type = 'browser'
process.resourcesPath = process.env.ED_RESOURCES ?? join(process.cwd(), 'resources')

const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  themeSource: 'system',
})

/** One screen, large enough for every window of a test. */
const DISPLAY = { id: 1, workArea: { x: 0, y: 0, width: 2560, height: 1440 } }
const screen = {
  getPrimaryDisplay: () => DISPLAY,
  getAllDisplays: () => [DISPLAY],
}

const crashReporter = strict('crashReporter', { start() {} })

const electron = {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
}

export {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
}
export default electron

/** `{ed: 'eval', id, source, arg}` runs a test's function with the whole module, like Playwright in Electron. */
async function evaluate({ id, source, arg }) {
  try {
    // oxlint-disable-next-line no-eval -- the source is a function of the test
    const run = (0, eval)(`(${source})`)
    process.send({ ed: 'result', id, value: await run(electron, arg) })
  } catch (error) {
    process.send({ ed: 'result', id, error: String(error?.stack ?? error) })
  }
}

process.on('message', (message) => {
  if (message?.ed === 'eval') void evaluate(message)
})
// The test is gone, so there is no reason to stay.
process.on('disconnect', () => app.exit(0))
