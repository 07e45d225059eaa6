import { environmentProxies } from '../../network/environment-proxies'
import { isLoopback } from '../../network/is-loopback'
import type { CommandPlan, PlannedArgument } from '../plan/launch-plan'
import { byRunner } from './runner'

/** By which the program in a container reaches the network; docker leaves out those that it is not given itself. */
const NAMES = [
  ...['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'],
  'NODE_USE_ENV_PROXY',
]
/** What these name is named by the others too, but for one of SOCKS. */
const ALL_NAMES = ['ALL_PROXY', 'all_proxy']
/** A variable that docker is told to set or to hand on: `-e NAME`, `-e NAME=value`, `--env=NAME`. */
const SET = /^(?:-e|--env=)?(\w+)(?:=|$)/

/**
 * The argv of a plan that also hands the proxy of `env`, docker's own environment, on to the container: by name, so that no
 * password stands in it. What the entry or its form sets in either spelling stays, and no approval is bound to the rest.
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

/** To a container this computer's own address is its own: a proxy there is none to it. */
function hasProxyFor(env: Readonly<Record<string, string>>): boolean {
  const named = environmentProxies(env)
  if (named === undefined || named === 'unusable') return false
  const proxies = [named.httpProxy, named.httpsProxy].filter((proxy) => proxy !== '')
  return proxies.every((proxy) => !isLoopback(new URL(proxy)))
}
