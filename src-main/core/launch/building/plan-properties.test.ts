import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { SECRET_MASK } from '../../../../src-shared/domain/installation/launch-plan'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import { findProblems } from '../../../../src-shared/form/form-schema'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import { splitSecrets } from '../../installation/secrets/move-secrets'
import type { LaunchPlan, LaunchText } from '../plan/launch-plan'
import { buildLaunchPlan } from './build-launch-plan'
import { planHash, toPreview } from './launch-preview'

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      ...['$(touch x)', '`id`', 'a"b\'c', ' x ', 'a\nb', '; rm -rf /', '&& x', '| y', '> f', '-rf'],
      ...[
        '--',
        '%PATH%',
        '^&',
        '*',
        '~',
        '{a}',
        '{b}{a}',
        '$&',
        'a,b',
        '{"a":[1,2]}',
        '日本 ñ',
        '\\',
      ],
    ),
  )
  .filter((value) => value.trim() !== '' && !value.includes('\0'))

const flags = fc.record({
  isRequired: fc.boolean(),
  isSecret: fc.boolean(),
  description: fc.constant('d'),
})
const template = fc.constantFrom('{a}', '{b}-{a}', '{a}{a}', 'x={a};{nope}', '{a}{b}')
const variables = fc.record({ a: flags, b: flags })

const argument = fc.oneof(
  fc.tuple(flags, fc.boolean()).map(([input, isRepeated]) => ({
    ...input,
    type: 'positional',
    isRepeated,
  })),
  flags.map((input) => ({ ...input, type: 'named', name: '--flag' })),
  fc.tuple(template, variables).map(([value, map]) => ({
    type: 'named',
    name: '--t',
    value,
    variables: map,
  })),
)
const environment = fc
  .array(flags, { maxLength: 4 })
  .map((inputs) => inputs.map((input, index) => ({ ...input, name: `V${String(index)}` })))
const packages = fc.record({
  registryType: fc.constantFrom('npm', 'pypi', 'oci', 'nuget', 'cargo'),
  identifier: fc.constant('thing'),
  version: fc.constant('1.0.0'),
  packageArguments: fc.array(argument, { maxLength: 5 }),
  environmentVariables: environment,
})
const remotes = fc.record({
  type: fc.constantFrom('streamable-http', 'sse'),
  url: fc.constant('https://{tenant}.example/{path}'),
  variables: fc.record({ tenant: flags, path: flags }),
  headers: environment,
})

function read(parts: object): { server: ServerJson; offer: Offer } {
  const { server, notices } = parseServerJson({ name: 'a/b', version: '1', ...parts })
  expect(notices).toEqual([])
  const [pkg] = server.packages
  const [remote] = server.remotes
  if (pkg) return { server, offer: { kind: 'package', pkg } }
  if (remote) return { server, offer: { kind: 'remote', remote } }
  throw new Error('Nothing was read.')
}

const offers = fc.oneof(
  packages.map((pkg) => read({ packages: [pkg] })),
  remotes.map((remote) => read({ remotes: [remote] })),
)

/** Fills in each field with its own text. */
function fill(offer: Offer, texts: readonly string[]): FieldValues {
  return Object.fromEntries(
    fieldsOfOffer(offer).map((field, index): [string, string] => [
      field.key,
      texts[index % texts.length] ?? 'x',
    ]),
  )
}

function textsOf(plan: LaunchPlan): LaunchText[] {
  return plan.kind === 'remote' ? [plan.url, ...plan.headers] : [...plan.args, ...plan.env]
}

const values = (plan: LaunchPlan) => textsOf(plan).map(({ value }) => value)

describe('A5: for any declaration and any typed value', () => {
  it('each argument becomes its own items and no more', () => {
    const typed = fc.array(text, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(packages, typed, (raw, texts) => {
        const { offer } = read({ packages: [{ ...raw, registryType: 'cargo' }] })
        const plan = buildLaunchPlan(offer, fill(offer, texts), new Map())
        const items = raw.packageArguments.reduce(
          (sum, { type }) => sum + (type === 'named' ? 2 : 1),
          0,
        )
        expect(plan).toMatchObject({ kind: 'command', command: 'thing' })
        expect(plan.kind === 'command' && plan.args.length).toBe(items)
      }),
    )
  })

  it('a value appears in the plan as typed, without filling in anything', () => {
    const typed = fc.array(text, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(packages, typed, (raw, texts) => {
        const { offer } = read({ packages: [raw] })
        const given = fill(offer, texts)
        const all = values(buildLaunchPlan(offer, given, new Map()))
        for (const { key, target } of fieldsOfOffer(offer)) {
          const value = given[key] as string
          if (target.variable === undefined) expect(all).toContain(value)
          else expect(all.some((one) => one.includes(value))).toBe(true)
        }
      }),
    )
  })

  it('a list becomes one argument per value', () => {
    const list = fc.array(text, { maxLength: 20 })
    fc.assert(
      fc.property(list, fc.boolean(), (entries, isNamed) => {
        const type = isNamed ? 'named' : 'positional'
        const input = { type, name: '--dir', description: 'd', isRepeated: true }
        const { offer } = read({
          packages: [{ registryType: 'cargo', identifier: 't', packageArguments: [input] }],
        })
        const [field] = fieldsOfOffer(offer)
        const plan = buildLaunchPlan(offer, { [field?.key ?? '']: entries }, new Map())
        const expected = entries.flatMap((entry) => (isNamed ? ['--dir', entry] : [entry]))
        expect(values(plan)).toEqual(expected)
      }),
    )
  })
})

describe('A2: saving and reading', () => {
  it('keeps the server, the form and the plan', () => {
    const typed = fc.array(text, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(offers, typed, ({ server, offer }, texts) => {
        const again = read(JSON.parse(JSON.stringify(server)) as object)
        expect(again.server).toEqual(server)
        const fields = fieldsOfOffer(offer)
        expect(fieldsOfOffer(again.offer)).toEqual(fields)
        const given = fill(offer, texts)
        const { plain, secrets, cleared } = splitSecrets(fields, given)
        expect(cleared).toEqual([])
        const saved = JSON.parse(JSON.stringify(plain)) as FieldValues
        const before = buildLaunchPlan(offer, given, new Map())
        const after = buildLaunchPlan(again.offer, saved, secrets)
        expect(values(after)).toEqual(values(before))
        expect(planHash(after)).toBe(planHash(before))
        const ofLatin = /^[\x20-\x7E\x80-\xFF]*$/
        if (texts.every((one) => ofLatin.test(one)))
          expect(findProblems(fields, saved, [...secrets.keys()])).toEqual([])
      }),
    )
  })
})

describe('A7: secrets in printed plans', () => {
  it("appear as their mask or their field's key", () => {
    const secretText = fc.stringMatching(/^[0-9a-f]{8,20}$/)
    fc.assert(
      fc.property(offers, secretText, ({ offer }, seed) => {
        const fields = fieldsOfOffer(offer)
        const secrets = new Map(
          fields.filter(({ secret }) => secret).map(({ key }) => [key, `s3cr3t${seed}`]),
        )
        const plain = Object.fromEntries(
          Object.entries(fill(offer, ['plain'])).filter(([key]) => !secrets.has(key)),
        )
        const plan = buildLaunchPlan(offer, plain, secrets)
        expect(values(plan).some((value) => value.includes('s3cr3t'))).toBe(secrets.size > 0)
        const printed = JSON.stringify([
          toPreview(plan, findProblems(fields, plain, [...secrets.keys()])),
          textsOf(plan).map(({ shown, fingerprint, origin }) => [shown, fingerprint, origin]),
          plan.warnings,
        ])
        expect(printed).not.toContain('s3cr3t')
        expect(printed.includes(SECRET_MASK)).toBe(secrets.size > 0)
        for (const one of textsOf(plan)) expect(one.secret).toBe(one.value.includes('s3cr3t'))
      }),
    )
  })
})
