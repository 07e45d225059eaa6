import { describe, expect, it } from 'vitest'

import type { Answers } from '../../../e2e/fixtures/memory-connection'
import { memorySession } from '../../../e2e/fixtures/memory-session'
import type { ServerSession } from './session'

async function begin(answers?: Answers) {
  const opened = memorySession(answers)
  await opened.session.connect(60_000)
  await opened.session.discover(60_000)
  const count = (method: string): number =>
    opened.connection.methods.filter((one) => one === method).length
  return { ...opened, count }
}

describe('B13 a session', () => {
  it('brings no more than 64 K characters of instructions', async () => {
    const { session } = await begin({
      initialize: ({ protocolVersion }) => ({ protocolVersion, instructions: 'n'.repeat(1e6) }),
    })
    expect(session.instructions).toHaveLength(65_536)
  })
})

describe('F3 a server that leaves pings unanswered', () => {
  it('is checked by the list that it gave before, and gets no second ping', async () => {
    const { session, connection } = await begin({ ping: () => undefined })
    expect([await session.ping(50), await session.ping(50)]).toEqual([true, true])
    const checks = connection.methods.filter((one) => !/^notif|^init/u.test(one)).slice(1)
    expect(checks).toEqual(['ping', 'tools/list', 'tools/list'])
  })
})

describe('D6 what a server is asked to announce', () => {
  const initialize: Answers[string] = ({ protocolVersion }) => ({
    ...{
      protocolVersion,
      capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    },
    serverInfo: { name: 'memory', version: '1' },
  })

  it.each<[string, string, (session: ServerSession) => Promise<void>]>([
    ['a level of its log', 'logging/setLevel', ({ news }) => news.setLevel('error')],
    ['updates of a resource', 'resources/subscribe', ({ news }) => news.watch('a:b')],
  ])('is requested once for several callers, and again once rejected: %s', async (...row) => {
    const [, method, request] = row
    const { session, count } = await begin({ initialize })
    const both = await Promise.allSettled([request(session), request(session)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(count(method)).toBe(1)
    await expect(request(session)).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
    expect(count(method)).toBe(2)
  })

  it('is requested once for a level that the server took', async () => {
    const { session, count } = await begin({ initialize, 'logging/setLevel': () => ({}) })
    const { news } = session
    await Promise.all([news.setLevel('error'), news.setLevel('error')])
    await news.setLevel('error')
    await news.setLevel('debug')
    expect(count('logging/setLevel')).toBe(2)
  })
})
