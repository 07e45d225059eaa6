import * as z from 'zod'

import { ActivityState } from '../agents/activity'
import { AgentsState } from '../agents/agent'
import { HostsState } from '../agents/host'
import { ToolsState } from '../agents/tools'
import { UserRequest } from '../agents/user-request'
import { CatalogState } from '../catalog/catalog-state'
import { EarlierVersionRef } from '../installation/earlier-version'
import { InstallationId } from '../installation/installation'
import { SecretDirectory } from '../installation/stored-secret'
import { InstanceView } from '../running/instances'
import { ProtocolFaults, ProtocolWarning } from '../running/protocol-faults'
import { PhaseRecord, RunStatus, StartPhase } from '../running/run-status'
import { SignInOffer, SignInView } from '../running/sign-in'
import { Sharing } from '../sharing'
import { UpdateState } from './app-update'
import { OpenedLink } from './opened-link'
import { Settings } from './settings'

/** Everything that a list row or a page header shows of one server. Sent completely on every change. */
export const ServerView = z.object({
  installationId: InstallationId,
  name: z.string(),
  description: z.string(),
  /** Registry name, such as `io.github.owner/thing`. */
  entryName: z.string(),
  /** Registry of its updates; missing if it is in none, whatever its name. */
  sourceId: z.string().optional(),
  entryVersion: z.string(),
  registryType: z.string(),
  identifier: z.string(),
  packageVersion: z.string().optional(),
  enabled: z.boolean(),
  status: RunStatus,
  /** Epoch ms of the last change of `status.kind`. */
  statusSince: z.number(),
  /** Step of a reconnect that runs next to the current session. */
  reconnecting: StartPhase.optional(),
  /** Since when a session has been up continuously, epoch ms; missing while there is none. A reconnect restarts it. */
  upSince: z.number().optional(),
  /** Rises whenever its tools, resources or prompts may have changed. */
  listing: z.number().int(),
  /** Number of automatic starts since the app started. */
  restarts: z.number().int(),
  /** Steps of the latest start or reconnect, in order; empty before the first. */
  phases: z.array(PhaseRecord),
  pid: z.number().optional(),
  protocolVersion: z.string().optional(),
  serverVersion: z.string().optional(),
  /** Sizes of its current lists, or of the last known ones. */
  counts: z.object({
    tools: z.number(),
    resources: z.number(),
    resourceTemplates: z.number(),
    prompts: z.number(),
  }),
  faults: ProtocolFaults,
  /** Kinds of protocol faults and repairs since its last start, newest last. */
  protocolWarnings: z.array(ProtocolWarning),
  /** A newer version of its entry in the catalog; `entryId` refers to it. */
  update: z.object({ entryId: z.string(), version: z.string() }).optional(),
  /** Set if its registry deleted, delisted or deprecated the entry; its message has one line. */
  registryStatus: z
    .object({
      status: z.enum(['deprecated', 'deleted', 'unlisted']),
      statusMessage: z.string().optional(),
    })
    .optional(),
  hasSecrets: z.boolean(),
  /** Whether a user is signed in at a remote server; missing if not or unknown. */
  signedIn: z.boolean().optional(),
  /** End of a sign-in that can't be renewed, epoch ms. */
  signInEndsAt: z.number().optional(),
  /** A sign-in in progress, or the last failed one. */
  signIn: SignInView.optional(),
  /** A request was rejected that a sign-in would allow; the server works otherwise. */
  signInOffer: SignInOffer.optional(),
  /** Folders returned to its `roots/list`. */
  roots: z.array(z.string()),
  /** Whether it requested roots, and how often it requested sampling, which Patchbay rejects, since the app started. */
  serverRequests: z.object({ roots: z.boolean(), sampling: z.number().int() }),
  sharing: Sharing,
  /** Whether it is known to hold state that apps should not share, such as a browser or a shell. */
  holdsState: z.boolean(),
  /** Its processes that not all apps share. */
  instances: z.array(InstanceView),
  /** Changes since its start that need a restart, as sentences; none for a stopped one. */
  unapplied: z.array(z.string()),
  /** Earlier versions to revert to, latest first. */
  earlier: z.array(EarlierVersionRef),
})
export type ServerView = z.infer<typeof ServerView>

export const SecretStoreState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('keychain') }),
  /** A passphrase encrypts secrets in a file, because there is no keychain (E16). */
  z.object({ kind: z.literal('file') }),
  /** The file needs its passphrase; its secrets then move to the keychain if there is one. */
  z.object({
    kind: z.literal('locked'),
    movesToKeychain: z.boolean(),
    /** Why the passphrase from the environment failed, a sentence. */
    problem: z.string().optional(),
  }),
  /** Secrets stay in memory until the app ends. */
  z.object({
    kind: z.literal('memory'),
    /** The reason, in sentences. */
    reason: z.string(),
    /** How to fix it, a sentence. */
    fix: z.string(),
    /** Original message of the system or its library. */
    systemMessage: z.string().optional(),
  }),
])
export type SecretStoreState = z.infer<typeof SecretStoreState>

/** A message of the app itself, such as a settings file that it could not read. */
export const AppNotice = z.object({
  noticeId: z.string(),
  severity: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  message: z.string(),
  /** What the user can do: end every tab of the browser way in. */
  action: z.enum(['sign-out-tabs']).optional(),
})
export type AppNotice = z.infer<typeof AppNotice>

/** The command that starts `patchbay` on this computer. */
export const OwnCommand = z.object({
  /** An absolute program path and the arguments before Patchbay's own. */
  argv: z.array(z.string()).min(1),
  /** Environment variables that the program needs. */
  env: z.record(z.string(), z.string()),
  /** Why no app can be connected with this command, and how to fix it, as sentences. */
  obstacle: z.string().optional(),
})
export type OwnCommand = z.infer<typeof OwnCommand>

export const AppInfo = z.object({
  version: z.string(),
  wayIn: z.enum(['desktop', 'browser']),
  /** Node's name, such as `linux`. */
  platform: z.string(),
  /** Node's name, such as `x64`. */
  arch: z.string(),
  profileDir: z.string(),
  /** The user's home folder; missing if unknown. */
  homeDir: z.string().optional(),
  ownCommand: OwnCommand,
  /** Whether `app.pickPath` can open a dialog here. */
  canPickPath: z.boolean(),
})
export type AppInfo = z.infer<typeof AppInfo>

/**
 * Everything that the renderer shows except logs and capabilities. `revision` rises with every state event; a snapshot includes all events
 * up to its revision.
 */
export const AppState = z.object({
  revision: z.number().int(),
  info: AppInfo,
  settings: Settings,
  secretStore: SecretStoreState,
  secrets: SecretDirectory,
  notices: z.array(AppNotice),
  servers: z.array(ServerView),
  catalog: CatalogState,
  tools: ToolsState,
  /** Pending requests for the user, oldest first. */
  userRequests: z.array(UserRequest),
  agents: AgentsState,
  hosts: HostsState,
  activity: ActivityState,
  /** The link that the app was opened with; null or missing if there is none. */
  link: OpenedLink.nullish(),
  /** State of Patchbay's own updates; null or missing if this installation has none. */
  appUpdate: UpdateState.nullish(),
})
export type AppState = z.infer<typeof AppState>
