import pLimit from 'p-limit'
import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { StoredSecret } from '../../../../src-shared/domain/installation/stored-secret'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import { Settings } from '../../../../src-shared/domain/state/settings'
import { Emitter } from '../../lifecycle/emitter'
import type { DocumentStore } from '../../ports'
import { unwritable } from '../../storage/own-file'
import { assignAliases } from './alias'
import { DOCUMENT_VERSION } from './document-over-conf'
import type { ReadParts, RemovedInstallation } from './read-entries'
import { firstIssue, isOfInstallation, readParts, type Unread } from './read-entries'
import { changeBetween, type Contents, type StoreChange, UnwantedSecret } from './store-change'

/** A value that isn't a list counts as one entry, which is reported and kept as unreadable. */
const Entries = z.preprocess(
  (raw) => (raw === undefined ? [] : Array.isArray(raw) ? (raw as unknown[]) : [raw]),
  z.array(z.unknown()),
)
const Document = z.looseObject({
  settings: z.unknown().optional(),
  installations: Entries,
  secrets: Entries,
  removed: Entries,
  earlier: Entries,
  unwantedSecrets: Entries,
})

/** Older files store only the keys. */
const UnwantedEntry = z.union([
  UnwantedSecret,
  z.string().transform((key) => ({ key, label: key.slice(key.lastIndexOf('/') + 1) })),
])

/**
 * The content of a profile's settings file: preferences, installations with earlier versions, and names of shared secrets, parsed once at
 * the start. Unreadable entries stay unchanged in the file and are reported in `notices`; so do members of other versions of Patchbay.
 */
export class ProfileDocument {
  readonly notices: AppNotice[] = []
  readonly #changed = new Emitter<StoreChange>()
  #contents: Contents
  #unread: Unread
  /** Unreadable preferences and secrets to delete. */
  #unreadableSettings: UnreadableSettings
  readonly #otherUnwanted: readonly unknown[]
  /** Parts of the file that this version doesn't know. */
  readonly #unknownParts: Readonly<Record<string, unknown>>

  readonly onDidChange = this.#changed.event
  /** Runs changes that wait for the secret store one at a time. */
  readonly mutex = pLimit(1)

  constructor(private readonly document: DocumentStore) {
    const raw = Document.parse(document.read() ?? {})
    this.#unknownParts = raw
    const { read, unread, notices } = readParts(raw, document.file)
    this.#unread = unread
    const { settings, kept, issues } = readSettings(raw.settings)
    this.#unreadableSettings = kept
    this.#reportSettings(issues)
    const unwanted = raw.unwantedSecrets.map((one) => UnwantedEntry.safeParse(one))
    this.#otherUnwanted = raw.unwantedSecrets.filter((_, at) => !unwanted[at]?.success)
    this.#contents = {
      ...read,
      settings,
      installations: this.#withAliases(read.installations),
      unwantedSecrets: unwanted.flatMap(({ data }) => data ?? []),
    }
    this.notices.push(...notices)
  }

  get settings(): Settings {
    return this.#contents.settings
  }

  get installations(): readonly Installation[] {
    return this.#contents.installations
  }

  get secrets(): readonly StoredSecret[] {
    return this.#contents.secrets
  }

  /** Removed installations that aren't deleted yet; they aren't in `installations`. */
  get removed(): readonly RemovedInstallation[] {
    return this.#contents.removed
  }

  /** Earlier versions of installations, including removed ones that aren't deleted yet. */
  get earlier(): readonly EarlierVersion[] {
    return this.#contents.earlier
  }

  get unwantedSecrets(): readonly UnwantedSecret[] {
    return this.#contents.unwantedSecrets
  }

  /** Returns the file's earlier versions of an installation, readable or not. */
  rawEarlierOf(installationId: string): unknown[] {
    return [...this.earlier, ...this.#unread.earlier].filter((one) =>
      isOfInstallation(one, installationId),
    )
  }

  find(installationId: string): Installation | undefined {
    return this.installations.find((one) => one.installationId === installationId)
  }

  /** Throws NOT_FOUND. */
  read(installationId: string): Installation {
    const found = this.find(installationId)
    if (found) return found
    throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
      hint: 'Another window may have removed it.',
    })
  }

  /**
   * Adds an installation or replaces the one with its id, together with the shared secrets. Throws SETTINGS_UNWRITABLE, as every writing
   * method does.
   */
  save(installation: Installation, secrets = this.secrets): void {
    this.#write({ installations: this.#with(installation), secrets })
  }

  /** Replaces an installation together with its earlier versions; `isBack` if it goes back to one. */
  saveVersion(
    installation: Installation,
    earlier: readonly EarlierVersion[],
    isBack: boolean,
  ): void {
    const { installationId } = installation
    const installations = this.#with(installation)
    this.#write({ installations, earlier }, { wentBack: isBack ? installationId : undefined })
  }

  saveEarlier(earlier: readonly EarlierVersion[]): void {
    this.#write({ earlier })
  }

  /** Replaces the list of secrets to delete, in one write with what `save` writes. */
  saveUnwanted(
    unwantedSecrets: readonly UnwantedSecret[],
    save = (): void => this.#write({}),
  ): void {
    const before = this.#contents
    this.#contents = { ...before, unwantedSecrets }
    try {
      save()
    } catch (error) {
      this.#contents = before
      throw error
    }
  }

  /** Deletes an installation with its earlier versions, removed or not. */
  remove(installationId: string, secrets = this.secrets): void {
    const unreadVersions = this.#unread.earlier.filter(
      (one) => !isOfInstallation(one, installationId),
    )
    const unread = { ...this.#unread, earlier: unreadVersions }
    const earlier = this.earlier.filter((one) => one.installationId !== installationId)
    this.#write({ ...this.#without(installationId), secrets, earlier }, { unread })
  }

  /** Removes an installation so that it can be put back with its `earlier` versions. */
  markRemoved(installation: Installation, secrets = this.secrets, earlier = this.earlier): void {
    const { installationId } = installation
    const index = this.installations.findIndex((one) => one.installationId === installationId)
    const { installations, removed } = this.#without(installationId)
    const entry = { installation, place: Math.max(0, index) }
    this.#write({ installations, removed: [...removed, entry], secrets, earlier })
  }

  /** Puts a removed installation back in its place. */
  restore(installation: Installation, index: number): void {
    const { installations, removed } = this.#without(installation.installationId)
    this.#write({ installations: installations.toSpliced(index, 0, installation), removed })
  }

  /** Changes some preferences; replaces an unreadable value only if its key is among them. */
  saveSettings(change: Partial<Settings>): void {
    const { others, parts } = this.#unreadableSettings
    const retained = Object.entries(others).filter(([key]) => !Object.hasOwn(change, key))
    const kept = { others: Object.fromEntries(retained), parts }
    this.#write({ settings: { ...this.settings, ...change } }, { kept })
  }

  saveSecrets(secrets: readonly StoredSecret[]): void {
    this.#write({ secrets })
  }

  #with(installation: Installation): readonly Installation[] {
    const { installationId } = installation
    return this.find(installationId) === undefined
      ? [...this.installations, installation]
      : this.installations.map((one) =>
          one.installationId === installationId ? installation : one,
        )
  }

  #without(installationId: string): Pick<Contents, 'installations' | 'removed'> {
    const { installations, removed } = this.#contents
    return {
      installations: installations.filter((one) => one.installationId !== installationId),
      removed: removed.filter((one) => one.installation.installationId !== installationId),
    }
  }

  /** A failed write must not apply in memory: the file would differ at the next start. */
  #write(
    change: Partial<Contents>,
    {
      wentBack,
      unread = this.#unread,
      kept = this.#unreadableSettings,
    }: { wentBack?: string; unread?: Unread; kept?: UnreadableSettings } = {},
  ): void {
    const contents = { ...this.#contents, ...change }
    const entries = (part: keyof ReadParts): readonly unknown[] => [
      ...contents[part],
      ...unread[part],
    ]
    try {
      this.document.write({
        ...this.#unknownParts,
        version: DOCUMENT_VERSION,
        ...contents,
        settings: withUnreadable(contents.settings, kept),
        unwantedSecrets: [...contents.unwantedSecrets, ...this.#otherUnwanted],
        installations: entries('installations'),
        secrets: entries('secrets'),
        removed: entries('removed'),
        earlier: entries('earlier'),
      })
    } catch (cause) {
      throw unwritable(this.document.file, cause)
    }
    const before = this.#contents
    this.#contents = contents
    this.#unread = unread
    this.#unreadableSettings = kept
    this.#changed.emit({ ...changeBetween(before, contents), wentBack })
  }

  #reportSettings(issues: readonly string[]): void {
    if (issues.length === 0) return
    this.notices.push({
      noticeId: 'settings-unreadable',
      severity: 'warn',
      title: 'Some preferences couldn’t be read',
      message: `Defaults are used for them, and the file keeps its values until you change them. ${issues.join('. ')} in ${this.document.file}.`,
    })
  }

  /** New aliases are written with the next change; until then the same file gives the same ones. */
  #withAliases(read: readonly Installation[]): readonly Installation[] {
    const { installations, repaired } = assignAliases(read)
    for (const { installationId, name, alias } of repaired) {
      this.notices.push({
        noticeId: `alias-repaired-${installationId}`,
        severity: 'warn',
        title: `Tool names of ${name} changed for agents`,
        message: `The names now begin with "${alias}__" because the alias in ${this.document.file} is invalid or used by another server.`,
      })
    }
    return installations
  }
}

type Key = keyof Settings

/** The preferences of a settings file: each unreadable key has its default, and keeps its value in the file. */
type ReadSettings = {
  readonly settings: Settings
  readonly kept: UnreadableSettings
  /** One position of an invalid value per affected key. */
  readonly issues: readonly string[]
}

/** Unreadable and unknown preferences, written back unchanged. */
type UnreadableSettings = {
  /** Whole values. */
  readonly others: JsonObject
  /** Unreadable elements of lists and tables; they stay next to the user's choices. */
  readonly parts: JsonObject
}

/** Merges preferences with the kept values for the settings file. */
function withUnreadable(settings: Settings, { others, parts }: UnreadableSettings): JsonObject {
  const merged = Object.entries(parts).map(([key, part]) => [
    key,
    joined(settings[key as Key], part),
  ])
  return { ...settings, ...(Object.fromEntries(merged) as JsonObject), ...others }
}

/** Reads each preference alone; returns the defaults if the value isn't a table. */
function readSettings(raw: unknown = {}): ReadSettings {
  if (!isJsonObject(raw)) {
    const issues = ['Invalid value: settings']
    return { settings: Settings.parse({}), kept: { others: { unread: raw }, parts: {} }, issues }
  }
  const read: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  const parts: Record<string, unknown> = {}
  const issues: string[] = []
  for (const [key, value] of Object.entries(raw)) {
    const schema = Object.hasOwn(Settings.shape, key) ? Settings.shape[key as Key] : undefined
    const { data, error } = schema?.safeParse(value) ?? {}
    if (schema && !error) {
      read[key] = data
      continue
    }
    if (error) issues.push(firstIssue(error, key))
    const { good, bad } = schema ? split(schema, value) : {}
    if (good === undefined) others[key] = value
    else {
      read[key] = good
      parts[key] = bad
    }
  }
  return { settings: Settings.parse(read), kept: { others, parts }, issues }
}

/** Splits a list or table into readable and unreadable elements; empty if they can't be separated. */
function split(schema: z.ZodType, value: unknown): { good?: unknown; bad?: unknown } {
  const isValid = (part: unknown): boolean => schema.safeParse(part).success
  if (Array.isArray(value)) {
    const good = value.filter((one) => isValid([one]))
    if (isValid(good)) return { good, bad: value.filter((one) => !isValid([one])) }
  } else if (isJsonObject(value) && isValid({})) {
    const entries = Object.entries(value)
    const good = Object.fromEntries(entries.filter(([name, one]) => isValid({ [name]: one })))
    const bad = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(good, name)))
    if (isValid(good)) return { good, bad }
  }
  return {}
}

function joined(value: unknown, part: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(part))
    return [...(value as unknown[]), ...(part as unknown[])]
  return { ...(part as object), ...(value as object) }
}
