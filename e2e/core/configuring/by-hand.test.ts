import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/memory-backend'
import { type HandMade, openText } from '../../../src-shared/domain/installation/by-hand'
import { Desks } from '../../fixtures/desk'
import { approveHand, madeCommand, PLAIN, readHand, typedSecret } from '../../fixtures/hand-servers'
import { RemoteServer } from '../../fixtures/remote-server'

const desks = new Desks()
afterEach(() => desks.closeAll())

describe('a server made by hand', () => {
  it('runs as it was written, its empty arguments and its secrets too, and keeps these out of the file', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const args = [
      openText(PLAIN),
      [],
      openText('a b'),
      openText('{x}'),
      typedSecret('hunter2-hunter2'),
    ]
    const id = await approveHand(
      desk,
      madeCommand({ args, env: [{ name: 'KEY', value: typedSecret('hunter3-x') }] }),
    )
    await desk.until(id, 'ready')
    expect(await desk.log(id)).toContain('argv ["","a b","{x}","••••••••"]')
    expect(JSON.stringify(memory.document)).not.toMatch(/hunter/)
    expect(await memory.secrets.get(`${id}/arg_4`)).toBe('hunter2-hunter2')
    expect(
      JSON.stringify(await desk.call('installation.read', { installationId: id })),
    ).not.toMatch(/hunter/)
  })

  it('carries its saved secrets along when its lines change, and asks again for consent', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const args = [openText(PLAIN), typedSecret('first-secret')]
    const id = await approveHand(
      desk,
      madeCommand({ args, env: [{ name: 'OLD', value: typedSecret('other-secret') }] }),
    )
    await desk.until(id, 'ready')
    const parts = await readHand(desk, id)
    if (parts.kind !== 'command') throw new Error('a URL')
    const [program = [], key = []] = parts.args
    const [variable] = parts.env
    const changed = madeCommand({
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
    await approveHand(desk, await readHand(desk, id), id)
    await desk.until(id, 'ready')
    expect(await desk.log(id)).toContain('argv ["--key","••••••••"]')
    const kept = ['arg_key', 'env_NEW', 'arg_1', 'env_OLD'].map((key) =>
      memory.secrets.get(`${id}/${key}`),
    )
    expect(await Promise.all(kept)).toEqual(['first-secret', 'other-secret', null, null])
  })

  it('keeps its approval when only its name changes', async () => {
    const desk = desks.open()
    const id = await approveHand(desk, madeCommand())
    await desk.until(id, 'ready')
    await desk.call('byHand.save', {
      name: 'Renamed',
      made: madeCommand(),
      installationId: id,
      start: false,
    })
    await desk.call('server.restart', { installationId: id })
    await desk.until(id, 'ready')
    expect((await desk.view(id)).name).toBe('Renamed')
  })

  it('is refused with what is wrong, and shows no preview of nothing', async () => {
    const desk = desks.open()
    const empty = madeCommand({ command: ' ' })
    expect(await desk.call('byHand.preview', { made: empty })).toMatchObject({
      preview: null,
      problems: [{ spot: 'command' }],
    })
    const save = { name: 'Mine', made: empty, start: false }
    await expect(desk.call('byHand.save', save)).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    const unfilled = madeCommand({ env: [{ name: 'KEY', value: typedSecret('') }] })
    const { problems } = await desk.call('byHand.preview', { made: unfilled })
    expect(problems).toMatchObject([{ spot: 'env.0.value' }])
    await expect(desk.call('byHand.save', { ...save, made: unfilled })).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
  })

  it('names the place of each item in its preview', async () => {
    const desk = desks.open()
    const args = [openText('a'), typedSecret(''), typedSecret('x'), openText('b')]
    const { preview } = await desk.call('byHand.preview', {
      made: madeCommand({ args, env: [{ name: 'A', value: openText('1') }] }),
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

  it('may be an address, which is connected to, also by the other transport than was chosen', async () => {
    await using server = await RemoteServer.open()
    const desk = desks.open()
    const remote: HandMade = {
      kind: 'address',
      type: 'sse',
      url: [...openText(`${server.url}?key=`), ...typedSecret('url-secret')],
      headers: [
        { name: 'Authorization', value: [...openText('Bearer '), ...typedSecret('head-secret')] },
      ],
    }
    const id = await approveHand(desk, remote)
    expect((await desk.until(id, 'ready')).counts.tools).toBe(2)
    expect(server.requests.at(-1)?.authorization).toBe('Bearer head-secret')
    const { preview } = await desk.call('byHand.preview', { made: remote })
    expect(preview).toMatchObject({
      url: { text: `${server.url}?key=••••••••` },
      headers: [{ text: 'Bearer ••••••••' }],
    })
  })
})

describe('A2 a server made by hand with a stored secret', () => {
  const KEYED = join(import.meta.dirname, '../../servers/keyed.mjs')
  const hashOf = (text: string): string =>
    createHash('sha256').update(text).digest('hex').slice(0, 12)
  const keyed = (secretId: string): HandMade =>
    madeCommand({
      args: [openText(KEYED)],
      env: [{ name: 'API_KEY', value: [{ kind: 'stored', secretId }] }],
    })

  it('gets its value, keeps the choice over a save, and gets the value of later', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const { secretId } = await desk.call('secret.create', { name: 'Team', value: 'first-of-team' })
    const id = await approveHand(desk, keyed(secretId))
    await desk.until(id, 'ready')
    await expect.poll(() => desk.log(id)).toContain(`key ${hashOf('first-of-team')}`)
    const made = await readHand(desk, id)
    expect(made).toEqual(keyed(secretId))
    const { secrets } = await desk.call('app.snapshot', {})
    expect(secrets).toMatchObject({ own: [], stored: [{ uses: [{ serverName: 'Mine' }] }] })

    const told: unknown[] = []
    desk.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'server.changed') told.push(payload.server.unapplied.length)
    })
    await desk.call('secret.rotate', { secretId, value: 'second-of-team' })
    // The screens are told, and need not ask.
    expect(told.at(-1)).toBe(1)
    expect((await desk.view(id)).unapplied).toEqual(['The shared secret “Team” has a new value.'])
    await approveHand(desk, made, id)
    await expect.poll(() => desk.log(id)).toContain(`key ${hashOf('second-of-team')}`)
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBeNull()
  })

  it('can have one of its own in its place, and the other way round', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const desk = desks.open(memory)
    const { secretId } = await desk.call('secret.create', { name: 'Team', value: 'first-of-team' })
    const own = { name: 'API_KEY', value: typedSecret('mine-alone') }
    const id = await approveHand(desk, madeCommand({ args: [openText(KEYED)], env: [own] }))
    await desk.until(id, 'ready')
    await approveHand(desk, keyed(secretId), id)
    await expect.poll(() => desk.log(id)).toContain(`key ${hashOf('first-of-team')}`)
    expect(await memory.secrets.get(`${id}/env_API_KEY`)).toBeNull()
    await approveHand(desk, madeCommand({ args: [openText(KEYED)], env: [own] }), id)
    await expect
      .poll(async () => (await desk.log(id)).filter((line) => line.startsWith('key ')))
      .toEqual(['mine-alone', 'first-of-team', 'mine-alone'].map((key) => `key ${hashOf(key)}`))
    expect((await desk.call('app.snapshot', {})).secrets.stored).toMatchObject([{ uses: [] }])
  })

  it('is refused when that is no longer there, at its place', async () => {
    const desk = desks.open()
    const { problems } = await desk.call('byHand.preview', { made: keyed('gone') })
    expect(problems).toMatchObject([{ spot: 'env.0.value' }])
    const save = { name: 'Mine', made: keyed('gone'), start: false }
    await expect(desk.call('byHand.save', save)).rejects.toMatchObject({ code: 'INVALID_VALUES' })
  })

  it('is copied as text with a variable in the place of every secret', async () => {
    const desk = desks.open()
    const { secretId } = await desk.call('secret.create', { name: 'Team', value: 'first-of-team' })
    const made = madeCommand({
      args: [openText('a b'), typedSecret('typed-here')],
      env: [{ name: 'API_KEY', value: [{ kind: 'stored', secretId }] }],
    })
    const copied = await desk.call('byHand.shellText', { made, cwd: '/srv', shell: 'posix' })
    expect(copied.text).toBe(`(cd /srv && API_KEY="$API_KEY" node 'a b' "$ARGUMENT_2")`)
    expect(copied.variables).toEqual(['ARGUMENT_2', 'API_KEY'])
  })
})
