import {
  OWN_PLACE,
  placeAt,
  type SecretPlaces,
} from '../../../../src-shared/domain/installation/secret-place'
import type { CarriedFields } from '../../../../src-shared/form/carry-over'
import type { SecretBackend } from '../../ports'
import { namesOf, type SecretHolder, secretName } from '../../secrets/secret-keys'
import type { SecretChanges } from './change-secrets'

type Moves = CarriedFields['secrets']

/** What becomes of the secrets of an installation: where they are then, and what the secret store is given for them. */
export type SecretMove = {
  readonly secrets: SecretPlaces
  /** By fields: the key in the secret store that the value comes from. */
  readonly sources: ReadonlyMap<string, string>
  /** Values by fields. */
  readonly typed: ReadonlyMap<string, string>
}

/** Where the secrets are once the fields have the keys of another version. */
export function movedPlaces(places: SecretPlaces, moves: Moves): SecretPlaces {
  return Object.fromEntries(
    moves.flatMap(({ from, to }) => {
      const place = placeAt(places, from)
      return place ? [[to, place] as const] : []
    }),
  )
}

/** Where own secrets come from that are in `places` then; without moves each stays where it is. */
export function sourcesOf(
  before: SecretHolder,
  places: SecretPlaces,
  moves: Moves = Object.keys(before.secrets).map((key) => ({ from: key, to: key })),
): ReadonlyMap<string, string> {
  const names = namesOf(before, 'own')
  return new Map(
    moves.flatMap(({ from, to }) => {
      const name = names.get(from)
      return name !== undefined && Object.hasOwn(places, to) ? [[to, name] as const] : []
    }),
  )
}

/** Whether a field gets the secret of another. The settings file does not tell of two fields that change places. */
export function areMoved(installationId: string, sources: SecretMove['sources']): boolean {
  return [...sources].some(([key, name]) => name !== secretName(installationId, key, OWN_PLACE))
}

/** What the secret store shall hold after a move; what has no place any more is deleted. Rejects with SECRET_STORE_FAILED. */
export async function movedSecrets(
  backend: SecretBackend,
  before: SecretHolder,
  { secrets, sources, typed }: SecretMove,
): Promise<SecretChanges> {
  const { installationId } = before
  const old = [...namesOf(before, 'own').values()]
  const changes = new Map<string, string | null>(old.map((name) => [name, null]))
  for (const [key, name] of namesOf({ installationId, secrets }, 'own')) {
    const source = sources.get(key)
    const value = typed.get(key)
    if (value !== undefined) changes.set(name, value)
    else if (source === name) changes.delete(name)
    else if (source !== undefined) changes.set(name, await backend.get(source))
  }
  return changes
}
