import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

import type { Timekeeper } from '../ports'
import { toDisposable } from './disposables'
import { Emitter } from './emitter'
import type { WakeWatch } from './wake-watch'

/** Poll interval while there is a listener, in ms. */
const POLL_MS = 3_000
/** Link-local addresses, which exist without a network (RFC 3927, RFC 4291). */
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab][0-9a-f]:)/iu

/** Some systems hide their interfaces from programs: there may be a network. */
const UNKNOWN: ReadonlySet<string> = new Set(['untold'])

/** `os.networkInterfaces()`: the active interfaces with their addresses. */
export type ReadInterfaces = () => Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>

/** `back`: another network may be available than before; `gone`: there is none. */
export type NetworkChange = 'back' | 'gone'

/**
 * Detects that a network appears or disappears, by the addresses of this computer. A wake counts as a return, because earlier addresses may
 * be reachable again. Polls only while there is a listener.
 */
export class NetworkWatch implements Disposable {
  readonly #changed = new Emitter<NetworkChange>()
  #listeners = 0
  #seen = UNKNOWN
  #ticker: Disposable | undefined
  #waking: Disposable | undefined

  constructor(
    private readonly time: Pick<Timekeeper, 'after'>,
    private readonly wake: Pick<WakeWatch, 'onDidWake'>,
    private readonly interfaces: ReadInterfaces = networkInterfaces,
  ) {}

  /** Whether this computer has no address to reach others with. */
  get isOffline(): boolean {
    return this.#addresses().size === 0
  }

  /** Calls `listener` on every change until the result is disposed. */
  readonly onDidChange = (listener: (change: NetworkChange) => void): Disposable => {
    const listening = this.#changed.event(listener)
    this.#listeners += 1
    if (this.#listeners === 1) this.#begin()
    return toDisposable(() => {
      listening[Symbol.dispose]()
      this.#listeners -= 1
      if (this.#listeners === 0) this.#end()
    })
  }

  #begin(): void {
    this.#seen = this.#addresses()
    this.#waking = this.wake.onDidWake(() => this.#check(true))
    this.#tick()
  }

  #tick(): void {
    this.#ticker = this.time.after(POLL_MS, () => {
      this.#tick()
      this.#check(false)
    })
  }

  #end(): void {
    this.#ticker?.[Symbol.dispose]()
    this.#waking?.[Symbol.dispose]()
  }

  #check(hasSlept: boolean): void {
    const before = this.#seen
    const now = this.#addresses()
    this.#seen = now
    if (now.size === 0) {
      if (before.size > 0) this.#changed.emit('gone')
    } else if (hasSlept || [...now].some((address) => !before.has(address))) {
      this.#changed.emit('back')
    }
  }

  #addresses(): ReadonlySet<string> {
    try {
      const all = Object.values(this.interfaces()).flatMap((one) => one ?? [])
      const leading = all.filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
      return new Set(leading.map(({ address }) => address))
    } catch {
      return UNKNOWN
    }
  }

  [Symbol.dispose](): void {
    this.#end()
    this.#changed[Symbol.dispose]()
  }
}
