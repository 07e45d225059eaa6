import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretPlace } from '../../../src-shared/domain/installation/secret-place'
import type { SecretBackend } from '../ports'

/** The owner of secrets, and where they are stored. */
export type SecretHolder = Pick<Installation, 'installationId' | 'secrets'>

/** Prefix of keys that are read from the environment instead of the secret store. */
export const ENVIRONMENT_PREFIX = 'environment/'

/** Returns the key in the secret store for a field's secret at the given place. */
export function secretName(installationId: string, fieldKey: string, place: SecretPlace): string {
  switch (place.kind) {
    case 'own':
      return `${installationId}/${fieldKey}`
    case 'kept':
      return `${installationId}/kept/${place.versionKey}/${fieldKey}`
    case 'stored':
      return storedName(place.secretId)
    case 'environment':
      return `${ENVIRONMENT_PREFIX}${place.name}`
  }
}

/** Returns the key of a shared secret in the secret store. */
export function storedName(secretId: string): string {
  return `shared/${secretId}`
}

/** Returns the keys of all secrets, or of one kind, by field. */
export function namesOf(
  { installationId, secrets }: SecretHolder,
  kind?: SecretPlace['kind'],
): Map<string, string> {
  return new Map(
    Object.entries(secrets)
      .filter(([, place]) => kind === undefined || place.kind === kind)
      .map(([key, place]) => [key, secretName(installationId, key, place)]),
  )
}

/** Reads secrets by field, of one kind if given; missing ones are omitted. Rejects with SECRET_STORE_FAILED. */
export async function readSecrets(
  backend: SecretBackend,
  holder: SecretHolder,
  kind?: 'kept',
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [key, name] of namesOf(holder, kind)) {
    const value = await backend.get(name)
    if (value !== null) found.set(key, value)
  }
  return found
}
