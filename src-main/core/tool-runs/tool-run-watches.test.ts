import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ResourceWatches } from '../servers/resource-watches'
import { ToolRunWatches } from './tool-runs'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Harness = {
  readonly watches: ToolRunWatches
  /** Reported URIs. */
  readonly reported: string[]
  /** Makes a resource change. */
  readonly touch: (uri: string) => void
  /** URIs watched at servers. */
  readonly shared: () => string[]
}

/** `began`: settles when a server answers. */
function open(began: () => Promise<void> = () => Promise.resolve()): Harness {
  const reported: string[] = []
  const listeners = new Map<{ updated: () => void }, string>()
  const add: ResourceWatches['add'] = async (_installationId, uri, listener) => {
    listeners.set(listener, uri)
    await began()
    return { [Symbol.dispose]: () => void listeners.delete(listener) }
  }
  const watches = new ToolRunWatches({ add }, ({ uri }) => reported.push(uri))
  return {
    watches,
    reported,
    touch: (uri) => {
      for (const [{ updated }, one] of listeners) if (one === uri) updated()
    },
    shared: () => [...listeners.values()],
  }
}

const A = { installationId: 'one', uri: 'memo://a', watcherId: 'a' }
const B = { installationId: 'two', uri: 'memo://b', watcherId: 'a' }

describe("The user's resource watches", () => {
  it('report constant changes four times a second, and the last change', async () => {
    const { watches, reported, touch } = open()
    await watches.watch(A)
    for (let ms = 0; ms < 1_000; ms += 10) {
      touch(A.uri)
      vi.advanceTimersByTime(10)
    }
    expect(reported.length).toBeGreaterThanOrEqual(4)
    expect(reported.length).toBeLessThanOrEqual(5)
    touch(A.uri)
    const before = reported.length
    vi.advanceTimersByTime(1_000)
    expect(reported.length).toBe(before + 1)
    vi.advanceTimersByTime(10_000)
    expect([reported.length, vi.getTimerCount()]).toEqual([before + 1, 0])
  })

  it('are one per resource, however often it is requested', async () => {
    const { watches, shared } = open()
    await Promise.all([watches.watch(A), watches.watch(A), watches.watch(B)])
    expect(shared()).toEqual([A.uri, B.uri])
    watches.unwatch(A)
    watches.unwatch(A)
    await vi.waitFor(() => expect(shared()).toEqual([B.uri]))
  })

  it('last until all watchers have left, of whom the latest twenty are counted', async () => {
    const { watches, shared } = open()
    const by = (watcher: number): typeof A => ({ ...A, watcherId: String(watcher) })
    for (let watcher = 0; watcher <= 20; watcher += 1) await watches.watch(by(watcher))
    for (let watcher = 1; watcher < 20; watcher += 1) watches.unwatch(by(watcher))
    await Promise.resolve()
    expect(shared()).toEqual([A.uri])
    watches.unwatch(by(20))
    await vi.waitFor(() => expect(shared()).toEqual([]))
  })

  it('end with their server, and all of them with the app', async () => {
    const { watches, shared, reported, touch } = open()
    await watches.watch(A)
    await watches.watch(B)
    touch(A.uri)
    touch(A.uri)
    watches.forget('one')
    vi.advanceTimersByTime(1_000)
    expect(reported).toEqual([A.uri])
    await vi.waitFor(() => expect(shared()).toEqual([B.uri]))
    watches[Symbol.dispose]()
    await vi.waitFor(() => expect(shared()).toEqual([]))
  })

  it('end once the server has answered if they were left earlier', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const { watches, shared } = open(() => promise)
    const watching = watches.watch(A)
    watches.unwatch(A)
    resolve(undefined)
    await watching
    await vi.waitFor(() => expect(shared()).toEqual([]))
  })

  it('can be requested again after a rejection', async () => {
    let tries = 0
    const { watches } = open(() => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('Not today')) : Promise.resolve()
    })
    await expect(watches.watch(A)).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: 'The server can’t send updates of this resource: Not today.',
    })
    await watches.watch(A)
  })

  it('are limited to two hundred', async () => {
    const { watches } = open()
    for (let at = 0; at < 200; at += 1) await watches.watch({ ...A, uri: `memo://${at}` })
    await expect(watches.watch(A)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    watches.unwatch({ ...A, uri: 'memo://7' })
    await watches.watch(A)
  })
})
