import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import type { AppNotice } from '../../../src-shared/domain/app-state'
import { Installation } from '../../../src-shared/domain/installation'
import { findOffer } from '../../../src-shared/domain/offer'
import { Settings } from '../../../src-shared/domain/settings'
import type { DocumentStore } from '../ports'

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
})

/**
 * What the settings file holds: preferences and installations, parsed once at the start. Entries that
 * do not parse are kept as they are in the file and told in `notices`; they are never written away.
 */
export class InstallationStore {
  readonly notices: AppNotice[] = []
  #settings: Settings
  #installations: readonly Installation[]
  /** Entries this version cannot read, written back untouched. */
  readonly #unread: unknown[] = []

  constructor(private readonly document: DocumentStore) {
    const raw = Document.safeParse(document.read() ?? {})
    this.#settings = this.#readSettings(raw.data?.settings)
    this.#installations = (raw.data?.installations ?? []).flatMap((entry) => this.#readEntry(entry))
  }

  get settings(): Settings {
    return this.#settings
  }

  get installations(): readonly Installation[] {
    return this.#installations
  }

  find(installationId: string): Installation | undefined {
    return this.#installations.find((one) => one.installationId === installationId)
  }

  /** Adds the installation, or replaces the one with its id. Throws SETTINGS_UNWRITABLE, as all that write do. */
  save(installation: Installation): void {
    const isKnown = this.find(installation.installationId) !== undefined
    const installations = isKnown
      ? this.#installations.map((one) =>
          one.installationId === installation.installationId ? installation : one,
        )
      : [...this.#installations, installation]
    this.#write(this.#settings, installations)
  }

  remove(installationId: string): void {
    this.#write(
      this.#settings,
      this.#installations.filter((one) => one.installationId !== installationId),
    )
  }

  saveSettings(settings: Settings): void {
    this.#write(settings, this.#installations)
  }

  /** What could not be written does not hold here either: the two would part at the next start. */
  #write(settings: Settings, installations: readonly Installation[]): void {
    try {
      this.document.write({
        version: DOCUMENT_VERSION,
        settings,
        installations: [...installations, ...this.#unread],
      })
    } catch (cause) {
      throw unwritable(this.document.file, cause)
    }
    this.#settings = settings
    this.#installations = installations
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
