import type { Installation } from '../../../src-shared/domain/installation/installation'

/** Where the secrets of an installation are: its own, and those it shares with others. */
export type SecretRefs = Pick<Installation, 'secretKeys' | 'sharedSecrets'>

/** The key in the secret store of a secret that one installation has for itself. */
export function secretName(installationId: string, fieldKey: string): string {
  return `${installationId}/${fieldKey}`
}

/** The key in the secret store of one that an earlier version of an installation had and the next has no place for. */
export function keptName(installationId: string, versionKey: string, fieldKey: string): string {
  return `${installationId}/kept/${versionKey}/${fieldKey}`
}

/** The key in the secret store of one that servers share. */
export function sharedName(secretId: string): string {
  return `shared/${secretId}`
}

/** The fields whose value is in the secret store, or was there once. */
export function heldKeys({ secretKeys, sharedSecrets }: SecretRefs): string[] {
  return [...new Set([...secretKeys, ...Object.keys(sharedSecrets)])]
}

/** The fields whose value an installation has for itself. */
export function ownKeys({ secretKeys, sharedSecrets }: SecretRefs): string[] {
  return secretKeys.filter((key) => !Object.hasOwn(sharedSecrets, key))
}
