import * as z from 'zod'

import { ActivityState } from '../agents/activity'
import { AgentsState } from '../agents/agent'
import { HostsState } from '../agents/host'
import { Question } from '../agents/question'
import { ToolsState } from '../agents/tools'
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

/** All that a list row or a page head shows of one server. Sent whole on every change. */
export const ServerView = z.object({
  installationId: InstallationId,
  name: z.string(),
  description: z.string(),
  /** Registry name, such as `io.github.owner/thing`. */
  entryName: z.string(),
  /** The registry that it goes by; missing for what is in none, whatever its name. */
  sourceId: z.string().optional(),
  entryVersion: z.string(),
  registryType: z.string(),
  identifier: z.string(),
  packageVersion: z.string().optional(),
  enabled: z.boolean(),
  status: RunStatus,
  /** Epoch ms of the last change of `status.kind`. */
  statusSince: z.number(),
  /** Where a new session is brought up beside the one that serves: its step. */
  reconnecting: StartPhase.optional(),
  /** Since when its process has been up without a break, epoch ms; missing while no session serves. A reconnect begins again. */
  upSince: z.number().optional(),
  /** Grows whenever its tools, resources or prompts may be others. */
  listing: z.number().int(),
  /** How often it was started automatically since the app runs. */
  restarts: z.number().int(),
  /** Steps of the newest start or reconnect, in order; empty before the first. */
  phases: z.array(PhaseRecord),
  pid: z.number().optional(),
  protocolVersion: z.string().optional(),
  serverVersion: z.string().optional(),
  /** Of what it lists, or listed when it last ran. */
  counts: z.object({
    tools: z.number(),
    resources: z.number(),
    resourceTemplates: z.number(),
    prompts: z.number(),
  }),
  faults: ProtocolFaults,
  /** Kinds of faults and repairs since its last start, the newest last. */
  protocolWarnings: z.array(ProtocolWarning),
  /** A newer version of its entry that the catalog knows; `entryId` names it there. */
  update: z.object({ entryId: z.string(), version: z.string() }).optional(),
  /** Where its registry took its entry down, no longer lists it or marked it as no longer kept up; its words are one line. */
  registryStatus: z
    .object({
      status: z.enum(['deprecated', 'deleted', 'unlisted']),
      statusMessage: z.string().optional(),
    })
    .optional(),
  hasSecrets: z.boolean(),
  /** Whether a user is signed in at a remote server; missing where that is not known or not so. */
  signedIn: z.boolean().optional(),
  /** When a sign-in ends that can't be renewed, epoch ms. */
  signInEndsAt: z.number().optional(),
  /** A sign-in that is under way, or failed last. */
  signIn: SignInView.optional(),
  /** A request was rejected that a sign-in makes possible; the server works all the same. */
  signInOffer: SignInOffer.optional(),
  /** Folders that it gets when it asks for roots. */
  roots: z.array(z.string()),
  /** Whether it asked for roots, and how often for what Patchbay rejects, since the app runs. */
  asked: z.object({ roots: z.boolean(), sampling: z.number().int() }),
  sharing: Sharing,
  /** Whether it is known to hold state that apps should not share, such as a browser or a shell. */
  holdsState: z.boolean(),
  /** Its processes that not all apps share. */
  instances: z.array(InstanceView),
  /** What changed since it was started and needs a restart, as sentences; of a stopped one nothing does. */
  unapplied: z.array(z.string()),
  /** The versions before that can be gone back to, the last one first. */
  earlier: z.array(EarlierVersionRef),
})
export type ServerView = z.infer<typeof ServerView>

export const SecretStoreState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('keychain') }),
  /** Secrets are in a file that a passphrase encrypts, as there is no keychain (E16). */
  z.object({ kind: z.literal('file') }),
  /** The file waits for its passphrase, and moves to the keychain then where there is one. */
  z.object({
    kind: z.literal('locked'),
    movesToKeychain: z.boolean(),
    /** Why the passphrase of the environment didn't open it, a sentence. */
    problem: z.string().optional(),
  }),
  /** Secrets are held in memory for this run only. */
  z.object({
    kind: z.literal('memory'),
    /** Why, in sentences. */
    reason: z.string(),
    /** What fixes it, a sentence. */
    fix: z.string(),
    /** What the system or its library said, in its own words. */
    said: z.string().optional(),
  }),
])
export type SecretStoreState = z.infer<typeof SecretStoreState>

/** Something the app has to say of itself, such as a settings file it could not read. */
export const AppNotice = z.object({
  noticeId: z.string(),
  severity: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  message: z.string(),
  /** What the user can do about it: end every tab of the browser way in. */
  action: z.enum(['sign-out-tabs']).optional(),
})
export type AppNotice = z.infer<typeof AppNotice>

/** What starts `patchbay` on this computer. */
export const OwnCommand = z.object({
  /** A program, absolute, and the arguments before its own. */
  words: z.array(z.string()).min(1),
  /** Variables that the program needs. */
  env: z.record(z.string(), z.string()),
  /** Why no app can be connected by this command, and what to do, as sentences. */
  obstacle: z.string().optional(),
})
export type OwnCommand = z.infer<typeof OwnCommand>

export const AppInfo = z.object({
  version: z.string(),
  wayIn: z.enum(['desktop', 'browser']),
  /** As Node names it, such as `linux`. */
  platform: z.string(),
  /** As Node names it, such as `x64`. */
  arch: z.string(),
  profileDir: z.string(),
  /** The user's home folder; missing where it is not known. */
  homeDir: z.string().optional(),
  ownCommand: OwnCommand,
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
  catalog: CatalogState,
  tools: ToolsState,
  /** What waits for the user, oldest first. */
  questions: z.array(Question),
  agents: AgentsState,
  hosts: HostsState,
  activity: ActivityState,
  /** What the app was opened with; null or missing when nothing waits. */
  link: OpenedLink.nullish(),
  /** Updates of Patchbay; null or missing where this installation gets none. */
  appUpdate: UpdateState.nullish(),
})
export type AppState = z.infer<typeof AppState>
