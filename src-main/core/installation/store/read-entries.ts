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
 * An installation in the settings file, with its required package. Here and below, members that this version doesn't know stay with their
 * entry and are written back.
 */
const KeptInstallation = Installation.loose().refine(hasOffer, NO_OFFER)

/** An earlier version in the settings file. */
const KeptVersion = EarlierVersion.loose().refine(hasOffer, NO_OFFER)

/** An entry's owner and its own secrets, readable even if the rest isn't. */
const KeptByEntry = z.object({
  installationId: z.string(),
  secrets: z.record(z.string(), SecretPlace.nullable().catch(null)).catch({}),
})

/** A removed installation that can still be put back. */
const KeptRemoved = z.looseObject({
  installation: KeptInstallation,
  place: z.number().int().nonnegative(),
})
export type RemovedInstallation = {
  readonly installation: Installation
  /** Index in the list. */
  readonly place: number
}

/** Entries that this version can't read: written back unchanged. */
export type Unread = Readonly<Record<keyof ReadParts, readonly unknown[]>>

/** Reads each entry alone: a damaged one doesn't affect others, and is reported if the user would miss it. */
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

/** Notices about unreadable entries. */
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

/** Whether an entry, readable or not, names an installation as its owner. */
export function isOfInstallation(raw: unknown, installationId: string): boolean {
  return z.object({ installationId: z.literal(installationId) }).safeParse(raw).success
}

/** Returns the keys of an entry's own secrets, even if the rest is unreadable. */
export function keptNamesOf(raw: unknown): string[] {
  const { data } = KeptByEntry.safeParse(raw)
  if (!data) return []
  const { installationId, secrets } = data
  return Object.entries(secrets).flatMap(([key, place]) =>
    place?.kind === 'kept' ? [secretName(installationId, key, place)] : [],
  )
}

/** Returns the position of an invalid value in the settings file; `within` is the path of the parsed part. */
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

/** The readable lists of the settings file. */
export type ReadParts = {
  readonly installations: readonly Installation[]
  readonly secrets: readonly StoredSecret[]
  readonly removed: readonly RemovedInstallation[]
  /** Grouped by installation, newest first. */
  readonly earlier: readonly EarlierVersion[]
}
