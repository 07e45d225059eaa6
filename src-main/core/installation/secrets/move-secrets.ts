import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { CarriedFields } from '../../../../src-shared/form/carry-over'
import type { SecretBackend } from '../../ports'
import { heldKeys, ownKeys, secretName, type SecretRefs } from '../../secrets/secret-keys'
import type { SecretChanges } from './change-secrets'

type Moves = CarriedFields['secrets']

/** A move to another version: what is left, what comes, and where the secrets go. */
export type VersionMove = {
  readonly before: Installation
  readonly version: Partial<Installation>
  readonly changes: SecretChanges
  readonly moves: Moves
}

/** Fields of before whose own secret has no place in what comes, where `refs` says what that holds. */
export function droppedBy({ before, moves }: VersionMove, refs: SecretRefs): string[] {
  const held = heldKeys(refs)
  const stays = moves.filter(({ to }) => held.includes(to)).map(({ from }) => from)
  return ownKeys(before).filter((key) => !stays.includes(key))
}

/** What an installation holds, for `carryOver`: of a stored secret only the reference is carried. */
export function heldBy<T extends SecretRefs>(installation: T): T {
  return { ...installation, secretKeys: heldKeys(installation) }
}

/** Where the secrets are once the fields have the keys of another version. */
export function movedRefs(refs: SecretRefs, moves: Moves): SecretRefs {
  const own = ownKeys(refs)
  return {
    secretKeys: moves.flatMap(({ from, to }) => (own.includes(from) ? [to] : [])),
    sharedSecrets: Object.fromEntries(
      moves.flatMap(({ from, to }) => {
        const secretId = Object.hasOwn(refs.sharedSecrets, from)
          ? refs.sharedSecrets[from]
          : undefined
        return secretId === undefined ? [] : [[to, secretId] as const]
      }),
    ),
  }
}

/** What the secret store shall hold then; what has no place any more is deleted. Rejects with SECRET_STORE_FAILED. */
export async function movedSecrets(
  secrets: SecretBackend,
  installation: SecretRefs & { readonly installationId: string },
  moves: Moves,
): Promise<SecretChanges> {
  const { installationId, secretKeys } = installation
  const own = ownKeys(installation)
  const changes = new Map<string, string | null>(
    secretKeys.map((key) => [secretName(installationId, key), null]),
  )
  for (const { from, to } of moves) {
    if (!own.includes(from)) continue
    if (from === to) changes.delete(secretName(installationId, to))
    else {
      const value = await secrets.get(secretName(installationId, from))
      changes.set(secretName(installationId, to), value)
    }
  }
  return changes
}
