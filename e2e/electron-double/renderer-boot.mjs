/**
 * Runs in a page before any of its scripts, from its own source, so it has no closure. Provides the preload with what a sandboxed one has
 * in Electron: `ipcRenderer` and `contextBridge`.
 */
export function boot({ makeCodec, preload, bindingName, receiverName, platform, arch, versions }) {
  // As in Electron, subframes get no preload.
  if (window.top !== window) return
  const post = window[bindingName]
  delete window[bindingName]
  const { pack, unpack } = makeCodec()
  const listeners = new Map()
  const listenersOf = (channel) => listeners.get(channel) ?? []

  const send = (message) => {
    let text
    try {
      text = pack(message)
    } catch {
      throw new Error('An object could not be cloned.')
    }
    return post(text)
  }

  const ipcRenderer = {
    async invoke(channel, ...args) {
      const reply = unpack(await send(['invoke', channel, args]))
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply.value
    },
    send(channel, ...args) {
      void send(['send', channel, args])
    },
    on(channel, listener) {
      listeners.set(channel, [...listenersOf(channel), listener])
      return ipcRenderer
    },
    off(channel, listener) {
      const left = [...listenersOf(channel)]
      const index = left.indexOf(listener)
      if (index >= 0) listeners.set(channel, left.toSpliced(index, 1))
      return ipcRenderer
    },
  }

  Object.defineProperty(window, receiverName, {
    value: (channel, text) => {
      const args = unpack(text)
      for (const listener of listenersOf(channel)) listener({ sender: ipcRenderer }, ...args)
    },
  })

  window.open = (url = 'about:blank') => {
    void send(['open', new URL(url, window.location.href).href])
    return null
  }

  // contextBridge copies values, wraps functions, drops prototypes and freezes the result; it throws for deeper nesting.
  const DEEPEST = 499
  const crossed = (value, depth = 0) => {
    if (depth > DEEPEST) throw new TypeError('Electron contextBridge recursion depth exceeded.')
    const inner = (part) => crossed(part, depth + 1)
    if (typeof value === 'function') return (...args) => crossed(value(...args.map(inner)))
    if (typeof value === 'symbol') throw new TypeError('A symbol could not be cloned.')
    if (value === null || typeof value !== 'object') return value
    if (typeof value.then === 'function') {
      return value.then(inner, (error) => {
        throw error instanceof Error ? new Error(error.message) : inner(error)
      })
    }
    if (value instanceof window.File) return value
    if (Array.isArray(value)) return value.map(inner)
    const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value))
    if (!isPlain) return structuredClone(value)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)]))
  }
  // Chromium hides paths, so a test sets the path of a dropped file.
  const webUtils = { getPathForFile: (file) => file.pathInDouble ?? '' }
  const freeze = (value) => {
    if (value === null || typeof value !== 'object') return value
    Object.values(value).forEach(freeze)
    return Object.freeze(value)
  }
  const contextBridge = {
    exposeInMainWorld(key, value) {
      if (Object.hasOwn(window, key)) {
        throw new Error(
          `Cannot bind an API on top of an existing property on the window object: ${key}`,
        )
      }
      Object.defineProperty(window, key, { value: freeze(crossed(value)), enumerable: true })
    },
  }

  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer')
      return { contextBridge, ipcRenderer, webUtils }
    throw new Error(`module not found: ${name}`)
  }
  const process = { type: 'renderer', platform, arch, versions, sandboxed: true, env: {} }
  const module = { exports: {} }
  preload(module, module.exports, require, process)
}
