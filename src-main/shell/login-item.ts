import { homedir } from 'node:os'

import { app } from 'electron'

import { autostartFile, writeAutostart } from './autostart-entry'

/** Starts the app without a window. */
const HIDDEN_ARGUMENT = '--hidden'

/** Sets whether the system starts the app at login. Throws the system's error. */
export function setStartAtLogin(startsAtLogin: boolean): void {
  if (process.platform === 'linux') {
    const command = [process.env.APPIMAGE ?? process.execPath, ...ownArguments(), HIDDEN_ARGUMENT]
    writeAutostart(autostartFile(process.env, homedir()), startsAtLogin ? command : undefined)
    return
  }
  // Unpackaged, macOS would start only Electron, because it passes no arguments.
  if (process.platform === 'darwin' && !app.isPackaged) return
  // Windows joins the arguments with spaces.
  const args = [...ownArguments().map((argument) => `"${argument}"`), HIDDEN_ARGUMENT]
  const item = process.platform === 'win32' ? { path: process.execPath, args } : {}
  if (app.getLoginItemSettings(item).openAtLogin === startsAtLogin) return
  app.setLoginItemSettings({ ...item, openAtLogin: startsAtLogin })
}

/** Undoes `setStartAtLogin` as far as possible. */
export function removeLoginItem(): void {
  try {
    setStartAtLogin(false)
  } catch (error) {
    process.stderr.write(`Patchbay still starts at login: ${String(error)}\n`)
  }
}

/** Updates the path of a moved app; a choice in the system's settings stays. */
export function refreshStartAtLogin(): void {
  if (process.platform !== 'darwin') setStartAtLogin(true)
}

/** Whether a start requests no window. */
export function startsHiddenFor(argv: readonly string[]): boolean {
  return argv.includes(HIDDEN_ARGUMENT)
}

/** Whether this start shows no window because the system started the app at login. */
export function startsHidden(argv: readonly string[]): boolean {
  if (startsHiddenFor(argv)) return true
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

function ownArguments(): string[] {
  return app.isPackaged ? [] : [app.getAppPath()]
}
