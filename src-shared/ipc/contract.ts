import * as z from 'zod'

import type { AppErrorShape } from '../domain/app-error'
import { AppNotice, AppState, SecretStoreState, ServerView } from '../domain/app-state'
import { BundleProgress, OpenedBundle } from '../domain/bundle'
import { HandDraft, HandPreview, OpenedHand } from '../domain/by-hand'
import { Capabilities } from '../domain/capability'
import { CatalogEntry } from '../domain/catalog-entry'
import { AddedServers, ReadConfiguration, ServerChoice } from '../domain/configuration'
import { FieldValues } from '../domain/field-values'
import {
  InstallationId,
  OpenedInstallation,
  PageRevision,
  PhaseBudgets,
  WorkingFolder,
} from '../domain/installation'
import { LaunchPreview } from '../domain/launch-plan'
import { LogEntry } from '../domain/log-entry'
import { OfferRef } from '../domain/offer'
import { PathKind } from '../domain/path-kind'
import { RunnerView } from '../domain/runner-advice'
import { RunnerName } from '../domain/runner-name'
import { Settings, SettingsChange } from '../domain/settings'
import { ShellKind, ShellText } from '../domain/shell-text'
import {
  SecretDirectory,
  SecretText,
  SharedSecrets,
  StoredSecretId,
  StoredSecretName,
} from '../domain/stored-secret'
import { UpdateReview } from '../domain/update-review'
import type { EventChannel, RequestChannel } from './channels'

const ServerRef = z.object({ installationId: InstallationId })
const SecretRef = z.object({ secretId: StoredSecretId })
const EntryRef = z.object({ entryId: z.string().max(400), offer: OfferRef })
const Name = z.string().max(120)
/** Chosen by who asks, to follow and to cancel it. */
const OpeningRef = z.object({ openingId: z.string().min(1).max(64) })
/** An installation in another version: of an entry that the catalog knows. */
const UpgradeRef = EntryRef.extend(ServerRef.shape)
/** The hash of the preview that the person saw and approved. */
const Approval = z.object({ approvedPlan: z.string().max(128) })

const Draft = z.object({
  name: Name,
  values: FieldValues,
  budgets: PhaseBudgets.default({}),
  /** The fields that use a stored secret; missing: those that did before. */
  sharedSecrets: SharedSecrets.optional(),
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
})

/** What goes with a draft of something that is installed. */
const Change = z.object({
  approvedPlan: z.string().max(128).optional(),
  /** Of the page that it was typed in; missing: not checked. */
  revision: PageRevision.optional(),
})

export const requests = {
  'app.snapshot': { input: z.object({}), output: AppState },
  'app.dismissNotice': { input: z.object({ noticeId: z.string() }), output: z.void() },
  /** Null when the person cancelled; NOT_AVAILABLE_HERE in the browser. */
  'app.pickPath': {
    input: z.object({ kind: z.enum(['folder', 'file']) }),
    output: z.string().nullable(),
  },
  /** What is at a path that is being typed; answers within about 1 s. */
  'app.checkPath': { input: z.object({ path: z.string().max(4_096) }), output: PathKind },
  'settings.update': { input: SettingsChange, output: Settings },

  /** The starter catalog and what was pasted in this run. */
  'catalog.list': { input: z.object({}), output: z.array(CatalogEntry) },
  /** Live search of the registry. Rejects with REGISTRY_UNREACHABLE or REGISTRY_BAD_ANSWER. */
  'catalog.search': {
    input: z.object({ query: z.string().min(1).max(200) }),
    output: z.object({ entries: z.array(CatalogEntry), more: z.boolean() }),
  },
  /** A server.json as text. Rejects with INVALID_SERVER_JSON. */
  'catalog.paste': { input: z.object({ text: z.string().max(1_000_000) }), output: CatalogEntry },
  'catalog.read': { input: z.object({ entryId: z.string().max(400) }), output: CatalogEntry },
  /** The entry of an installation as it was set up, to set up another copy. */
  'catalog.readInstalled': { input: ServerRef, output: CatalogEntry },

  /** Downloads the bundle of a package and unpacks it; answers when it is done. Rejects with INVALID_BUNDLE, INSTALL_FAILED, UNSUPPORTED_PACKAGE or REQUEST_CANCELLED. */
  'bundle.open': { input: OpeningRef.extend(EntryRef.shape), output: OpenedBundle },
  /** The same with a file of the computer that Patchbay runs on; also NOT_FOUND. */
  'bundle.openFile': {
    input: OpeningRef.extend({ path: z.string().min(1).max(4_096) }),
    output: OpenedBundle,
  },
  /** Null before an opening has begun and once it has ended. */
  'bundle.progress': { input: OpeningRef, output: BundleProgress.nullable() },
  'bundle.cancel': { input: OpeningRef, output: z.void() },

  /**
   * Reads a pasted configuration of any usual shape, or a server.json; the choices are about its servers. A file of
   * variables that it names is read only where a choice says so. Rejects with INVALID_CONFIG or INVALID_SERVER_JSON.
   */
  'configuration.read': {
    input: z.object({ text: z.string().max(1_000_000), choices: z.array(ServerChoice).max(200) }),
    output: ReadConfiguration,
  },
  /**
   * Adds the chosen servers of a configuration, stopped and not approved; those before a failure stay added, and
   * the failure is a part of the answer. Rejects, with nothing added, when the text is not the one that was read.
   */
  'configuration.add': {
    input: z.object({ text: z.string().max(1_000_000), choices: z.array(ServerChoice).max(200) }),
    output: AddedServers,
  },
  /** The parts of a server that was made by hand. Rejects with NOT_FOUND for any other. */
  'byHand.read': { input: ServerRef, output: OpenedHand },
  /** What these parts would start; saved secrets of the installation count as present. */
  'byHand.preview': {
    input: HandDraft.pick({ made: true, cwd: true }).extend({
      installationId: InstallationId.optional(),
    }),
    output: HandPreview,
  },
  /**
   * Saves a server made by hand: a new one, or the installation that is named. `start` enables it and starts it
   * anew. Rejects with INVALID_VALUES, and as `installation.create` and `installation.update` do.
   */
  'byHand.save': {
    input: HandDraft.extend({
      installationId: InstallationId.optional(),
      revision: PageRevision.optional(),
      approvedPlan: z.string().max(128).optional(),
      start: z.boolean(),
    }),
    output: ServerRef,
  },

  /** The exact command for these values: of a catalog entry, of an installation (whose saved secrets count), or of one in another version. */
  'launch.preview': {
    input: z.object({
      of: z.union([UpgradeRef, EntryRef, ServerRef]),
      values: FieldValues,
      sharedSecrets: SharedSecrets.optional(),
      cwd: WorkingFolder.optional(),
    }),
    output: LaunchPreview,
  },
  /** The same command as text to paste into a shell, with variables for secrets; NOT_AVAILABLE_HERE for what the shell cannot carry. */
  'launch.shellText': {
    input: z.object({
      of: z.union([UpgradeRef, EntryRef, ServerRef]),
      values: FieldValues,
      sharedSecrets: SharedSecrets.optional(),
      cwd: WorkingFolder.optional(),
      shell: ShellKind,
    }),
    output: ShellText,
  },
  /**
   * Saves a copy with its values; INVALID_VALUES when one does not fit, unless `asItIs` (an older
   * configuration). With `approvedPlan` the first start is approved, when the plan still has that hash.
   * `start` enables and starts it.
   */
  'installation.create': {
    input: EntryRef.extend(Draft.shape).extend({
      start: z.boolean(),
      asItIs: z.boolean().default(false),
      approvedPlan: z.string().max(128).optional(),
    }),
    output: ServerRef,
  },
  'installation.read': { input: ServerRef, output: OpenedInstallation },
  /** Rejects as `installation.create` does, and with CHANGED_MEANWHILE when the `revision` is not the present one. */
  'installation.update': {
    input: ServerRef.extend(Draft.shape).extend(Change.shape),
    output: z.void(),
  },
  /** CONSENT_REQUIRED when the plan no longer has that hash. */
  'installation.approve': { input: ServerRef.extend(Approval.shape), output: z.void() },
  /** Enabling starts it, disabling stops it; a disabled server is not started with the app. */
  'installation.setEnabled': {
    input: ServerRef.extend({ enabled: z.boolean() }),
    output: z.void(),
  },
  /** Secrets of its own that are not deleted become stored secrets. */
  'installation.remove': {
    input: ServerRef.extend({ deleteSecrets: z.boolean() }),
    output: z.void(),
  },
  /** Reads an older `{"package_args": {...}}` into values; `unknown` lists the names that no field has. */
  'installation.readLegacy': {
    input: z.object({ of: z.union([EntryRef, ServerRef]), text: z.string().max(1_000_000) }),
    output: z.object({ values: FieldValues, unknown: z.array(z.string()) }),
  },

  /**
   * Moves an installation to another version with these values; saved secrets go with their fields. What is
   * not approved with it is asked for at the next start. Rejects as `installation.update` does.
   */
  'update.apply': {
    input: UpgradeRef.extend(Draft.shape).extend(Change.shape),
    output: z.void(),
  },

  /** Asks the registry for a newer version; null when there is none. Rejects as `catalog.search` does. */
  'update.check': { input: ServerRef, output: CatalogEntry.nullable() },
  /** What an entry of the catalog would change. Rejects with UNSUPPORTED_PACKAGE when it offers nothing of the kind in use. */
  'update.review': {
    input: ServerRef.extend({ entryId: z.string().max(400) }),
    output: UpdateReview,
  },

  /** Stores a secret that several servers can use. Rejects with NAME_TAKEN or SECRET_STORE_FAILED, as the others do. */
  'secret.create': {
    input: z.object({ name: StoredSecretName, value: SecretText }),
    output: SecretRef,
  },
  'secret.rename': { input: SecretRef.extend({ name: StoredSecretName }), output: z.void() },
  /** A new value; servers that use it and run get it when they are restarted, and say so until then. */
  'secret.rotate': { input: SecretRef.extend({ value: SecretText }), output: z.void() },
  /** Rejects with SECRET_IN_USE unless `evenIfUsed`. */
  'secret.remove': { input: SecretRef.extend({ evenIfUsed: z.boolean() }), output: z.void() },
  /** Makes a stored secret of one that a server has for itself, without asking for it again. */
  'secret.share': {
    input: ServerRef.extend({ fieldKey: z.string().max(400), name: StoredSecretName }),
    output: SecretRef,
  },
  /** The stored secrets that have no value where secrets are kept now, as with another keychain. */
  'secret.findEmpty': { input: z.object({}), output: z.array(StoredSecretId) },

  /** These three answer as soon as the wish is noted; the outcome is a status. */
  'server.start': { input: ServerRef, output: z.void() },
  /** A second stop while stopping escalates at once. */
  'server.stop': { input: ServerRef, output: z.void() },
  'server.restart': { input: ServerRef, output: z.void() },
  'server.capabilities': { input: ServerRef, output: Capabilities },

  /** Every runner with the path in use; `fresh` asks each for its version again. */
  'runner.list': {
    input: z.object({ fresh: z.boolean().default(false) }),
    output: z.array(RunnerView),
  },
  /** The runners whose program is there; none of them is run for it. */
  'runner.find': { input: z.object({}), output: z.array(RunnerName) },
  /** Runs an official setup of this platform, by its id, as the first step of a start; the outcome is a status. Rejects with NOT_FOUND, and with INVALID_REQUEST unless the server is stopped or failed. */
  'runner.setUp': {
    input: ServerRef.extend({ setupId: z.string().max(60) }),
    output: z.void(),
  },

  /** Entries with `seq` above `afterSeq`, oldest first, at most `limit`; `droppedBefore` is the oldest seq still held. */
  'log.read': {
    input: ServerRef.extend({
      afterSeq: z.number().int().default(-1),
      limit: z.number().int().min(1).max(20_000).default(20_000),
    }),
    output: z.object({ entries: z.array(LogEntry), droppedBefore: z.number().int() }),
  },
  /** Forgets the lines in memory; the files stay. */
  'log.clear': { input: ServerRef, output: z.void() },
  /** What the log files of all servers take; `folder` holds them. */
  'log.usage': {
    input: z.object({}),
    output: z.object({ bytes: z.number(), files: z.number().int(), folder: z.string() }),
  },
  /** Deletes the log files of all servers. */
  'log.clearFiles': { input: z.object({}), output: z.void() },
} satisfies Record<RequestChannel, { input: z.ZodType; output: z.ZodType }>

const Revision = z.object({ revision: z.number().int() })

export const events = {
  'server.changed': Revision.extend({ server: ServerView }),
  'server.removed': Revision.extend({ installationId: InstallationId }),
  'notices.changed': Revision.extend({ notices: z.array(AppNotice) }),
  'settings.changed': Revision.extend({ settings: Settings }),
  'secretStore.changed': Revision.extend({ secretStore: SecretStoreState }),
  'secrets.changed': Revision.extend({ secrets: SecretDirectory }),
  'log.appended': z.object({ installationId: InstallationId, entries: z.array(LogEntry) }),
} satisfies Record<EventChannel, z.ZodType>

export type RequestInput<C extends RequestChannel> = z.input<(typeof requests)[C]['input']>
export type ParsedInput<C extends RequestChannel> = z.output<(typeof requests)[C]['input']>
export type RequestOutput<C extends RequestChannel> = z.output<(typeof requests)[C]['output']>
export type EventPayload<C extends EventChannel> = z.output<(typeof events)[C]>

/** The answer to a request: expected failures cross as data. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: AppErrorShape }

/** What the preload exposes as `window.bridge`, and what the browser way in rebuilds over its socket. */
export type Bridge = {
  readonly requests: {
    readonly [C in RequestChannel]: (input: RequestInput<C>) => Promise<Reply<RequestOutput<C>>>
  }
  readonly events: {
    readonly [C in EventChannel]: (listener: (payload: EventPayload<C>) => void) => () => void
  }
}
