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

/** The parts of Electron that a test may reach into; the real module and its double both have them. */
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

/** A call that would have left the app, such as `shell.openExternal`; it was recorded instead of made. */
export type RecordedCall = { readonly api: string; readonly args: readonly unknown[] }

/** The desktop app while a test drives it. */
export type DesktopApp = {
  /** The first window. */
  readonly page: Page
  /** Pid of the main process. */
  readonly pid: number
  /** Runs a function in the main process; it closes over nothing, `arg` and the outcome are plain values. */
  evaluate<R, A = undefined>(
    run: (electron: ElectronModule, arg: A) => R | Promise<R>,
    arg?: A,
  ): Promise<R>
  calls(): readonly RecordedCall[]
  /** What the main process wrote to stdout and stderr so far. */
  log(): string
  /** Resolves when the app has ended on its own. Rejects after `limitMs`. */
  exited(limitMs?: number): Promise<ExitStatus>
  /** Quits as a user would; resolves when it has ended, and rejects when it takes longer than 15 s. */
  close(): Promise<ExitStatus>
}

/** The exit code of a process, or the signal that ended it. */
export type ExitStatus = number | NodeJS.Signals | null

/** How a start of the app ended that nothing drove, and what it wrote. */
export type DesktopRun = { readonly exit: ExitStatus; readonly log: string }

/** What both desktop launchers take. `outDir` holds the build: index of main, preload and renderer. */
export type DesktopLaunch = {
  readonly profileDir: string
  readonly env?: Readonly<Record<string, string>>
  /** Further arguments of the start. */
  readonly args?: readonly string[]
  readonly outDir?: string
  /** Whether the dialogs of the system open instead of being answered by the recorder. */
  readonly ownDialogs?: boolean
  /** Whether Chromium's sandbox is on; without this, for every account but root. */
  readonly hasSandbox?: boolean
}

/** Where the build is: PATCHBAY_OUT_DIR, or `out` in the project folder. */
export const DEFAULT_OUT_DIR =
  process.env.PATCHBAY_OUT_DIR ?? resolve(import.meta.dirname, '../../out')
