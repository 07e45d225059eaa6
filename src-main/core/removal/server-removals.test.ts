import { afterEach, describe, expect, it, vi } from 'vitest'

import { type ServerRemovalParts, ServerRemovals } from './server-removals'

const ID = '0b6b1c1e-5f5a-4c5e-8f57-5f1f0c0b8a11'

/** Removals over parts that only record their calls; the parts in `fails` reject. */
function open(...fails: string[]) {
  const calls: string[] = []
  const notices: string[] = []
  const failing = new Set(fails)
  const server = { status: { kind: 'stopped' }, start: () => calls.push('server.start') }
  let isAside = false
  const act = (name: string, isAsideThen = isAside): Promise<void> => {
    calls.push(name)
    const part = name.split('.')[0] ?? ''
    if (failing.has(part) || failing.has(name)) return Promise.reject(new Error(`${part} failed`))
    isAside = isAsideThen
    return Promise.resolve()
  }
  const part = (name: string, ...methods: string[]): object =>
    Object.fromEntries(methods.map((method) => [method, () => act(`${name}.${method}`)]))
  const parts = {
    installations: {
      removed: {
        remove: () => act('installations.remove', false),
        find: () => (isAside ? { name: 'Notes' } : undefined),
        markRemoved: () => act('removed.markRemoved', true),
        restore: () => act('removed.restore', false),
      },
    },
    servers: { ...part('servers', 'stop', 'remove'), read: () => server },
    keepers: ['archive', 'figures', 'history', 'tools', 'reports'].map((name) =>
      part(name, 'remove'),
    ),
    signIns: part('signIns', 'remove'),
    notices: {
      ...part('notices', 'dismiss'),
      add: ({ message }: { message: string }) => notices.push(message),
    },
  } as unknown as ServerRemovalParts
  const removals = new ServerRemovals(parts)
  const remove = (): Promise<void> => removals.remove(ID, true)
  return { remove, removals, calls, failing, server, notices }
}

afterEach(() => vi.useRealTimers())

describe('C8: a removed server', () => {
  it("leaves no tools, even if its logs can't be deleted", async () => {
    const { remove, calls } = open('archive')
    await expect(remove()).rejects.toThrow('archive failed')
    expect(calls.slice(2)).toEqual([
      'servers.remove',
      'archive.remove',
      'figures.remove',
      'history.remove',
      'tools.remove',
      'reports.remove',
    ])
  })

  it("keeps its tools if its secrets can't be deleted and it stays", async () => {
    const { remove, calls } = open('installations')
    await expect(remove()).rejects.toThrow('installations failed')
    expect(calls.at(-1)).toBe('installations.remove')
  })

  it('can be put back for 30 seconds, and is deleted afterwards', async () => {
    vi.useFakeTimers()
    const { removals, calls } = open()
    await removals.begin(ID, true)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(calls).not.toContain('installations.remove')
    await removals.undo(ID)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).not.toContain('installations.remove')

    await removals.begin(ID, true)
    await vi.advanceTimersByTimeAsync(31_000)
    expect(calls).toContain('installations.remove')
    await expect(removals.undo(ID)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('can be put back at a second attempt if the first failed', async () => {
    vi.useFakeTimers()
    const { removals, calls, failing } = open()
    await removals.begin(ID, true)
    failing.add('removed.restore')
    await expect(removals.undo(ID)).rejects.toThrow('removed failed')
    failing.clear()
    await vi.advanceTimersByTimeAsync(29_000)
    await removals.undo(ID)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).not.toContain('installations.remove')
  })

  it.each([
    ['ready', true],
    ['starting', true],
    ['backingOff', true],
    ['stopped', false],
    ['error', false],
  ])('that was %s starts when put back: %s', async (kind, isStarted) => {
    vi.useFakeTimers()
    const { removals, calls, server } = open()
    server.status = { kind }
    await removals.begin(ID, true)
    await removals.undo(ID)
    expect(calls.includes('server.start')).toBe(isStarted)
  })

  it.each([
    ['installations', 'Patchbay retries at the next start.'],
    ['archive', 'Some of its files may be left in the profile folder.'],
  ])("reports what is left if its %s can't be deleted", async (part, advice) => {
    vi.useFakeTimers()
    const { removals, failing, notices } = open()
    await removals.begin(ID, true)
    failing.add(part)
    await removals.endAll()
    expect(notices).toEqual([`The server is removed from the list. ${part} failed ${advice}`])
  })
})
