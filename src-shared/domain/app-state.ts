import * as z from 'zod'

import { InstallationId } from './installation'
import { ProtocolFaults } from './protocol-faults'
import { PhaseRecord, RunStatus } from './run-status'
import { Settings } from './settings'
import { SecretDirectory } from './stored-secret'

/** All that a list row or a page head shows of one server. Sent whole on every change. */
export const ServerView = z.object({
  installationId: InstallationId,
  name: z.string(),
  description: z.string(),
  /** Registry name, such as `io.github.owner/thing`. */
  entryName: z.string(),
  entryVersion: z.string(),
  registryType: z.string(),
  identifier: z.string(),
  packageVersion: z.string().optional(),
  enabled: z.boolean(),
  status: RunStatus,
  /** Epoch ms of the last change of `status.kind`. */
  statusSince: z.number(),
  /** Steps of the newest start, in order; empty before the first. */
  phases: z.array(PhaseRecord),
  pid: z.number().optional(),
  protocolVersion: z.string().optional(),
  serverVersion: z.string().optional(),
  counts: z.object({
    tools: z.number(),
    resources: z.number(),
    resourceTemplates: z.number(),
    prompts: z.number(),
  }),
  faults: ProtocolFaults,
  /** A newer version of its entry that the catalog knows; `entryId` names it there. */
  update: z.object({ entryId: z.string(), version: z.string() }).optional(),
  hasSecrets: z.boolean(),
  /** What changed since it was started and needs a restart, as sentences; of a stopped one nothing does. */
  unapplied: z.array(z.string()),
})
export type ServerView = z.infer<typeof ServerView>

export const SecretStoreState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('keychain') }),
  /** Secrets are held in memory for this run only; `reason` is a sentence. */
  z.object({ kind: z.literal('memory'), reason: z.string() }),
])
export type SecretStoreState = z.infer<typeof SecretStoreState>

/** Something the app has to say of itself, such as a settings file it could not read. */
export const AppNotice = z.object({
  noticeId: z.string(),
  severity: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  message: z.string(),
})
export type AppNotice = z.infer<typeof AppNotice>

export const AppInfo = z.object({
  version: z.string(),
  wayIn: z.enum(['desktop', 'browser']),
  /** As Node names it, such as `linux`. */
  platform: z.string(),
  /** As Node names it, such as `x64`. */
  arch: z.string(),
  profileDir: z.string(),
  /** Whether `app.pickPath` can open a dialog here. */
  canPickPath: z.boolean(),
})
export type AppInfo = z.infer<typeof AppInfo>

/**
 * Everything the renderer shows but logs and capabilities. `revision` grows with every state event;
 * an event whose revision is not above the snapshot's is already in it.
 */
export const AppState = z.object({
  revision: z.number().int(),
  info: AppInfo,
  settings: Settings,
  secretStore: SecretStoreState,
  secrets: SecretDirectory,
  notices: z.array(AppNotice),
  servers: z.array(ServerView),
})
export type AppState = z.infer<typeof AppState>
