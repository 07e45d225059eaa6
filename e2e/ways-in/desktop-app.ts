import { resolve } from 'node:path'

import type { Page } from '@playwright/test'
import type {
  app,
  autoUpdater,
  BrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  Notification,
  powerMonitor,
  session,
  shell,
  Tray,
} from 'electron'

/** The parts of Electron that tests may use; both the real module and its double have them. */
export type ElectronModule = {
  app: typeof app
  autoUpdater: typeof autoUpdater
  BrowserWindow: typeof BrowserWindow
  dialog: typeof dialog
  Menu: typeof Menu
  nativeTheme: typeof nativeTheme
  Notification: typeof Notification
  powerMonitor: typeof powerMonitor
  session: typeof session
  shell: typeof shell
  Tray: typeof Tray
}

/** A call with an effect outside the app, such as `shell.openExternal`; recorded instead of made. */
export type RecordedCall = { readonly api: string; readonly args: readonly unknown[] }

/** The desktop app driven by a test. */
export type DesktopApp = {
  /** The first window. */
  readonly page: Page
  /** Pid of the main process. */
  readonly pid: number
  /** Runs a function without a closure in the main process; `arg` and the result are plain values. */
  evaluate<R, A = undefined>(
    run: (electron: ElectronModule, arg: A) => R | Promise<R>,
    arg?: A,
  ): Promise<R>
  calls(): readonly RecordedCall[]
  /** Output of the main process so far. */
  log(): string
  /** Resolves when the app has exited. Rejects after `limitMs`. */
  exited(limitMs?: number): Promise<ExitStatus>
  /** Quits like a user; resolves when the app has exited, and rejects after 15 s. */
  close(): Promise<ExitStatus>
}

/** A process's exit code, or the signal that ended it. */
export type ExitStatus = number | NodeJS.Signals | null

/** The exit and output of an undriven start. */
export type DesktopRun = { readonly exit: ExitStatus; readonly log: string }

/** Options of both desktop launchers. `outDir` contains the build of main, preload and renderer. */
export type DesktopLaunch = {
  readonly profileDir: string
  readonly env?: Readonly<Record<string, string>>
  /** Further arguments of the start. */
  readonly args?: readonly string[]
  readonly outDir?: string
  /** Whether the system's dialogs open instead of being answered by the recorder. */
  readonly ownDialogs?: boolean
  /** Whether Chromium's sandbox is on; by default for every account but root. */
  readonly hasSandbox?: boolean
}

/** The build: PATCHBAY_OUT_DIR, or `out` in the project folder. */
export const DEFAULT_OUT_DIR =
  process.env.PATCHBAY_OUT_DIR ?? resolve(import.meta.dirname, '../../out')
