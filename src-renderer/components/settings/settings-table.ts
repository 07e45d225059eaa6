import { readHostNames } from '../../../src-shared/domain/state/host-names'
import { Settings } from '../../../src-shared/domain/state/settings'
import { formatCount } from '../../ui/text/format'
import type { SettingSectionId } from './setting-sections'

type KeyOf<T> = { [K in keyof Settings]: Settings[K] extends T ? K : never }[keyof Settings]

/** The members that every setting has. */
type Shown = {
  readonly section: SettingSectionId
  /** Subheading of the setting; only rare settings have one. */
  readonly group?: string
  readonly label: string
  readonly description: string
  /** The browser version doesn't have the setting. */
  readonly isDesktop?: true
}
type SwitchSetting = Shown & { readonly kind: 'switch'; readonly key: KeyOf<boolean> }
type ChoiceSetting = Shown & {
  readonly kind: 'choice'
  readonly key: 'theme' | 'density' | 'proxyMode'
  readonly options: readonly { readonly value: string; readonly label: string }[]
}
type NumberSetting = Shown & {
  readonly kind: 'number'
  readonly key: NumberKey
  readonly unit?: string
}
type TextKey =
  | ('registryUrl' | 'gatewayHosts' | 'clientMetadataUrl' | 'otlpEndpoint')
  | ('proxyUrl' | 'proxyUser' | 'withoutProxy')
type TextSetting = Shown & {
  readonly kind: 'text'
  readonly key: TextKey
  readonly placeholder?: string
  readonly read: (text: string) => TypedSetting
}
export type SettingEntry = SwitchSetting | ChoiceSetting | NumberSetting | TextSetting

const GENERAL = { section: 'general' } as const
const SERVERS = { section: 'servers' } as const
const APPS = { section: 'apps' } as const
const CATALOG = { section: 'catalog' } as const
const inGroup = <G extends string>(group: G): { section: 'advanced'; group: G } => ({
  ...{ section: 'advanced', group },
})
const START = { ...inGroup('Starting servers'), kind: 'number' } as const
const RESTART = { ...inGroup('Restarting servers'), kind: 'number' } as const

/** All settings with a control of one line, in the order of their sections; each key once. */
export const SETTINGS: readonly SettingEntry[] = [
  {
    ...{ ...GENERAL, kind: 'choice', key: 'theme', label: 'Theme' },
    description: 'Follows your system unless you choose one.',
    options: [
      { value: 'system', label: 'System' },
      { value: 'light', label: 'Light' },
      { value: 'dark', label: 'Dark' },
      { value: 'contrast', label: 'High contrast dark' },
      { value: 'contrast-light', label: 'High contrast light' },
    ],
  },
  {
    ...{ ...GENERAL, kind: 'choice', key: 'density', label: 'Density' },
    description: 'Compact fits more rows on a small screen.',
    options: [
      { value: 'comfortable', label: 'Comfortable' },
      { value: 'compact', label: 'Compact' },
    ],
  },
  {
    ...{ ...GENERAL, kind: 'switch', key: 'startAtLogin', isDesktop: true },
    label: 'Start at login',
    description: 'Patchbay starts in the tray, without a window.',
  },
  {
    ...{ ...GENERAL, kind: 'switch', key: 'keepRunning', isDesktop: true },
    label: 'Keep running in the background',
    description: 'Patchbay stays open after you close the window while servers or apps use it.',
  },
  {
    ...{ ...GENERAL, kind: 'switch', key: 'checksForUpdates' },
    label: 'Check for updates automatically',
    description: 'Updates install when you quit, unless a package manager does that.',
  },
  {
    ...{ ...SERVERS, kind: 'switch', key: 'startsAgain', label: 'Restart automatically' },
    description: 'Retries failed servers with growing delays, unless they need your input.',
  },
  {
    ...{ ...SERVERS, kind: 'number', key: 'logDays', label: 'Keep logs for', unit: 'days' },
    description: 'Older log files are deleted once a day.',
  },
  {
    ...{ ...APPS, kind: 'number', key: 'gatewayPort', label: 'Gateway port' },
    description: 'Apps that use HTTP need the new address after a change.',
  },
  {
    ...{ ...APPS, kind: 'number', key: 'toolCap', label: 'Tool limit for new apps' },
    description: 'Change the limit of one app on its page.',
  },
  {
    ...{ ...APPS, kind: 'number', key: 'questionMs', unit: 'seconds' },
    label: 'Approval time limit',
    description: 'Calls and requests that you don’t answer in this time are declined.',
  },
  {
    ...{ ...APPS, kind: 'switch', key: 'notifyApprovals', isDesktop: true },
    label: 'Notify about approvals',
    description: 'When a call waits for you and the window is in the background.',
  },
  {
    ...{ ...APPS, kind: 'number', key: 'activityDays', unit: 'days', label: 'Keep activity for' },
    description: 'Older calls are deleted. At most 200,000 calls are kept.',
  },
  {
    ...{ ...CATALOG, kind: 'text', key: 'registryUrl', label: 'Registry address' },
    description: 'The main registry of the catalog, without /v0.1.',
    ...{ placeholder: 'https://', read: typedRegistryUrl },
  },
  {
    ...{ ...CATALOG, kind: 'switch', key: 'registryEnabled', label: 'Sync this registry' },
    description: 'Keeps a copy on this computer, so that you can search offline.',
  },
  {
    ...{ ...CATALOG, kind: 'switch', key: 'catalogIcons', label: 'Show server icons' },
    description: 'Icons load from publishers’ sites, which can see your IP address.',
  },
  {
    ...{ section: 'network', kind: 'choice', key: 'proxyMode', label: 'Proxy' },
    description: 'Applies to Patchbay now and to servers after they restart.',
    options: [
      { value: 'system', label: 'Use system settings' },
      { value: 'none', label: 'None' },
      { value: 'manual', label: 'Manual' },
    ],
  },
  {
    ...{ ...inGroup('Keyboard and notifications'), kind: 'switch', key: 'singleKeys' },
    label: 'Single-key shortcuts',
    description: 'Keys such as / to search. Shortcuts with Ctrl, Cmd, or Alt always work.',
  },
  {
    ...{ ...inGroup('Keyboard and notifications'), kind: 'switch', key: 'notifyRequests' },
    ...{ isDesktop: true, label: 'Notify about requests' },
    description: 'When a server asks for input or wants to open a page.',
  },
  {
    ...{ ...inGroup('Keyboard and notifications'), kind: 'switch', key: 'notifyFailures' },
    ...{ isDesktop: true, label: 'Notify about failures' },
    description: 'When a server fails or needs you to sign in.',
  },
  {
    ...{ ...START, key: 'installSlots', label: 'Concurrent downloads' },
    description: 'Servers without a download don’t wait.',
  },
  {
    ...{ ...START, key: 'spawnSlots', label: 'Concurrent starts' },
    description: 'Servers that are slow to answer don’t count.',
  },
  {
    ...{ ...START, key: 'installMs', label: 'Download limit', unit: 'seconds' },
    description: 'Time to download a package. A timeout keeps what was downloaded.',
  },
  {
    ...{ ...START, key: 'handshakeMs', label: 'Handshake limit', unit: 'seconds' },
    description: 'Time for a server to answer after the start.',
  },
  {
    ...{ ...START, key: 'discoverMs', label: 'Listing limit', unit: 'seconds' },
    description: 'Time to list tools, resources, and prompts.',
  },
  {
    ...{ ...START, key: 'requestMs', label: 'Request limit', unit: 'seconds' },
    description: 'Time for short requests, such as completions.',
  },
  {
    ...{ ...START, key: 'callMs', label: 'Call limit', unit: 'seconds' },
    description: 'Time a call may take without progress. Apps may give up earlier.',
  },
  {
    ...{ ...START, key: 'maxMessageMb', label: 'Message size limit', unit: 'MB' },
    description: 'Larger responses fail. The connection stays open.',
  },
  {
    ...{ ...START, key: 'versionsKept', label: 'Previous versions to keep' },
    description: 'A lower number deletes the oldest versions immediately.',
  },
  {
    ...{ ...RESTART, key: 'startTries', label: 'Pause after failed starts' },
    description: 'Then the server stays stopped until you start it.',
  },
  {
    ...{ ...RESTART, key: 'firstWaitMs', label: 'First delay', unit: 'seconds' },
    description: 'Each delay varies by up to a quarter.',
  },
  {
    ...{ ...RESTART, key: 'longestWaitMs', label: 'Longest delay', unit: 'seconds' },
    description: 'Delays never grow beyond this.',
  },
  {
    ...{ ...RESTART, key: 'breakerLosses', label: 'Disconnects before cool-down' },
    description: 'A server that disconnects this often cools down, then gets one test start.',
  },
  {
    ...{ ...RESTART, key: 'breakerWindowMs', label: 'Disconnect window', unit: 'seconds' },
    description: 'Only disconnects in this time count.',
  },
  {
    ...{ ...RESTART, key: 'breakerRestMs', label: 'Cool-down', unit: 'seconds' },
    description: 'A failed test start begins another one.',
  },
  {
    ...{ ...inGroup('Restarting servers'), kind: 'switch', key: 'healthChecks' },
    label: 'Check idle servers',
    description: 'Patchbay reconnects after three missed replies.',
  },
  {
    ...{ ...RESTART, key: 'healthMs', label: 'Idle time before a check', unit: 'seconds' },
    description: 'Busy servers aren’t checked.',
  },
  {
    ...{ ...inGroup('Logs'), kind: 'number', key: 'logFileMb', unit: 'MB' },
    label: 'Log size per server',
    description: 'The oldest lines are deleted first. Known secrets are always masked.',
  },
  {
    ...{ ...inGroup('Apps and gateway'), kind: 'text', key: 'gatewayHosts', label: 'Host names' },
    description: 'Other names that apps may use for this computer. They still need their key.',
    ...{ placeholder: 'host.docker.internal', read: typedHosts },
  },
  {
    ...{ ...inGroup('Apps and gateway'), kind: 'number', key: 'agentCalls' },
    label: 'Concurrent calls per app',
    description: 'Extra calls wait for up to 10 s.',
  },
  {
    ...{ ...inGroup('Apps and gateway'), kind: 'number', key: 'agentRate' },
    label: 'Requests per minute per app',
    description: 'Patchbay asks apps over the limit to retry later.',
  },
  {
    ...{ ...inGroup('Catalog'), kind: 'switch', key: 'catalogUpkeep' },
    label: 'Refresh automatically',
    description: 'Every hour while Patchbay is open.',
  },
  {
    ...{ ...inGroup('Catalog'), kind: 'number', key: 'registryPages' },
    label: 'Page limit per registry',
    description: 'Sync stops after this many pages and keeps the servers found.',
  },
  {
    ...{ ...inGroup('Sign-in'), kind: 'text', key: 'clientMetadataUrl' },
    label: 'Client metadata document',
    description:
      'The public URL of a JSON document about Patchbay with the redirect URL http://127.0.0.1/callback. Blank registers automatically.',
    ...{ placeholder: 'https://', read: typedClientDocument },
  },
  {
    ...{ ...inGroup('Metrics'), kind: 'text', key: 'otlpEndpoint' },
    label: 'OpenTelemetry collector',
    description:
      'Sends server names, counts, times, sizes, and error codes over HTTP every minute; never arguments, values, log lines, or secrets.',
    ...{ placeholder: 'https://', read: typedCollector },
  },
]

/** The settings of a fresh profile. */
export const STANDARD_SETTINGS = Settings.parse({})

/** The parsed input of a setting: the change to save, or a problem. */
export type TypedSetting = { readonly change: Partial<Settings> } | { readonly problem: string }

/** Returns a value as a change if the setting's schema accepts it. */
export function changeTo(key: keyof Settings, value: unknown, problem: string): TypedSetting {
  return Settings.shape[key].safeParse(value).success ? { change: { [key]: value } } : { problem }
}

const ADDRESS = 'Enter an address that starts with https:// or http://'

/** Parses a registry address: http or https, without a trailing slash. */
export function typedRegistryUrl(text: string): TypedSetting {
  return changeTo('registryUrl', text.trim().replace(/\/+$/, ''), `${ADDRESS}.`)
}

/** Parses the gateway's host names, a list with commas. */
function typedHosts(text: string): TypedSetting {
  const names = readHostNames(text)
  return names && Settings.shape.gatewayHosts.safeParse(text).success
    ? { change: { gatewayHosts: names.join(', ') } }
    : { problem: 'Enter host names separated by commas, such as host.docker.internal.' }
}

/** Parses a collector's address, without a trailing slash; empty for none. */
export function typedCollector(text: string): TypedSetting {
  const otlpEndpoint = text.trim().replace(/\/+$/, '')
  const read = changeTo('otlpEndpoint', otlpEndpoint, `${ADDRESS}, or leave blank.`)
  if ('problem' in read || otlpEndpoint === '' || isBare(otlpEndpoint)) return read
  return {
    problem:
      'Enter the address without user name, password, ?, and #. Put a token in the environment variable OTEL_EXPORTER_OTLP_HEADERS.',
  }
}

/** Parses the address of a client ID metadata document, kept as written; empty for none. */
export function typedClientDocument(text: string): TypedSetting {
  const typed = text.trim()
  const clientMetadataUrl = URL.canParse(typed) ? new URL(typed).href : typed
  return changeTo(
    'clientMetadataUrl',
    clientMetadataUrl,
    'Enter an https:// address with a path, without user name, password, and #, or leave blank.',
  )
}

/** Whether an address has only host, port and path, which leaves no place for a secret. */
function isBare(address: string): boolean {
  const { username, password } = new URL(address)
  return `${username}${password}` === '' && !/[?#]/u.test(address)
}

/** Returns the host that metrics would reach unencrypted over a network; null if nobody can listen. */
export function openCollectorHost(otlpEndpoint: string): string | null {
  if (!otlpEndpoint.startsWith('http://')) return null
  const { hostname } = new URL(otlpEndpoint)
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? null : hostname
}

/** Keys of numeric settings. */
type NumberKey = {
  [K in keyof Settings]: Settings[K] extends number ? K : never
}[keyof Settings]

/** Returns the factor from typed to stored values: settings in ms are typed in seconds. */
export function scaleOf(key: NumberKey): 1 | 1_000 {
  return key.endsWith('Ms') ? 1_000 : 1
}

/** Returns the range of a number in its typed unit: "0.5 to 600". */
export function rangeOf(key: NumberKey): string {
  const { minValue, maxValue } = Settings.shape[key].unwrap()
  return [minValue, maxValue].map((value) => formatCount((value ?? 0) / scaleOf(key))).join(' to ')
}

/** Parses an integer setting, or seconds that are stored in ms; `settings` are the current ones. */
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

/** Returns a problem if the first wait is longer than the longest. */
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
