import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretPlace } from '../../../src-shared/domain/installation/secret-place'

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
