import { afterEach, describe, expect, it } from 'vitest'

import {
  type AgentMode,
  GatewayHarness,
  PROTOCOL_MODES,
  textOf,
} from '../../../../e2e/fixtures/gateway-harness'
import type { UserRequest } from '../../../../src-shared/domain/agents/user-request'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

/** Opens Anna, who approves every call, with a server `one` whose tool `report` logs a line when it runs. */
async function openAnna(protocolMode: AgentMode) {
  await gateway.open()
  const id = await gateway.addServer('one')
  const { key } = await gateway.addAgent('Anna', { confirm: 'always' })
  const anna = await gateway.connect(key, protocolMode)
  const run = (options: { signal?: AbortSignal } = {}): Promise<Record<string, unknown>> =>
    anna.call('one__report', { times: 1, value: 'x' }, options)
  return { anna, key, run, runs: () => gateway.logged(id, 'reported') }
}

async function requests(): Promise<readonly UserRequest[]> {
  return (await gateway.harness.call('app.snapshot', {})).userRequests
}

async function allowOnce(): Promise<void> {
  const [request] = await requests()
  const answer = { kind: 'allow', scope: 'once' } as const
  await gateway.harness.call('userRequest.answer', { requestId: request?.requestId ?? '', answer })
}

describe.each(PROTOCOL_MODES)('F12: an approved call, %s', (protocolMode) => {
  it('runs once, as the newest of equal calls that an agent gave up silently', async () => {
    const { run, runs } = await openAnna(protocolMode)
    const first = run()
    await expect.poll(requests).toHaveLength(1)
    const second = run()
    expect(textOf(await first)).toContain('the same call was sent again')
    expect(await first).toMatchObject({ isError: true })
    expect(await requests()).toHaveLength(1)
    await allowOnce()
    expect(textOf(await second)).toBe('one x')
    await expect.poll(runs).toHaveLength(1)
  })

  it('does not run if its connection is gone', async () => {
    const { key, run, runs } = await openAnna(protocolMode)
    const { send } =
      protocolMode === 'sessions' ? await gateway.session(key) : gateway.stateless(key)
    const leaving = new AbortController()
    const params = { name: 'one__report', arguments: { times: 1, value: 'left' } }
    const left = send({ id: 9, method: 'tools/call', params }, { signal: leaving.signal })
    await expect.poll(requests).toHaveLength(1)
    leaving.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(requests).toEqual([])
    const later = run()
    await expect.poll(requests).toHaveLength(1)
    await allowOnce()
    await later
    await expect.poll(runs).toHaveLength(1)
  })
})

describe('F12: a session that its agent deletes', () => {
  it('cancels its waiting calls', async () => {
    const { key } = await openAnna('sessions')
    const { send } = await gateway.session(key)
    const params = { name: 'one__report', arguments: { times: 1, value: 'left' } }
    const left = send({ id: 9, method: 'tools/call', params })
    await expect.poll(requests).toHaveLength(1)
    await send(undefined, { method: 'DELETE' })
    expect(await (await left).text()).toBe('')
    await expect.poll(requests).toEqual([])
  })
})
