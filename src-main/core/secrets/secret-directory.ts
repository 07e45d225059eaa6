import type { Installation } from '../../../src-shared/domain/installation/installation'
import type {
  SecretDirectory,
  SecretUse,
  StoredSecret,
} from '../../../src-shared/domain/installation/stored-secret'
import { findOffer } from '../../../src-shared/domain/server-json/offer'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { ownKeys } from './secret-keys'

type Held = {
  readonly installations: readonly Installation[]
  readonly secrets: readonly StoredSecret[]
}

/** Every secret by name and use; stored ones by their names, own ones in the order of the servers. */
export function secretDirectory({ installations, secrets }: Held): SecretDirectory {
  const uses = installations.flatMap(usesOf)
  return {
    stored: secrets
      .map((secret) => ({
        ...secret,
        uses: uses.flatMap(({ secretId, use }) => (secretId === secret.secretId ? [use] : [])),
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    own: uses.flatMap(({ secretId, use }) => (secretId === undefined ? [use] : [])),
  }
}

/** The installations that use a stored secret. */
export function usersOf(secretId: string, installations: readonly Installation[]): Installation[] {
  return installations.filter(({ sharedSecrets }) =>
    Object.values(sharedSecrets).includes(secretId),
  )
}

/** How the secrets of an installation are called: by the label of the field, or its key where the server no longer has that. */
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
  const { installationId, name, sharedSecrets } = installation
  const held = [
    ...ownKeys(installation).map((key) => [key, undefined] as const),
    ...Object.entries(sharedSecrets),
  ]
  if (held.length === 0) return []
  const labelOf = secretLabels(installation)
  return held.map(([fieldKey, secretId]) => ({
    secretId,
    use: { installationId, serverName: name, fieldKey, label: labelOf(fieldKey) },
  }))
}
