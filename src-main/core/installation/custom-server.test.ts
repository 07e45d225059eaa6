import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  type CustomServer,
  type CustomServerText,
  openText,
  type TextSegment,
} from '../../../src-shared/domain/installation/custom-server'
import { OWN_PLACE, type SecretPlaces } from '../../../src-shared/domain/installation/secret-place'
import { toServerJson } from '../../../src-shared/form/custom-server'
import { segmentsOf } from '../../../src-shared/form/custom-server-parts'
import { problemsOfCustomServer } from '../../../src-shared/form/custom-server-problems'
import { buildLaunchPlan } from '../launch/building/build-launch-plan'

/** Gives each of these fields its own secret. */
const ownPlaces = (keys: readonly string[]): SecretPlaces =>
  Object.fromEntries(keys.map((key) => [key, OWN_PLACE]))
const secret = (text: string): TextSegment => ({ kind: 'secret', secret: text })
const command = (change: Partial<Extract<CustomServer, { kind: 'command' }>>): CustomServer => ({
  kind: 'command',
  command: 'node',
  args: [],
  env: [],
  ...change,
})
const address = (change: Partial<Extract<CustomServer, { kind: 'address' }>>): CustomServer => ({
  kind: 'address',
  type: 'streamable-http',
  url: openText('https://a.example/mcp'),
  headers: [],
  ...change,
})

/** The texts that reach the process, or the address and headers. */
function launchOf(made: CustomServer): { texts: string[]; shown: string[] } {
  const { offer, values } = toServerJson(made)
  const plan = buildLaunchPlan(offer, values, new Map())
  const texts = plan.kind === 'command' ? [...plan.args, ...plan.env] : [plan.url, ...plan.headers]
  return { texts: texts.map(({ value }) => value), shown: texts.map(({ shown }) => shown) }
}

describe('B12: a custom server', () => {
  it('passes its texts unchanged, including empty ones and braces', () => {
    const args = ['', 'a b', '{x}', '{', '-y', '--flag', '']
    const made = command({ args: args.map(openText), env: [{ name: 'EMPTY', value: [] }] })
    expect(launchOf(made).texts).toEqual([...args, ''])
  })

  it('keeps its secrets out of saved and displayed texts, but keeps the text around them', () => {
    const made = command({
      args: [openText('--key'), [secret('s1')], [...openText('--token={token}'), secret('s2')]],
      env: [
        { name: 'URL', value: [...openText('a:'), secret('s3'), ...openText('@b:'), secret('s4')] },
      ],
    })
    const { server, values, fieldPaths } = toServerJson(made)
    expect(JSON.stringify(server)).not.toMatch(/s\d/)
    expect(launchOf(made)).toEqual({
      texts: ['--key', 's1', '--token={token}s2', 'a:s3@b:s4'],
      shown: ['--key', '••••••••', '--token={token}••••••••', 'a:••••••••@b:••••••••'],
    })
    expect(Object.entries(values)).toEqual([
      ['arg_key', 's1'],
      ['arg_secret', 's2'],
      ['env_URL', 's3'],
      ['env_URL_URL_2', 's4'],
    ])
    expect([...fieldPaths.values()]).toEqual(['args.1', 'args.2', 'env.0.value', 'env.0.value'])
  })

  it('puts secrets into an address and into headers', () => {
    const made = address({
      url: [...openText(' https://a.example/?key='), secret('s1'), ...openText('&b=1 ')],
      headers: [{ name: 'Authorization', value: [...openText('Bearer '), secret('s2')] }],
    })
    expect(launchOf(made).texts).toEqual(['https://a.example/?key=s1&b=1', 'Bearer s2'])
    expect(Object.keys(toServerJson(made).values)).toEqual(['url_url_key', 'head_Authorization'])
  })

  it('is read back as written, with its secrets as saved ones', () => {
    const piece = fc.oneof(
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 12 })
        .map((text): TextSegment => ({ kind: 'text', text })),
      fc
        .constantFrom('{', '}', '{secret}', '{NAME}')
        .map((text): TextSegment => ({ kind: 'text', text })),
      fc
        .string({ minLength: 1, maxLength: 5 })
        .filter((text) => text.trim() !== '')
        .map(secret),
      fc
        .constantFrom('team', 'other')
        .map((secretId): TextSegment => ({ kind: 'stored', secretId })),
    )
    const text = fc.array(piece, { maxLength: 4 }).map(joined)
    const pair = fc.record({
      name: fc.constantFrom('NAME', 'A', 'B', '__proto__', 'Ä{x}'),
      value: text,
    })
    const pairs = fc.uniqueArray(pair, { selector: ({ name }) => name, maxLength: 5 })
    const made = fc.oneof(
      fc.record({ args: fc.array(text, { maxLength: 5 }), env: pairs }).map(command),
      fc.record({ headers: pairs }).map(address),
    )
    fc.assert(
      fc.property(made, (written) => {
        const { server, ref, values, secrets } = toServerJson(written)
        const saved = Object.keys(values)
        const back = segmentsOf(server, ref, { ...ownPlaces(saved), ...secrets })
        expect(textsOf(back).map(withoutKeys)).toEqual(textsOf(written).map(withoutKeys))
        const again = toServerJson(back ?? written)
        expect(again.server).toEqual(server)
        expect(again.secrets).toEqual(secrets)
        expect(again.kept.every(({ from, to }) => from === to)).toBe(true)
        expect(again.kept.map(({ to }) => to).toSorted()).toEqual(saved.toSorted())
      }),
    )
  })

  it('keeps a saved secret when lines are moved or renamed', () => {
    const before = toServerJson(
      command({ args: [[secret('s')]], env: [{ name: 'OLD', value: [secret('t')] }] }),
    )
    const held = ownPlaces(Object.keys(before.values))
    const back = segmentsOf(before.server, before.ref, held)
    if (back?.kind !== 'command') throw new Error('no command')
    const [argument = []] = back.args
    const [variable] = back.env
    const after = toServerJson({
      ...back,
      args: [openText('first'), openText('--key'), argument],
      env: [{ name: 'NEW', value: variable?.value ?? [] }],
    })
    expect(after.kept).toEqual([
      { from: 'arg_0', to: 'arg_key' },
      { from: 'env_OLD', to: 'env_NEW' },
    ])
  })
})

describe('B12: the problems of a custom server', () => {
  const spots = (made: CustomServer) =>
    problemsOfCustomServer(made).map(({ fieldPath }) => fieldPath)

  it('are reported at their fields', () => {
    const value = openText('x')
    expect(
      spots(
        command({
          command: ' ',
          args: [openText('a'), openText('a\0b')],
          env: [
            { name: 'A', value },
            { name: 'A=B', value },
            { name: '', value },
            { name: 'A', value: [secret('\0')] },
            { name: 'B\0', value },
          ],
        }),
      ),
    ).toEqual([
      ...['command', 'args.1', 'env.1.name', 'env.2.name', 'env.3.name', 'env.3.value'],
      'env.4.name',
    ])
    expect(problemsOfCustomServer(address({ url: [], headers: [] }))).toEqual([
      { fieldPath: 'url', label: 'Address', message: 'Enter the server’s address.' },
    ])
    expect(
      spots(
        address({
          url: openText('ftp://a.example'),
          headers: [
            { name: 'X-A', value },
            { name: 'x-a', value },
            { name: 'a b', value: openText('1\n2') },
          ],
        }),
      ),
    ).toEqual(['url', 'headers.1.name', 'headers.2.name', 'headers.2.value'])
  })

  it("don't exist if it can be saved", () => {
    expect(spots(command({ args: [openText('')], env: [{ name: 'A', value: [] }] }))).toEqual([])
    expect(spots(address({ url: [...openText('http://[::1]:1/?k='), secret('')] }))).toEqual([])
  })
})

function joined(pieces: readonly TextSegment[]): CustomServerText {
  return pieces.reduce<CustomServerText>((text, piece) => {
    const last = text.at(-1)
    if (piece.kind !== 'text' || last?.kind !== 'text') return [...text, piece]
    return [...text.slice(0, -1), { kind: 'text', text: last.text + piece.text }]
  }, [])
}

function textsOf(made: CustomServer | undefined): CustomServerText[] {
  if (made === undefined) return []
  const own = made.kind === 'command' ? made.args : [made.url]
  const pairs = made.kind === 'command' ? made.env : made.headers
  return [...own, ...pairs.map(({ name, value }) => [...openText(name), ...value])]
}

function withoutKeys(text: CustomServerText): string[] {
  return text.map((piece) => {
    if (piece.kind === 'text') return `text ${piece.text}`
    return piece.kind === 'stored' ? `stored ${piece.secretId}` : 'secret'
  })
}
