import { describe, expect, it } from 'vitest'

import type { Answers, MemoryConnection } from '../../../e2e/fixtures/memory-connection'
import { memorySession } from '../../../e2e/fixtures/memory-session'

async function open(answers: Answers): Promise<ReturnType<typeof memorySession>> {
  const opened = memorySession({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { logging: {}, resources: { subscribe: true } },
      serverInfo: { name: 'memory', version: '1' },
    }),
    ...answers,
  })
  await opened.session.connect(60_000)
  return opened
}

const countOf = ({ methods }: MemoryConnection, method: string): number =>
  methods.filter((one) => one === method).length

describe('D6 what a server is asked to tell', () => {
  it('is asked again where it refused the level, also for those who asked meanwhile', async () => {
    const { session, connection } = await open({})
    const both = await Promise.allSettled([
      session.news.setLevel('error'),
      session.news.setLevel('error'),
    ])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(countOf(connection, 'logging/setLevel')).toBe(1)
    await expect(session.news.setLevel('error')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
    expect(countOf(connection, 'logging/setLevel')).toBe(2)
  })

  it('is asked once for a level that it took', async () => {
    const { session, connection } = await open({ 'logging/setLevel': () => ({}) })
    await Promise.all([session.news.setLevel('error'), session.news.setLevel('error')])
    await session.news.setLevel('error')
    await session.news.setLevel('debug')
    expect(countOf(connection, 'logging/setLevel')).toBe(2)
  })

  it('is no watched resource before it said so, whoever asked first', async () => {
    const { session, connection } = await open({})
    const both = await Promise.allSettled([session.news.watch('a:b'), session.news.watch('a:b')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(countOf(connection, 'resources/subscribe')).toBe(1)
    await expect(session.news.watch('a:b')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
    expect(countOf(connection, 'resources/subscribe')).toBe(2)
  })
})
