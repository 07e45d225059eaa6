import { afterEach, describe, expect, it } from 'vitest'

import type { Keychain } from '../../../src-main/core/ports'
import { memoryBackend } from '../../../src-main/core/secrets/memory-backend'
import { AppError } from '../../../src-shared/domain/app-error'
import { Desks } from '../../fixtures/desk'
import { approveHand, PLAIN } from '../../fixtures/hand-servers'

const desks = new Desks()
afterEach(() => desks.closeAll())

describe('a pasted configuration', () => {
  it('adds the chosen servers, stopped and not approved, their secrets in the keychain', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const entry = { command: 'node', args: [PLAIN], env: { API_KEY: 'hunter2-hunter2' } }
    const text = JSON.stringify({ mcpServers: { one: entry, two: { command: 'x' }, three: entry } })
    const read = await desk.call('configuration.read', { text, choices: [] })
    expect(JSON.stringify(read)).not.toMatch(/hunter/)
    const choices = [{ index: 0 }, { index: 2, open: ['env.API_KEY'] }]
    const { added, problem } = await desk.call('configuration.add', { text, choices })
    expect(problem).toBeNull()
    expect(added.map(({ name }) => name)).toEqual(['one', 'three'])
    const { servers } = await desk.call('app.snapshot', {})
    expect(servers.map(({ name, enabled, status }) => [name, enabled, status.kind])).toEqual([
      ['one', false, 'stopped'],
      ['three', false, 'stopped'],
    ])
    const id = added[0]?.installationId ?? ''
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBe('hunter2-hunter2')
    await desk.call('server.start', { installationId: id })
    expect((await desk.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
    const { made: parts } = await desk.call('byHand.read', { installationId: id })
    await approveHand(desk, parts, id)
    await desk.until(id, 'ready')
    expect((await desk.view(id)).enabled).toBe(true)
  })

  it('answers with what was added before one failed', async () => {
    const kept = memoryBackend()
    const secrets: Keychain = {
      ...kept,
      set: (key, value) =>
        value === 'refused'
          ? Promise.reject(new AppError('SECRET_STORE_FAILED', 'The keychain is locked.'))
          : kept.set(key, value),
    }
    const desk = desks.open({ document: null, secrets })
    const entry = (key: string): object => ({ command: 'x', env: { API_KEY: key } })
    const text = JSON.stringify({ a: entry('one'), b: { command: 'x' }, c: entry('refused') })
    const choices = [{ index: 1 }, { index: 0 }, { index: 2 }]
    const answer = await desk.call('configuration.add', { text, choices })
    expect(answer.added.map(({ name, index }) => [name, index])).toEqual([
      ['b', 1],
      ['a', 0],
    ])
    expect(answer.problem).toMatchObject({ code: 'SECRET_STORE_FAILED' })
    expect(answer.problem?.message).toMatch(/^c was not added\. /)
    expect((await desk.call('app.snapshot', {})).servers.map(({ name }) => name)).toEqual([
      'b',
      'a',
    ])
  })

  it('brings its choice of tools with it (C7)', async () => {
    const desk = desks.open()
    const text = JSON.stringify({
      all: { command: 'x' },
      none: { command: 'x', tools: [] },
      some: { command: 'x', tools: ['a', 'b'] },
    })
    const read = await desk.call('configuration.read', { text, choices: [] })
    expect(read.kind === 'servers' && read.servers.map(({ notices }) => notices)).toEqual([
      [],
      [{ path: 'none', message: 'Agents are shown none of its tools.' }],
      [{ path: 'some', message: 'Of its tools, agents are shown only “a”, “b”.' }],
    ])
    const choices = [{ index: 0 }, { index: 1 }, { index: 2 }]
    await desk.call('configuration.add', { text, choices })
    const { tools } = await desk.call('app.snapshot', {})
    expect(tools.servers.map(({ choice }) => choice)).toEqual([
      { kind: 'all' },
      { kind: 'none' },
      { kind: 'list', names: ['a', 'b'] },
    ])
  })

  it('adds nothing when one of the chosen servers is not there', async () => {
    const desk = desks.open()
    const text = JSON.stringify({ a: { command: 'x' } })
    const choices = [{ index: 0 }, { index: 4 }]
    await expect(desk.call('configuration.add', { text, choices })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    })
    expect((await desk.call('app.snapshot', {})).servers).toEqual([])
  })

  it('may be added with secrets that are to be filled in, which its start then names', async () => {
    const desk = desks.open()
    const text = JSON.stringify({
      one: { command: 'node', args: [PLAIN, '--token', '${input:token}'] },
    })
    const read = await desk.call('configuration.read', { text, choices: [] })
    expect(read).toMatchObject({ kind: 'servers', servers: [{ toFill: ['Token'] }] })
    const { added } = await desk.call('configuration.add', { text, choices: [{ index: 0 }] })
    const id = added[0]?.installationId ?? ''
    await desk.call('server.start', { installationId: id })
    expect((await desk.until(id, 'error')).status).toMatchObject({ code: 'CONFIG_INCOMPLETE' })
  })

  it('reads no variable and no file that nobody agreed to', async () => {
    const desk = desks.open()
    const text = JSON.stringify({
      one: { command: 'x', args: ['${env:HOME_X}', '${PATH}'], envFile: '/etc/hostname' },
    })
    const read = await desk.call('configuration.read', { text, choices: [] })
    expect(read).toMatchObject({
      kind: 'servers',
      servers: [
        {
          environment: [
            { name: 'HOME_X', isThere: false, isTaken: false },
            { name: 'PATH', isThere: true, isTaken: false },
          ],
          envFile: { path: '/etc/hostname' },
        },
      ],
    })
    expect(JSON.stringify(read)).not.toContain(process.env.PATH)
  })
})
