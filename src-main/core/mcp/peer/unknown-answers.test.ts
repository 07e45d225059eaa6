import { describe, expect, it } from 'vitest'

import { openPeer, soon } from '../../../../e2e/fixtures/open-peer'
import { pause } from '../../../../e2e/fixtures/pause'

/** Requests 1 to 9 of the peer are answered first; the next one of a test is request 10. */
const NEXT = 10
const WORDS = 'The token of the shop has expired.'
const content = { content: [] }

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const failure = (words: string): object => ({
  error: { code: 'INVALID_ANSWER', message: expect.stringContaining(words) as string },
})

/** Opens a peer without waiting requests. */
async function idlePeer(): Promise<ReturnType<typeof openPeer>> {
  const opened = openPeer()
  for (let id = 1; id < NEXT; id += 1) opened.stdout.write(line({ id, result: {} }))
  await soon()
  return opened
}

describe('B3: a response with an unknown ID', () => {
  it.each([
    { id: 'abc', result: content },
    { id: NEXT + 7, error: { code: 1, message: WORDS } },
    { id: null, result: content },
  ])('fails the only waiting request, and the error names both IDs: %j', async (odd) => {
    const { stdout, request, faults, details } = await idlePeer()
    const [call, ping] = [request(), request('ping', { isPing: true })]
    stdout.write(line(odd))
    const words = `response to tools/call has the ID ${JSON.stringify(odd.id)} instead of ${NEXT}.`
    const quote = odd.error ? ` Server message: ${WORDS}` : ''
    expect(await call).toMatchObject(failure(words + quote))
    expect(faults).toEqual(['unknownAnswers'])
    expect(details.at(-1)).toContain(`Waiting: tools/call (ID ${NEXT})`)
    stdout.write(line({ id: NEXT + 1, result: {} }))
    await ping
  })

  it('fails none of several requests, and the warning names them', async () => {
    const { stdout, seen, details } = openPeer()
    stdout.write(line({ id: 'x', result: content }))
    await pause(700)
    expect(seen).toEqual([])
    expect(details).toEqual([expect.stringMatching(/Waiting: tools\/call \(ID 1\), /u)])
  })

  it('fails no request whose own response follows', async () => {
    const { stdout, request, faults } = await idlePeer()
    const call = request()
    stdout.write(line({ id: 'x', result: content }) + line({ id: NEXT, result: { own: 1 } }))
    expect(await call).toMatchObject({ result: { own: 1 } })
    expect(faults).toEqual(['unknownAnswers'])
  })

  it('fails no request if it is empty, as after a notification', async () => {
    const { stdout, request, faults } = await idlePeer()
    const call = request()
    stdout.write(line({ id: 'x', result: {} }))
    await pause(700)
    stdout.write(line({ id: NEXT, result: { own: 2 } }))
    expect(await call).toMatchObject({ result: { own: 2 } })
    expect(faults).toEqual(['unknownAnswers'])
  })

  it('fails the request on whose response it came, whatever else waits', async () => {
    const { peer, request, seen } = openPeer()
    const call = request()
    peer.read(Buffer.from(line({ id: 'x', result: content })), NEXT)
    expect(await call).toMatchObject(failure('has the ID "x" instead of 10'))
    expect(seen).toEqual([])
  })
})
