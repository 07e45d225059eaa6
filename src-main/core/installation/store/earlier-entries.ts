import * as z from 'zod'

import { namesOf } from '../../secrets/secret-keys'
import { SecretsOfEntry } from './read-entries'

/** Whether an entry says that it belongs to an installation, be it readable or not. */
export function isOfInstallation(raw: unknown, installationId: string): boolean {
  return z.looseObject({ installationId: z.literal(installationId) }).safeParse(raw).success
}

/** The keys in the secret store of what an entry alone has, be it readable otherwise or not. */
export function keptNamesOf(raw: unknown): string[] {
  const { data } = SecretsOfEntry.safeParse(raw)
  return data ? [...namesOf(data, 'kept').values()] : []
}
