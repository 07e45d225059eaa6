import * as z from 'zod'

import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import { namesOf } from '../../secrets/secret-keys'
import { firstIssue, KeptVersion, SecretsOfEntry } from './read-entries'

/** The earlier versions of a settings file, and what of them this version of Patchbay cannot read. */
export type EarlierEntries = {
  /** Of each installation the one that was replaced last first. */
  readonly earlier: readonly EarlierVersion[]
  /** Written back untouched. */
  readonly unread: readonly unknown[]
  readonly notices: readonly AppNotice[]
}

/** Reads each by itself: one that is damaged takes nothing else with it, and is told of. */
export function readEarlier(entries: readonly unknown[], file: string): EarlierEntries {
  const earlier: EarlierVersion[] = []
  const unread: unknown[] = []
  const notices: AppNotice[] = []
  for (const raw of entries) {
    const parsed = KeptVersion.safeParse(raw)
    if (parsed.success) earlier.push(parsed.data)
    else {
      unread.push(raw)
      notices.push(unreadableNotice(raw, { number: unread.length, error: parsed.error, file }))
    }
  }
  return { earlier, unread, notices }
}

/** Whether an entry says that it belongs to an installation, be it readable or not. */
export function isOfInstallation(raw: unknown, installationId: string): boolean {
  return z.looseObject({ installationId: z.literal(installationId) }).safeParse(raw).success
}

/** The keys in the secret store of what an entry alone has, be it readable otherwise or not. */
export function keptNamesOf(raw: unknown): string[] {
  const { data } = SecretsOfEntry.safeParse(raw)
  return data ? namesOf(data, 'kept') : []
}

const Named = z.looseObject({
  server: z.looseObject({ name: z.string(), version: z.string() }),
})

function unreadableNotice(
  raw: unknown,
  {
    number,
    error,
    file,
  }: { readonly number: number; readonly error: z.ZodError; readonly file: string },
): AppNotice {
  const { server } = Named.safeParse(raw).data ?? {}
  const name = server ? `Version ${server.version} of ${server.name}` : 'An earlier version'
  return {
    noticeId: `earlier-unreadable-${String(number)}`,
    severity: 'warn',
    title: `${name} cannot be gone back to`,
    message: `It is left in the file as it is. ${firstIssue(error)} in ${file}.`,
  }
}
