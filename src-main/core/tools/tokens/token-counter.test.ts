import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { builtThread } from '../../../../e2e/fixtures/built-program'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { TokenCounter, type TokenCounterOptions, tokenKey } from './token-counter'

/** Effectively no time limit. */
const HOUR_MS = 3_600_000
/** Each thread loads megabytes first, which takes seconds on a busy computer. */
const LIMIT = { timeout: 120_000 }

const startThread = builtThread('tokens')

type Bench = {
  readonly counter: TokenCounter
  readonly file: string
  /** Every thread that was started. */
  readonly started: Worker[]
}

function open(
  options: Partial<TokenCounterOptions> = {},
  file = join(tempFolder('tokens'), 'tokens.json'),
): Bench {
  const started: Worker[] = []
  const { createWorker = startThread } = options
  const counter = new TokenCounter({
    file,
    ...options,
    // Read for each request.
    get limitMs() {
      return options.limitMs ?? HOUR_MS
    },
    createWorker: (given) => {
      const worker = createWorker(given)
      started.push(worker)
      return worker
    },
  })
  onTestFinished(() => counter[Symbol.asyncDispose]())
  return { counter, file, started }
}

const texts = (...all: string[]): Map<string, () => string> =>
  new Map(all.map((text) => [`key of ${text}`, () => text]))
const numbered = (count: number, make: (index: number) => string): Map<string, () => string> =>
  new Map(Array.from({ length: count }, (_, index) => [`k${String(index)}`, () => make(index)]))
/** Creates a thread that runs this code. */
const running = (code: string) => (options: WorkerOptions) =>
  new Worker(code, { ...options, eval: true })

describe('C3: the token counter', LIMIT, () => {
  it('counts unknown texts on a thread, and remembers them across restarts', async () => {
    const { counter, file, started } = open()
    expect(counter.of('key of hello world')).toBeUndefined()
    await counter.count(texts('hello world', ''))
    expect([counter.of('key of hello world'), counter.of('key of ')]).toEqual([2, 0])
    await counter.count(texts('hello world'))
    await counter.count(texts('hello world', 'one more text'))
    expect(counter.of('key of one more text')).toBe(3)
    expect(started).toHaveLength(1)

    const later = open({}, file)
    await later.counter.count(texts('hello world', 'one more text'))
    expect(later.counter.of('key of one more text')).toBe(3)
    expect(later.started).toHaveLength(0)
  })

  it('ends its thread after some idle time, and starts another for the next request', async () => {
    const { counter, started } = open({ idleMs: 10 })
    await counter.count(texts('a'))
    const [first] = started
    await expect.poll(() => first?.threadId).toBe(-1)
    await counter.count(texts('b'))
    expect(counter.of('key of b')).toBe(1)
    expect(started).toHaveLength(2)
  })

  it('serializes concurrent calls, and counts each text once', async () => {
    const { counter, started } = open()
    const made = vi.fn(() => 'text')
    await Promise.all([1, 2, 3].map(() => counter.count(new Map([['one', made]]))))
    expect(made).toHaveBeenCalledTimes(1)
    expect(counter.of('one')).toBe(1)
    expect(started).toHaveLength(1)
  })

  it('counts thousands of texts, and only the first 20,000 characters of hostile ones', async () => {
    const { counter } = open()
    const long = ['a', ' ', '漢', '\uD83D', '\r\n', 'word '].map((one) => one.repeat(1_000_000))
    const all = numbered(2_000, (index) => long[index] ?? `text ${String(index)}`)
    await counter.count(all)
    expect([...all.keys()].filter((key) => counter.of(key) === undefined)).toEqual([])
    for (const [index, text] of long.entries()) {
      const rest = Math.ceil(Buffer.byteLength(text.slice(20_000)) / 4)
      const head = (counter.of(`k${String(index)}`) ?? 0) - rest
      expect(head).toBeGreaterThan(0)
      // A token has at least one byte.
      expect(head).toBeLessThanOrEqual(60_000)
    }
  })

  it.each([
    ["can't start", () => expect.unreachable(), HOUR_MS],
    ['crashes', running('throw new Error("broken")'), HOUR_MS],
    ['exits', running('process.exit(3)'), HOUR_MS],
    ['never answers', running('setInterval(() => {}, 1000)'), 1_000],
    ['blocks', running('for (;;);'), 1_000],
  ])(
    'leaves the rest unknown if the thread %s, and retries with the next change',
    async (_, broken, limitMs) => {
      let isBroken = true
      const { counter, file, started } = open({
        // A working thread may take longer than the short limit on a busy machine.
        get limitMs() {
          return isBroken ? limitMs : HOUR_MS
        },
        createWorker: (options) => (isBroken ? broken(options) : startThread(options)),
      })
      const all = numbered(200, String)
      await counter.count(all)
      expect(counter.of('k0')).toBeUndefined()
      expect(started.length).toBeLessThanOrEqual(2)
      expect(existsSync(file)).toBe(false)
      isBroken = false
      await counter.count(all)
      expect(counter.of('k199')).toBe(1)
    },
  )

  it('keeps counts from before a failure', async () => {
    const { counter } = open()
    const all = numbered(100, (index) => {
      if (index < 32) return 'a text'
      throw new Error('no text')
    })
    await counter.count(all)
    expect([counter.of('k31'), counter.of('k32')]).toEqual([2, undefined])
  })

  it('settles and ends its thread when disposed, even while it counts', async () => {
    const { counter, started } = open({ createWorker: running('for (;;);') })
    const counting = counter.count(texts('a'))
    await expect.poll(() => started.length).toBe(1)
    await counter[Symbol.asyncDispose]()
    await counting
    expect(started[0]?.threadId).toBe(-1)
    await counter.count(texts('b'))
    expect(started).toHaveLength(1)
  })

  it("ignores a file that isn't its own", async () => {
    const file = join(tempFolder('tokens'), 'tokens.json')
    for (const content of [
      '',
      '{',
      '{"version":0,"counts":{"key of a":7}}',
      '{"version":1,"counts":{"a":"b"}}',
    ]) {
      writeFileSync(file, content)
      const { counter } = open({}, file)
      expect(counter.of('key of a')).toBeUndefined()
      await counter.count(texts('a'))
      expect(counter.of('key of a')).toBe(1)
    }
  })

  it('keeps 20,000 counts, those in use before older ones', async () => {
    const file = join(tempFolder('tokens'), 'tokens.json')
    const counts = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`old ${at}`, at]))
    writeFileSync(file, JSON.stringify({ version: 1, counts }))
    const { counter } = open({}, file)
    await counter.count(new Map([...texts('a', 'b', 'c'), ['old 0', String]]))
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { counts: Record<string, number> }
    expect(Object.keys(kept.counts)).toHaveLength(20_000)
    expect(['old 0', 'old 1', 'old 3', 'old 4', 'key of c'].map((key) => kept.counts[key])).toEqual(
      [0, undefined, undefined, 4, 1],
    )
    expect(counter.of('old 0')).toBe(0)
  })

  it('distinguishes the same tool under different names', () => {
    const keys = [
      { exposedName: 'a__b', hash: 'h' },
      { exposedName: 'c__b', hash: 'h' },
      { exposedName: undefined, hash: 'h' },
    ]
    expect(new Set(keys.map(tokenKey)).size).toBe(3)
  })
})
