import * as z from 'zod'

import type { AppErrorShape } from '../domain/app-error'
import { AppNotice, AppState, SecretStoreState, ServerView } from '../domain/app-state'
import { Capabilities } from '../domain/capability'
import { CatalogEntry } from '../domain/catalog-entry'
import { FieldValues } from '../domain/field-values'
import { Installation, InstallationId, PhaseBudgets, WorkingFolder } from '../domain/installation'
import { LaunchPreview } from '../domain/launch-plan'
import { LogEntry } from '../domain/log-entry'
import { OfferRef } from '../domain/offer'
import { RunnerView } from '../domain/runner-advice'
import { Settings, SettingsChange } from '../domain/settings'
import type { EventChannel, RequestChannel } from './channels'

const ServerRef = z.object({ installationId: InstallationId })
const EntryRef = z.object({ entryId: z.string().max(400), offer: OfferRef })
const Name = z.string().max(120)
/** The hash of the preview that the person saw and approved. */
const Approval = z.object({ approvedPlan: z.string().max(128) })

const Draft = z.object({
  name: Name,
  values: FieldValues,
  budgets: PhaseBudgets.default({}),
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
})

export const requests = {
  'app.snapshot': { input: z.object({}), output: AppState },
  'app.dismissNotice': { input: z.object({ noticeId: z.string() }), output: z.void() },
  /** Null when the person cancelled; NOT_AVAILABLE_HERE in the browser. */
  'app.pickPath': {
    input: z.object({ kind: z.enum(['folder', 'file']) }),
    output: z.string().nullable(),
  },
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

  /** The exact command for these values: of a catalog entry, or of an installation (whose saved secrets count). */
  'launch.preview': {
    input: z.object({
      of: z.union([EntryRef, ServerRef]),
      values: FieldValues,
      cwd: WorkingFolder.optional(),
    }),
    output: LaunchPreview,
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
  'installation.read': { input: ServerRef, output: Installation },
  'installation.update': {
    input: ServerRef.extend(Draft.shape).extend({ approvedPlan: z.string().max(128).optional() }),
    output: z.void(),
  },
  /** CONSENT_REQUIRED when the plan no longer has that hash. */
  'installation.approve': { input: ServerRef.extend(Approval.shape), output: z.void() },
  /** Enabling starts it, disabling stops it; a disabled server is not started with the app. */
  'installation.setEnabled': {
    input: ServerRef.extend({ enabled: z.boolean() }),
    output: z.void(),
  },
  'installation.remove': {
    input: ServerRef.extend({ deleteSecrets: z.boolean() }),
    output: z.void(),
  },
  /** Reads an older `{"package_args": {...}}` into values; `unknown` lists the names that no field has. */
  'installation.readLegacy': {
    input: z.object({ of: z.union([EntryRef, ServerRef]), text: z.string().max(1_000_000) }),
    output: z.object({ values: FieldValues, unknown: z.array(z.string()) }),
  },

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
