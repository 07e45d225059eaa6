import pLimit from 'p-limit'
import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { Installation } from '../../../../src-shared/domain/installation/installation'
import { StoredSecret } from '../../../../src-shared/domain/installation/stored-secret'
import { findOffer } from '../../../../src-shared/domain/server-json/offer'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import { Settings } from '../../../../src-shared/domain/state/settings'
import { Emitter } from '../../lifecycle/emitter'
import type { DocumentStore } from '../../ports'
import { giveAliases } from './alias'

const DOCUMENT_VERSION = 1

/** Everything that shows or starts an installation counts on its package. */
const Startable = Installation.refine(
  ({ server, offer }) => findOffer(server, offer) !== undefined,
  { path: ['offer'], message: 'There is no such package or remote' },
)

const Document = z.looseObject({
  version: z.number().optional(),
  settings: z.unknown().optional(),
  installations: z.array(z.unknown()).optional(),
  secrets: z.array(z.unknown()).optional(),
  removed: z.array(z.unknown()).optional(),
})

const Removed = z.object({
  installation: z.preprocess(withOffer, Startable),
  /** How many stood before it in the list. */
  place: z.number().int().nonnegative(),
})
/** An installation that was removed and can still be taken back. */
export type RemovedInstallation = z.infer<typeof Removed>

/** What was written: installations that are new or other than before, those that are out of the list, and the rest. */
export type StoreChange = {
  readonly saved: readonly string[]
  readonly gone: readonly string[]
  readonly hasSettings: boolean
}

type Contents = {
  readonly settings: Settings
  readonly installations: readonly Installation[]
  readonly removed: readonly RemovedInstallation[]
  readonly secrets: readonly StoredSecret[]
}

/**
 * What the settings file holds: preferences, installations and the names of stored secrets, parsed once at
 * the start. Entries that do not parse are kept as they are in the file and told in `notices`; they are
 * never written away.
 */
export class InstallationStore {
  readonly notices: AppNotice[] = []
  readonly #changed = new Emitter<StoreChange>()
  #contents: Contents
  /** Entries this version cannot read, written back untouched. */
  readonly #unread: unknown[] = []
  readonly #unreadSecrets: unknown[] = []
  readonly #unreadRemoved: unknown[] = []

  /** Tells of everything that was written. */
  readonly onDidChange = this.#changed.event
  /** Changes that wait for the secret store half-way go through here, one at a time. */
  readonly lane = pLimit(1)

  constructor(private readonly document: DocumentStore) {
    const raw = Document.safeParse(document.read() ?? {})
    this.#contents = {
      settings: this.#readSettings(raw.data?.settings),
      installations: this.#withAliases(
        (raw.data?.installations ?? []).flatMap((entry) => this.#readEntry(entry)),
      ),
      secrets: (raw.data?.secrets ?? []).flatMap((entry) => this.#readSecret(entry)),
      removed: (raw.data?.removed ?? []).flatMap((entry) => this.#readRemoved(entry)),
    }
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

  find(installationId: string): Installation | undefined {
    return this.installations.find((one) => one.installationId === installationId)
  }

  /**
   * Adds the installation, or replaces the one with its id, with the stored secrets that go with it. Throws
   * SETTINGS_UNWRITABLE, as all that write do.
   */
  save(installation: Installation, secrets = this.secrets): void {
    const isKnown = this.find(installation.installationId) !== undefined
    const installations = isKnown
      ? this.installations.map((one) =>
          one.installationId === installation.installationId ? installation : one,
        )
      : [...this.installations, installation]
    this.#write({ installations, secrets })
  }

  /** Deletes an installation, whether it was removed before or not. */
  remove(installationId: string, secrets = this.secrets): void {
    this.#write({ ...this.#without(installationId), secrets })
  }

  /** Takes an installation out so that it can be put back. */
  setAside(installation: Installation, secrets = this.secrets): void {
    const { installationId } = installation
    const place = this.installations.findIndex((one) => one.installationId === installationId)
    const { installations, removed } = this.#without(installationId)
    const aside = { installation, place: Math.max(0, place) }
    this.#write({ installations, removed: [...removed, aside], secrets })
  }

  /** Puts back an installation that was set aside, where it stood. */
  putBack(installation: Installation, place: number): void {
    const { installations, removed } = this.#without(installation.installationId)
    this.#write({ installations: installations.toSpliced(place, 0, installation), removed })
  }

  saveSettings(settings: Settings): void {
    this.#write({ settings })
  }

  saveSecrets(secrets: readonly StoredSecret[]): void {
    this.#write({ secrets })
  }

  #without(installationId: string): Pick<Contents, 'installations' | 'removed'> {
    const { installations, removed } = this.#contents
    return {
      installations: installations.filter((one) => one.installationId !== installationId),
      removed: removed.filter((one) => one.installation.installationId !== installationId),
    }
  }

  /** What could not be written does not hold here either: the two would part at the next start. */
  #write(change: Partial<Contents>): void {
    const contents = { ...this.#contents, ...change }
    const { settings, installations, secrets, removed } = contents
    try {
      this.document.write({
        version: DOCUMENT_VERSION,
        settings,
        installations: [...installations, ...this.#unread],
        secrets: [...secrets, ...this.#unreadSecrets],
        removed: [...removed, ...this.#unreadRemoved],
      })
    } catch (cause) {
      throw unwritable(this.document.file, cause)
    }
    const before = this.#contents
    this.#contents = contents
    this.#changed.emit(changeBetween(before, contents))
  }

  #readSettings(raw: unknown): Settings {
    const parsed = Settings.safeParse(raw ?? {})
    if (parsed.success) return parsed.data
    this.notices.push({
      noticeId: 'settings-unreadable',
      severity: 'warn',
      title: 'Some preferences could not be read',
      message: `The defaults are used for now. ${firstIssue(parsed.error)} in ${this.document.file}.`,
    })
    return Settings.parse({})
  }

  #readEntry(raw: unknown): Installation[] {
    const parsed = Startable.safeParse(withOffer(raw))
    if (parsed.success) return [parsed.data]
    this.#unread.push(raw)
    const name = z.object({ name: z.string() }).safeParse(raw).data?.name ?? 'A server'
    this.notices.push({
      noticeId: `installation-unreadable-${String(this.#unread.length)}`,
      severity: 'error',
      title: `${name} could not be read from the settings file`,
      message: `It is left in the file as it is and not started. ${firstIssue(parsed.error)} in ${this.document.file}.`,
    })
    return []
  }

  /** What was given is written with the next change; until then the same file gives the same. */
  #withAliases(read: readonly Installation[]): readonly Installation[] {
    const { installations, mended } = giveAliases(read)
    for (const { installationId, name, alias } of mended) {
      this.notices.push({
        noticeId: `alias-mended-${installationId}`,
        severity: 'warn',
        title: `Agents see the tools of ${name} under another name`,
        message: `Their names begin with "${alias}__" now: the alias in ${this.document.file} is another server's or cannot be used.`,
      })
    }
    return installations
  }

  #readSecret(raw: unknown): StoredSecret[] {
    const parsed = StoredSecret.safeParse(raw)
    if (parsed.success) return [parsed.data]
    this.#unreadSecrets.push(raw)
    this.notices.push({
      noticeId: `secret-unreadable-${String(this.#unreadSecrets.length)}`,
      severity: 'warn',
      title: 'A stored secret could not be read from the settings file',
      message: `It is left in the file as it is, and no server can use it. ${firstIssue(parsed.error)} in ${this.document.file}.`,
    })
    return []
  }

  /** One that this version cannot read stays in the file as it is: nobody misses it. */
  #readRemoved(raw: unknown): RemovedInstallation[] {
    const parsed = Removed.safeParse(raw)
    if (parsed.success) return [parsed.data]
    this.#unreadRemoved.push(raw)
    return []
  }
}

function changeBetween(before: Contents, now: Contents): StoreChange {
  const idsOf = ({ installations }: Contents): Set<string> =>
    new Set(installations.map(({ installationId }) => installationId))
  const left = idsOf(now)
  const same = new Set(before.installations)
  return {
    saved: now.installations.filter((one) => !same.has(one)).map((one) => one.installationId),
    gone: [...idsOf(before)].filter((id) => !left.has(id)),
    hasSettings: before.settings !== now.settings,
  }
}

/** The first versions could hold packages only, and named one by its place. */
function withOffer(raw: unknown): unknown {
  const old = z.looseObject({ packageIndex: z.number() }).safeParse(raw)
  if (!old.success || 'offer' in old.data) return raw
  const { packageIndex, ...rest } = old.data
  return { ...rest, offer: { kind: 'package', index: packageIndex } }
}

function unwritable(file: string, cause: unknown): AppError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new AppError(
    'SETTINGS_UNWRITABLE',
    `Nothing was saved: ${file} could not be written (${said}).`,
    {
      cause,
      hint: 'Check that the disk has room and that the file and its folder are yours to write, then try again.',
    },
  )
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'The shape is not known'
}
