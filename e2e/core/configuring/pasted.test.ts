import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Keychain } from '../../../src-main/core/ports'
import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import { AppError } from '../../../src-shared/domain/app-error'
import { approveCustomServer, PLAIN, readCustomServer } from '../../fixtures/custom-servers'
import { openHarness } from '../../fixtures/open-harness'

describe('F15: a pasted configuration', () => {
  it('adds the selected servers, stopped and unapproved, with their secrets in the keychain', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const entry = { command: 'node', args: [PLAIN], env: { API_KEY: 'hunter2-hunter2' } }
    const text = JSON.stringify({ mcpServers: { one: entry, two: { command: 'x' }, three: entry } })
    const read = await harness.call('configuration.read', { text, choices: [] })
    expect(JSON.stringify(read)).not.toMatch(/hunter/)
    const choices = [{ index: 0 }, { index: 2, open: ['env.API_KEY'] }]
    const { added, problem } = await harness.call('configuration.add', { text, choices })
    expect(problem).toBeNull()
    expect(added.map(({ name }) => name)).toEqual(['one', 'three'])
    const { servers } = await harness.call('app.snapshot', {})
    expect(servers.map(({ name, enabled, status }) => [name, enabled, status.kind])).toEqual([
      ['one', false, 'stopped'],
      ['three', false, 'stopped'],
    ])
    const id = added[0]?.installationId ?? ''
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBe('hunter2-hunter2')
    await harness.call('server.start', { installationId: id })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
    await approveCustomServer(harness, await readCustomServer(harness, id), id)
    await harness.until(id, 'ready')
    expect((await harness.view(id)).enabled).toBe(true)
  })

  it('can use a shared secret in place of a pasted one', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const entry = { command: 'node', args: [PLAIN], env: { API_KEY: 'hunter2-hunter2' } }
    const text = JSON.stringify({ one: entry })
    const { added } = await harness.call('configuration.add', { text, choices: [{ index: 0 }] })
    const id = added[0]?.installationId ?? ''
    const { secretId } = await harness.call('secret.create', { name: 'Team', value: 'of-the-team' })
    const made = await readCustomServer(harness, id)
    if (made.kind !== 'command') throw new Error('It is no command.')
    const env = [{ name: 'API_KEY', value: [{ kind: 'stored' as const, secretId }] }]
    await approveCustomServer(harness, { ...made, env }, id)
    await harness.until(id, 'ready')
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBeNull()
    const { secrets } = await harness.call('app.snapshot', {})
    expect(secrets.stored).toMatchObject([{ name: 'Team', uses: [{ serverName: 'Mine' }] }])
  })

  it('names its fields like its placeholders', async () => {
    const harness = openHarness()
    const text = JSON.stringify({
      mcpServers: {
        one: { command: 'node', env: { GITHUB_TOKEN: '${{ secrets.GH_PAT }}' } },
        two: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/s.js', '${extensionPath}/x'] },
        three: { command: 'node', args: ['--key={env:GH_PAT}', '${__dirname}/y'] },
        four: { command: 'node', args: ['%APPDATA%\\npm\\srv\\index.js'] },
      },
    })
    const read = await harness.call('configuration.read', { text, choices: [] })
    if (read.kind !== 'servers') throw new Error(read.kind)
    expect(read.servers.map(({ toFill }) => toFill)).toEqual([
      ['GH_PAT'],
      ['CLAUDE_PLUGIN_ROOT', 'extensionPath'],
      ['GH_PAT', '__dirname'],
      [],
    ])
    expect(read.servers[3]?.notices.map(({ message }) => message)).toEqual([
      '%APPDATA% is not defined and is not replaced. Enter a value instead.',
    ])
  })

  it('returns what was added before a failure', async () => {
    const kept = memoryBackend()
    const secrets: Keychain = {
      ...kept,
      set: (key, value) =>
        value === 'refused'
          ? Promise.reject(new AppError('SECRET_STORE_FAILED', 'The keychain is locked.'))
          : kept.set(key, value),
    }
    const harness = openHarness({ document: null, secrets })
    const entry = (key: string): object => ({ command: 'x', env: { API_KEY: key } })
    const text = JSON.stringify({ a: entry('one'), b: { command: 'x' }, c: entry('refused') })
    const choices = [{ index: 1 }, { index: 0 }, { index: 2 }]
    const answer = await harness.call('configuration.add', { text, choices })
    expect(answer.added.map(({ name, index }) => [name, index])).toEqual([
      ['b', 1],
      ['a', 0],
    ])
    expect(answer.problem).toMatchObject({ code: 'SECRET_STORE_FAILED' })
    expect(answer.problem?.message).toMatch(/^c was not added\. /)
    expect((await harness.call('app.snapshot', {})).servers.map(({ name }) => name)).toEqual([
      'b',
      'a',
    ])
  })

  it('brings its tool selection (C7)', async () => {
    const harness = openHarness()
    const text = JSON.stringify({
      all: { command: 'x' },
      none: { command: 'x', tools: [] },
      some: { command: 'x', tools: ['a', 'b'] },
    })
    const read = await harness.call('configuration.read', { text, choices: [] })
    expect(read.kind === 'servers' && read.servers.map(({ notices }) => notices)).toEqual([
      [],
      [{ path: 'none', message: 'No tools are available to agents.' }],
      [{ path: 'some', message: 'Only “a”, “b” is available to agents.' }],
    ])
    const choices = [{ index: 0 }, { index: 1 }, { index: 2 }]
    await harness.call('configuration.add', { text, choices })
    const { tools } = await harness.call('app.snapshot', {})
    expect(tools.servers.map(({ choice }) => choice)).toEqual([
      { kind: 'all' },
      { kind: 'none' },
      { kind: 'list', names: ['a', 'b'] },
    ])
  })

  it('exposes no more than its selection once edited, approved and started (C7)', async () => {
    const harness = openHarness()
    const many = join(import.meta.dirname, '../../servers/many-tools.mjs')
    const entry = { command: 'node', args: [many, '3'], tools: ['tool_1', 'tool_9'] }
    const text = JSON.stringify({
      Mine: entry,
      Quiet: { ...entry, tools: [] },
      Rest: { ...entry, tools: undefined, disabledTools: ['tool_0'] },
    })
    const choices = [{ index: 0 }, { index: 1 }, { index: 2 }]
    const { added } = await harness.call('configuration.add', { text, choices })
    for (const { installationId, name } of added) {
      const server = await readCustomServer(harness, installationId)
      const { preview } = await harness.call('customServer.preview', { server, installationId })
      const approvedPlan = preview?.planHash
      const save = { server, installationId, name, approvedPlan, start: true }
      await harness.call('customServer.save', save)
      await harness.call('installation.setEnabled', { installationId, enabled: true })
      await harness.until(installationId, 'ready')
    }
    const listed = async (): Promise<string[]> => {
      const { tools } = await harness.call('tools.list', {})
      return tools.map(({ exposedName, exposure }) => `${exposedName ?? ''} ${exposure}`).toSorted()
    }
    await expect
      .poll(listed)
      .toEqual([
        ...['Mine__tool_0 off', 'Mine__tool_1 exposed', 'Mine__tool_2 off'],
        ...['Quiet__tool_0 off', 'Quiet__tool_1 off', 'Quiet__tool_2 off'],
        ...['Rest__tool_0 off', 'Rest__tool_1 exposed', 'Rest__tool_2 exposed'],
      ])
    const { tools } = await harness.call('app.snapshot', {})
    expect(tools.servers.map(({ missing, exposed }) => [missing, exposed])).toEqual([
      [['tool_9'], 1],
      [[], 0],
      [[], 2],
    ])
  })

  it('adds nothing if a selected server is missing', async () => {
    const harness = openHarness()
    const text = JSON.stringify({ a: { command: 'x' } })
    const choices = [{ index: 0 }, { index: 4 }]
    await expect(harness.call('configuration.add', { text, choices })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    })
    expect((await harness.call('app.snapshot', {})).servers).toEqual([])
  })

  it('may be added without secrets, which its start then names', async () => {
    const harness = openHarness()
    const text = JSON.stringify({
      one: { command: 'node', args: [PLAIN, '--token', '${input:token}'] },
    })
    const read = await harness.call('configuration.read', { text, choices: [] })
    expect(read).toMatchObject({ kind: 'servers', servers: [{ toFill: ['Token'] }] })
    const { added } = await harness.call('configuration.add', { text, choices: [{ index: 0 }] })
    const id = added[0]?.installationId ?? ''
    await harness.call('server.start', { installationId: id })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'CONFIG_INCOMPLETE' })
  })

  it('reads no variable and no file without consent', async () => {
    const harness = openHarness()
    const text = JSON.stringify({
      one: { command: 'x', args: ['${env:HOME_X}', '${PATH}'], envFile: '/etc/hostname' },
    })
    const read = await harness.call('configuration.read', { text, choices: [] })
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
