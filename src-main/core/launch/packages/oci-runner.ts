import { randomBytes } from 'node:crypto'

import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { rejectedOption, withoutTerminal } from '../../../../src-shared/form/terminal-option'
import { environmentProxies } from '../../network/environment-proxies'
import { isLoopback } from '../../network/is-loopback'
import { runnerOptionWarnings } from '../plan/code-deciding'
import type { CommandPlan, PlannedArgument, PlannedContainer } from '../plan/launch-plan'
import {
  byRunner,
  customRegistry,
  hintWarnings,
  packageItem,
  plain,
  type RunnerInput,
  type RunnerOutput,
} from './runner'

/** Runs a container image through `docker run -i --rm`. Variables are passed by name, so no value appears in the argv. */
export function runOci({ pkg, runtime, own, env }: RunnerInput): RunnerOutput {
  const image = imageOf(pkg)
  const { options: declaredOptions, trailing } = splitAtImage(runtime, image)
  const { options, left } = withoutTerminals(declaredOptions)
  const declared = new Set(pkg.environmentVariables.map(({ name }) => name))
  const has = (option: RegExp) => options.some(({ value, joined }) => !joined && option.test(value))
  const forwarded = forwardedNames(options)
  const before = [
    ...byRunner('run'),
    ...(has(INTERACTIVE) ? [] : byRunner('-i')),
    ...(has(/^--rm(=true)?$/) ? [] : byRunner('--rm')),
  ]
  return {
    command: 'docker',
    container: { optionsAt: before.length, isNamed: has(/^--name(=|$)/) },
    args: [
      ...before,
      ...options,
      ...env
        .filter(({ name }) => !forwarded.has(name))
        .flatMap(({ name, origin }) => [
          ...byRunner('-e'),
          { ...plain(name, origin), joined: true },
        ]),
      packageItem(image),
      ...trailing,
      ...own,
    ],
    packageVersion: /(?:@|:)([^:/@]+(?::[0-9a-f]+)?)$/.exec(image)?.[1],
    install: { command: 'docker', args: ['pull', image] },
    warnings: [
      ...imageWarnings(image),
      ...hintWarnings(pkg, 'docker'),
      ...runnerOptionWarnings('docker', options, (value) => declared.has(value)),
      ...left.map(
        (written) =>
          `${written} from the entry is ignored because a server has no terminal and runs in the foreground.`,
      ),
    ],
  }
}

/** Removes options that no server can use, a terminal and the background: `-dit` becomes `-i`. */
function withoutTerminals(declared: readonly PlannedArgument[]): {
  options: PlannedArgument[]
  left: string[]
} {
  let options = [...declared]
  const left: string[] = []
  for (;;) {
    const args = ['run', ...options.map(({ value }) => value)]
    const found = rejectedOption('docker', args)
    const at = found === undefined ? -1 : found.at - 1
    const written = options[at]
    if (found === undefined || written === undefined) return { options, left }
    left.push(written.shown)
    options = withoutTerminal(options, { ...found, at }, (value) => ({
      ...plain(value, written.origin),
      joined: false,
    }))
  }
}

/** Matches the option alone or among short options: `-it`, `-di`. */
const INTERACTIVE = /^(-[dt]*i[dt]*|--interactive)(=true)?$/

/** Returns the variables that the options pass by name: `-e NAME`, `-eNAME`, `--env NAME`, `--env=NAME`. */
function forwardedNames(options: readonly PlannedArgument[]): ReadonlySet<string> {
  return new Set(
    options.flatMap(({ value }, index) => {
      const before = options[index - 1]?.value
      if (before === '-e' || before === '--env') return [value]
      const name = /^(?:-e|--env=)([^-=][^=]*)$/.exec(value)?.[1]
      return name === undefined ? [] : [name]
    }),
  )
}

/** In characters; no image reference is longer, and a hostile text isn't searched. */
const MAX_REFERENCE = 500

/** Some publishers spell the whole `docker run … IMAGE …`: the options before and after count. */
function splitAtImage(
  runtime: readonly PlannedArgument[],
  image: string,
): { options: PlannedArgument[]; trailing: PlannedArgument[] } {
  const options = runtime[0]?.value === 'run' ? runtime.slice(1) : [...runtime]
  const bare = bareImage(image)
  const at = options.findIndex(
    ({ value, joined }) => !joined && value.length <= MAX_REFERENCE && bareImage(value) === bare,
  )
  return at < 0
    ? { options, trailing: [] }
    : { options: options.slice(0, at), trailing: options.slice(at + 1) }
}

function bareImage(reference: string): string {
  return reference
    .replace(/^(index\.)?docker\.io\//, '')
    .replace(/@sha256:.*$/, '')
    .replace(/:[^:/]*$/, '')
}

function imageOf(pkg: Package): string {
  const registry = customRegistry(pkg, 'docker')
  // Only the host names an image; a user name or path could pass for an option of docker.
  const host = registry === undefined ? undefined : new URL(registry).host.replace(/^-+/, '')
  const [first = ''] = pkg.identifier.split('/')
  const hasHost = (/[.:]/.test(first) || first === 'localhost') && pkg.identifier.includes('/')
  const image = host === undefined || hasHost ? pkg.identifier : `${host}/${pkg.identifier}`
  if (isTagged(image) || pkg.version === undefined) return image
  return `${image}${pkg.version.startsWith('sha256:') ? '@' : ':'}${pkg.version}`
}

function isTagged(image: string): boolean {
  return image.includes('@sha256:') || /:[^:/]+$/.test(image)
}

function imageWarnings(image: string): string[] {
  const isPinned = isTagged(image) && !image.endsWith(':latest')
  return isPinned ? [] : ['The image isn’t pinned, so each start may run different code.']
}

/** Shown in previews instead of the name, which differs for each start. */
export const SHOWN_CONTAINER_NAME = 'patchbay-<random>'

type NamedPlan = Pick<CommandPlan, 'args' | 'container'>

/** Returns a unique name by which the container can be stopped. Undefined if the plan takes none. */
export function newContainerName({ container }: NamedPlan): string | undefined {
  return takesName(container) ? `patchbay-${randomBytes(6).toString('hex')}` : undefined
}

/** Returns the argv with `--name` if the plan takes one. The name decides nothing, so no approval covers it. */
export function argsWithName(
  { args, container }: NamedPlan,
  name: string,
): readonly PlannedArgument[] {
  return takesName(container)
    ? args.toSpliced(container.optionsAt, 0, ...byRunner('--name', name))
    : args
}

function takesName(container: CommandPlan['container']): container is PlannedContainer {
  return container !== undefined && !container.isNamed
}

/** Proxy variables for a container; docker omits those that its own environment lacks. */
const NAMES = [
  ...['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'],
  'NODE_USE_ENV_PROXY',
]
/** Redundant with the others, except for SOCKS. */
const ALL_NAMES = ['ALL_PROXY', 'all_proxy']
/** Matches a variable that docker sets or passes on: `-e NAME`, `-e NAME=value`, `--env=NAME`. */
const SET = /^(?:-e|--env=)?(\w+)(?:=|$)/

/**
 * Returns the argv that also passes the proxy of `env`, docker's own environment, to the container: by name, so that no password appears.
 * Variables that the entry or its form sets in either case stay; no approval covers the added ones.
 */
export function argsWithNetwork(
  { args, container }: Pick<CommandPlan, 'args' | 'container'>,
  env: Readonly<Record<string, string>>,
): readonly PlannedArgument[] {
  if (!container || !hasProxyFor(env)) return args
  const set = new Set(args.map(({ value }) => SET.exec(value)?.[1]?.toUpperCase()))
  const names = [...NAMES, ...ALL_NAMES.filter((name) => name in env)]
  const added = names.filter((name) => !set.has(name.toUpperCase()))
  return args.toSpliced(container.optionsAt, 0, ...added.flatMap((name) => byRunner('-e', name)))
}

/** Inside a container, this computer's loopback address is the container's own, so a proxy there is unreachable. */
function hasProxyFor(env: Readonly<Record<string, string>>): boolean {
  const named = environmentProxies(env)
  if (named === undefined || named === 'unusable') return false
  const proxies = [named.httpProxy, named.httpsProxy].filter((proxy) => proxy !== '')
  return proxies.every((proxy) => !isLoopback(new URL(proxy)))
}
