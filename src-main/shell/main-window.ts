import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  screen,
  session,
  type WebContents,
} from 'electron'

import type { EventChannel } from '../../src-shared/ipc/contract'
import { contextMenu } from './menus'
import { openInBrowser } from './open-in-browser'
import { isRendererUrl, RENDERER_URL, toExternalUrl } from './renderer-address'
import { bringToFront, evaluatesTrue, UnsavedGuard } from './unsaved-guard'
import {
  FrameOffset,
  openingBounds,
  readWindowPlace,
  type Rectangle,
  type WindowPlace,
  writeWindowPlace,
} from './window-place'

/** The page's background, so that a window doesn't flash while loading. */
const BACKGROUND = { light: '#f2f1ee', dark: '#0c0d10' }

const USUAL = { width: 1280, height: 820 }
/** A window's place is stored once it hasn't moved for this time, in ms. */
const IDLE_MS = 500

/** Options of the main window. */
export type MainWindowOptions = {
  /** Absolute path of the built preload script. */
  readonly preload: string
  /** The window's place is stored here. */
  readonly profileDir: string
  /** Image for the task bar; Windows and macOS use the program's. */
  readonly icon?: string | undefined
  /** Whether a frame of the page may load an address: only views are in frames. */
  readonly isViewAddress: (address: string) => boolean
  /** Shows the app's log in the system's file manager. */
  readonly showLog: () => void
}

/** The desktop app's window, at most one at a time. */
export class MainWindow {
  #window: BrowserWindow | undefined
  #guard: UnsavedGuard | undefined
  /** Path to open once the page can receive events. */
  #place: string | undefined

  constructor(private readonly options: MainWindowOptions) {}

  get window(): BrowserWindow | undefined {
    return this.#window
  }

  get contents(): WebContents | undefined {
    return this.#window?.webContents
  }

  /** Whether the window is in front. */
  get isFocused(): boolean {
    return this.#window?.isFocused() ?? false
  }

  /** Opens the window or brings it to the front; its page goes to `place`, such as `/servers`. */
  show(place?: string): void {
    if (!this.#window) {
      this.#open(place)
      return
    }
    const { webContents } = this.#window
    if (webContents.isCrashed()) webContents.reload()
    bringToFront(this.#window)
    if (place === undefined) return
    if (webContents.isLoading()) this.#place = place
    else goTo(webContents, place)
  }

  /** Whether the app may quit: there is no unsaved text, or the user agrees. */
  async mayQuit(): Promise<boolean> {
    return (await this.#guard?.mayQuit()) ?? true
  }

  #open(place?: string): void {
    const { preload, profileDir, icon, showLog } = this.options
    const saved = readWindowPlace(profileDir)
    const window = new BrowserWindow({
      ...openingBounds(saved?.bounds, USUAL, workAreas()),
      ...(icon !== undefined && { icon }),
      minWidth: 900,
      minHeight: 600,
      show: false,
      title: 'Patchbay',
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
        devTools: !app.isPackaged,
      },
    })
    this.#window = window
    this.#guard = new UnsavedGuard(window)
    lockNavigation(window.webContents, this.options.isViewAddress)
    let isShown = false
    const reveal = (): void => {
      if (isShown || window.isDestroyed()) return
      isShown = true
      if (saved?.state === 'fullscreen') window.setFullScreen(true)
      window.show()
      // Before the window is shown, X11 would forget its place.
      if (saved?.state === 'maximized') window.maximize()
    }
    watchPage(window, { reveal, showLog })
    savePlaceOnMove(window, profileDir)
    window.webContents.on('context-menu', (_event, clicked) => {
      const template = contextMenu(clicked)
      // At the page's coordinates, because the menu key opens it away from the pointer.
      const { x, y } = clicked
      if (template.length > 0) Menu.buildFromTemplate(template).popup({ window, x, y })
    })
    let isLoaded = false
    window.webContents.on('did-finish-load', () => {
      isLoaded = true
    })
    window.webContents.on('did-fail-load', () => {
      isLoaded = false
    })
    // A replaced load finishes too; only after this event does the page stay.
    window.webContents.on('did-stop-loading', () => {
      const waiting = this.#place
      if (!isLoaded || waiting === undefined) return
      this.#place = undefined
      goTo(window.webContents, waiting)
    })
    window.once('closed', () => {
      this.#window = undefined
      this.#guard = undefined
      this.#place = undefined
    })
    const address = place === undefined ? RENDERER_URL : `${RENDERER_URL}#${place}`
    // `did-fail-load` reports and explains failures.
    void window.loadURL(address).catch(() => undefined)
  }
}

function goTo(contents: WebContents, place: string): void {
  contents.send('place.opened' satisfies EventChannel, { place })
}

/** The usable areas of the screens, the primary one first. */
function workAreas(): readonly Rectangle[] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary, ...others].map(({ workArea }) => workArea)
}

/** Wayland reports every window at 0, 0 and ignores positions: stored, that would move the window in a later X11 session. */
function hasPositions(): boolean {
  return process.env.XDG_SESSION_TYPE !== 'wayland'
}

/** Stores the window's place when it stops moving and when it closes. */
function savePlaceOnMove(window: BrowserWindow, profileDir: string): void {
  let timer: NodeJS.Timeout | undefined
  let place: WindowPlace | undefined
  const isX11 = process.platform === 'linux' && hasPositions()
  const offset = isX11 ? new FrameOffset(window.getNormalBounds()) : undefined
  const save = (): void => {
    clearTimeout(timer)
    if (!place) return
    try {
      writeWindowPlace(profileDir, place)
    } catch (error) {
      // The next start uses the default place; nothing else is lost.
      process.stderr.write(`The place of the window could not be kept: ${String(error)}\n`)
    }
    place = undefined
  }
  const scheduleSave = (): void => {
    place = placeOf(window, offset)
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (window.isVisible() && place?.state === 'normal') offset?.fix()
      save()
    }, IDLE_MS)
  }
  window.on('resize', scheduleSave)
  window.on('move', scheduleSave)
  window.on('maximize', scheduleSave)
  window.on('unmaximize', scheduleSave)
  window.on('enter-full-screen', scheduleSave)
  window.on('leave-full-screen', scheduleSave)
  window.once('closed', save)
}

function placeOf(window: BrowserWindow, offset: FrameOffset | undefined): WindowPlace {
  const isPlain = !window.isMaximized() && !window.isFullScreen()
  const covering = window.isFullScreen() ? 'fullscreen' : 'maximized'
  const reported = window.getNormalBounds()
  const { x, y, width, height } = offset?.withoutOffset(reported) ?? reported
  return {
    bounds: { ...(hasPositions() && { x, y }), width, height },
    state: isPlain ? 'normal' : covering,
  }
}

/** Permissions of the app's own page: its "Copy" buttons, and the frames of views, which this computer serves. */
const OWN_PERMISSIONS = ['clipboard-sanitized-write', 'loopback-network', 'local-network-access']

/** Denies all other permissions, and all to other pages. */
export function denyPermissions(): void {
  const isAllowed = (permission: string, requester: string): boolean =>
    OWN_PERMISSIONS.includes(permission) && isRendererUrl(requester)
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(isAllowed(permission, details.requestingUrl)),
  )
  session.defaultSession.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowed(permission, requestingOrigin),
  )
}

/** Keeps the window on our renderer: https links open in the user's browser, others nowhere. */
function lockNavigation(contents: WebContents, isViewAddress: (address: string) => boolean): void {
  // A view must not learn this computer's addresses.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  contents.on('will-frame-navigate', (details) => {
    if (details.isMainFrame ? isRendererUrl(details.url) : isViewAddress(details.url)) return
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
  // Without a browser it rejects; the link remains text on the page.
  if (url !== undefined) void openInBrowser(url).catch(() => undefined)
}

/** After this many crashes within `CRASHES_WITHIN_MS`, reloading would go on forever. */
const MAX_CRASHES = 3
const CRASHES_WITHIN_MS = 60_000
/** How long a window stays hidden if its page paints nothing, in ms. */
const SHOW_WITHIN_MS = 3_000
/** How long a loaded page may stay empty, in ms. */
const FILLED_WITHIN_MS = 10_000
/** True for a page without text: Chromium counts an empty page as painted too. */
const IS_EMPTY = "document.body === null || document.body.innerText.trim() === ''"
/** `ERR_ABORTED`: another load replaced this one. */
const ABORTED = -3

/**
 * Shows a window once its page paints, after 3 s at most, and immediately if the page fails. A crashed page is reloaded. A page that can't
 * load, keeps crashing or stays empty is explained, with a button to reload.
 */
function watchPage(
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
      void evaluatesTrue(window, IS_EMPTY).then((empty) => {
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
    void askToReload(window, problem, showLog).finally(() => {
      isOpen = false
    })
  }
}

async function askToReload(
  window: BrowserWindow,
  problem: string,
  showLog: () => void,
): Promise<void> {
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
