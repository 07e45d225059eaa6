import { namesSecret } from '../secret-name'
import type {
  Argument,
  InputVariable,
  KeyValueInput,
  Package,
  Remote,
  ServerJson,
} from './server-json'

type Variables = Readonly<Record<string, InputVariable>>

/** The name before a placeholder of a template: `TOKEN={t}`, `?key={k}`, `Authorization: Bearer {t}`. */
const NAME_BEFORE = /([A-Za-z][\w.-]*)(?:=|:\s*(?:[A-Za-z]+\s+)?)\{([^{}]+)\}/g

/**
 * Marks each input as secret if its name indicates one and the entry does not declare `isSecret`. Registries drop `isSecret: false`, so an
 * input that cannot hold a secret stays unchanged: a switch, a choice, a number, a path or a list.
 */
export function withNamedSecrets(server: ServerJson): ServerJson {
  return {
    ...server,
    packages: server.packages.map(markPackage),
    remotes: server.remotes.map(markRemote),
  }
}

/** Whether a value belongs to a switch or a choice, whatever its name: `false`, `none`. */
export function isSwitchValue(text: string): boolean {
  return /^(true|false|yes|no|on|off|none)$/i.test(text.trim())
}

function markPackage(pkg: Package): Package {
  const { transport } = pkg
  return {
    ...pkg,
    runtimeArguments: pkg.runtimeArguments.map(markArgument),
    packageArguments: pkg.packageArguments.map(markArgument),
    environmentVariables: pkg.environmentVariables.map((input) => markInput(input, input.name)),
    transport: transport.headers
      ? { ...transport, headers: markHeaders(transport.headers) }
      : transport,
  }
}

function markRemote(remote: Remote): Remote {
  const variables = markVariables(remote.variables, remote.url, false)
  return { ...remote, headers: markHeaders(remote.headers), ...(variables && { variables }) }
}

function markHeaders(headers: readonly KeyValueInput[]): KeyValueInput[] {
  return headers.map((input) => markInput(input, input.name))
}

function markArgument(argument: Argument): Argument {
  // A flag that is declared with nothing but a name takes no value.
  if (argument.type === 'named' && argument.description === undefined && !asksForValue(argument))
    return argument
  const name = argument.type === 'named' ? argument.name : (argument.valueHint ?? '')
  return argument.isRepeated === true ? argument : markInput(argument, name)
}

function asksForValue({
  value,
  isRequired,
  default: initial,
  placeholder,
  format,
}: Argument): boolean {
  return (
    [value, initial, placeholder, format].some((text) => text !== undefined) || isRequired === true
  )
}

function markInput<T extends Argument | KeyValueInput>(input: T, name: string): T {
  const isNamed = input.isSecret === undefined && namesSecret(name)
  if (input.value === undefined)
    return isNamed && canBeSecret(input) ? { ...input, isSecret: true } : input
  const variables = markVariables(input.variables, input.value, isNamed)
  return variables ? { ...input, variables } : input
}

/** Marks the variables of a template. `isNamed`: the input with the template has a secret's name. */
function markVariables(
  variables: Variables | undefined,
  template: string,
  isNamed: boolean,
): Record<string, InputVariable> | undefined {
  if (variables === undefined) return undefined
  const before = new Map(
    Array.from(template.matchAll(NAME_BEFORE), ([, label = '', name = '']) => [name, label]),
  )
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => {
      const isSecret = isNamed || namesSecret(name) || namesSecret(before.get(name) ?? '')
      const isUnsaid = variable.isSecret === undefined && variable.value === undefined
      const marks = isSecret && isUnsaid && canBeSecret(variable)
      return [name, marks ? { ...variable, isSecret: true } : variable]
    }),
  )
}

function canBeSecret({ format, choices, default: initial, pathKind }: InputVariable): boolean {
  const isText = (format === undefined || format === 'string') && pathKind === undefined
  return isText && choices === undefined && !isSwitchValue(initial ?? '')
}
