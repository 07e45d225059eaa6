import * as z from 'zod'

import { RunnerName } from './runner-name'

/** The person's preferences; every key has a default, so an older file stays readable. */
export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast', 'contrast-light']).default('system'),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  /** Base address of the registry's API, without `/v0.1`. */
  registryUrl: z.url({ protocol: /^https?$/ }).default('https://registry.modelcontextprotocol.io'),
  /** How many packages are downloaded at the same time. */
  installSlots: z.number().int().min(1).max(16).default(2),
  /** How many processes are spawned at the same time; the wait for an answer takes no slot. */
  spawnSlots: z.number().int().min(1).max(16).default(4),
  /** Download limit of a server that sets none, in ms. */
  installMs: z.number().int().min(1_000).max(3_600_000).default(600_000),
  /** Handshake limit of a server that sets none, in ms. */
  handshakeMs: z.number().int().min(500).max(600_000).default(30_000),
  /** Deadline of a request to a server that sets none, in ms. */
  requestMs: z.number().int().min(500).max(3_600_000).default(30_000),
  /** Largest message taken from a server, in MB; more than 500 does not fit a string. */
  maxMessageMb: z.number().int().min(1).max(500).default(256),
  /** Most that the log files of one server may take on the disk, in MB. */
  logFileMb: z.number().int().min(1).max(1_000).default(10),
  /** How many days a log file is kept. */
  logDays: z.number().int().min(1).max(365).default(14),
  /** Absolute paths of runners that the person set by hand; the others are looked up on the PATH. */
  runnerPaths: z.partialRecord(RunnerName, z.string().max(4_096)).default({}),
})
export type Settings = z.infer<typeof Settings>

const { shape } = Settings

/** Some settings to change. Without the defaults, which a partial schema would fill in for every missing key. */
export const SettingsChange = z
  .object({
    theme: shape.theme.unwrap(),
    density: shape.density.unwrap(),
    registryUrl: shape.registryUrl.unwrap(),
    installSlots: shape.installSlots.unwrap(),
    spawnSlots: shape.spawnSlots.unwrap(),
    installMs: shape.installMs.unwrap(),
    handshakeMs: shape.handshakeMs.unwrap(),
    requestMs: shape.requestMs.unwrap(),
    maxMessageMb: shape.maxMessageMb.unwrap(),
    logFileMb: shape.logFileMb.unwrap(),
    logDays: shape.logDays.unwrap(),
    runnerPaths: shape.runnerPaths.unwrap(),
  })
  .partial()
export type SettingsChange = z.infer<typeof SettingsChange>
