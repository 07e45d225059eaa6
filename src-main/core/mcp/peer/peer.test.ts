import { describe, expect, it } from 'vitest'

import { openPeer, soon } from '../../../../e2e/fixtures/open-peer'

const result = { ok: true }
const WORDS = 'The token of the shop has expired.'
const answer = (id: unknown, of: object = {}): object => ({ jsonrpc: '2.0', id, result: of })
const line = (message: unknown): string =>
  `${typeof message === 'string' ? message : JSON.stringify(message)}\n`
const settled = (...ids: number[]): object[] => ids.map((id) => ({ id, result: {} }))
const failed = (id: number, code: string, words = ''): object => ({
  ...{ id, error: { code, message: expect.stringContaining(words) as string } },
})
/** Requests 1 to 9 are waiting; the next one of a test is request 10. */
const NEXT = 10

/** Reads these lines of a server: texts, or messages that get the version. */
async function read(...messages: readonly (string | object)[]) {
  const opened = openPeer()
  const lines = messages.map((one) => (typeof one === 'string' ? one : { jsonrpc: '2.0', ...one }))
  await soon()
  opened.stdin.read()
  opened.stdout.write(lines.map(line).join(''))
  await soon()
  const text = String(opened.stdin.read() ?? '').trim()
  const sent = text === '' ? [] : text.split('\n').map((one) => JSON.parse(one) as unknown)
  return { ...opened, sent }
}

type Row = [title: string, lines: (string | object)[], seen: object[], faults: string[]]

const ODD = ['malformedAnswers']
const error = { code: -32_000, message: 'no' }
const progress = (progressToken: unknown): object => {
  return { method: 'notifications/progress', params: { progressToken, progress: 1 } }
}
const note = { method: 'notifications/message', params: { level: 'info', data: 1 } }
const invalid = (words: string): object[] => [failed(1, 'INVALID_ANSWER', words)]

describe('B3: a message of a server', () => {
  it.each<Row>([
    [
      'settles its request once',
      [
        { id: 1, result, elapsed: 5 },
        { id: 1, result },
      ],
      [{ id: 1, result }],
      ['duplicateAnswers'],
    ],
    ['fails its request without a result', [{ id: 1 }], invalid('neither'), ODD],
    ['is matched by its id as text', [{ id: '3', result }], [{ id: 3, result }], ODD],
    ['loses a _meta of type text', [{ id: 4, result: { _meta: 'x' } }], settled(4), ['repairs']],
    ['fails none of several requests', [{ id: null, error }], [], ['unknownAnswers']],
    [
      "with an AppError in its data is still the server's error",
      [{ id: 1, error: { ...error, data: { name: 'AppError', code: 'MESSAGE_TOO_LARGE' } } }],
      [failed(1, 'REQUEST_REFUSED')],
      [],
    ],
    [
      'is accepted without a version if its request waits, otherwise it is noise',
      ['{"id":1,"result":{}}', '{"jsonrpc":"1.0","id":2,"result":{}}', '{"id":77,"result":{}}'],
      settled(1, 2),
      ['repairs', 'repairs'],
    ],
    [
      'has U+FFFD in place of a lone surrogate',
      [String.raw`{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83dx"}}`],
      [{ id: 1, result: { a: '\uFFFDx' } }],
      ['repairs'],
    ],
    [
      'is accepted from a batch with invalid elements',
      [line([answer(1), null, answer(2), 'x']).trim()],
      settled(1, 2),
      ['batches', 'malformedMessages', 'malformedMessages'],
    ],
    [
      'is dropped as progress of an ended or unknown request',
      [{ id: 4, result: {} }, ...[4, 'x', undefined, 99].map(progress)],
      settled(4),
      ['lateAnswers', ...Array<string>(3).fill('unknownAnswers')],
    ],
    [
      'is delivered as a request or notification',
      [
        { id: 'x', method: 'roots/list', params: { _meta: {} } },
        note,
        { method: 'x', params: null },
      ],
      [{ method: 'roots/list', params: { _meta: {} } }, note, { method: 'x', params: {} }],
      ['repairs'],
    ],
    [
      'fails its request if its text contains a line ending',
      ['{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"one', 'two"}]}}'],
      invalid('response to tools/call breaks off before its end'),
      ['malformedMessages'],
    ],
    [
      "fails its request if it isn't JSON, with the position of NaN",
      ['{"jsonrpc":"2.0","id":1,"result":{"a":"NaN","b":NaN}}'],
      invalid('response to tools/call contains NaN at position 48'),
      ['malformedMessages'],
    ],
  ])('%s', async (_title, lines, seen, faults) => {
    const opened = await read(...lines)
    expect(opened.seen).toMatchObject(seen)
    expect([opened.seen.length, opened.faults]).toEqual([seen.length, faults])
  })

  it('is noise if it names no request of ours', async () => {
    const lines = ['{"level":"info",}', '{"level":"info","id":77,"result":{}}']
    expect((await read(...lines)).noise).toEqual(lines)
  })

  it('is counted as unknown, late or duplicate, and ignored if nobody waits', async () => {
    const { stdin, stdout, seen, faults, request } = openPeer()
    const over = new AbortController()
    void request('tools/call', { signal: over.signal })
    await soon()
    // The server can't be notified.
    stdin.destroy()
    over.abort()
    const ids: unknown[] = [99, -1, null, 'abc', {}, 1.5, [1], true, { toString: 0 }]
    const messages = [...ids.map((id) => answer(id)), { jsonrpc: '2.0', result: {} }]
    stdout.write([...messages, answer(NEXT), answer(NEXT)].map(line).join(''))
    await expect.poll(() => faults.length).toBe(12)
    expect(seen).toEqual([])
    expect(faults).toEqual([
      ...Array<string>(10).fill('unknownAnswers'),
      ...['lateAnswers', 'duplicateAnswers'],
    ])
  })

  it('keeps the text of the first response', async () => {
    const { stdout, request } = openPeer()
    const both = [request(), request()]
    const text = (id: number, n: string): string =>
      `{"jsonrpc":"2.0","id":${id},"result":{"n": ${n}}}`
    // In a batch a result is serialized again, with its original digits.
    stdout.write(`[{"jsonrpc":"2.0","method":"x"},${text(NEXT, '9007199254740993')}]\n`)
    for (const [id, n] of [
      [NEXT, '2'],
      [NEXT + 1, '3.0'],
      [NEXT + 1, '4'],
    ] as const)
      stdout.write(line(text(id, n)))
    const texts = ['{"n":9007199254740993}', '{"n": 3.0}'].map((one) => ({ text: one }))
    expect(await Promise.all(both)).toMatchObject(texts)
  })

  it.each([{ id: null }, {}])(
    'without an id (%j) fails the only request if it is an error',
    async (id) => {
      const { stdout, request, faults } = openPeer()
      stdout.write([1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => line(answer(one))).join(''))
      await soon()
      const call = request()
      stdout.write(line({ jsonrpc: '2.0', ...id, error: { code: 1, message: WORDS } }))
      expect(await call).toMatchObject({ error: { refusal: { message: WORDS } } })
      expect(faults).toEqual([])
      // A result may be the answer to a notification.
      const next = request()
      stdout.write(line({ jsonrpc: '2.0', ...id, result: {} }) + line(answer(NEXT + 1, { own: 1 })))
      expect(await next).toMatchObject({ result: { own: 1 } })
      expect(faults).toEqual(['unknownAnswers'])
    },
  )

  it("without an id is accepted as a result on its request's own response", async () => {
    const { peer, request, faults } = openPeer()
    const call = request()
    peer.read(Buffer.from(line({ jsonrpc: '2.0', id: null, result })), NEXT)
    expect(await call).toMatchObject({ result })
    expect(faults).toEqual(['repairs'])
  })

  it('fails its request with a reason if it comes on stderr', async () => {
    const { stderr, seen, faults } = openPeer()
    const stray = { jsonrpc: '2.0', id: 2, error: { code: -1, message: WORDS } }
    stderr.write([stray, '{"jsonrpc":"2.0","id":77,"result":{}}', 'words'].map(line).join(''))
    await soon()
    const words = `The server wrote its response to tools/call to stderr instead of stdout. Server message: ${WORDS}`
    expect(seen).toMatchObject([failed(2, 'INVALID_ANSWER', words)])
    expect(faults).toEqual(ODD)
  })

  it('extends its request if it is progress, also with its token as text', async () => {
    const { stdout, request } = openPeer()
    const steps: number[] = []
    void request('tools/call', { onProgress: (step) => steps.push(step.progress) })
    for (const token of [NEXT, String(NEXT)])
      stdout.write(line({ jsonrpc: '2.0', ...progress(token) }))
    await expect.poll(() => steps).toEqual([1, 1])
  })

  it('extends its request if its progress token is misplaced or misspelled; otherwise the warning names token and calls', async () => {
    const { stdout, request, faults, details } = openPeer()
    const steps: number[] = []
    void request('tools/call', {
      timeoutMs: 60_000,
      onProgress: (step) => steps.push(step.progress),
    })
    const params = (token: object): string =>
      line({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1, ...token } })
    for (const token of [
      { _meta: { progressToken: NEXT } },
      { progress_token: String(NEXT) },
      { progressToken: `${String(NEXT)}.0` },
      { token: NEXT },
    ])
      stdout.write(params(token))
    await expect.poll(() => steps).toEqual([1, 1, 1, 1])
    expect(new Set(faults)).toEqual(new Set(['repairs']))
    stdout.write(params({ progressToken: 'job-1' }))
    await expect
      .poll(() => details.at(-1))
      .toMatch(/^Progress with the token "job-1", which .* Waiting: tools\/call \(token \d+\)/u)
  })

  it('fails its request if it is a printed value, unless the valid one follows', async () => {
    const { stdout, seen, faults } = openPeer()
    stdout.write(`{'jsonrpc': '2.0', 'id': 1, 'result': {'content': None}}\n`)
    stdout.write(
      `{ jsonrpc: '2.0', id: 2, result: {} }\n${line({ jsonrpc: '2.0', id: 2, result })}`,
    )
    await expect.poll(() => seen.length).toBe(2)
    expect(seen).toMatchObject([
      { id: 2, result },
      failed(1, 'INVALID_ANSWER', 'response to tools/call isn’t JSON'),
    ])
    expect(faults).toEqual(['malformedMessages', 'malformedMessages'])
  })

  it.each([{ result: null }, { result: 'pong' }, { error }, { error: 'x' }, {}])(
    'answers a ping in any shape without a fault: %j',
    async (shape) => {
      const { stdout, request, faults } = openPeer()
      const ping = request('ping', { isPing: true })
      stdout.write(line({ jsonrpc: '2.0', id: NEXT, ...shape }))
      expect(await ping).toMatchObject({ result: {} })
      expect(faults).toEqual([])
    },
  )
})

describe('B3: requests of a server', () => {
  it('are answered: pings always, others after the handshake', async () => {
    const requests = [
      { id: 's', method: 'ping', params: null },
      { id: 7, method: 'x' },
    ]
    expect((await read(...requests)).sent).toEqual(['s', 7].map((id) => answer(id)))
    const { stdin, stdout } = openPeer(undefined, {}, false)
    await soon()
    stdin.read()
    stdout.write(requests.map((one) => line({ jsonrpc: '2.0', ...one })).join(''))
    await soon()
    const sent = String(stdin.read()).trim().split('\n')
    expect(sent.map((one) => JSON.parse(one) as object)).toMatchObject([
      { id: 's', result: {} },
      { id: 7, error: { code: -32_601 } },
    ])
  })

  it('are rejected or dropped if malformed, like notifications, and counted', async () => {
    const { sent, seen, faults } = await read(
      { id: 'x', method: 'roots/list', params: [1] },
      { id: 'y', method: 'roots/list', params: 'x' },
      { id: { a: 1 }, method: 'roots/list' },
      { method: 'notifications/message', params: 'x' },
      { method: 5, id: 'x' },
      {},
    )
    expect(sent).toMatchObject(['x', 'y'].map((id) => ({ id, error: { code: -32_600 } })))
    expect({ seen, faults }).toEqual({ seen: [], faults: Array(6).fill('malformedMessages') })
  })
})

describe('B4: a line with more than a message', () => {
  const one = line(answer(1)).trim()

  it.each([
    ['a progress bar', `\rIndexing 50%|####  |\rIndexing 100%|#####| ${one}`],
    ['words', `Loading the model... ${one}`],
    ['braces', `{not} {"json":1} {"id":4,} ${one}`],
    ['a window title', `\u001B]0;my server\u0007${one}`],
    ['words after it', `${one} done`],
    ['a byte order mark and colors', `\u{FEFF}\u001B[32m${one}\u001B[0m`],
  ])('is read from the start of the message: %s', async (_what, written) => {
    const { seen, faults, noise } = await read(written, { id: 2, result: {} })
    expect([seen, faults, noise]).toEqual([settled(1, 2), ['decoratedLines'], []])
  })

  it('yields several messages, each with its text', async () => {
    const { stdout, seen, request } = openPeer()
    const call = request()
    const exact = `{"jsonrpc":"2.0","id":${NEXT},"result":{"n":9007199254740993}}`
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...note })}${one}${exact}\n`)
    expect(await call).toMatchObject({ text: '{"n":9007199254740993}' })
    expect(seen).toMatchObject([{ method: 'notifications/message' }, { id: 1 }])
  })

  it('forwards its words, and ignores quoted requests and unknown responses', async () => {
    const words: string[] = []
    const { stdout, seen, noise } = openPeer(undefined, { onText: (text) => words.push(text) })
    const quotes = [
      'DEBUG received {"jsonrpc":"2.0","id":3,"method":"roots/list"}',
      `DEBUG sent ${JSON.stringify(answer(77))}`,
    ]
    stdout.write([...quotes, `ready ${one}`].map(line).join(''))
    await soon()
    expect([seen, noise, words]).toEqual([settled(1), quotes, ['ready']])
  })
})

describe('B3: an error in Patchbay', () => {
  it('is reported, never thrown into the stream, and the next message is read', async () => {
    const { stdout, seen, warnings } = openPeer(50_000, {
      onFault: (fault) => {
        throw new TypeError(`cannot count ${fault}`)
      },
      tap: {
        sent: () => undefined,
        received: () => {
          throw new TypeError('cannot be recorded')
        },
      },
    })
    const large = `{"jsonrpc":"2.0","id":"x","result":"${'x'.repeat(50_000)}"}`
    const batch = [{ jsonrpc: '2.0', method: 'x' }, answer(78), answer(1)]
    stdout.write([large, answer(77), batch, answer(2)].map(line).join(''))
    await soon()
    expect(seen.filter(({ id }) => id !== undefined)).toEqual(settled(1, 2))
    const counts = ['oversizedMessages', 'unknownAnswers', 'batches', 'unknownAnswers']
    const expected = counts.map((fault) => `cannot count ${fault}`)
    expect(warnings.filter((one) => one !== 'cannot be recorded')).toEqual(expected)
  })
})

describe('A7: a sentence about a fault', () => {
  it('never cuts a text in the middle of a sentence, and marks a cut at its end', async () => {
    const long = 'secret '.repeat(100)
    const { details } = await read(
      { id: long, result },
      { method: long, params: 5 },
      { id: 77, error: { code: 1, message: long } },
    )
    expect(details.slice(0, 2)).toEqual([
      expect.stringMatching(/^A response to a long value, which Patchbay never sent\. Waiting: /u),
      'Invalid notification (a long value).',
    ])
    expect(details[2]).toMatch(/ … \(cut\)$/u)
  })
})
