import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import { type CustomServer, openText } from '../../../src-shared/domain/installation/custom-server'
import {
  approveCustomServer,
  madeCommand,
  PLAIN,
  readCustomServer,
  typedSecret,
} from '../../fixtures/custom-servers'
import { openHarness } from '../../fixtures/open-harness'
import { RemoteServer } from '../../fixtures/remote-server'

describe('D3: a custom server', () => {
  it('runs as written, including empty arguments and secrets, which are not in the file', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const args = [
      openText(PLAIN),
      [],
      openText('a b'),
      openText('{x}'),
      typedSecret('hunter2-hunter2'),
    ]
    const id = await approveCustomServer(
      harness,
      madeCommand({ args, env: [{ name: 'KEY', value: typedSecret('hunter3-x') }] }),
    )
    await harness.until(id, 'ready')
    expect(await harness.log(id)).toContain('argv ["","a b","{x}","••••••••"]')
    expect(JSON.stringify(memory.document)).not.toMatch(/hunter/)
    expect(await memory.secrets.get(`${id}/arg_4`)).toBe('hunter2-hunter2')
    expect(
      JSON.stringify(await harness.call('installation.read', { installationId: id })),
    ).not.toMatch(/hunter/)
  })

  it('keeps its secrets when its lines change, and asks for approval again', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const args = [openText(PLAIN), typedSecret('first-secret')]
    const id = await approveCustomServer(
      harness,
      madeCommand({ args, env: [{ name: 'OLD', value: typedSecret('other-secret') }] }),
    )
    await harness.until(id, 'ready')
    const parts = await readCustomServer(harness, id)
    if (parts.kind !== 'command') throw new Error('a URL')
    const [program = [], key = []] = parts.args
    const [variable] = parts.env
    const changed = madeCommand({
      args: [program, openText('--key'), key],
      env: [{ name: 'NEW', value: variable?.value ?? [] }],
    })
    await harness.call('customServer.save', {
      name: 'Mine',
      server: changed,
      installationId: id,
      start: false,
    })
    await harness.call('server.restart', { installationId: id })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
    await approveCustomServer(harness, await readCustomServer(harness, id), id)
    await harness.until(id, 'ready')
    expect(await harness.log(id)).toContain('argv ["--key","••••••••"]')
    const kept = ['arg_key', 'env_NEW', 'arg_1', 'env_OLD'].map((key) =>
      memory.secrets.get(`${id}/${key}`),
    )
    expect(await Promise.all(kept)).toEqual(['first-secret', 'other-secret', null, null])
  })

  it('keeps its approval if only its name changes', async () => {
    const harness = openHarness()
    const id = await approveCustomServer(harness, madeCommand())
    await harness.until(id, 'ready')
    await harness.call('customServer.save', {
      name: 'Renamed',
      server: madeCommand(),
      installationId: id,
      start: false,
    })
    await harness.call('server.restart', { installationId: id })
    await harness.until(id, 'ready')
    expect((await harness.view(id)).name).toBe('Renamed')
  })

  it('is rejected with its problems, and has no preview then', async () => {
    const harness = openHarness()
    const empty = madeCommand({ command: ' ' })
    expect(await harness.call('customServer.preview', { server: empty })).toMatchObject({
      preview: null,
      problems: [{ fieldPath: 'command' }],
    })
    const save = { name: 'Mine', server: empty, start: false }
    await expect(harness.call('customServer.save', save)).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
    const unfilled = madeCommand({ env: [{ name: 'KEY', value: typedSecret('') }] })
    const { problems } = await harness.call('customServer.preview', { server: unfilled })
    expect(problems).toMatchObject([{ fieldPath: 'env.0.value' }])
    await expect(
      harness.call('customServer.save', { ...save, server: unfilled }),
    ).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
  })

  it('names the place of each item in its preview', async () => {
    const harness = openHarness()
    const args = [openText('a'), typedSecret(''), typedSecret('x'), openText('b')]
    const { preview } = await harness.call('customServer.preview', {
      server: madeCommand({ args, env: [{ name: 'A', value: openText('1') }] }),
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

  it('may be an address, also with the other transport', async () => {
    await using server = await RemoteServer.open()
    const harness = openHarness()
    const remote: CustomServer = {
      kind: 'address',
      type: 'sse',
      url: [...openText(`${server.url}?key=`), ...typedSecret('url-secret')],
      headers: [
        { name: 'Authorization', value: [...openText('Bearer '), ...typedSecret('head-secret')] },
      ],
    }
    const id = await approveCustomServer(harness, remote)
    expect((await harness.until(id, 'ready')).counts.tools).toBe(2)
    expect(server.requests.at(-1)?.authorization).toBe('Bearer head-secret')
    const { preview } = await harness.call('customServer.preview', { server: remote })
    expect(preview).toMatchObject({
      url: { text: `${server.url}?key=••••••••` },
      headers: [{ text: 'Bearer ••••••••' }],
    })
  })
})

describe('A2: a custom server with a shared secret', () => {
  const KEYED = join(import.meta.dirname, '../../servers/keyed.mjs')
  const hashOf = (text: string): string =>
    createHash('sha256').update(text).digest('hex').slice(0, 12)
  const keyed = (secretId: string): CustomServer =>
    madeCommand({
      args: [openText(KEYED)],
      env: [{ name: 'API_KEY', value: [{ kind: 'stored', secretId }] }],
    })

  it('gets its value, keeps the selection when saved, and gets later values', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const { secretId } = await harness.call('secret.create', {
      name: 'Team',
      value: 'first-of-team',
    })
    const id = await approveCustomServer(harness, keyed(secretId))
    await harness.until(id, 'ready')
    await expect.poll(() => harness.log(id)).toContain(`key ${hashOf('first-of-team')}`)
    const made = await readCustomServer(harness, id)
    expect(made).toEqual(keyed(secretId))
    const { secrets } = await harness.call('app.snapshot', {})
    expect(secrets).toMatchObject({ own: [], stored: [{ uses: [{ serverName: 'Mine' }] }] })

    const counts: unknown[] = []
    harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'server.changed') counts.push(payload.server.unapplied.length)
    })
    await harness.call('secret.rotate', { secretId, value: 'second-of-team' })
    // Screens are notified and need not ask.
    expect(counts.at(-1)).toBe(1)
    expect((await harness.view(id)).unapplied).toEqual([
      'The shared secret “Team” has a new value.',
    ])
    await approveCustomServer(harness, made, id)
    await expect.poll(() => harness.log(id)).toContain(`key ${hashOf('second-of-team')}`)
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBeNull()
  })

  it('can switch to its own secret and back', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const harness = openHarness(memory)
    const { secretId } = await harness.call('secret.create', {
      name: 'Team',
      value: 'first-of-team',
    })
    const own = { name: 'API_KEY', value: typedSecret('mine-alone') }
    const id = await approveCustomServer(
      harness,
      madeCommand({ args: [openText(KEYED)], env: [own] }),
    )
    await harness.until(id, 'ready')
    await approveCustomServer(harness, keyed(secretId), id)
    await expect.poll(() => harness.log(id)).toContain(`key ${hashOf('first-of-team')}`)
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBeNull()
    await approveCustomServer(harness, madeCommand({ args: [openText(KEYED)], env: [own] }), id)
    await expect
      .poll(async () => (await harness.log(id)).filter((line) => line.startsWith('key ')))
      .toEqual(['mine-alone', 'first-of-team', 'mine-alone'].map((key) => `key ${hashOf(key)}`))
    expect((await harness.call('app.snapshot', {})).secrets.stored).toMatchObject([{ uses: [] }])
  })

  it('is rejected at its place if the secret is gone', async () => {
    const harness = openHarness()
    const { problems } = await harness.call('customServer.preview', { server: keyed('gone') })
    expect(problems).toMatchObject([{ fieldPath: 'env.0.value' }])
    const save = { name: 'Mine', server: keyed('gone'), start: false }
    await expect(harness.call('customServer.save', save)).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
  })

  it('is copied as text with variables in place of secrets', async () => {
    const harness = openHarness()
    const { secretId } = await harness.call('secret.create', {
      name: 'Team',
      value: 'first-of-team',
    })
    const server = madeCommand({
      args: [openText('a b'), typedSecret('typed-here')],
      env: [{ name: 'API_KEY', value: [{ kind: 'stored', secretId }] }],
    })
    const copied = await harness.call('customServer.shellText', {
      server,
      cwd: '/srv',
      shell: 'posix',
    })
    expect(copied.text).toBe(`(cd /srv && API_KEY="$API_KEY" node 'a b' "$ARGUMENT_2")`)
    expect(copied.variables).toEqual(['ARGUMENT_2', 'API_KEY'])
  })
})
