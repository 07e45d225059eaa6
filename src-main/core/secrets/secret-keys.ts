import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretPlace } from '../../../src-shared/domain/installation/secret-place'
import type { SecretBackend } from '../ports'

/** Of whom the secrets are, and where. */
export type SecretHolder = Pick<Installation, 'installationId' | 'secrets'>

/** Begins the key of what is read from the environment in place of the secret store. */
export const ENVIRONMENT_PREFIX = 'environment/'

/** The key in the secret store of the secret that a field of an installation has at a place. */
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

/** The key in the secret store of a stored secret. */
export function storedName(secretId: string): string {
  return `shared/${secretId}`
}

/** By field: the keys in the secret store of all secrets, or of those of one kind. */
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

/** Secrets by field, of one kind where that is said; what is nowhere to be found is left out. Rejects with SECRET_STORE_FAILED. */
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
