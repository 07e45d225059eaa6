import { EventEmitter } from 'node:events'
import { request as httpRequest } from 'node:http'

import { strict } from './strict.mjs'

/** A request over plain HTTP, as electron-updater sends it; redirects are not modeled. */
class ClientRequest extends EventEmitter {
  #request

  constructor(options) {
    super()
    const { headers, hostname, method = 'GET', path, port, protocol } = options
    if (protocol !== 'http:') throw new Error(`electron double: net.request over ${protocol}`)
    const own = Object.fromEntries(Object.entries(headers ?? {}).filter(([, value]) => value))
    this.#request = httpRequest({ hostname, port, path, method, headers: own })
    for (const name of ['response', 'error', 'close', 'abort']) {
      this.#request.on(name, (...args) => this.emit(name, ...args))
    }
  }

  setHeader(name, value) {
    this.#request.setHeader(name, value)
  }
  end(...args) {
    this.#request.end(...args)
  }
  abort() {
    this.#request.destroy()
  }
}

export const net = strict('net', { request: (options) => new ClientRequest(options) })
