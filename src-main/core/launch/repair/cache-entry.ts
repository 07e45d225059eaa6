import { programName } from '../environment/manager-variables'

/** The copy of packages in the cache of npx or uvx for a command line. */
export type CacheEntry =
  | { readonly runner: 'npx'; readonly packages: readonly string[] }
  /** The options determine the contents of the copy's environment. */
  | { readonly runner: 'uvx'; readonly options: readonly string[] }

type Options = { readonly flags: ReadonlySet<string>; readonly valued: ReadonlySet<string> }

const NPX: Options = {
  flags: new Set([
    ...['-y', '--yes', '-q', '--quiet', '-s', '--silent'],
    ...['--offline', '--prefer-offline', '--prefer-online'],
  ]),
  valued: new Set(['-p', '--package', '--registry', '--loglevel']),
}
const UVX: Options = {
  flags: new Set([
    ...['-q', '--quiet', '--offline', '--no-progress', '--no-config', '--compile-bytecode'],
    ...['--native-tls', '--system-certs', '--managed-python', '--no-managed-python', '--no-index'],
    ...['--no-python-downloads'],
  ]),
  valued: new Set([
    ...['--from', '--with', '-w', '--python', '-p', '--prerelease', '--resolution'],
    ...['--index', '--default-index', '--index-url', '-i', '--extra-index-url', '--find-links'],
    ...['-f', '--index-strategy', '--keyring-provider', '--exclude-newer', '--constraints', '-c'],
  ]),
}
/** Some versions of uv don't accept `name@1.2` as a requirement. */
const WITH_VERSION = /^([a-z0-9][\w.-]*(?:\[[\w.,-]*\])?)@(\d[\w.+!-]*)$/i

/**
 * Returns the entry that an npx or uvx command line runs from. Undefined for other programs, and if an option is unknown: it might name
 * another package or another cache.
 */
export function cacheEntryOf(command: string, args: readonly string[]): CacheEntry | undefined {
  const runner = programName(command)
  if (runner !== 'npx' && runner !== 'uvx') return undefined
  const line = readLine(args, runner === 'npx' ? NPX : UVX)
  if (line === undefined) return undefined
  const { options, values, first } = line
  if (runner === 'npx') {
    const named = [...(values.get('-p') ?? []), ...(values.get('--package') ?? [])]
    return { runner, packages: named.length === 0 ? [first] : named.toSorted() }
  }
  const from = values.has('--from') ? [] : ['--from', first.replace(WITH_VERSION, '$1==$2')]
  return { runner, options: [...options, ...from] }
}

type Line = {
  readonly options: readonly string[]
  readonly values: ReadonlyMap<string, readonly string[]>
  /** The package, or the program if an option names the package. */
  readonly first: string
}

function readLine(args: readonly string[], { flags, valued }: Options): Line | undefined {
  const values = new Map<string, string[]>()
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) return { options: args.slice(0, index), values, first: arg }
    if (flags.has(arg)) continue
    const equals = arg.indexOf('=')
    const name = equals === -1 ? arg : arg.slice(0, equals)
    if (!valued.has(name)) return undefined
    const value = equals === -1 ? args[(index += 1)] : arg.slice(equals + 1)
    if (value === undefined) return undefined
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return undefined
}
