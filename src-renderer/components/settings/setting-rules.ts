import { readHostNames } from '../../../src-shared/domain/state/host-names'
import { Settings } from '../../../src-shared/domain/state/settings'
import { formatCount } from '../../ui/text/format'

/** The settings of a fresh profile. */
export const STANDARD_SETTINGS = Settings.parse({})

/** What a typed text means for a setting: the change to save, or why it is none. */
export type TypedSetting = { readonly change: Partial<Settings> } | { readonly problem: string }

/** A value as a change where its setting takes it. */
export function changeTo(key: keyof Settings, value: unknown, problem: string): TypedSetting {
  return Settings.shape[key].safeParse(value).success ? { change: { [key]: value } } : { problem }
}

const ADDRESS = 'Enter an address that starts with https:// or http://'

/** A registry address: http or https, without a slash at its end. */
export function typedRegistryUrl(text: string): TypedSetting {
  return changeTo('registryUrl', text.trim().replace(/\/+$/, ''), `${ADDRESS}.`)
}

/** Host names of the gateway, as a list with commas. */
export function typedHosts(text: string): TypedSetting {
  const names = readHostNames(text)
  return names && Settings.shape.gatewayHosts.safeParse(text).success
    ? { change: { gatewayHosts: names.join(', ') } }
    : { problem: 'Enter host names separated by commas, such as host.docker.internal.' }
}

/** A collector's address, without a slash at its end; empty for none. */
export function typedCollector(text: string): TypedSetting {
  const otlpEndpoint = text.trim().replace(/\/+$/, '')
  const read = changeTo('otlpEndpoint', otlpEndpoint, `${ADDRESS}, or leave blank.`)
  if ('problem' in read || otlpEndpoint === '' || isBare(otlpEndpoint)) return read
  return {
    problem:
      'Enter the address without user name, password, ?, and #. Put a token in the environment variable OTEL_EXPORTER_OTLP_HEADERS.',
  }
}

/** The address of a client ID metadata document as it is read; empty for none. */
export function typedClientDocument(text: string): TypedSetting {
  const typed = text.trim()
  const clientMetadataUrl = URL.canParse(typed) ? new URL(typed).href : typed
  return changeTo(
    'clientMetadataUrl',
    clientMetadataUrl,
    'Enter an https:// address with a path, without user name, password, and #, or leave blank.',
  )
}

/** Whether an address is host, port and path alone, with no place for a secret. */
function isBare(address: string): boolean {
  const { username, password } = new URL(address)
  return `${username}${password}` === '' && !/[?#]/u.test(address)
}

/** The host that metrics would reach unencrypted over a network; null where nobody can listen. */
export function openCollectorHost(otlpEndpoint: string): string | null {
  if (!otlpEndpoint.startsWith('http://')) return null
  const { hostname } = new URL(otlpEndpoint)
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? null : hostname
}

/** The settings that are numbers. */
export type NumberKey = {
  [K in keyof Settings]: Settings[K] extends number ? K : never
}[keyof Settings]

/** How many of what is kept make one of what is typed: settings in ms are typed in seconds. */
export function scaleOf(key: NumberKey): 1 | 1_000 {
  return key.endsWith('Ms') ? 1_000 : 1
}

/** The smallest and the largest value of a number, in its unit: "0.5 to 600". */
export function rangeOf(key: NumberKey): string {
  const { minValue, maxValue } = Settings.shape[key].unwrap()
  return [minValue, maxValue].map((value) => formatCount((value ?? 0) / scaleOf(key))).join(' to ')
}

/** Reads a setting that is a whole number, or seconds that are kept in ms; `settings` are those in force. */
export function typedNumber(
  key: NumberKey,
  settings?: Pick<Settings, 'firstWaitMs' | 'longestWaitMs'>,
): (text: string) => TypedSetting {
  const [isWritten, what] =
    scaleOf(key) === 1 ? [/^\d+$/, 'a whole number'] : [/^\d+(\.\d+)?$/, 'seconds']
  return (text) => {
    const value = Math.round(Number(text) * scaleOf(key))
    if (!isWritten.test(text) || !Settings.shape[key].unwrap().safeParse(value).success)
      return { problem: `Enter ${what} from ${rangeOf(key)}.` }
    const problem = settings && waitProblem(key, value, settings)
    return problem === undefined ? { change: { [key]: value } } : { problem }
  }
}

/** The first wait is not longer than the longest. */
function waitProblem(
  key: NumberKey,
  ms: number,
  { firstWaitMs, longestWaitMs }: Pick<Settings, 'firstWaitMs' | 'longestWaitMs'>,
): string | undefined {
  if (key === 'firstWaitMs' && ms > longestWaitMs)
    return `Enter at most ${longestWaitMs / 1000} s, the longest delay.`
  if (key === 'longestWaitMs' && ms < firstWaitMs)
    return `Enter at least ${firstWaitMs / 1000} s, the first delay.`
  return undefined
}
