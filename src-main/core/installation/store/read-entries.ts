import * as z from 'zod'

import { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import { Installation } from '../../../../src-shared/domain/installation/installation'
import { SecretPlace } from '../../../../src-shared/domain/installation/secret-place'
import { StoredSecret } from '../../../../src-shared/domain/installation/stored-secret'
import { findOffer, type OfferRef } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import { secretName } from '../../secrets/secret-keys'

const NO_OFFER = { path: ['offer'], message: 'The package or remote does not exist' }

/**
 * An installation as the settings file holds it. Everything that shows or starts it counts on its package. Here and below, members
 * that this version of Patchbay doesn't know, such as those of a later one, stay with their entry and are written back with it.
 */
const KeptInstallation = Installation.loose().refine(hasOffer, NO_OFFER)

/** An earlier version as the settings file holds it. */
const KeptVersion = EarlierVersion.loose().refine(hasOffer, NO_OFFER)

/** Of whom an entry is and what it keeps for itself, whatever else of it can be read. */
const KeptByEntry = z.object({
  installationId: z.string(),
  secrets: z.record(z.string(), SecretPlace.nullable().catch(null)).catch({}),
})

/** An installation that was removed and can still be taken back. */
const KeptRemoved = z.looseObject({
  installation: KeptInstallation,
  place: z.number().int().nonnegative(),
})
export type RemovedInstallation = {
  readonly installation: Installation
  /** How many stood before it in the list. */
  readonly place: number
}

/** Entries that this version of Patchbay cannot read: written back untouched. */
export type Unread = Readonly<Record<keyof ReadParts, readonly unknown[]>>

/** Reads each entry alone: one that is damaged takes nothing else with it, and is reported where a user would miss it. */
export function readParts(
  raw: Unread,
  file: string,
): {
  readonly read: ReadParts
  readonly unread: Unread
  readonly notices: readonly AppNotice[]
} {
  const unread = { installations: [], secrets: [], removed: [], earlier: [] } as Record<
    keyof ReadParts,
    unknown[]
  >
  const notices: AppNotice[] = []
  const read = <P extends keyof ReadParts>(
    part: P,
    schema: z.ZodType<ReadParts[P][number]>,
  ): ReadParts[P][number][] =>
    raw[part].flatMap((entry) => {
      const { data, error } = schema.safeParse(entry)
      if (!error) return [data]
      const kind: keyof ReadParts = part
      const number = String(unread[kind].push(entry))
      if (kind === 'removed') return []
      const { name, title, rest } = NOTICES[kind]
      const severity = kind === 'installations' ? 'error' : 'warn'
      const noticeId = `${name}-unreadable-${number}`
      const message = `The entry stays in the file${rest}. ${firstIssue(error)} in ${file}.`
      notices.push({ noticeId, severity, title: title(entry), message })
      return []
    })
  const parts = {
    installations: read('installations', KeptInstallation),
    secrets: read('secrets', StoredSecret.loose()),
    removed: read('removed', KeptRemoved),
    earlier: read('earlier', KeptVersion),
  }
  return { read: parts, unread, notices }
}

const Named = z.object({ name: z.string() })
const Released = z.object({ server: z.object({ name: z.string(), version: z.string() }) })

/** What a notice says of an entry that cannot be read. */
const NOTICES = {
  installations: {
    name: 'installation',
    rest: ' and is not started',
    title: (entry: unknown) =>
      `${Named.safeParse(entry).data?.name ?? 'A server'} couldn’t be read from the settings file`,
  },
  secrets: {
    name: 'secret',
    rest: ', and servers can’t use it',
    title: () => 'A shared secret couldn’t be read from the settings file',
  },
  earlier: {
    name: 'earlier',
    rest: '',
    title: (entry: unknown) => {
      const { server } = Released.safeParse(entry).data ?? {}
      const name = server ? `Version ${server.version} of ${server.name}` : 'An earlier version'
      return `${name} can’t be restored`
    },
  },
} as const

/** Whether an entry says that it belongs to an installation, be it readable or not. */
export function isOfInstallation(raw: unknown, installationId: string): boolean {
  return z.object({ installationId: z.literal(installationId) }).safeParse(raw).success
}

/** The keys in the secret store of what an entry alone has, be it readable otherwise or not. */
export function keptNamesOf(raw: unknown): string[] {
  const { data } = KeptByEntry.safeParse(raw)
  if (!data) return []
  const { installationId, secrets } = data
  return Object.entries(secrets).flatMap(([key, place]) =>
    place?.kind === 'kept' ? [secretName(installationId, key, place)] : [],
  )
}

/** Where a text of the settings file is not as it should be; `within` names the part that was read. */
export function firstIssue(error: z.ZodError, ...within: string[]): string {
  const issue = error.issues[0]
  if (!issue) return 'Unknown format'
  const place = [...within, ...issue.path].join('.')
  return issue.code === 'custom' ? `${place}: ${issue.message}` : `Invalid value: ${place}`
}

function hasOffer({
  server,
  offer,
}: {
  readonly server: ServerJson
  readonly offer: OfferRef
}): boolean {
  return findOffer(server, offer) !== undefined
}

/** The lists of the settings file, as far as they could be read. */
export type ReadParts = {
  readonly installations: readonly Installation[]
  readonly secrets: readonly StoredSecret[]
  readonly removed: readonly RemovedInstallation[]
  /** Those of each installation, the last one first. */
  readonly earlier: readonly EarlierVersion[]
}
