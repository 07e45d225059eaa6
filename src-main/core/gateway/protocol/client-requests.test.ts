import { describe, expect, it } from 'vitest'

import { ClientRequests } from './client-requests'
import type { HttpAnswer } from './http-answer'

const FORM_ONLY = { form: true, url: false, views: false, roots: true }
const { signal } = new AbortController()

/** Opens the requests of a session, with a stream that records what is sent; `leave` closes it. */
function open(abilities = FORM_ONLY) {
  const sent: string[] = []
  const closing = Promise.withResolvers<undefined>()
  const stream = {
    request: (id: string) => sent.push(id) > 0,
    onClose: (run: () => void) => void closing.promise.then(run),
  } as unknown as HttpAnswer
  const leave = (): void => closing.resolve(undefined)
  return { requests: new ClientRequests(abilities), sent, stream, leave }
}

describe("E1: requests to an agent's app", () => {
  it.each([
    ['a page', FORM_ONLY, { mode: 'url' }],
    ['a form', { ...FORM_ONLY, form: false, url: true }, { mode: 'form' }],
    ['a form without a mode', { ...FORM_ONLY, form: false, url: true }, {}],
  ])('are not sent if it can’t show %s', async (_what, abilities, params) => {
    const { requests, sent, stream } = open(abilities)
    await expect(requests.elicit(stream, params, signal)).rejects.toThrow('does not support this')
    expect(sent).toEqual([])
  })

  it.each<[string, (opened: ReturnType<typeof open>) => void, string]>([
    ['its session ends', ({ requests }) => requests.end(), 'The session ended.'],
    ['its stream closes', ({ leave }) => leave(), 'The agent disconnected'],
    [
      'it sends an error',
      ({ requests, sent }) =>
        requests.respond({ kind: 'response', id: sent[0], error: { code: 1, message: 'No' } }),
      'The agent sent an error.',
    ],
    [
      'its result is invalid',
      ({ requests, sent }) =>
        requests.respond({ kind: 'response', id: sent[0], result: { action: 'maybe' } }),
      'The response is not a valid elicitation result.',
    ],
  ])('fail if %s', async (_when, happen, message) => {
    const opened = open()
    const answer = opened.requests.elicit(opened.stream, {}, signal)
    expect(opened.sent).toHaveLength(1)
    happen(opened)
    await expect(answer).rejects.toThrow(message)
  })

  it('fail if no stream takes them, or if they are already canceled', async () => {
    const { requests, sent, stream } = open()
    await expect(requests.roots([])).rejects.toThrow('The agent disconnected')
    const canceled = requests.elicit(stream, {}, AbortSignal.abort())
    await expect(canceled).rejects.toThrow('The agent disconnected')
    expect(sent).toEqual([])
  })
})
