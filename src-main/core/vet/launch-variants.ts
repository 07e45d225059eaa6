import type { PreparedLaunch } from '../servers/start/launch'
import type { LaunchVariant } from './vetted-server'

/** The unchanged launch, without remembering the protocol version that a check finds. */
export const plain: LaunchVariant = (launch) => ({
  ...launch,
  spoken: { ...launch.spoken, protocolMode: undefined, remember: () => undefined },
})

/** Speaks only the stateless protocol, so that `server/discover` is the first message. */
export const stateless: LaunchVariant = (launch) => ({
  ...plain(launch),
  protocol: { ...launch.protocol, version: 'stateless' },
})

/** Starts without these environment variables. */
export function withoutVariables(names: readonly string[]): LaunchVariant {
  const isLeft = ([name]: [string, string]): boolean => !names.includes(name)
  return (launch) =>
    withEnvironment(launch, (env) => Object.fromEntries(Object.entries(env).filter(isLeft)))
}

/** Starts with these environment variables, and with a program around the command. */
export function observed(
  values: Readonly<Record<string, string>>,
  around: readonly string[],
): LaunchVariant {
  return (launch) => {
    const varied = withEnvironment(launch, (env) => ({ ...env, ...values }))
    const [command, ...options] = around
    if (varied.kind !== 'command' || command === undefined) return varied
    const { spec } = varied
    const args = [...options, spec.command, ...spec.args]
    return { ...varied, spec: { ...spec, command, args } }
  }
}

type Environment = Readonly<Record<string, string>>

function withEnvironment(
  launch: PreparedLaunch,
  change: (env: Environment) => Environment,
): PreparedLaunch {
  const varied = plain(launch)
  if (varied.kind !== 'command') return varied
  return { ...varied, spec: { ...varied.spec, env: change(varied.spec.env) } }
}
