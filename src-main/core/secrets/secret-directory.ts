import type { Installation } from '../../../src-shared/domain/installation/installation'
import { storedAt } from '../../../src-shared/domain/installation/secret-place'
import type {
  SecretDirectory,
  SecretUse,
  StoredSecret,
} from '../../../src-shared/domain/installation/stored-secret'
import { findOffer } from '../../../src-shared/domain/server-json/offer'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'

type Held = {
  readonly installations: readonly Installation[]
  readonly secrets: readonly StoredSecret[]
}

/** Returns every secret with its name and uses: shared secrets by name, servers' own ones in the order of the servers. */
export function secretDirectory({ installations, secrets }: Held): SecretDirectory {
  const uses = installations.flatMap(usesOf)
  const usesAt = (secretId?: string): SecretUse[] =>
    uses.flatMap((use) => (use.secretId === secretId ? [use.use] : []))
  return {
    stored: secrets
      .map((secret) => ({ ...secret, uses: usesAt(secret.secretId) }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    own: usesAt(),
  }
}

/** Returns the installations that use a shared secret. */
export function usersOf(secretId: string, installations: readonly Installation[]): Installation[] {
  return installations.filter(({ secrets }) =>
    Object.keys(secrets).some((key) => storedAt(secrets, key) === secretId),
  )
}

/** Returns a function that labels an installation's secrets: by the field's label, or by its key if the server no longer has the field. */
export function secretLabels({
  server,
  offer,
}: Pick<Installation, 'server' | 'offer'>): (fieldKey: string) => string {
  const found = findOffer(server, offer)
  const fields = found ? fieldsOfOffer(found) : []
  const labels = new Map(fields.map(({ key, label }) => [key, label]))
  return (fieldKey) => labels.get(fieldKey) ?? fieldKey
}

function usesOf(
  installation: Installation,
): { readonly secretId: string | undefined; readonly use: SecretUse }[] {
  const { installationId, name, secrets } = installation
  const keys = Object.keys(secrets).filter((key) => secrets[key]?.kind !== 'environment')
  if (keys.length === 0) return []
  const labelOf = secretLabels(installation)
  return keys.map((fieldKey) => ({
    secretId: storedAt(secrets, fieldKey),
    use: { installationId, serverName: name, fieldKey, label: labelOf(fieldKey) },
  }))
}
