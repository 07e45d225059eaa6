import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
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
} from '../../fixtures/app-config-files'
import { openHarness } from '../../fixtures/open-harness'

describe('D6: import from agent apps', () => {
  it('shows every server of every app, equal ones once, and never a secret', async () => {
    const harness = openHarness()
    withFourApps(harness)
    writeApp(harness, 'zed', '{ "context_servers": [ }')
    const answer = await harness.call('hosts.servers', { choices: [] })
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
    const previews = await harness.call('hosts.previewSwitchOff', { refs })
    expect(previews.files).toHaveLength(4)
    expect(JSON.stringify([answer, previews])).not.toContain(TOKEN)
  })

  it('adds selected servers turned off and unapproved (CVE-2025-54135), with secrets in the keychain and their tool selection', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    withFourApps(harness)
    const result = await importFrom(harness, [
      ['cursor', 'gh'],
      ['claude-desktop', 'notes'],
    ])
    expect(result).toMatchObject({ problem: null, changes: [], stillOn: [] })
    expect(result.added.map(({ name, index }) => [name, index])).toEqual([
      ['gh', 0],
      ['notes', 1],
    ])
    const { servers, tools } = await harness.call('app.snapshot', {})
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
    expect(profileFilesWith(harness, TOKEN)).toEqual([])
    await harness.call('server.start', { installationId: own ?? '' })
    expect((await harness.until(own ?? '', 'error')).status).toMatchObject({
      code: 'CONSENT_REQUIRED',
    })
    const here = (await serversOfApps(harness)).map(
      ({ alreadyInstalledAs }) => alreadyInstalledAs?.name,
    )
    expect(here).toEqual(['gh', 'notes', 'gh', 'gh', 'gh'])
  })

  it('turns equal servers off in every app, and undo restores each file byte for byte', async () => {
    const harness = openHarness()
    withFourApps(harness)
    const project = { mcpServers: { notes }, allowedTools: [] }
    writeApp(harness, 'claude-code', { projects: { '/srv/app': project }, theme: 'dark' })
    const apps = ['claude-desktop', 'cursor', 'codex', 'claude-code'] as const
    const before = apps.map((app) => readApp(harness, app))
    const nested = 'projects["/srv/app"].mcpServers.notes'
    const { added, changes, stillOn } = await importFrom(
      harness,
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
    expect(stillOn).toEqual([])
    expect(changes.map(({ entryNames }) => entryNames)).toEqual([
      ['github'],
      ['gh'],
      ['github'],
      [nested],
    ])
    expect(JSON.parse(readApp(harness, 'claude-desktop'))).toEqual({ mcpServers: { notes } })
    expect(readApp(harness, 'cursor')).not.toContain(TOKEN)
    expect(readApp(harness, 'codex')).toContain('enabled = false')
    expect(JSON.parse(readApp(harness, 'claude-code'))).toEqual({
      projects: { '/srv/app': { mcpServers: {}, allowedTools: [] } },
      theme: 'dark',
    })
    expect(profileFilesWith(harness, TOKEN)).toEqual([])
    const isOn = (await serversOfApps(harness)).map(({ hostName, isOn }) => [hostName, isOn])
    expect(isOn).toEqual([
      ['Claude Desktop', true],
      ['VS Code', true],
      ['Codex', false],
    ])
    for (const { changeId } of changes) await harness.call('hosts.undo', { changeId })
    expect(apps.map((app) => readApp(harness, app))).toEqual(before)
  })

  it("says what happens to a file's secrets", async () => {
    const harness = openHarness()
    withFourApps(harness)
    const refs = [refOf(harness, 'claude-desktop', 'github'), refOf(harness, 'codex', 'github')]
    const { files } = await harness.call('hosts.previewSwitchOff', { refs })
    const [claude, codex] = files.map(({ notes }) => notes.join(' '))
    expect(claude).toMatch(/entries are removed\. .*only in the keychain/)
    expect(codex).toMatch(/stay in this file as plain text/)
    expect(
      await harness.call('hosts.previewSwitchOff', { refs: [refOf(harness, 'zed', 'x')] }),
    ).toEqual({
      files: [],
    })
  })

  it('reads a variables file only with consent', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const envFile = join(harness.profileDir, 'home', 'own.env')
    writeApp(harness, 'cursor', { mcpServers: { a: { ...notes, envFile } } })
    writeFileSync(envFile, `LOGIN=${OTHER}\n`)
    const ref = refOf(harness, 'cursor', 'a')
    const choices = [{ ...ref, envFile: true }]
    const [shy] = (await harness.call('hosts.servers', { choices: [ref] })).servers
    expect(shy?.server.envFile).toEqual({ path: envFile })
    const agreed = await harness.call('hosts.servers', { choices })
    expect(agreed.servers[0]?.server.envFile).toEqual({ path: envFile, count: 1 })
    expect(JSON.stringify(agreed)).not.toContain(OTHER)
    const { added } = await harness.call('hosts.import', { choices, switchOff: [] })
    const id = added[0]?.installationId ?? ''
    expect(await memory.secrets.get(`${id}/env_LOGIN`)).toBe(OTHER)
  })

  it('names accounts of one server, and programs with one name, differently', async () => {
    const harness = openHarness()
    const entries = { work: github(TOKEN), home: github(OTHER), notes }
    writeApp(harness, 'cursor', { mcpServers: entries })
    writeApp(harness, 'claude-desktop', { mcpServers: { home: { command: 'other' }, own: notes } })
    await importFrom(harness, [
      ['cursor', 'home'],
      ['cursor', 'notes'],
    ])
    const here = (await serversOfApps(harness)).map((one) => [
      one.entryName,
      one.alreadyInstalledAs?.name,
    ])
    expect(here).toEqual([
      ['home', undefined],
      ['own', 'notes'],
      ['work', undefined],
      ['home', 'home'],
      ['notes', 'notes'],
    ])
  })

  it('leaves disabled servers alone', async () => {
    const harness = openHarness()
    const text = writeApp(harness, 'zed', { context_servers: { a: { ...notes, enabled: false } } })
    const { files } = await harness.call('hosts.previewSwitchOff', {
      refs: [refOf(harness, 'zed', 'a')],
    })
    expect(files).toEqual([])
    const result = await importFrom(harness, [['zed', 'a']])
    expect([result.added.length, result.changes, result.stillOn]).toEqual([1, [], []])
    const off = { fileId: refOf(harness, 'zed', 'a').fileId, previewHash: '' }
    const choices = [refOf(harness, 'zed', 'a')]
    const again = await harness.call('hosts.import', { choices, switchOff: [off] })
    expect([again.added.map(({ name }) => name), again.stillOn]).toEqual([
      ['a 2'],
      [`${appFile(harness, 'zed')} was not changed: the server shown is no longer turned on.`],
    ])
    expect(readApp(harness, 'zed')).toBe(text)
  })

  it('recognizes a catalog package by its command', async () => {
    const harness = openHarness()
    await harness.installStopped({
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
    writeApp(harness, 'cursor', { mcpServers: { gh: github(TOKEN), notes } })
    const here = (await serversOfApps(harness)).map(
      ({ alreadyInstalledAs }) => alreadyInstalledAs?.name,
    )
    expect(here).toEqual(['Acme for GitHub', undefined])
  })
})
