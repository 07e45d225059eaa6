import * as z from 'zod'

import { RegistrySource } from '../catalog/catalog-sync'
import { OFFICIAL_REGISTRY } from '../catalog/official-registry'
import { RunnerName } from '../runner-name'
import { readHostNames } from './host-names'
import { isProxyAddress } from './proxy-address'

/** The user's preferences; every key has a default, so an older file stays readable. */
export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast', 'contrast-light']).default('system'),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  /** Whether Home is the setup guide: while something is missing, until it is closed, or not. */
  setup: z.enum(['auto', 'open', 'closed']).default('auto'),
  /** Whether there are shortcuts without Ctrl, Cmd or Alt (WCAG 2.1.4). */
  singleKeys: z.boolean().default(true),
  /** Whether the desktop app goes on without a window while servers or agents use it. */
  keepRunning: z.boolean().default(true),
  /** Whether the desktop app starts at login, without its window. */
  startAtLogin: z.boolean().default(false),
  /** Which events the desktop app shows a notification for while its window is not in front. */
  notifyApprovals: z.boolean().default(true),
  notifyRequests: z.boolean().default(true),
  notifyFailures: z.boolean().default(true),
  /** Whether Patchbay checks for its own updates daily, and downloads them. */
  checksForUpdates: z.boolean().default(true),
  /** Base address of the registry's API, without `/v0.1`. */
  registryUrl: z.url({ protocol: /^https?$/ }).default(OFFICIAL_REGISTRY),
  /** Whether the registry at that address is a part of the catalog. */
  registryEnabled: z.boolean().default(true),
  /** The other registries that the catalog follows; where one needs a token, that is in the secret store. */
  registries: z
    .array(RegistrySource.extend({ hasToken: z.boolean() }))
    .max(50)
    .default([]),
  /** Pages after which a registry's list counts as endless. */
  registryPages: z.number().int().min(10).max(100_000).default(2_000),
  /** Whether the catalog is brought up to date automatically, each hour. */
  catalogUpkeep: z.boolean().default(true),
  /** Whether the icons of listed servers are fetched from where their publishers keep them. */
  catalogIcons: z.boolean().default(true),
  /** How many versions of a server are kept to go back to after updates (E9); 0 keeps none. */
  versionsKept: z.number().int().min(0).max(20).default(3),
  /** How many packages are downloaded at the same time. */
  installSlots: z.number().int().min(1).max(16).default(2),
  /** How many processes are spawned at the same time; the wait for an answer takes no slot. */
  spawnSlots: z.number().int().min(1).max(16).default(4),
  /** Download limit of a server that sets none, in ms. */
  installMs: z.number().int().min(1_000).max(3_600_000).default(600_000),
  /** Handshake limit of a server that sets none, in ms. */
  handshakeMs: z.number().int().min(500).max(600_000).default(30_000),
  /** Limit of the first listing of a server that sets none, in ms. */
  discoverMs: z.number().int().min(500).max(600_000).default(30_000),
  /** Deadline of the protocol's own requests to a server: completion, subscriptions and what else does no work for an agent, in ms (B3). */
  requestMs: z.number().int().min(500).max(3_600_000).default(30_000),
  /** How long a call may be without an answer or progress at a server that sets no limit, in ms: `tools/call`, `resources/read`, `prompts/get` and tasks (F10). */
  callMs: z.number().int().min(500).max(86_400_000).default(1_800_000),
  /** Largest message taken from a server, in MB; more than 500 does not fit a string. */
  maxMessageMb: z.number().int().min(1).max(500).default(256),
  /** Most that the log files of one server may take on the disk, in MB. */
  logFileMb: z.number().int().min(1).max(1_000).default(10),
  /** How many days a log file is kept. */
  logDays: z.number().int().min(1).max(365).default(14),
  /** Whether servers that failed or were lost are started again automatically. */
  startsAgain: z.boolean().default(true),
  /** After how many failed starts in a row a server pauses (A8); also after how many test starts. */
  startTries: z.number().int().min(1).max(100).default(5),
  /** The wait before the first new try, in ms; it doubles with each. */
  firstWaitMs: z.number().int().min(100).max(600_000).default(1_000),
  /** The longest wait before a new try, in ms. */
  longestWaitMs: z.number().int().min(100).max(3_600_000).default(60_000),
  /** How many losses within `breakerWindowMs` make a server rest (B11). */
  breakerLosses: z.number().int().min(2).max(100).default(5),
  breakerWindowMs: z.number().int().min(1_000).max(3_600_000).default(120_000),
  /** How long it rests before a test start, in ms. */
  breakerRestMs: z.number().int().min(500).max(3_600_000).default(60_000),
  /** Whether idle servers are asked if they still answer. */
  healthChecks: z.boolean().default(true),
  /** How long a server is idle before it is asked, in ms. */
  healthMs: z.number().int().min(500).max(3_600_000).default(30_000),
  /** The tool limit that a new agent begins with (C3). */
  toolCap: z.number().int().min(1).max(10_000).default(128),
  /** Where the client ID metadata document for Patchbay is, which then is its client ID; empty: Patchbay registers itself. */
  clientMetadataUrl: z
    .string()
    .max(2_000)
    .refine((text) => text === '' || isClientMetadataUrl(text))
    .default(''),
  /** By which proxy others are reached: the one that the system names, none, or the one below. */
  proxyMode: z.enum(['system', 'none', 'manual']).default('system'),
  /** Address of the proxy that is named manually, without a name and a password; empty while there is none. */
  proxyUrl: z
    .string()
    .max(2_000)
    .refine((text) => text === '' || isProxyAddress(text))
    .default(''),
  /** How the user is known to that proxy; empty where it asks nobody. Basic knows no colon in a name (RFC 7617). */
  proxyUser: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u)
    .default(''),
  /** Names the proxy's password in the secret store; empty while there is none. */
  proxyPasswordId: z.union([z.literal(''), z.uuid()]).default(''),
  /** Whether servers are given that password too, as what fetches them is. */
  proxyPasswordForServers: z.boolean().default(true),
  /** What is reached without a proxy beside this computer: names, numbers and networks, with commas between. */
  withoutProxy: z.string().max(4_000).default(''),
  /** Absolute paths of PEM files whose certificates are trusted besides those of the system. */
  certificateFiles: z.array(z.string().min(1).max(4_096)).max(20).default([]),
  /** Port of the endpoint for agents, on 127.0.0.1. */
  gatewayPort: z.number().int().min(1_024).max(65_535).default(7_319),
  /** Names that agents may reach that endpoint by, besides those of this computer: `host.docker.internal` and the like, with commas between. */
  gatewayHosts: z
    .string()
    .max(2_000)
    .refine((text) => readHostNames(text) !== undefined)
    .default(''),
  /** Calls of one agent that may be under way at the same time. */
  agentCalls: z.number().int().min(1).max(1_000).default(64),
  /** Requests that one agent may send in a minute. */
  agentRate: z.number().int().min(10).max(1_000_000).default(60_000),
  /** How many days calls are kept in the activity. */
  activityDays: z.number().int().min(1).max(365).default(30),
  /** How long a question of a server or an agent waits for its user, in ms. */
  questionMs: z.number().int().min(5_000).max(3_600_000).default(300_000),
  /** Base address of an OpenTelemetry collector that takes OTLP over HTTP; empty: metrics stay here. */
  otlpEndpoint: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Absolute paths of runners that the user set manually; the others are looked up on the PATH. */
  runnerPaths: z.partialRecord(RunnerName, z.string().max(4_096)).default({}),
})
export type Settings = z.infer<typeof Settings>

type WithoutDefaults<Shape> = {
  [Key in keyof Shape]: Shape[Key] extends z.ZodDefault<infer Inner> ? Inner : never
}

/** The same keys without their defaults, which a partial schema would fill in for every missing key. */
function withoutDefaults<Shape extends Readonly<Record<string, z.ZodDefault>>>(
  shape: Shape,
): WithoutDefaults<Shape> {
  const entries = Object.entries(shape).map(([key, one]) => [key, one.unwrap()])
  return Object.fromEntries(entries) as WithoutDefaults<Shape>
}

/**
 * Some settings to change. Without the registries, whose addresses and tokens belong together and change through the
 * catalog's requests, and without the place of the proxy's password, which nobody types.
 */
export const SettingsChange = z
  .object(withoutDefaults(Settings.omit({ registries: true, proxyPasswordId: true }).shape))
  .partial()
export type SettingsChange = z.infer<typeof SettingsChange>

/**
 * Whether a text can be a client ID that names where its metadata is (OAuth client ID metadata document, 3): https, with
 * a path, without a name, a password or `#`, and as it is written once it is read, since servers compare it letter by letter.
 */
export function isClientMetadataUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { href, protocol, pathname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return href === text && protocol === 'https:' && pathname !== '/'
}
