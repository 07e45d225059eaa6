import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { fillTemplate, placeholders } from '../../../../src-shared/domain/server-json/template'
import { declaredEnvironment } from '../../../../src-shared/form/package-inputs'
import type { CommandPlan, LaunchText } from '../plan/launch-plan'
import { resolveHeaders } from './resolve-arguments'
import { type FilledForm, resolveInput } from './resolve-input'

/**
 * Where a package that serves HTTP answers: its address with the values of arguments, value hints and
 * variables of the environment in the place of their names. Undefined for one that speaks over its pipes, and
 * for one whose entry names no address.
 */
export function resolveTransport(pkg: Package, form: FilledForm): CommandPlan['transport'] {
  const { type, url, headers } = pkg.transport
  if (type === 'stdio') return undefined
  return {
    type,
    url: url === undefined ? undefined : fillAddress(url, namedValues(pkg, form)),
    headers: resolveHeaders(headers, form),
  }
}

type Named = readonly [name: string, text: LaunchText]

/** What the address may name, the most exact names first: of two with one name the first counts. */
function namedValues(pkg: Package, form: FilledForm): ReadonlyMap<string, LaunchText> {
  const places = ['packageArguments', 'runtimeArguments'] as const
  const inputs = places.flatMap((place) =>
    pkg[place].map((input, index) => ({ input, target: { place, index } })),
  )
  const args = inputs.flatMap(({ input, target }) => {
    const [text] = resolveInput(input, target, form)
    return text === undefined ? [] : [{ input, text }]
  })
  const env = declaredEnvironment(pkg).map(({ input, index }) => ({
    input,
    target: { place: 'environmentVariables' as const, index },
  }))
  const exact = args.flatMap(({ input, text }): Named[] => [
    ...(input.type === 'named' ? [[input.name, text] as const] : []),
    ...(input.valueHint === undefined ? [] : [[input.valueHint, text] as const]),
  ])
  const variables = env.flatMap(({ input, target }) =>
    resolveInput(input, target, form).map((text): Named => [input.name, text]),
  )
  const withoutDashes = exact.map(([name, text]): Named => [name.replace(/^-+/, ''), text])
  const ofTemplates = [...inputs, ...env].flatMap(({ input, target }) =>
    Object.keys(input.variables ?? {}).flatMap((name) =>
      resolveInput({ ...input, value: `{${name}}` }, target, form).map((text): Named => [
        name,
        text,
      ]),
    ),
  )
  return new Map([...exact, ...variables, ...withoutDashes, ...ofTemplates].toReversed())
}

function fillAddress(url: string, values: ReadonlyMap<string, LaunchText>): LaunchText {
  const used = placeholders(url).flatMap((name) => values.get(name) ?? [])
  const fill = (form: 'value' | 'shown' | 'fingerprint') =>
    fillTemplate(url, (name) => values.get(name)?.[form])
  return {
    value: fill('value'),
    shown: fill('shown'),
    fingerprint: fill('fingerprint'),
    secret: used.some(({ secret }) => secret),
    origin: used[0]?.origin ?? { kind: 'fixed', label: 'Fixed by the entry' },
  }
}
