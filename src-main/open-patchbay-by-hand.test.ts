import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { type Desk, Desks } from '../e2e/fixtures/desk'
import { AppError } from '../src-shared/domain/app-error'
import { type HandMade, type HandText, openText } from '../src-shared/domain/by-hand'
import type { SecretBackend } from './core/ports'
import { memoryBackend } from './core/secrets/memory-backend'

const desks = new Desks()
afterEach(() => desks.closeAll())

const PLAIN = join(import.meta.dirname, '..', 'e2e', 'servers', 'plain.mjs')
const secret = (text: string): HandText => [{ kind: 'secret', secret: text }]
const made = (change: Partial<Extract<HandMade, { kind: 'command' }>> = {}): HandMade => ({
  kind: 'command',
  command: 'node',
  args: [openText(PLAIN)],
  env: [],
  ...change,
})

/** Adds or changes a server as the editor does, and starts it. */
async function approve(desk: Desk, parts: HandMade, installationId?: string): Promise<string> {
  const question = { made: parts, ...(installationId !== undefined && { installationId }) }
  const { preview, problems } = await desk.call('byHand.preview', question)
  expect(problems).toEqual([])
  const save = { ...question, name: 'Mine', approvedPlan: preview?.planHash, start: true }
  return (await desk.call('byHand.save', save)).installationId
}

describe('a server made by hand', () => {
  it('runs as it was written, its empty arguments and its secrets too, and keeps these out of the file', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const args = [openText(PLAIN), [], openText('a b'), openText('{x}'), secret('hunter2-hunter2')]
    const id = await approve(
      desk,
      made({ args, env: [{ name: 'KEY', value: secret('hunter3-x') }] }),
    )
    await desk.until(id, 'ready')
    expect(await desk.log(id)).toContain('argv ["","a b","{x}","••••••••"]')
    expect(JSON.stringify(memory.document)).not.toMatch(/hunter/)
    expect(await memory.secrets.get(`${id}/arg_4`)).toBe('hunter2-hunter2')
    expect(JSON.stringify(await desk.call('byHand.read', { installationId: id }))).not.toMatch(
      /hunter/,
    )
  })

  it('carries its saved secrets along when its lines change, and asks again for consent', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const args = [openText(PLAIN), secret('first-secret')]
    const id = await approve(
      desk,
      made({ args, env: [{ name: 'OLD', value: secret('other-secret') }] }),
    )
    await desk.until(id, 'ready')
    const draft = await desk.call('byHand.read', { installationId: id })
    if (draft.made.kind !== 'command') throw new Error('an address')
    const [program = [], key = []] = draft.made.args
    const [variable] = draft.made.env
    const changed = made({
      args: [program, openText('--key'), key],
      env: [{ name: 'NEW', value: variable?.value ?? [] }],
    })
    await desk.call('byHand.save', {
      name: 'Mine',
      made: changed,
      installationId: id,
      start: false,
    })
    await desk.call('server.restart', { installationId: id })
    expect((await desk.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
    const { made: saved } = await desk.call('byHand.read', { installationId: id })
    await approve(desk, saved, id)
    await desk.until(id, 'ready')
    expect(await desk.log(id)).toContain('argv ["--key","••••••••"]')
    const kept = ['arg_key', 'env_NEW', 'arg_1', 'env_OLD'].map((key) =>
      memory.secrets.get(`${id}/${key}`),
    )
    expect(await Promise.all(kept)).toEqual(['first-secret', 'other-secret', null, null])
  })

  it('keeps its approval when only its name changes', async () => {
    const desk = desks.open()
    const id = await approve(desk, made())
    await desk.until(id, 'ready')
    await desk.call('byHand.save', {
      name: 'Renamed',
      made: made(),
      installationId: id,
      start: false,
    })
    await desk.call('server.restart', { installationId: id })
    await desk.until(id, 'ready')
    expect((await desk.view(id)).name).toBe('Renamed')
  })

  it('is refused with what is wrong, and shows no preview of nothing', async () => {
    const desk = desks.open()
    const empty = made({ command: ' ' })
    expect(await desk.call('byHand.preview', { made: empty })).toMatchObject({
      preview: null,
      problems: [{ spot: 'command' }],
    })
    const save = { name: 'Mine', made: empty, start: false }
    await expect(desk.call('byHand.save', save)).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    const unfilled = made({ env: [{ name: 'KEY', value: secret('') }] })
    const { problems } = await desk.call('byHand.preview', { made: unfilled })
    expect(problems).toMatchObject([{ spot: 'env.0.value' }])
    await expect(desk.call('byHand.save', { ...save, made: unfilled })).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
  })

  it('names the place of each item in its preview', async () => {
    const desk = desks.open()
    const args = [openText('a'), secret(''), secret('x'), openText('b')]
    const { preview } = await desk.call('byHand.preview', {
      made: made({ args, env: [{ name: 'A', value: openText('1') }] }),
    })
    if (preview?.kind !== 'command') throw new Error('no command')
    expect(
      [...preview.args, ...preview.env].map(({ origin }) => [origin.kind, origin.fieldKey]),
    ).toEqual([
      ['you', 'args.0'],
      ['keychain', 'args.2'],
      ['you', 'args.3'],
      ['you', 'env.0.value'],
    ])
  })

  it('may be an address, which can be saved but not started yet', async () => {
    const desk = desks.open()
    const remote: HandMade = {
      kind: 'address',
      type: 'sse',
      url: [...openText('https://a.example/?key='), ...secret('url-secret')],
      headers: [
        { name: 'Authorization', value: [...openText('Bearer '), ...secret('head-secret')] },
      ],
    }
    const id = await approve(desk, remote)
    expect((await desk.until(id, 'error')).status).toMatchObject({ code: 'UNSUPPORTED_TRANSPORT' })
    const { preview } = await desk.call('byHand.preview', { made: remote })
    expect(preview).toMatchObject({
      url: { text: 'https://a.example/?key=••••••••' },
      headers: [{ text: 'Bearer ••••••••' }],
    })
  })
})

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
    await approve(desk, parts, id)
    await desk.until(id, 'ready')
    expect((await desk.view(id)).enabled).toBe(true)
  })

  it('answers with what was added before one failed', async () => {
    const kept = memoryBackend()
    const secrets: SecretBackend = {
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
