import { describe, expect, it } from 'vitest'

import { openPeer, type Seen, soon } from '../../../../e2e/fixtures/open-peer'
import { RefusedRequestError } from './request-failure'

const result = { ok: true }
const answer = (id: unknown, of: unknown = {}): object => ({ jsonrpc: '2.0', id, result: of })
const text = (messages: readonly object[]): string =>
  messages.map((one) => `${JSON.stringify(one)}\n`).join('')

/** What comes of these messages of a server. */
async function read(...messages: readonly object[]) {
  const opened = openPeer()
  opened.stdout.write(text(messages.map((one) => ({ jsonrpc: '2.0', ...one }))))
  await soon()
  return opened
}

/** The refusal that a request failed with. */
const refusalOf = ([first]: readonly Seen[]): unknown =>
  first?.error instanceof RefusedRequestError ? first.error.refusal : first

describe('B3 answers', () => {
  it('settle their request once, and others are counted', async () => {
    const { seen, faults } = await read({ id: 1, result, elapsed: 5 }, { id: 1, result })
    expect({ seen, faults }).toEqual({ seen: [{ id: 1, result }], faults: ['duplicateAnswers'] })
  })

  it.each<[string, object]>([
    ['neither', { id: 1 }],
    ['not an object', { id: 1, result: 5 }],
    ['not an object', { id: 1, result: [1] }],
    ['not an object', { id: 1, result: null }],
    ['neither', { id: 1, error: null }],
    ['both', { id: 1, result, error: { code: 1, message: 'y' } }],
  ])('fail their request where they have %s: %j', async (words, message) => {
    const { seen, faults } = await read(message)
    expect(seen).toMatchObject([{ id: 1, error: { code: 'INVALID_ANSWER' } }])
    expect(String(seen[0]?.error)).toContain(words)
    expect(faults).toEqual(['malformedAnswers'])
  })

  it('settle their request where what is wrong leaves no doubt, and are counted', async () => {
    const error = { code: -32_000, message: 'no' }
    const { seen, faults } = await read(
      { id: 1, result, error: null },
      { id: 2, result: null, error },
      { id: '3', result },
      { id: 4, result: { _meta: 'x', ...result } },
    )
    expect(seen).toMatchObject([
      { id: 1, result },
      { id: 2, error: { refusal: error } },
      { id: 3, result },
      { id: 4, result },
    ])
    expect(seen[3]?.result).toEqual(result)
    const counted = ['malformedAnswers', 'malformedAnswers', 'malformedAnswers', 'repairs']
    expect(faults).toEqual(counted)
  })

  it('reach nobody where nobody asked, and late ones are told apart', async () => {
    const { stdout, seen, faults, request } = openPeer()
    const over = new AbortController()
    void request('tools/call', { signal: over.signal })
    over.abort()
    const ids: unknown[] = [99, -1, null, 'abc', {}, 1.5, [1], true, { toString: 0 }]
    stdout.write(text([...ids.map((id) => answer(id)), { jsonrpc: '2.0', result: {} }]))
    stdout.write(text([answer(10), answer(10)]))
    await soon()
    expect(seen).toEqual([])
    expect(faults.slice(0, 10)).toEqual(Array(10).fill('unknownAnswers'))
    expect(faults.slice(10)).toEqual(['lateAnswers', 'duplicateAnswers'])
  })

  it('are late also where the server could not be told that their request was given up', async () => {
    const { stdin, stdout, seen, faults, request } = openPeer()
    const over = new AbortController()
    void request('tools/call', { signal: over.signal })
    await soon()
    stdin.destroy()
    over.abort()
    stdout.write(text([answer(10)]))
    await soon()
    expect({ seen, faults }).toEqual({ seen: [], faults: ['lateAnswers'] })
  })

  it('bring the text of the one that counts, which is the first', async () => {
    const { stdout, request } = openPeer()
    const first = request()
    const second = request()
    const line = (id: number, n: string): string =>
      `{"jsonrpc":"2.0","id":${id},"result":{"n": ${n}}}`
    // In a batch a result is written anew, with the digits that it came with.
    stdout.write(`[{"jsonrpc":"2.0","method":"notifications/x"},${line(10, '9007199254740993')}]\n`)
    stdout.write(`${line(10, '2')}\n${line(11, '3.0')}\n${line(11, '4')}\n`)
    expect(await Promise.all([first, second])).toMatchObject([
      { text: '{"n":9007199254740993}' },
      { text: '{"n": 3.0}' },
    ])
  })
})

describe('B3 errors of a server', () => {
  const WORDS = 'The token of the shop has expired.'

  const said = (code = -32_000): object => ({ code, message: WORDS })

  it.each<[unknown, object]>([
    ['a bare word', { code: -32_000, message: 'a bare word' }],
    ...['TOKEN_EXPIRED', 1e100, 1.5].map((code): [object, object] => [
      { code, message: WORDS },
      said(),
    ]),
    [
      { code: -32_001, data: WORDS },
      { ...said(-32_001), data: WORDS },
    ],
    [{ error: WORDS }, said()],
    [{ reason: 1 }, { code: -32_000, message: '{"reason":1}' }],
  ])('fail their request with their words, in any shape: %j', async (error, refusal) => {
    const { seen, faults } = await read({ id: 1, error })
    expect(refusalOf(seen)).toEqual(refusal)
    expect(faults).toEqual(['malformedAnswers'])
  })

  it.each([{ id: null }, {}])(
    'without an id (%j) belong to the one request that waits',
    async (id) => {
      const { stdout, seen, request, faults } = openPeer()
      stdout.write(text([1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => answer(one))))
      await soon()
      seen.length = 0
      const call = request()
      stdout.write(text([{ jsonrpc: '2.0', ...id, error: { code: 1, message: WORDS } }]))
      expect(await call).toMatchObject({ error: { refusal: { message: WORDS } } })
      expect(faults).toEqual([])
    },
  )

  it('without an id fail none of several requests that wait', async () => {
    const { seen, faults } = await read({ id: null, error: { code: 1, message: WORDS } })
    expect({ seen, faults }).toEqual({ seen: [], faults: ['unknownAnswers'] })
  })

  it('fail their request with that reason where they come on stderr', async () => {
    const { peer, seen, faults } = openPeer()
    const error = { code: -32_602, message: WORDS }
    peer.stray(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 2, error })), 'stderr')
    peer.stray(Buffer.from('{"jsonrpc":"2.0","id":77,"result":{}}'), 'stderr')
    peer.stray(Buffer.from('words'), 'stderr')
    await soon()
    expect(seen).toMatchObject([{ id: 2, error: { code: 'INVALID_ANSWER' } }])
    expect(String(seen[0]?.error)).toContain(
      `The server wrote its response to tools/call to stderr instead of stdout. Server message: ${WORDS}`,
    )
    expect(faults).toEqual(['malformedAnswers'])
  })

  it('are never mistaken for a failure of Patchbay', async () => {
    const data = { name: 'AppError', code: 'MESSAGE_TOO_LARGE', message: 'x' }
    const { seen } = await read({ id: 1, error: { code: 1, message: 'no', data } })
    expect(seen).toMatchObject([{ id: 1, error: { code: 'REQUEST_REFUSED' } }])
  })
})

describe('B3 an answer that names no version of JSON-RPC', () => {
  it('is taken where its request waits, and is noise elsewhere', async () => {
    const { stdout, seen, noise, faults, details } = openPeer()
    const lines = ['{"id":1,"result":{}}', '{"jsonrpc":"1.0","id":2,"result":{}}']
    const log = '{"level":"info","id":77,"result":{}}'
    stdout.write(`${lines.join('\n')}\n${log}\n`)
    await soon()
    expect({ seen, noise }).toEqual({
      seen: [1, 2].map((id) => ({ id, result: {} })),
      noise: [log],
    })
    expect(faults).toEqual(['repairs', 'repairs'])
    expect(details[0]).toBe('Repaired in tools/call: jsonrpc is missing.')
  })
})

describe('B3 a line that holds more than a message', () => {
  const line = (id: number): string => JSON.stringify(answer(id))

  it.each([
    ['a progress bar', `\rIndexing 50%|####  |\rIndexing 100%|#####| ${line(1)}`],
    ['words', `Loading the model... ${line(1)}`],
    ['braces', `{not} {"json":1} {"id":4,} ${line(1)}`],
    ['a window title', `\u001B]0;my server\u0007${line(1)}`],
    ['a taskbar state', `\u001B]9;4;3;0\u001B\\${line(1)}`],
    ['words after it', `${line(1)} done`],
    ['a byte order mark and colors', `\u{FEFF}\u001B[32m${line(1)}\u001B[0m`],
  ])('is read from where the message stands: %s', async (_what, written) => {
    const { stdout, seen, faults, noise } = openPeer()
    stdout.write(`${written}\n${line(2)}\n`)
    await soon()
    expect({ seen, faults, noise }).toEqual({
      seen: [1, 2].map((id) => ({ id, result: {} })),
      faults: ['decoratedLines'],
      noise: [],
    })
  })

  it('brings several messages, each with its text', async () => {
    const { stdout, seen, request } = openPeer()
    const call = request()
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } }
    const exact = '{"jsonrpc":"2.0","id":10,"result":{"n":9007199254740993}}'
    stdout.write(`${JSON.stringify(note)}${line(1)}${exact}\n`)
    expect(await call).toMatchObject({ text: '{"n":9007199254740993}' })
    expect(seen).toMatchObject([{ method: 'notifications/message' }, { id: 1 }])
  })

  it('hands its words on, and takes no request or unknown answer that they quote', async () => {
    const words: string[] = []
    const { stdout, seen, noise } = openPeer(undefined, { onText: (one) => words.push(one) })
    const quoted = '{"jsonrpc":"2.0","id":3,"method":"roots/list"}'
    stdout.write(`DEBUG received ${quoted}\nDEBUG sent ${line(77)}\nready ${line(1)}\n`)
    await soon()
    expect(seen).toEqual([{ id: 1, result: {} }])
    expect(noise).toEqual([`DEBUG received ${quoted}`, `DEBUG sent ${line(77)}`])
    expect(words).toEqual(['ready'])
  })
})

describe('F6 an answer that is no JSON although its request is known', () => {
  it.each([
    ['NaN at its position', '{"jsonrpc":"2.0","id":1,"result":{"a":"NaN","b":NaN}}', 48],
    ['-Infinity', '{"jsonrpc": "2.0", "id": 1, "result": {"b": -Infinity}}', 0],
  ])('fails it immediately and names %s', async (name, line, at) => {
    const { stdout, seen, noise, faults } = openPeer()
    stdout.write(`${line}\n`)
    await soon()
    const word = at > 0 ? `NaN at position ${at}` : name
    expect(seen).toMatchObject([{ id: 1, error: { code: 'INVALID_ANSWER' } }])
    expect(String(seen[0]?.error)).toContain(`The server’s response to tools/call contains ${word}`)
    expect({ noise, faults }).toEqual({ noise: [], faults: ['malformedMessages'] })
  })

  it('fails it with the place of the mistake, and is noise where no request is named', async () => {
    const { stdout, seen, noise } = openPeer()
    stdout.write('{"jsonrpc":"2.0","id":1,"result":{"a":1,}}\n{"level":"info",}\n')
    await soon()
    expect(String(seen[0]?.error)).toMatch(/isn’t valid JSON/u)
    expect(noise).toEqual(['{"level":"info",}'])
  })
})

describe('F2 half of a surrogate pair', () => {
  const half = String.raw`\ud83d`

  it('becomes U+FFFD in what a server sends, values, keys and bytes, and is counted', async () => {
    const { stdout, request, faults, details } = openPeer()
    const call = request()
    const strings = String.raw`{"a${half}":"${half}x","whole":"\ud83d\ude00","text":"\\ud83d"}`
    stdout.write(`{"jsonrpc":"2.0","id":10,"result":${strings.replaceAll('${half}', half)}}\n`)
    const fixed = { 'a\uFFFD': '\uFFFDx', whole: '\u{1F600}', text: String.raw`\ud83d` }
    const outcome = await call
    expect(outcome).toMatchObject({ result: fixed })
    expect('text' in outcome && JSON.parse(outcome.text ?? '')).toEqual(fixed)
    expect(faults).toEqual(['repairs'])
    expect(details).toEqual(['A lone surrogate in a string was replaced with U+FFFD.'])
  })

  it('becomes U+FFFD in what is sent to a server', async () => {
    const { peer, stdin } = openPeer()
    await soon()
    stdin.read()
    void peer.request('tools/call', { text: 'a\uD83D', whole: '\u{1F600}' })
    await soon()
    expect(JSON.parse(String(stdin.read()))).toMatchObject({
      params: { text: 'a\uFFFD', whole: '\u{1F600}' },
    })
  })
})

describe('B3 progress', () => {
  it('is dropped where its request is over or was never sent', async () => {
    const progress = (progressToken: unknown): object => {
      return { method: 'notifications/progress', params: { progressToken, progress: 1 } }
    }
    const { seen, faults } = await read(
      { id: 4, result: {} },
      progress(4),
      ...['x', undefined, 99].map(progress),
    )
    expect(seen).toEqual([{ id: 4, result: {} }])
    expect(faults).toEqual(['lateAnswers', ...Array<string>(3).fill('unknownAnswers')])
  })

  it('extends its request, also under its token as text', async () => {
    const { stdout, request } = openPeer()
    const steps: number[] = []
    void request('tools/call', { onProgress: ({ progress }) => steps.push(progress) })
    for (const progressToken of [10, '10'])
      stdout.write(
        text([
          {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: steps.length + 1 },
          },
        ]),
      )
    await expect.poll(() => steps.length).toBe(2)
  })
})

describe('B3 a ping', () => {
  it.each([
    { result: null },
    { result: 'pong' },
    { error: { code: -32_603, message: 'no' } },
    { error: 'x' },
    {},
  ])('is answered by any message with its id, which is no fault: %j', async (shape) => {
    const { stdout, request, faults } = openPeer()
    const ping = request('ping', { isPing: true })
    stdout.write(text([{ jsonrpc: '2.0', id: 10, ...shape }]))
    expect(await ping).toMatchObject({ result: {} })
    expect(faults).toEqual([])
  })
})

describe('B3 reading one message', () => {
  it('never throws into the stream: an error is reported, and the next message is read', async () => {
    const { stdout, seen, warnings } = openPeer(50_000, {
      onFault: (fault) => {
        throw new TypeError(`cannot count ${fault}`)
      },
    })
    const large = `{"jsonrpc":"2.0","id":"x","result":"${'x'.repeat(50_000)}"}`
    const lines = [answer(77), [{ jsonrpc: '2.0', method: 'x' }, answer(78), answer(1)], answer(2)]
    stdout.write(`${large}\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`)
    await soon()
    expect(seen.filter(({ id }) => id !== undefined)).toEqual([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ])
    expect(warnings).toEqual(
      ['oversizedMessages', 'unknownAnswers', 'batches', 'unknownAnswers'].map(
        (fault) => `cannot count ${fault}`,
      ),
    )
  })

  it('goes on where recording it throws', async () => {
    const { stdout, seen } = openPeer(undefined, {
      tap: {
        sent: () => undefined,
        received: () => {
          throw new TypeError('cannot be recorded')
        },
      },
    })
    stdout.write(text([answer(1)]))
    await soon()
    expect(seen).toEqual([{ id: 1, result: {} }])
  })

  it('counts a batch, and takes no answer away for an element that is no message', async () => {
    const { stdout, seen, faults, noise } = openPeer()
    stdout.write(`${JSON.stringify([answer(1), null, answer(2), 'x'])}\n`)
    await soon()
    expect({ seen, noise }).toEqual({ seen: [1, 2].map((id) => ({ id, result: {} })), noise: [] })
    expect(faults).toEqual(['batches', 'malformedMessages', 'malformedMessages'])
  })
})

describe('A7 a sentence about a fault', () => {
  it('cuts no text in its middle, and marks a cut at its end', async () => {
    const long = 'secret '.repeat(100)
    const { details } = await read(
      { id: long, result },
      { method: long, params: 5 },
      { id: 77, error: { code: 1, message: long } },
    )
    expect(details[0]).toBe('A response to a long value, which Patchbay never sent.')
    expect(details[1]).toBe('Invalid notification (a long value).')
    expect(details[2]).toMatch(/ … \(cut\)$/u)
  })
})
