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
import { giveAliases } from './alias'
import { DOCUMENT_VERSION } from './document-over-conf'
import type { ReadParts, RemovedInstallation } from './read-entries'
import { firstIssue, isOfInstallation, readParts, type Unread } from './read-entries'
import { changeBetween, type Contents, type StoreChange, UnwantedSecret } from './store-change'

/** What is no list counts as one entry: then it is reported and kept like any that cannot be read. */
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

/** Older files hold the keys alone. */
const UnwantedEntry = z.union([
  UnwantedSecret,
  z.string().transform((key) => ({ key, label: key.slice(key.lastIndexOf('/') + 1) })),
])

/**
 * What the settings file of a profile holds: preferences, installations with what they were before, and the names of stored
 * secrets, parsed once at the start. Entries that do not parse are kept as they are in the file and reported in `notices`; they
 * are never written away, nor is what another version of Patchbay keeps beside them.
 */
export class ProfileDocument {
  readonly notices: AppNotice[] = []
  readonly #changed = new Emitter<StoreChange>()
  #contents: Contents
  #unread: Unread
  /** What of the preferences and of the unwanted secrets can't be read. */
  #kept: KeptSettings
  readonly #otherUnwanted: readonly unknown[]
  /** Parts of the file that this version does not know. */
  readonly #others: Readonly<Record<string, unknown>>

  readonly onDidChange = this.#changed.event
  /** Changes that wait for the secret store half-way go through here, one at a time. */
  readonly mutex = pLimit(1)

  constructor(private readonly document: DocumentStore) {
    const raw = Document.parse(document.read() ?? {})
    this.#others = raw
    const { read, unread, notices } = readParts(raw, document.file)
    this.#unread = unread
    const { settings, kept, issues } = readSettings(raw.settings)
    this.#kept = kept
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

  /** Those that were removed and are not deleted yet; they are among the installations no more. */
  get removed(): readonly RemovedInstallation[] {
    return this.#contents.removed
  }

  /** What installations were before, also those that were removed and are not deleted yet. */
  get earlier(): readonly EarlierVersion[] {
    return this.#contents.earlier
  }

  get unwantedSecrets(): readonly UnwantedSecret[] {
    return this.#contents.unwantedSecrets
  }

  /** What the file holds of earlier versions of an installation, be it readable or not. */
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
   * Adds the installation, or replaces the one with its id, with the stored secrets that go with it. Throws
   * SETTINGS_UNWRITABLE, as all that write do.
   */
  save(installation: Installation, secrets = this.secrets): void {
    this.#write({ installations: this.#with(installation), secrets })
  }

  /** Replaces an installation together with what is kept of before; `isBack` where it goes back to that. */
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

  /** Replaces the secrets that are still to be deleted, in the one write of what `save` writes. */
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

  /** Deletes an installation with what it was before, whether it was removed before or not. */
  remove(installationId: string, secrets = this.secrets): void {
    const others = this.#unread.earlier.filter((one) => !isOfInstallation(one, installationId))
    const unread = { ...this.#unread, earlier: others }
    const earlier = this.earlier.filter((one) => one.installationId !== installationId)
    this.#write({ ...this.#without(installationId), secrets, earlier }, { unread })
  }

  /** Takes an installation out so that it can be put back, `earlier` versions and all. */
  setAside(installation: Installation, secrets = this.secrets, earlier = this.earlier): void {
    const { installationId } = installation
    const place = this.installations.findIndex((one) => one.installationId === installationId)
    const { installations, removed } = this.#without(installationId)
    const aside = { installation, place: Math.max(0, place) }
    this.#write({ installations, removed: [...removed, aside], secrets, earlier })
  }

  /** Puts back an installation that was removed, where it stood. */
  putBack(installation: Installation, place: number): void {
    const { installations, removed } = this.#without(installation.installationId)
    this.#write({ installations: installations.toSpliced(place, 0, installation), removed })
  }

  /** Changes some preferences; a value that couldn't be read is replaced only by one that is chosen for its key. */
  saveSettings(change: Partial<Settings>): void {
    const { others, parts } = this.#kept
    const stay = Object.entries(others).filter(([key]) => !Object.hasOwn(change, key))
    const kept = { others: Object.fromEntries(stay), parts }
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

  /** What could not be written does not hold here either: the two would part at the next start. */
  #write(
    change: Partial<Contents>,
    {
      wentBack,
      unread = this.#unread,
      kept = this.#kept,
    }: { wentBack?: string; unread?: Unread; kept?: KeptSettings } = {},
  ): void {
    const contents = { ...this.#contents, ...change }
    const entries = (part: keyof ReadParts): readonly unknown[] => [
      ...contents[part],
      ...unread[part],
    ]
    try {
      this.document.write({
        ...this.#others,
        version: DOCUMENT_VERSION,
        ...contents,
        settings: withKept(contents.settings, kept),
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
    this.#kept = kept
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

  /** What was given is written with the next change; until then the same file gives the same. */
  #withAliases(read: readonly Installation[]): readonly Installation[] {
    const { installations, repaired } = giveAliases(read)
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

/** The preferences of a settings file: each key that can't be read has its default, and keeps its value in the file. */
type ReadSettings = {
  readonly settings: Settings
  readonly kept: KeptSettings
  /** Where a value is not as it should be, for each key that has one. */
  readonly issues: readonly string[]
}

/** What can't be read of preferences, and what this version doesn't know: written back untouched. */
type KeptSettings = {
  /** Whole values. */
  readonly others: JsonObject
  /** The unreadable elements of lists and tables; they stay beside what the user chooses. */
  readonly parts: JsonObject
}

/** Preferences as the settings file holds them. */
function withKept(settings: Settings, { others, parts }: KeptSettings): JsonObject {
  const whole = Object.entries(parts).map(([key, part]) => [
    key,
    joined(settings[key as Key], part),
  ])
  return { ...settings, ...(Object.fromEntries(whole) as JsonObject), ...others }
}

/** Reads each preference alone; what isn't a table of preferences gives the defaults. */
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

/** The elements of a list or table that can be read, and the others; nothing where they can't be separated. */
function split(schema: z.ZodType, value: unknown): { good?: unknown; bad?: unknown } {
  const isGood = (part: unknown): boolean => schema.safeParse(part).success
  if (Array.isArray(value)) {
    const good = value.filter((one) => isGood([one]))
    if (isGood(good)) return { good, bad: value.filter((one) => !isGood([one])) }
  } else if (isJsonObject(value) && isGood({})) {
    const entries = Object.entries(value)
    const good = Object.fromEntries(entries.filter(([name, one]) => isGood({ [name]: one })))
    const bad = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(good, name)))
    if (isGood(good)) return { good, bad }
  }
  return {}
}

function joined(value: unknown, part: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(part))
    return [...(value as unknown[]), ...(part as unknown[])]
  return { ...(part as object), ...(value as object) }
}
