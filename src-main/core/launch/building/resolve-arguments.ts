import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type {
  Argument,
  KeyValueInput,
  NamedArgument,
  Package,
} from '../../../../src-shared/domain/server-json/server-json'
import { humanise } from '../../../../src-shared/form/humanise'
import { isFixed } from '../../../../src-shared/form/input-template'
import { declaredEnvironment, isSwitch } from '../../../../src-shared/form/package-inputs'
import { declaredHeaders } from '../../../../src-shared/form/remote-inputs'
import { runnerOptionsField } from '../../../../src-shared/form/runner-options'
import type { LaunchText, PlannedArgument, PlannedVariable } from '../plan/launch-plan'
import { type FilledForm, resolveInput } from './resolve-input'

/** The argv items of one list of arguments, in the order in which the entry declares them. */
export function resolveArguments(
  pkg: Package,
  place: 'runtimeArguments' | 'packageArguments',
  form: FilledForm,
): PlannedArgument[] {
  const leftOut = new Set(optionsOfBlanks(pkg, place, form).map(({ at }) => at))
  return pkg[place].flatMap((argument, index) => {
    if (leftOut.has(index)) return []
    if (argument.type === 'named' && isSwitch(pkg, place, index)) return [bareFlag(argument)]
    const texts = resolveInput(argument, { place, index }, form)
    return texts.flatMap((text) => itemsOf(argument, text))
  })
}

/** Not a number, nor an option that has its value in itself. */
const LONE_OPTION = /^--?[a-z][\w.-]*$/iu
/** One variable and nothing else. */
const ONLY_VARIABLE = /^\{([^{}]+)\}$/u

/**
 * The options whose value is an optional setting that was left blank: they would take the next argument for it. An entry
 * of a registry names both as one argument; a command has them as two texts.
 */
export function optionsOfBlanks(
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
    return [{ at: index - 1, option, setting: variable.title ?? humanise(name) }]
  })
}

/** The options that the user gives the runner, one argument each. */
export function resolveRunnerOptions(pkg: Package, form: FilledForm): PlannedArgument[] {
  const field = runnerOptionsField(pkg)
  if (field === undefined) return []
  const input: Argument = { type: 'positional', isRepeated: true }
  return resolveInput(input, field.target, form).map((text) => ({
    ...text,
    joined: !text.value.startsWith('-'),
  }))
}

/** The variables that have a value. An empty one is not set, unless the user says so. */
export function resolveEnvironment(pkg: Package, form: FilledForm): PlannedVariable[] {
  return declaredEnvironment(pkg).flatMap(({ input, index }) =>
    resolveInput(input, { place: 'environmentVariables', index }, form)
      .slice(0, 1)
      .map((text) => ({ ...text, name: input.name, declared: declaredText(input) })),
  )
}

/** The headers that have a value; an empty one is not sent at all. */
export function resolveHeaders(
  headers: readonly KeyValueInput[] | undefined,
  form: FilledForm,
): PlannedVariable[] {
  return declaredHeaders(headers).flatMap(({ input, index }) =>
    resolveInput(input, { place: 'headers', index }, form)
      .slice(0, 1)
      .map((text) => ({ ...text, name: input.name, declared: declaredText(input) })),
  )
}

/** What an entry says of a value, as JSON. */
function declaredText({ value, default: initial, variables = {} }: KeyValueInput): string {
  const parts = Object.entries(variables)
    .map(([name, variable]) => [name, variable.value ?? null, variable.default ?? null])
    .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return JSON.stringify([value ?? null, initial ?? null, parts])
}

function itemsOf(argument: Argument, text: LaunchText): PlannedArgument[] {
  if (argument.type === 'positional') return [{ ...text, joined: false }]
  const flag = flagItem(argument, text)
  const word = text.value.toLowerCase()
  if (argument.format === 'boolean' && word === 'true') return [flag]
  if (argument.format === 'boolean' && word === 'false') return []
  return [flag, { ...text, joined: true }]
}

function bareFlag(argument: NamedArgument): PlannedArgument {
  const flag = withDashes(argument.name)
  const origin = { kind: 'fixed', label: humanise(flag) || flag } as const
  return { value: flag, shown: flag, fingerprint: flag, secret: false, joined: false, origin }
}

function flagItem(argument: NamedArgument, { origin }: LaunchText): PlannedArgument {
  return { ...bareFlag(argument), origin }
}

function withDashes(name: string): string {
  return name.startsWith('-') ? name : `--${name}`
}
