import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

import { describe, expect, it, onTestFinished } from 'vitest'

import { makeAuthority } from '../../../e2e/fixtures/own-authority'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { Settings, type SettingsChange } from '../../../src-shared/domain/state/settings'
import { ProfileDocument } from '../installation/store/profile-document'
import type { SecretBackend } from '../ports'
import { memoryBackend } from '../secrets/secret-vault'
import { NetworkChoice, type NetworkChoiceParts } from './network-choice'

const BY_HAND = {
  proxyMode: 'manual',
  proxyUrl: 'http://proxy.acme.example:8080',
  proxyUser: 'ACME\\ann',
} as const
const HERE = 'localhost,127.0.0.1,[::1],::1'

function open(
  settings: SettingsChange,
  parts: Partial<NetworkChoiceParts> = {},
): { choice: NetworkChoice; store: ProfileDocument; save: (change: SettingsChange) => void } {
  const document: { value: unknown } = { value: { settings: Settings.parse(settings) } }
  const store = new ProfileDocument({
    file: 'settings.json',
    read: () => document.value,
    write: (value) => (document.value = value),
  })
  const choice = new NetworkChoice({
    ...{ store, secrets: memoryBackend(), folder: join(tempFolder('choice'), 'certificates') },
    ...{ platform: 'darwin', environment: {}, ...parts },
  })
  onTestFinished(() => choice[Symbol.dispose]())
  const save = (change: SettingsChange): void =>
    store.saveSettings({ ...store.settings, ...change })
  return { choice, store, save }
}

describe('E8: the network settings', () => {
  it('are the same object until they change', async () => {
    const { choice, save } = open(BY_HAND)
    const first = await choice.rule()
    save({ theme: 'dark' })
    await choice.view()
    expect(await choice.rule()).toBe(first)
    let reported = 0
    choice.onDidChange(() => (reported += 1))
    save({ withoutProxy: '.acme.example' })
    expect(await choice.rule()).toMatchObject({ withoutProxy: '.acme.example' })
    expect(reported).toBe(1)
  })

  it('use the password only for the address and user name it was stored for', async () => {
    const { choice, store, save } = open(BY_HAND)
    await choice.setPassword('p@ss/word')
    const named = 'http://ACME%5Cann:p%40ss%2Fword@proxy.acme.example:8080'
    expect((await choice.rule()).proxy).toEqual({ kind: 'named', address: named })
    expect(JSON.stringify(store.settings)).not.toMatch(/p@ss|p%40ss/u)
    for (const change of [{ proxyUrl: 'http://other.example' }, { proxyUser: 'bob' }]) {
      save(change)
      expect((await choice.rule()).proxy).toEqual({
        kind: 'named',
        address: store.settings.proxyUrl,
      })
      expect((await choice.view()).password).toBe('other')
      save(BY_HAND)
    }
    expect((await choice.rule()).proxy).toEqual({ kind: 'named', address: named })
    await choice.setPassword(null)
    expect((await choice.view()).password).toBe('none')
    expect(store.settings.proxyPasswordId).toBe('')
  })

  it('accept no password before there is a proxy', async () => {
    for (const change of [
      { ...BY_HAND, proxyUrl: '' },
      { ...BY_HAND, proxyUser: '' },
    ])
      await expect(open(change).choice.setPassword('secret')).rejects.toThrow(
        'has no proxy or user name',
      )
  })

  it("report that the keychain didn't provide the password, and ask again", async () => {
    const kept = memoryBackend()
    let isLocked = false
    const secrets: SecretBackend = {
      ...kept,
      get: (key) => (isLocked ? Promise.reject(new Error('locked')) : kept.get(key)),
    }
    const { choice, save } = open(BY_HAND, { secrets })
    await choice.setPassword('secret')
    isLocked = true
    save({ withoutProxy: 'x' })
    expect((await choice.view()).password).toBe('unread')
    expect((await choice.rule()).proxy).toEqual({ kind: 'named', address: BY_HAND.proxyUrl })
    isLocked = false
    expect(JSON.stringify(await choice.rule())).toContain(':secret@')
  })

  it('read a file again for a screen, and trust nothing of a broken one', async () => {
    const file = join(tempFolder('choice'), 'acme.pem')
    const { choice } = open({ certificateFiles: [file] })
    expect((await choice.view()).certificates).toEqual([
      { path: file, count: 0, problem: `File not found: ${file}.` },
    ])
    writeFileSync(file, makeAuthority([]).authority)
    expect((await choice.view()).certificates).toEqual([{ path: file, count: 1 }])
    expect((await choice.rule()).certificates).toHaveLength(1)
  })
})

describe("E8: a child's network variables", () => {
  const environment = { HTTPS_PROXY: 'http://env.example:1', no_proxy: 'intra.example' }
  const resolveProxy = (): Promise<string> => Promise.resolve('PROXY pac.example:8080; DIRECT')

  it('name the manual proxy in both cases, and remove what would bypass it', async () => {
    const variables = await open(BY_HAND, { environment }).choice.variablesFor('server')
    const address = BY_HAND.proxyUrl
    expect(variables).toMatchObject({
      ...{ HTTP_PROXY: address, http_proxy: address, HTTPS_PROXY: address, https_proxy: address },
      ...{ NO_PROXY: HERE, no_proxy: HERE, NODE_USE_ENV_PROXY: '1' },
    })
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(['ALL_PROXY', 'all_proxy']))
    expect([variables.ALL_PROXY, variables.all_proxy]).toEqual([undefined, undefined])
  })

  it('keep those of the environment, except for excluded hosts', async () => {
    const { choice } = open({ withoutProxy: '.acme.example' }, { environment, resolveProxy })
    const variables = await choice.variablesFor('server')
    expect(variables).not.toHaveProperty('HTTPS_PROXY')
    expect(variables.NO_PROXY).toBe(`intra.example,.acme.example,${HERE}`)
  })

  it("name the desktop's proxy if the environment has none, and none without one", async () => {
    const byDesktop = await open({}, { resolveProxy }).choice.variablesFor('server')
    expect(byDesktop.https_proxy).toBe('http://pac.example:8080')
    for (const answer of ['DIRECT', 'DIRECT; SOCKS5 a.example:1', '']) {
      const { choice } = open({}, { resolveProxy: () => Promise.resolve(answer) })
      expect(await choice.variablesFor('server')).not.toHaveProperty('https_proxy')
    }
    const failing = open({}, { resolveProxy: () => Promise.reject(new Error('gone')) })
    expect(await failing.choice.variablesFor('server')).not.toHaveProperty('https_proxy')
  })

  it('name a SOCKS 5 proxy of the desktop in its own variable', async () => {
    const answer = 'SOCKS4 b.example:1; SOCKS5 a.example:1; DIRECT'
    const { choice } = open({}, { resolveProxy: () => Promise.resolve(answer) })
    const variables = await choice.variablesFor('server')
    const socks = 'socks5://a.example:1'
    expect(variables).toMatchObject({ ALL_PROXY: socks, all_proxy: socks, NO_PROXY: HERE })
    expect(variables).not.toHaveProperty('HTTPS_PROXY')
  })

  it("lead nowhere while the manual proxy has no address, like Patchbay's own requests", async () => {
    const { choice } = open({ proxyMode: 'manual' }, { environment, resolveProxy })
    const variables = await choice.variablesFor('server')
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])
      expect(new URL(variables[name] ?? '').hostname).toMatch(/\.invalid$/u)
    expect(variables).toMatchObject({ NO_PROXY: HERE, ALL_PROXY: undefined })
  })

  it.each<[Record<string, string>, Record<string, string | undefined>]>([
    [{ ALL_PROXY: 'http://all:1' }, { HTTP_PROXY: 'http://all:1', HTTPS_PROXY: 'http://all:1' }],
    [
      { all_proxy: 'http://all:1', http_proxy: 'http://own:1' },
      { HTTP_PROXY: undefined, http_proxy: undefined, https_proxy: 'http://all:1' },
    ],
    [{ ALL_PROXY: 'socks5://all:1' }, { HTTP_PROXY: undefined, HTTPS_PROXY: undefined }],
  ])('fill in ALL_PROXY of the environment: %j', async (own, expected) => {
    const variables = await open({}, { environment: own }).choice.variablesFor('server')
    for (const [name, value] of Object.entries(expected)) expect(variables[name]).toBe(value)
    expect(variables).not.toHaveProperty('ALL_PROXY')
    expect(variables).toMatchObject({ NO_PROXY: HERE, NODE_USE_ENV_PROXY: '1' })
  })

  it('remove every proxy if there should be none', async () => {
    const { choice } = open({ proxyMode: 'none' }, { environment, resolveProxy })
    const variables = await choice.variablesFor('server')
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(['HTTPS_PROXY', 'http_proxy']))
    expect(Object.entries(variables).filter(([name]) => /proxy/iu.test(name))).toEqual(
      expect.not.arrayContaining([[expect.any(String), expect.any(String)]]),
    )
  })

  it('name a private file with all trusted certificates', async () => {
    const { authority } = makeAuthority([])
    const file = join(tempFolder('choice'), 'acme.pem')
    writeFileSync(file, authority)
    const { choice, save } = open({ certificateFiles: [file] })
    const variables = await choice.variablesFor('runner')
    const trusted = variables.SSL_CERT_FILE ?? ''
    const { NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, GIT_SSL_CAINFO } = variables
    expect([NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, GIT_SSL_CAINFO]).toEqual(
      Array.from({ length: 4 }, () => trusted),
    )
    const text = readFileSync(trusted, 'utf8')
    expect(text).toContain(authority.trim())
    // They replace a program's list, so they must be complete.
    for (const one of getCACertificates('bundled')) expect(text).toContain(one.trim())
    if (process.platform !== 'win32') expect(statSync(trusted).mode & 0o077).toBe(0)
    save({ certificateFiles: [] })
    expect(await choice.variablesFor('runner')).toMatchObject({
      ...{ NODE_USE_SYSTEM_CA: '1', UV_SYSTEM_CERTS: 'true' },
    })
    expect(await choice.variablesFor('runner')).not.toHaveProperty('SSL_CERT_FILE')
  })
})
