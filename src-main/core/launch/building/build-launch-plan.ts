import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type {
  Argument,
  KeyValueInput,
  NamedArgument,
  Package,
  Remote,
} from '../../../../src-shared/domain/server-json/server-json'
import { fillTemplate, placeholders } from '../../../../src-shared/domain/server-json/template'
import type { FormField } from '../../../../src-shared/form/form-field'
import { humanize } from '../../../../src-shared/form/humanize'
import { isFixed } from '../../../../src-shared/form/input-template'
import { declaredEnvironment, isSwitch } from '../../../../src-shared/form/package-inputs'
import { declaredHeaders, remoteAddress } from '../../../../src-shared/form/remote-inputs'
import { runnerOptionsField } from '../../../../src-shared/form/runner-options'
import { fieldsOfPackage, toRemoteFields } from '../../../../src-shared/form/to-form-fields'
import { runPackage } from '../packages/package-runners'
import type { RunnerOutput } from '../packages/runner'
import { decidesCode } from '../plan/code-deciding'
import type {
  CommandPlan,
  LaunchPlan,
  LaunchText,
  PlannedArgument,
  PlannedVariable,
  RemotePlan,
} from '../plan/launch-plan'
import { startedProgramWarnings } from '../plan/started-programs'
import { type FilledForm, filledForm, LIST_SEPARATOR, resolveInput } from './resolve-input'

/**
 * Builds the exact command for a package and the user's values. `secrets` holds the values of secret fields by key. Doesn't check for
 * missing values: `findProblems` does. Throws UNSUPPORTED_PACKAGE.
 */
export function buildCommandPlan(
  pkg: Package,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): CommandPlan {
  const fields = fieldsOfPackage(pkg)
  const form = filledForm(fields, values, secrets)
  const env = resolvePairs(declaredEnvironment(pkg), 'environmentVariables', form)
  const run = runPackage({
    pkg,
    env,
    options: resolveRunnerOptions(pkg, form),
    runtime: resolveArguments(pkg, 'runtimeArguments', form),
    own: resolveArguments(pkg, 'packageArguments', form),
  })
  return {
    kind: 'command',
    ...run,
    env,
    transport: resolveTransport(pkg, form),
    packageName: pkg.identifier,
    bundleSha256: pkg.registryType === OWN_COMMAND ? pkg.fileSha256 : undefined,
    warnings: [
      ...ignoredWarnings(pkg),
      ...optionsOfBlanks(pkg, 'packageArguments', form).map(
        ({ option, setting }) => `"${option}" is left out because "${setting}" is blank.`,
      ),
      ...run.warnings,
      ...startedWarnings(run),
      ...variableWarnings(env),
      ...joinWarnings(pkg, fields, values),
      ...secretWarnings(run.args, fields),
      ...templateWarnings(pkg),
    ],
  }
}

const MAX_IGNORED = 4

/** Warns of parts of the entry that were invalid and are missing from the command. */
function ignoredWarnings({ ignoredParts = [] }: Package): string[] {
  if (ignoredParts.length === 0) return []
  const suffix = ignoredParts.length > MAX_IGNORED ? ' There are more.' : ''
  const named = ignoredParts.slice(0, MAX_IGNORED).join(' ')
  return [`Part of this command was ignored: ${named}${suffix}`]
}

function secretWarnings(args: readonly PlannedArgument[], fields: readonly FormField[]): string[] {
  const secret = args.filter((argument) => argument.secret)
  const bySource = new Map(secret.map((one) => [one.origin.fieldKey ?? one.origin.label, one]))
  return [...bySource.values()].flatMap(({ shown, origin: { label: numbered, fieldKey } }) => {
    const field = fields.find(({ key }) => key === fieldKey)
    // A plain value from a variable of this computer isn't a secret.
    if (field?.secret === false) return []
    const label = field?.label ?? numbered
    const scheme = /^([a-z][a-z\d+.-]{0,30}):\/\/[^/@]{0,200}\u2022[^/@]{0,200}@/iu.exec(shown)?.[1]
    const subject = scheme === undefined ? `"${label}"` : `The password in ${scheme}://…`
    const warning = `${subject} is passed as an argument, so other programs on this computer can read it in the process list.`
    const alternative = fields.find(({ key }) => key === field?.alternativeKey)
    if (alternative === undefined) return warning
    const name = alternative.machineName ?? alternative.label
    return `${warning} The package also declares the variable ${name}, which they can’t read.`
  })
}

/** Omits warnings that repeat one about the runner's options. */
function startedWarnings({ command, args, warnings }: RunnerOutput): string[] {
  const subject = (warning: string): string => warning.split(' (')[0] ?? warning
  const reported = new Set(warnings.map(subject))
  return startedProgramWarnings(command, args).filter((one) => !reported.has(subject(one)))
}

function variableWarnings(env: readonly PlannedVariable[]): string[] {
  return env
    .filter(({ name }) => decidesCode(name))
    .map(({ name }) => `The variable "${name}" can change which program runs. Check its value.`)
}

/** Warns of list entries that can't be separated after they are joined to one variable. */
function joinWarnings(pkg: Package, fields: readonly FormField[], values: FieldValues): string[] {
  return pkg.environmentVariables.flatMap(({ name, variables = {} }) =>
    Object.values(variables).flatMap(({ sharedAs }) => {
      const field = fields.find((one) => one.sharedAs === sharedAs)
      const list = sharedAs === undefined || !field || field.secret ? '' : values[field.key]
      if (!Array.isArray(list) || list.length < 2) return []
      const invalid = list.find((entry) => entry.includes(LIST_SEPARATOR))
      if (invalid === undefined) return []
      return [
        `"${invalid}" contains a comma, but the variable ${name} separates its entries with commas.`,
      ]
    }),
  )
}

const NAME_LIKE = /^[A-Za-z_][\w-]*$/

function templateWarnings(pkg: Package): string[] {
  // A user or a bundle wrote the command, so a brace is just a brace.
  if (pkg.registryType === OWN_COMMAND) return []
  const inputs = [
    ...pkg.runtimeArguments,
    ...pkg.packageArguments,
    ...pkg.environmentVariables,
  ].filter(isFixed)
  return inputs.flatMap((input) =>
    placeholders(input.value)
      .filter((name) => NAME_LIKE.test(name) && !Object.hasOwn(input.variables ?? {}, name))
      .map((name) => `The entry doesn’t define {${name}}, so it is passed unchanged.`),
  )
}

/**
 * Returns the address of a package that serves HTTP, with arguments, value hints and environment variables filled in. Undefined for a stdio
 * package, or if the entry names no address.
 */
function resolveTransport(pkg: Package, form: FilledForm): CommandPlan['transport'] {
  const { type, url, headers } = pkg.transport
  if (type === 'stdio') return undefined
  return {
    type,
    url: url === undefined ? undefined : fillAddress(url, namedValues(pkg, form)),
    headers: resolvePairs(declaredHeaders(headers), 'headers', form),
  }
}

type Named = readonly [name: string, text: LaunchText]

/** Values that the address may reference, the most specific names first: the first of two equal names counts. */
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

/**
 * Builds the exact address and headers for a remote and the user's values. `secrets` holds the values of secret fields by key. Doesn't
 * check for missing values: `findProblems` does.
 */
export function buildRemotePlan(
  remote: Remote,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): RemotePlan {
  const form = filledForm(toRemoteFields(remote), values, secrets)
  const [url] = resolveInput(remoteAddress(remote), { place: 'url', index: 0 }, form)
  const address = url ?? unfilled(remote)
  return {
    kind: 'remote',
    type: remote.type,
    url: address,
    headers: resolvePairs(declaredHeaders(remote.headers), 'headers', form),
    warnings: addressWarnings(address),
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

function addressWarnings({ value, shown }: LaunchText): string[] {
  if (placeholders(value).length > 0) return []
  const { protocol = '', hostname = '' } = URL.parse(value) ?? {}
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return []
  return [
    protocol === 'http:'
      ? 'The URL starts with http:, so anyone on the network path can read what is sent, including secrets.'
      : `"${shown}" isn’t a URL.`,
  ]
}

/** The template of an unfilled address, in which required variables keep their braces. */
function unfilled({ url: template, variables = {} }: Remote): LaunchText {
  const url = fillTemplate(template, (name) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (variable === undefined) return undefined
    return variable.value ?? (variable.isRequired ? undefined : '')
  })
  const origin = { kind: 'fixed', label: 'Fixed by the entry' } as const
  return { value: url, shown: url, fingerprint: url, secret: false, origin }
}

/** Builds the plan of an offer, see `buildCommandPlan` and `buildRemotePlan`. Throws UNSUPPORTED_PACKAGE. */
export function buildLaunchPlan(
  offer: Offer,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): LaunchPlan {
  return offer.kind === 'package'
    ? buildCommandPlan(offer.pkg, values, secrets)
    : buildRemotePlan(offer.remote, values, secrets)
}

/** Returns the argv items of one list of arguments, in the entry's order. */
function resolveArguments(
  pkg: Package,
  place: 'runtimeArguments' | 'packageArguments',
  form: FilledForm,
): PlannedArgument[] {
  const omitted = new Set(optionsOfBlanks(pkg, place, form).map(({ at }) => at))
  return pkg[place].flatMap((argument, index) => {
    if (omitted.has(index)) return []
    if (argument.type === 'named' && isSwitch(pkg, place, index)) return [bareFlag(argument)]
    const texts = resolveInput(argument, { place, index }, form)
    return texts.flatMap((text) => itemsOf(argument, text))
  })
}

/** Matches an option without a value; numbers don't match. */
const LONE_OPTION = /^--?[a-z][\w.-]*$/iu
/** Matches a single variable without other text. */
const ONLY_VARIABLE = /^\{([^{}]+)\}$/u

/**
 * Returns the options whose optional value was left blank: they would take the next argument as their value. A registry entry declares both
 * as one argument; a command has two texts.
 */
function optionsOfBlanks(
  pkg: Package,
  place: 'runtimeArguments' | 'packageArguments',
  form: FilledForm,
): { readonly at: number; readonly option: string; readonly setting: string }[] {
  if (pkg.registryType !== OWN_COMMAND) return []
  return pkg[place].flatMap((argument, index) => {
    const before = pkg[place][index - 1]
    const [, name = ''] = ONLY_VARIABLE.exec(argument.value ?? '') ?? []
    const variable = argument.variables?.[name]
    if (before?.type !== 'positional' || !isFixed(before) || !variable) return []
    const option = before.value ?? ''
    if (variable.isRequired || !LONE_OPTION.test(option)) return []
    if (resolveInput(argument, { place, index }, form).length > 0) return []
    return [{ at: index - 1, option, setting: variable.title ?? humanize(name) }]
  })
}

/** The user's options for the runner, one argument each. */
function resolveRunnerOptions(pkg: Package, form: FilledForm): PlannedArgument[] {
  const field = runnerOptionsField(pkg)
  if (field === undefined) return []
  const input: Argument = { type: 'positional', isRepeated: true }
  return resolveInput(input, field.target, form).map((text) => ({
    ...text,
    joined: !text.value.startsWith('-'),
  }))
}

/** Returns the variables or headers that have a value. Empty ones are omitted, unless the user sets a variable to empty. */
function resolvePairs(
  declared: readonly { readonly input: KeyValueInput; readonly index: number }[],
  place: 'environmentVariables' | 'headers',
  form: FilledForm,
): PlannedVariable[] {
  return declared.flatMap(({ input, index }) =>
    resolveInput(input, { place, index }, form)
      .slice(0, 1)
      .map((text) => ({ ...text, name: input.name, declared: declaredText(input) })),
  )
}

/** The entry's declaration of a value, as JSON. */
function declaredText({ value, default: initial, variables = {} }: KeyValueInput): string {
  const parts = Object.entries(variables)
    .map(([name, variable]) => [name, variable.value ?? null, variable.default ?? null])
    .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return JSON.stringify([value ?? null, initial ?? null, parts])
}

function itemsOf(argument: Argument, text: LaunchText): PlannedArgument[] {
  if (argument.type === 'positional') return [{ ...text, joined: false }]
  const flag = { ...bareFlag(argument), origin: text.origin }
  const word = text.value.toLowerCase()
  if (argument.format === 'boolean' && word === 'true') return [flag]
  if (argument.format === 'boolean' && word === 'false') return []
  return [flag, { ...text, joined: true }]
}

function bareFlag(argument: NamedArgument): PlannedArgument {
  const { name } = argument
  const flag = name.startsWith('-') ? name : `--${name}`
  const origin = { kind: 'fixed', label: humanize(flag) || flag } as const
  return { value: flag, shown: flag, fingerprint: flag, secret: false, joined: false, origin }
}
