import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'

import { fromWeb, toWeb } from './addresses.mjs'
import { app, windows } from './app.mjs'
import { startChromium } from './chromium.mjs'
import { makeCodec } from './codec.mjs'
import { answerInvoke, ipcMain } from './ipc-main.mjs'
import { answerScheme, mayHave } from './protocol.mjs'
import { boot } from './renderer-boot.mjs'
import { cancellable } from './strict.mjs'

const codec = makeCodec()
const bindingName = `__ed_${randomUUID().replaceAll('-', '')}`
const receiverName = `__ed_${randomUUID().replaceAll('-', '')}`
let lastId = 0
/** Electron's permission names, and Chromium's. */
const PERMISSIONS = [
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['clipboard-read', 'clipboard-read'],
  ['geolocation', 'geolocation'],
  ['loopback-network', 'local-network-access'],
  ['media', 'camera'],
  ['media', 'microphone'],
  ['notifications', 'notifications'],
]
/** The frame that X11 adds: a window is placed by its frame, and reports the position of its content. */
const FRAME = { x: 1, y: 20 }

class WebContents extends EventEmitter {
  openHandler = undefined
  #window
  #webRTCPolicy = 'default'

  constructor(window) {
    super()
    this.#window = window
    this.id = window.id
  }

  /** Dropped without a page, as in Electron. */
  send(channel, ...args) {
    const text = codec.pack(args)
    const { page } = this.#window
    if (!page || this.isDestroyed()) return
    const deliver = ([name, to, packed]) => globalThis[name]?.(to, packed)
    void page.evaluate(deliver, [receiverName, channel, text]).catch(() => undefined)
  }
  getURL() {
    return this.#window.page ? fromWeb(this.#window.page.url()) : ''
  }
  reload() {
    void this.#window.reload()
  }
  /** A page never crashes here: a test emits `render-process-gone`. */
  isCrashed() {
    return false
  }
  isLoading() {
    return this.#window.loads > 0
  }
  getLastWebPreferences() {
    return this.#window.webPreferences
  }
  executeJavaScript(code) {
    return this.#window.page.evaluate(code)
  }
  setWindowOpenHandler(handler) {
    this.openHandler = handler
  }
  setWebRTCIPHandlingPolicy(policy) {
    this.#webRTCPolicy = policy
  }
  getWebRTCIPHandlingPolicy() {
    return this.#webRTCPolicy
  }
  isDestroyed() {
    return this.#window.isDestroyed()
  }
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows() {
    return [...windows]
  }
  static fromWebContents(contents) {
    return [...windows].find((window) => window.webContents === contents) ?? null
  }

  id = ++lastId
  page = undefined
  /** The app's own running load, to distinguish it from the page's requests. */
  loading = undefined
  /** Running loads: a reload during a load makes two, and the window stops loading once, after both. */
  loads = 0
  webContents = new WebContents(this)
  #options
  #visible
  #destroyed = false
  #maximized = false
  #fullScreen = false
  #painted = false
  #asked = ''
  #focused = false
  #minimized = false
  #isFramed = false

  constructor(options = {}) {
    super()
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    const { nodeIntegration, contextIsolation, sandbox } = options.webPreferences ?? {}
    if (nodeIntegration || contextIsolation === false || sandbox === false) {
      throw new Error('electron double: only contextIsolation with sandbox is modelled')
    }
    this.#options = { ...options }
    this.#visible = options.show !== false
    windows.add(this)
    app.emit('browser-window-created', cancellable(), this)
  }

  get webPreferences() {
    return { ...this.#options.webPreferences }
  }

  show() {
    this.#visible = true
    this.#focused = true
    this.emit('show')
    if (this.#isFramed) return
    this.#isFramed = true
    setImmediate(() => this.emit('move'))
  }
  focus() {
    this.#focused = true
    this.emit('focus')
  }
  blur() {
    this.#focused = false
    this.emit('blur')
  }
  isFocused() {
    return this.#focused
  }
  minimize() {
    this.#minimized = true
    this.#focused = false
    this.emit('minimize')
  }
  restore() {
    this.#minimized = false
    this.emit('restore')
  }
  flashFrame() {}
  isVisible() {
    return this.#visible
  }
  isMinimized() {
    return this.#minimized
  }
  isDestroyed() {
    return this.#destroyed
  }
  /** Bounds of the window itself; what a maximized window covers is not modeled. */
  getNormalBounds() {
    const { width = 800, height = 600, x = 0, y = 0 } = this.#options
    const frame = this.#isFramed ? FRAME : { x: 0, y: 0 }
    return { x: x + frame.x, y: y + frame.y, width, height }
  }
  setBounds(bounds) {
    Object.assign(this.#options, bounds)
    const { width, height } = this.getNormalBounds()
    void this.page?.setViewportSize({ width, height }).catch(() => undefined)
    this.emit('move')
    this.emit('resize')
  }
  isMaximized() {
    return this.#maximized
  }
  maximize() {
    this.#maximized = true
    this.emit('maximize')
  }
  unmaximize() {
    this.#maximized = false
    this.emit('unmaximize')
  }
  isFullScreen() {
    return this.#fullScreen
  }
  setFullScreen(wanted) {
    this.#fullScreen = wanted
    this.emit(wanted ? 'enter-full-screen' : 'leave-full-screen')
  }

  close() {
    void this.tryClose()
  }
  /** Whether the window closes. */
  async tryClose() {
    if (this.#destroyed) return true
    const event = cancellable()
    this.emit('close', event)
    if (event.defaultPrevented || !(await this.mayUnload())) return false
    this.destroy()
    return true
  }
  /** Whether the page allows leaving. Asked by our own event, because two drivers of a page can't share its dialogs. */
  async mayUnload() {
    const ask = () => globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const isHeld = (await this.page?.evaluate(ask).catch(() => true)) === false
    if (!isHeld) return true
    const event = cancellable()
    this.webContents.emit('will-prevent-unload', event)
    return event.defaultPrevented
  }
  destroy() {
    if (this.#destroyed) return
    this.#destroyed = true
    windows.delete(this)
    void this.page?.close().catch(() => undefined)
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (windows.size === 0) app.allWindowsClosed()
  }

  async loadURL(url) {
    const page = (this.page ??= await this.#openPage())
    this.#asked = url
    this.loading = addressOf(toWeb(url))
    this.loads += 1
    try {
      await page.goto(toWeb(url), { waitUntil: 'load' })
    } catch (error) {
      // Chromium's codes: another load or the window's end aborts a load.
      const [name, code] = /ERR_ABORTED|detached|closed/.test(error.message)
        ? ['ERR_ABORTED', -3]
        : ['ERR_FAILED', -2]
      this.webContents.emit('did-fail-load', cancellable(), code, error.message, url, true)
      this.#stopLoading()
      throw new Error(`${name} (${code}) loading '${url}'`, { cause: error })
    }
    this.#loaded()
  }

  async reload() {
    this.loads += 1
    const { page } = this
    if (!page || !(await this.mayUnload())) {
      this.loads -= 1
      return
    }
    const hasFailed = !page.url().includes('.ed.invalid/')
    this.loading = hasFailed ? addressOf(toWeb(this.#asked)) : addressOf(page.url())
    // As in Electron, a failed page is loaded from the requested address.
    const loaded = hasFailed ? page.goto(toWeb(this.#asked)) : page.reload()
    await loaded.catch(() => undefined)
    this.#loaded()
  }

  #loaded() {
    this.webContents.emit('did-finish-load')
    this.#stopLoading()
  }

  /** As in Electron, a page is painted once, even an empty one or the error page. */
  #stopLoading() {
    this.loads -= 1
    if (this.loads > 0) return
    this.loading = undefined
    if (!this.#destroyed) this.webContents.emit('did-stop-loading')
    if (this.#painted || this.#destroyed) return
    this.#painted = true
    this.emit('ready-to-show')
  }

  async #openPage() {
    const { context, port, blank } = await startChromium({ serve, receive, bindingName })
    await context.grantPermissions(
      PERMISSIONS.flatMap(([own, name]) => (mayHave(own) ? [name] : [])),
    )
    const page = await context.newPage()
    const { width, height } = this.getNormalBounds()
    await page.setViewportSize({ width, height })
    await page.addInitScript({ content: await this.#bootScript() })
    page.on('close', () => this.destroy())
    page.on('popup', (popup) => void popup.close().catch(() => undefined))
    if (blank && !blank.isClosed()) await blank.close()
    process.send?.({ ed: 'window', port, id: this.id })
    return page
  }

  async #bootScript() {
    const { preload } = this.#options.webPreferences ?? {}
    const source = preload ? await readFile(preload, 'utf8') : ''
    const { platform, arch, versions } = process
    const names = JSON.stringify({ bindingName, receiverName, platform, arch, versions })
    return `(${String(boot)})({
      makeCodec: ${String(makeCodec)},
      preload: function (module, exports, require, process) { ${source}\n },
      ...${names},
    })`
  }
}

const windowOf = (page) => [...windows].find((window) => window.page === page)

/** A message from a page over its binding: `[kind, channel, args]`, or `['open', url]` for window.open. */
async function receive({ page, frame }, text) {
  const window = windowOf(page)
  if (!window) return codec.pack({ error: 'The window is gone.' })
  const [kind, channel, args] = codec.unpack(text)
  if (kind === 'open') {
    askToOpen(window, channel)
    return codec.pack({})
  }
  const parent = frame.parentFrame()
  const event = cancellable({
    sender: window.webContents,
    senderFrame: { url: fromWeb(frame.url()), parent: parent && { url: fromWeb(parent.url()) } },
  })
  if (kind === 'invoke') return codec.pack(await answerInvoke(event, channel, args))
  ipcMain.emit(channel, event, ...args)
  return codec.pack({})
}

function askToOpen(window, url) {
  const decision = window.webContents.openHandler?.({ url })
  if (decision?.action !== 'deny') {
    throw new Error('electron double: only a window open handler that denies is modelled')
  }
}

/** Names of this computer that serve views. */
const VIEW_HOST = /^http:\/\/[\da-z]+\.localhost:\d+\//

/** Serves every http(s) request of every page; our own schemes travel as `*.ed.invalid`. */
async function serve(route) {
  const request = route.request()
  const url = fromWeb(request.url())
  const window = windowOf(pageOf(request))
  if (!window) {
    // A popup from a link with a target: it has no window of ours, and the newest one is its opener.
    const opener = [...windows].at(-1)
    if (opener && request.isNavigationRequest()) askToOpen(opener, url)
    return route.abort('aborted')
  }
  if (isPrevented(window, request, url)) return route.abort('aborted')
  if (VIEW_HOST.test(url)) return route.continue()
  const answer = url === request.url() ? undefined : await answerScheme(url, request)
  if (!answer) return route.abort('blockedbyclient')
  return answer.isError ? route.abort('failed') : route.fulfill(answer)
}

function pageOf(request) {
  try {
    return request.frame().page()
  } catch {
    // A popup's first request comes before its frame.
    return undefined
  }
}

/** An address without its fragment, which requests don't contain. */
function addressOf(url) {
  return url.split('#')[0]
}

function isPrevented(window, request, url) {
  if (!request.isNavigationRequest() || window.loading === addressOf(request.url())) return false
  const isMainFrame = request.frame() === window.page.mainFrame()
  const event = cancellable({ url, isMainFrame })
  window.webContents.emit('will-frame-navigate', event)
  return event.defaultPrevented
}
