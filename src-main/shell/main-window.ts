import type { WebContents } from 'electron'
import { BrowserWindow, nativeTheme, screen, session } from 'electron'

import { mendCrashedPage } from './crashed-page'
import { openInBrowser } from './open-in-browser'
import { isRendererUrl, RENDERER_URL, toExternalUrl } from './renderer-address'
import { UnsavedGuard } from './unsaved-guard'
import {
  openingBounds,
  readWindowPlace,
  type Rectangle,
  type WindowPlace,
  writeWindowPlace,
} from './window-place'

/** The page's own background, so that a window shows no flash while its page loads. */
const BACKGROUND = { light: '#f2f1ee', dark: '#0c0d10' }

const USUAL = { width: 1280, height: 820 }
/** A window that is moved or resized is still for so long before its place is kept, in ms. */
const STILL_MS = 500

/** The one window of the desktop app: opened, closed and opened again, at most one at a time. */
export class MainWindow {
  readonly #preload: string
  readonly #profileDir: string
  #window: BrowserWindow | undefined
  #guard: UnsavedGuard | undefined

  /** `preload` is the absolute path of the built preload script; the window's place is kept in `profileDir`. */
  constructor(preload: string, profileDir: string) {
    this.#preload = preload
    this.#profileDir = profileDir
  }

  get window(): BrowserWindow | undefined {
    return this.#window
  }

  get contents(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** Opens the window, or brings the open one to the front. */
  show(): void {
    if (!this.#window) {
      this.#open()
      return
    }
    if (this.#window.webContents.isCrashed()) this.#window.webContents.reload()
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  /** Whether the app may quit: nothing that was typed would be lost, or its person agrees. */
  async mayQuit(): Promise<boolean> {
    return (await this.#guard?.mayQuit()) ?? true
  }

  #open(): void {
    const kept = readWindowPlace(this.#profileDir)
    const window = new BrowserWindow({
      ...openingBounds(kept?.bounds, USUAL, workAreas()),
      minWidth: 900,
      minHeight: 600,
      show: false,
      title: 'Patchbay',
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload: this.#preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    })
    this.#window = window
    this.#guard = new UnsavedGuard(window)
    lockNavigation(window.webContents)
    mendCrashedPage(window)
    keepPlace(window, this.#profileDir)
    window.once('ready-to-show', () => {
      if (kept?.state === 'maximized') window.maximize()
      if (kept?.state === 'fullscreen') window.setFullScreen(true)
      window.show()
    })
    window.once('closed', () => {
      this.#window = undefined
      this.#guard = undefined
    })
    // A failed load shows in the window itself and is reported by `did-fail-load`.
    void window.loadURL(RENDERER_URL).catch(() => undefined)
  }
}

/** The parts of the screens that windows may take, the primary screen's first. */
function workAreas(): readonly Rectangle[] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}

/** Keeps the window's place whenever it is still, and at its end. */
function keepPlace(window: BrowserWindow, profileDir: string): void {
  let timer: NodeJS.Timeout | undefined
  let place: WindowPlace | undefined
  const keep = (): void => {
    clearTimeout(timer)
    if (!place) return
    try {
      writeWindowPlace(profileDir, place)
    } catch (error) {
      // The next start opens it at its usual place: nothing else is lost.
      process.stderr.write(`The place of the window could not be kept: ${String(error)}\n`)
    }
    place = undefined
  }
  const note = (): void => {
    place = placeOf(window)
    clearTimeout(timer)
    timer = setTimeout(keep, STILL_MS)
  }
  window.on('resize', note)
  window.on('move', note)
  window.on('maximize', note)
  window.on('unmaximize', note)
  window.on('enter-full-screen', note)
  window.on('leave-full-screen', note)
  window.once('closed', keep)
}

function placeOf(window: BrowserWindow): WindowPlace {
  const isPlain = !window.isMaximized() && !window.isFullScreen()
  const covering = window.isFullScreen() ? 'fullscreen' : 'maximized'
  return { bounds: window.getNormalBounds(), state: isPlain ? 'normal' : covering }
}

/** Denies every permission but the one that a "Copy" button needs; for every page of the app. */
export function denyPermissions(): void {
  const isAllowed = (permission: string, requester: string): boolean =>
    permission === 'clipboard-sanitized-write' && isRendererUrl(requester)
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(isAllowed(permission, details.requestingUrl)),
  )
  session.defaultSession.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowed(permission, requestingOrigin),
  )
}

/** The window shows our renderer for good: an https link opens in the person's browser, anything else nowhere. */
function lockNavigation(contents: WebContents): void {
  contents.on('will-frame-navigate', (details) => {
    if (details.isMainFrame && isRendererUrl(details.url)) return
    details.preventDefault()
    if (details.isMainFrame) openExternally(details.url)
  })
  contents.setWindowOpenHandler(({ url }) => {
    openExternally(url)
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

function openExternally(address: string): void {
  const url = toExternalUrl(address)
  // It rejects where the system has no browser: the link stays what it was, a text on the page.
  if (url !== undefined) void openInBrowser(url).catch(() => undefined)
}
