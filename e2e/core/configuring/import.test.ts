import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/memory-backend'
import { Desks } from '../../fixtures/desk'
import {
  appFile,
  github,
  importFrom,
  notes,
  OTHER,
  profileFilesWith,
  readApp,
  refOf,
  serversOfApps,
  TOKEN,
  withFourApps,
  writeApp,
} from '../../fixtures/import-desk'

const desks = new Desks()
afterEach(() => desks.closeAll())

describe('D6 import from agent apps', () => {
  it('shows every server of every app, the same ones as one, and never a secret', async () => {
    const desk = desks.open()
    withFourApps(desk)
    writeApp(desk, 'zed', '{ "context_servers": [ }')
    const answer = await desk.call('hosts.servers', { choices: [] })
    expect(
      answer.servers.map(({ hostName, entryName, tools }) => [hostName, entryName, tools]),
    ).toEqual([
      ['Claude Desktop', 'github', undefined],
      ['Claude Desktop', 'notes', undefined],
      ['Cursor', 'gh', 'Only “search” is available to agents.'],
      ['VS Code', 'github', undefined],
      ['Codex', 'github', undefined],
    ])
    const [first, second, ...others] = answer.servers.map(({ sameAs }) => sameAs)
    expect(others).toEqual([first, first, first])
    expect(second).not.toBe(first)
    expect(answer.servers.map(({ server }) => server.toFill.length)).toEqual([0, 0, 0, 1, 0])
    expect(answer.unread.map(({ hostName }) => hostName)).toEqual(['Zed'])
    const refs = answer.servers.map(({ fileId, entryName }) => ({ fileId, entryName }))
    const previews = await desk.call('hosts.previewSwitchOff', { refs })
    expect(previews.files).toHaveLength(4)
    expect(JSON.stringify([answer, previews])).not.toContain(TOKEN)
  })

  it('adds what was chosen: off, not approved (CVE-2025-54135), secrets in the keychain, tools as they were chosen', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    withFourApps(desk)
    const result = await importFrom(desk, [
      ['cursor', 'gh'],
      ['claude-desktop', 'notes'],
    ])
    expect(result).toMatchObject({ problem: null, changes: [], leftOn: [] })
    expect(result.added.map(({ name, index }) => [name, index])).toEqual([
      ['gh', 0],
      ['notes', 1],
    ])
    const { servers, tools } = await desk.call('app.snapshot', {})
    expect(servers.map(({ name, enabled, status }) => [name, enabled, status.kind])).toEqual([
      ['gh', false, 'stopped'],
      ['notes', false, 'stopped'],
    ])
    expect(tools.servers.map(({ choice }) => choice)).toEqual([
      { kind: 'list', names: ['search'] },
      { kind: 'all' },
    ])
    const [gh, own] = result.added.map(({ installationId }) => installationId)
    expect(await memory.secrets.get(`${gh ?? ''}/env_GITHUB_TOKEN`)).toBe(TOKEN)
    expect(JSON.stringify([result, memory.document])).not.toContain(TOKEN)
    expect(profileFilesWith(desk, TOKEN)).toEqual([])
    await desk.call('server.start', { installationId: own ?? '' })
    expect((await desk.until(own ?? '', 'error')).status).toMatchObject({
      code: 'CONSENT_REQUIRED',
    })
    const here = (await serversOfApps(desk)).map(({ isHereAs }) => isHereAs?.name)
    expect(here).toEqual(['gh', 'notes', 'gh', 'gh', 'gh'])
  })

  it('switches what runs the same off in every app, and undo brings each file back byte for byte', async () => {
    const desk = desks.open()
    withFourApps(desk)
    const project = { mcpServers: { notes }, allowedTools: [] }
    writeApp(desk, 'claude-code', { projects: { '/srv/app': project }, theme: 'dark' })
    const apps = ['claude-desktop', 'cursor', 'codex', 'claude-code'] as const
    const before = apps.map((app) => readApp(desk, app))
    const nested = 'projects["/srv/app"].mcpServers.notes'
    const { added, changes, leftOn } = await importFrom(
      desk,
      [
        ['claude-desktop', 'github'],
        ['claude-code', nested],
      ],
      [
        ['claude-desktop', 'github'],
        ['cursor', 'gh'],
        ['codex', 'github'],
        ['claude-code', nested],
      ],
    )
    expect(added).toHaveLength(2)
    expect(leftOn).toEqual([])
    expect(changes.map(({ entryNames }) => entryNames)).toEqual([
      ['github'],
      ['gh'],
      ['github'],
      [nested],
    ])
    expect(JSON.parse(readApp(desk, 'claude-desktop'))).toEqual({ mcpServers: { notes } })
    expect(readApp(desk, 'cursor')).not.toContain(TOKEN)
    expect(readApp(desk, 'codex')).toContain('enabled = false')
    expect(JSON.parse(readApp(desk, 'claude-code'))).toEqual({
      projects: { '/srv/app': { mcpServers: {}, allowedTools: [] } },
      theme: 'dark',
    })
    expect(profileFilesWith(desk, TOKEN)).toEqual([])
    const isOn = (await serversOfApps(desk)).map(({ hostName, isOn }) => [hostName, isOn])
    expect(isOn).toEqual([
      ['Claude Desktop', true],
      ['VS Code', true],
      ['Codex', false],
    ])
    for (const { changeId } of changes) await desk.call('hosts.undo', { changeId })
    expect(apps.map((app) => readApp(desk, app))).toEqual(before)
  })

  it('says what becomes of the secrets of a file', async () => {
    const desk = desks.open()
    withFourApps(desk)
    const refs = [refOf(desk, 'claude-desktop', 'github'), refOf(desk, 'codex', 'github')]
    const { files } = await desk.call('hosts.previewSwitchOff', { refs })
    const [claude, codex] = files.map(({ notes: told }) => told.join(' '))
    expect(claude).toMatch(/entries are removed\. .*only in the keychain/)
    expect(codex).toMatch(/stay in this file as plain text/)
    expect(await desk.call('hosts.previewSwitchOff', { refs: [refOf(desk, 'zed', 'x')] })).toEqual({
      files: [],
    })
  })

  it('reads a file of variables only where that was agreed to', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const envFile = join(desk.profileDir, 'home', 'own.env')
    writeApp(desk, 'cursor', { mcpServers: { a: { ...notes, envFile } } })
    writeFileSync(envFile, `LOGIN=${OTHER}\n`)
    const ref = refOf(desk, 'cursor', 'a')
    const choices = [{ ...ref, envFile: true }]
    const [shy] = (await desk.call('hosts.servers', { choices: [ref] })).servers
    expect(shy?.server.envFile).toEqual({ path: envFile })
    const agreed = await desk.call('hosts.servers', { choices })
    expect(agreed.servers[0]?.server.envFile).toEqual({ path: envFile, count: 1 })
    expect(JSON.stringify(agreed)).not.toContain(OTHER)
    const { added } = await desk.call('hosts.import', { choices, switchOff: [] })
    const id = added[0]?.installationId ?? ''
    expect(await memory.secrets.get(`${id}/env_LOGIN`)).toBe(OTHER)
  })

  it('tells the accounts of one server apart by name, and programs of one name too', async () => {
    const desk = desks.open()
    const entries = { work: github(TOKEN), home: github(OTHER), notes }
    writeApp(desk, 'cursor', { mcpServers: entries })
    writeApp(desk, 'claude-desktop', { mcpServers: { home: { command: 'other' }, own: notes } })
    await importFrom(desk, [
      ['cursor', 'home'],
      ['cursor', 'notes'],
    ])
    const here = (await serversOfApps(desk)).map((one) => [one.entryName, one.isHereAs?.name])
    expect(here).toEqual([
      ['home', undefined],
      ['own', 'notes'],
      ['work', undefined],
      ['home', 'home'],
      ['notes', 'notes'],
    ])
  })

  it('leaves alone what is off already', async () => {
    const desk = desks.open()
    const text = writeApp(desk, 'zed', { context_servers: { a: { ...notes, enabled: false } } })
    const { files } = await desk.call('hosts.previewSwitchOff', { refs: [refOf(desk, 'zed', 'a')] })
    expect(files).toEqual([])
    const result = await importFrom(desk, [['zed', 'a']])
    expect([result.added.length, result.changes, result.leftOn]).toEqual([1, [], []])
    const off = { fileId: refOf(desk, 'zed', 'a').fileId, seen: '' }
    const choices = [refOf(desk, 'zed', 'a')]
    const again = await desk.call('hosts.import', { choices, switchOff: [off] })
    expect([again.added.map(({ name }) => name), again.leftOn]).toEqual([
      ['a 2'],
      [`${appFile(desk, 'zed')} was not changed: the server shown is no longer turned on.`],
    ])
    expect(readApp(desk, 'zed')).toBe(text)
  })

  it('knows a package of the catalog by what it runs', async () => {
    const desk = desks.open()
    await desk.installStopped({
      name: 'acme/github',
      version: '1.2.0',
      title: 'Acme for GitHub',
      packages: [
        {
          registryType: 'npm',
          identifier: '@acme/github-mcp',
          version: '1.2.0',
          transport: { type: 'stdio' },
        },
      ],
    })
    writeApp(desk, 'cursor', { mcpServers: { gh: github(TOKEN), notes } })
    const here = (await serversOfApps(desk)).map(({ isHereAs }) => isHereAs?.name)
    expect(here).toEqual(['Acme for GitHub', undefined])
  })
})
