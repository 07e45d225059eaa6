// What Node 16 of the old Electron lacks of Node 24, in the main process and its threads; runs before their first line.
require('core-js/actual')
const { webcrypto, createHash } = require('node:crypto')
const buffer = require('node:buffer')
const events = require('node:events')
const http = require('node:http')
const os = require('node:os')
const tls = require('node:tls')
const zlib = require('node:zlib')
const web = require('node:stream/web')
const undici = require('undici5')
const { isMainThread } = require('node:worker_threads')

const rewritePattern = require('regexpu-core')

const add = (target, members) => {
  for (const [name, value] of Object.entries(members)) {
    if (name in target) continue
    Object.defineProperty(target, name, { value, configurable: true, writable: true })
  }
}

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, [pattern, flags], created) {
    if (!String(flags).includes('v')) return Reflect.construct(target, [pattern, flags], created)
    const source = pattern instanceof target ? pattern.source : String(pattern)
    const older = rewritePattern(source, flags, { unicodeSetsFlag: 'transform' })
    return Reflect.construct(target, [older, flags.replace('v', 'u')], created)
  },
})

const { fetch, File, FormData, Headers, Request, Response } = undici
add(globalThis, { fetch, File, FormData, Headers, Request, Response, crypto: webcrypto })
add(globalThis, { ...web, Blob: buffer.Blob })
add(globalThis, {
  CustomEvent: class CustomEvent extends Event {
    constructor(type, options) {
      super(type, options)
      this.detail = options?.detail ?? null
    }
  },
})
add(AbortSignal, {
  any(signals) {
    const controller = new AbortController()
    for (const signal of signals) {
      const abort = () => controller.abort(signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }
    return controller.signal
  },
})
add(events, {
  addAbortListener(signal, listener) {
    if (signal.aborted) queueMicrotask(() => listener())
    else signal.addEventListener('abort', listener, { once: true })
    return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) }
  },
})
add(buffer, {
  isUtf8: (bytes) => Buffer.from(bytes.toString()).equals(bytes),
  isAscii: (bytes) => bytes.every((byte) => byte < 128),
})
add(require('node:crypto'), {
  hash: (name, data, encoding = 'hex') => createHash(name).update(data).digest(encoding),
})
const connections = new WeakMap()
const { emit } = http.Server.prototype
http.Server.prototype.emit = function (name, ...args) {
  if (name === 'connection') {
    if (!connections.has(this)) connections.set(this, new Set())
    const open = connections.get(this).add(args[0])
    args[0].once('close', () => open.delete(args[0]))
  }
  return emit.call(this, name, ...args)
}
add(http.Server.prototype, {
  closeAllConnections() {
    for (const socket of connections.get(this) ?? []) socket.destroy()
  },
  closeIdleConnections() {},
})
add(os, { availableParallelism: () => os.cpus().length })
add(tls, {
  getCACertificates: (kind) => (kind === 'extra' ? [] : [...tls.rootCertificates]),
  setDefaultCACertificates() {},
})
add(zlib, { crc32 })
add(process, { getBuiltinModule: (name) => require(name) })
add(process, { availableMemory: () => os.freemem(), constrainedMemory: () => 0 })

const CRC = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})
function crc32(data, before = 0) {
  let value = ~before
  for (const byte of Buffer.from(data)) value = (value >>> 8) ^ CRC[(value ^ byte) & 255]
  return ~value >>> 0
}

if (isMainThread) require('./electron-22.cjs')
