import { join } from 'node:path'

import type { NativeImage } from 'electron'
import { app, Menu, nativeImage, nativeTheme, Notification, Tray } from 'electron'

import type { AppState } from '../../src-shared/domain/state/app-state'
import type { Settings } from '../../src-shared/domain/state/settings'
import type { StateEvent } from '../../src-shared/ipc/contract'
import { nextState } from '../../src-shared/ipc/next-state'
import { Disposables, toDisposable } from '../core/lifecycle/disposables'
import type { DesktopMemory } from './desktop-memory'
import {
  type DesktopCommand,
  type DesktopNotification,
  type DesktopState,
  isInUse,
  newNotifications,
  summaryOf,
  trayMenu,
} from './desktop-state'
import { refreshStartAtLogin, setStartAtLogin } from './login-item'
import type { MainWindow } from './main-window'
import { appMenu, trayTemplate } from './menus'

/** Changes within this time are drawn together, in ms: on Linux an open menu closes when it is replaced. */
const GATHER_MS = 200

const THEME_SOURCE = {
  system: 'system',
  light: 'light',
  dark: 'dark',
  contrast: 'dark',
  'contrast-light': 'light',
} as const satisfies Record<Settings['theme'], typeof nativeTheme.themeSource>

export type DesktopOptions = {
  readonly state: AppState
  readonly onEvent: (listener: (event: StateEvent) => void) => Disposable
  readonly window: MainWindow
  readonly memory: DesktopMemory
  /** Folder of the app's images. */
  readonly resourcesDir: string
  readonly run: (command: DesktopCommand) => void
}

/** The app's system UI: menus, tray, notifications and badge; follows the core's state. */
export class Desktop implements Disposable {
  readonly #tray: Tray | undefined
  readonly #parts = new Disposables()
  /** Shown notifications by subject; an unreferenced one is collected and its click lost. */
  readonly #shown = new Map<string, Notification>()
  #state: AppState
  #drawn = ''
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly options: DesktopOptions) {
    this.#state = options.state
    const { platform } = process
    const { isPackaged } = app
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(appMenu({ platform, isPackaged, run: options.run })),
    )
    this.#tray = openTray(options.resourcesDir)
    this.#tray?.on('click', () => {
      // On macOS a click opens the menu.
      if (platform !== 'darwin') options.run({ kind: 'open' })
    })
    this.#followSettings(undefined)
    this.#draw()
    this.#parts.add(options.onEvent((event) => this.#onEvent(event)))
    this.#parts.add(toDisposable(() => clearTimeout(this.#timer)))
    this.#parts.add(toDisposable(() => this.#tray?.destroy()))
  }

  /** Whether the app continues without its window. */
  get keepsRunning(): boolean {
    return this.#state.settings.keepRunning && isInUse(this.#state)
  }

  /** Explains once that the app continues without its window. */
  explainBackground(): void {
    const { memory } = this.options
    if (memory.value.hasExplainedBackground) return
    memory.store({ hasExplainedBackground: true })
    this.#notify({
      id: 'background',
      title: 'Patchbay keeps running',
      body: 'Servers and agents still use it. Open it from the tray, or turn this off under Settings > General.',
      command: { kind: 'open' },
      isUrgent: false,
    })
  }

  #onEvent(event: StateEvent): void {
    const before = this.#state
    this.#state = nextState(before, event)
    if (this.#state === before) return
    if (event.channel === 'settings.changed') this.#followSettings(before.settings)
    for (const one of newNotifications(before, this.#state)) {
      if (!this.options.window.isFocused) this.#notify(one)
    }
    this.#closeAnswered(before)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#draw()
    }, GATHER_MS)
  }

  #closeAnswered(before: DesktopState): void {
    const waiting = new Set(this.#state.userRequests.map(({ requestId }) => requestId))
    for (const { requestId } of before.userRequests) {
      if (!waiting.has(requestId)) this.#shown.get(requestId)?.close()
    }
    if (waiting.size === 0 && before.userRequests.length > 0) this.#flash(false)
  }

  #notify({ id, title, body, command, isUrgent }: DesktopNotification): void {
    if (isUrgent) this.#flash(true)
    if (!Notification.isSupported()) return
    this.#shown.get(id)?.close()
    const notification = new Notification({ title, body })
    this.#shown.set(id, notification)
    notification.on('click', () => this.options.run(command))
    notification.on('close', () => {
      if (this.#shown.get(id) === notification) this.#shown.delete(id)
    })
    notification.show()
  }

  /** Requests attention until the window is focused or nothing waits. */
  #flash(isOn: boolean): void {
    const { window } = this.options.window
    if (window && !window.isDestroyed()) {
      window.flashFrame(isOn)
      if (isOn) window.once('focus', () => window.flashFrame(false))
    }
    if (isOn) app.dock?.bounce('informational')
  }

  #followSettings(before: Settings | undefined): void {
    const { theme, startAtLogin } = this.#state.settings
    nativeTheme.themeSource = THEME_SOURCE[theme]
    try {
      if (before === undefined) {
        if (startAtLogin) refreshStartAtLogin()
      } else if (before.startAtLogin !== startAtLogin) setStartAtLogin(startAtLogin)
    } catch (error) {
      process.stderr.write(`Patchbay could not change what starts at login: ${String(error)}\n`)
    }
  }

  #draw(): void {
    const { run } = this.options
    const entries = trayMenu(this.#state)
    const drawn = JSON.stringify(entries)
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    app.setBadgeCount(this.#state.userRequests.length)
    const menu = Menu.buildFromTemplate(trayTemplate(entries, process.platform, run))
    app.dock?.setMenu(menu)
    this.#tray?.setContextMenu(menu)
    this.#tray?.setToolTip(`Patchbay: ${summaryOf(this.#state)}`)
  }

  [Symbol.dispose](): void {
    this.#parts[Symbol.dispose]()
    for (const notification of [...this.#shown.values()]) notification.close()
  }
}

/** Undefined without an image in the build or a tray in the system. */
function openTray(resourcesDir: string): Tray | undefined {
  const image = trayImage(resourcesDir)
  if (image.isEmpty()) return undefined
  try {
    return new Tray(image)
  } catch (error) {
    process.stderr.write(`Patchbay has no place in the tray: ${String(error)}\n`)
    return undefined
  }
}

function trayImage(resourcesDir: string): NativeImage {
  // macOS draws a template image in the colors of its menu bar.
  if (process.platform === 'darwin')
    return nativeImage.createFromPath(join(resourcesDir, 'trayTemplate.png'))
  return nativeImage.createFromPath(join(resourcesDir, 'tray.png'))
}
