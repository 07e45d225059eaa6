import * as z from 'zod'

import { RegistrySource } from '../catalog/catalog-sync'
import { OFFICIAL_REGISTRY } from '../catalog/official-registry'
import { RunnerName } from '../runner-name'
import { readHostNames } from './host-names'
import { isProxyAddress } from './proxy-address'

/** The user's preferences. Every key has a default, so an older file stays readable. */
export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast', 'contrast-light']).default('system'),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  /** Whether Home shows the setup guide: while a step is missing, until it is closed, or never. */
  setup: z.enum(['auto', 'open', 'closed']).default('auto'),
  /** Whether shortcuts without Ctrl, Cmd or Alt exist (WCAG 2.1.4). */
  singleKeys: z.boolean().default(true),
  /** Whether the desktop app continues without a window while servers or agents use it. */
  keepRunning: z.boolean().default(true),
  /** Whether the desktop app starts at login, without its window. */
  startAtLogin: z.boolean().default(false),
  /** Events with a notification of the desktop app while its window is in the background. */
  notifyApprovals: z.boolean().default(true),
  notifyRequests: z.boolean().default(true),
  notifyFailures: z.boolean().default(true),
  /** Whether Patchbay checks for its own updates daily, and downloads them. */
  checksForUpdates: z.boolean().default(true),
  /** Base address of the registry's API, without `/v0.1`. */
  registryUrl: z.url({ protocol: /^https?$/ }).default(OFFICIAL_REGISTRY),
  /** Whether the registry at that address is part of the catalog. */
  registryEnabled: z.boolean().default(true),
  /** Further registries of the catalog; the secret store holds their tokens. */
  registries: z
    .array(RegistrySource.extend({ hasToken: z.boolean() }))
    .max(50)
    .default([]),
  /** Number of pages after which a registry's list counts as endless. */
  registryPages: z.number().int().min(10).max(100_000).default(2_000),
  /** Whether the catalog syncs automatically, every hour. */
  catalogUpkeep: z.boolean().default(true),
  /** Whether Patchbay fetches the icons of listed servers from their publishers. */
  catalogIcons: z.boolean().default(true),
  /** Number of earlier versions of a server to revert to (E9); 0 keeps none. */
  versionsKept: z.number().int().min(0).max(20).default(3),
  /** Number of concurrent package downloads. */
  installSlots: z.number().int().min(1).max(16).default(2),
  /** Number of concurrent spawns; waiting for a response takes no slot. */
  spawnSlots: z.number().int().min(1).max(16).default(4),
  /** Default download limit of a server, in ms. */
  installMs: z.number().int().min(1_000).max(3_600_000).default(600_000),
  /** Default handshake limit of a server, in ms. */
  handshakeMs: z.number().int().min(500).max(600_000).default(30_000),
  /** Default limit for the first listing of a server, in ms. */
  discoverMs: z.number().int().min(500).max(600_000).default(30_000),
  /** Timeout of the protocol's own requests to a server, in ms: completion, subscriptions and others that do no work for an agent (B3). */
  requestMs: z.number().int().min(500).max(3_600_000).default(30_000),
  /** Default limit for a call without a response or progress, in ms: `tools/call`, `resources/read`, `prompts/get` and tasks (F10). */
  callMs: z.number().int().min(500).max(86_400_000).default(1_800_000),
  /** Maximum message size from a server, in MB; more than 500 does not fit a string. */
  maxMessageMb: z.number().int().min(1).max(500).default(256),
  /** Maximum size of the log files of one server on disk, in MB. */
  logFileMb: z.number().int().min(1).max(1_000).default(10),
  /** Number of days that a log file is kept. */
  logDays: z.number().int().min(1).max(365).default(14),
  /** Whether failed or lost servers restart automatically. */
  startsAgain: z.boolean().default(true),
  /** Number of failed starts in a row before a server pauses (A8); also of test starts. */
  startTries: z.number().int().min(1).max(100).default(5),
  /** Wait before the first retry, in ms; it doubles each time. */
  firstWaitMs: z.number().int().min(100).max(600_000).default(1_000),
  /** Maximum wait before a retry, in ms. */
  longestWaitMs: z.number().int().min(100).max(3_600_000).default(60_000),
  /** Number of losses within `breakerWindowMs` that make a server rest (B11). */
  breakerLosses: z.number().int().min(2).max(100).default(5),
  breakerWindowMs: z.number().int().min(1_000).max(3_600_000).default(120_000),
  /** How long it rests before a test start, in ms. */
  breakerRestMs: z.number().int().min(500).max(3_600_000).default(60_000),
  /** Whether idle servers get health checks. */
  healthChecks: z.boolean().default(true),
  /** How long a server is idle before a health check, in ms. */
  healthMs: z.number().int().min(500).max(3_600_000).default(30_000),
  /** Tool limit of a new agent (C3). */
  toolCap: z.number().int().min(1).max(10_000).default(128),
  /** Address of Patchbay's client ID metadata document, which then is its client ID; empty: Patchbay registers itself. */
  clientMetadataUrl: z
    .string()
    .max(2_000)
    .refine((text) => text === '' || isClientMetadataUrl(text))
    .default(''),
  /** Proxy to use: the system's, none, or the one below. */
  proxyMode: z.enum(['system', 'none', 'manual']).default('system'),
  /** Address of the manual proxy, without user name and password; empty if none. */
  proxyUrl: z
    .string()
    .max(2_000)
    .refine((text) => text === '' || isProxyAddress(text))
    .default(''),
  /** User name for that proxy; empty if it requires none. Basic authentication allows no colon in a name (RFC 7617). */
  proxyUser: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u)
    .default(''),
  /** Id of the proxy's password in the secret store; empty if none. */
  proxyPasswordId: z.union([z.literal(''), z.uuid()]).default(''),
  /** Whether servers and the runners that fetch them also get that password. */
  proxyPasswordForServers: z.boolean().default(true),
  /** What is reached without a proxy besides this computer: comma-separated names, addresses and networks. */
  withoutProxy: z.string().max(4_000).default(''),
  /** Absolute paths of PEM files whose certificates are trusted besides those of the system. */
  certificateFiles: z.array(z.string().min(1).max(4_096)).max(20).default([]),
  /** Port of the endpoint for agents, on 127.0.0.1. */
  gatewayPort: z.number().int().min(1_024).max(65_535).default(7_319),
  /** Comma-separated host names that agents may use for that endpoint besides those of this computer, such as `host.docker.internal`. */
  gatewayHosts: z
    .string()
    .max(2_000)
    .refine((text) => readHostNames(text) !== undefined)
    .default(''),
  /** Maximum number of concurrent calls of one agent. */
  agentCalls: z.number().int().min(1).max(1_000).default(64),
  /** Maximum number of requests of one agent per minute. */
  agentRate: z.number().int().min(10).max(1_000_000).default(60_000),
  /** Number of days that the activity keeps calls. */
  activityDays: z.number().int().min(1).max(365).default(30),
  /** How long a request of a server or an agent waits for the user, in ms. */
  questionMs: z.number().int().min(5_000).max(3_600_000).default(300_000),
  /** Base address of an OpenTelemetry collector with OTLP over HTTP; empty: metrics stay here. */
  otlpEndpoint: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Absolute paths of runners that the user set manually; the others are searched on the PATH. */
  runnerPaths: z.partialRecord(RunnerName, z.string().max(4_096)).default({}),
})
export type Settings = z.infer<typeof Settings>

type WithoutDefaults<Shape> = {
  [Key in keyof Shape]: Shape[Key] extends z.ZodDefault<infer Inner> ? Inner : never
}

/** The same keys without defaults, which a partial schema would fill in for every missing key. */
function withoutDefaults<Shape extends Readonly<Record<string, z.ZodDefault>>>(
  shape: Shape,
): WithoutDefaults<Shape> {
  const entries = Object.entries(shape).map(([key, one]) => [key, one.unwrap()])
  return Object.fromEntries(entries) as WithoutDefaults<Shape>
}

/**
 * Changes of some settings. Excluded are the registries, whose addresses and tokens belong together and change through the catalog's
 * requests, and the location of the proxy's password, which nobody types.
 */
export const SettingsChange = z
  .object(withoutDefaults(Settings.omit({ registries: true, proxyPasswordId: true }).shape))
  .partial()
export type SettingsChange = z.infer<typeof SettingsChange>

/**
 * Whether a text can be a client ID that points to its metadata (OAuth client ID metadata document, 3): https, with a path, without user
 * name, password or `#`, and already normalized, because servers compare it exactly.
 */
export function isClientMetadataUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { href, protocol, pathname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return href === text && protocol === 'https:' && pathname !== '/'
}
