import {
  isChosen,
  OWN_PLACE,
  ownPlaceFor,
  placeAt,
  type SecretPlace,
  type SecretPlaces,
} from '../../../../src-shared/domain/installation/secret-place'
import type {
  FieldValue,
  FieldValues,
} from '../../../../src-shared/domain/server-json/field-values'
import type { CarriedFields } from '../../../../src-shared/form/carry-over'
import { canReadVariable } from '../../../../src-shared/form/computer-variable'
import type { FormField } from '../../../../src-shared/form/form-field'
import { joinSecretList, splitSecretList } from '../../../../src-shared/form/secret-list'
import type { SecretBackend } from '../../ports'
import { namesOf, type SecretHolder, secretName } from '../../secrets/secret-keys'
import type { SecretChanges } from './change-secrets'

type Moves = CarriedFields['secrets']

/** The new places of an installation's secrets, and the data for the secret store. */
export type SecretMove = {
  readonly secrets: SecretPlaces
  /** Keys in the secret store from which values are copied, by field. */
  readonly sources: ReadonlyMap<string, string>
  /** Typed values by field. */
  readonly typed: ReadonlyMap<string, string>
}

/** Renames the places of secrets to another version's field keys. */
export function movedPlaces(places: SecretPlaces, moves: Moves): SecretPlaces {
  return Object.fromEntries(
    moves.flatMap(({ from, to }) => {
      const place = placeAt(places, from)
      return place ? [[to, place] as const] : []
    }),
  )
}

/** Returns the source keys of own secrets in `places`; without moves each keeps its key. */
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

/** Whether a field gets another field's secret. The settings file doesn't show that two fields swap places. */
export function areMoved(installationId: string, sources: SecretMove['sources']): boolean {
  return [...sources].some(([key, name]) => name !== secretName(installationId, key, OWN_PLACE))
}

/** Returns the changes of the secret store for a move; secrets without a place are deleted. Rejects with SECRET_STORE_FAILED. */
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

type SplitValues = {
  /** For the settings file. */
  readonly plain: FieldValues
  /** For the secret store, by field key; several values as `joinSecretList` writes them. */
  readonly secrets: ReadonlyMap<string, string>
  /** Secret fields that the user emptied. */
  readonly cleared: readonly string[]
}

/** Splits typed values into those for a file and secret ones (A2); drops values without a field. */
export function splitSecrets(fields: readonly FormField[], values: FieldValues): SplitValues {
  const plain: FieldValues = {}
  const secrets = new Map<string, string>()
  const cleared: string[] = []
  for (const field of fields) {
    const value = values[field.key]
    if (value === undefined) continue
    if (!field.secret) {
      plain[field.key] = value
      continue
    }
    const typed = typedSecret(field, value)
    if (typed !== '') secrets.set(field.key, typed)
    else {
      cleared.push(field.key)
      // Without this the default would return; that there is no value isn't secret.
      if (field.default !== undefined) plain[field.key] = ''
    }
  }
  return { plain, secrets, cleared }
}

/** Returns the typed secret, or an empty text. Only a repeated secret accepts a list. */
function typedSecret({ repeated }: FormField, value: FieldValue): string {
  if (typeof value === 'string') return value
  const filled = value.filter((one) => one.trim() !== '')
  return repeated && filled.length > 0 ? joinSecretList(filled) : ''
}

/**
 * Returns the places of an installation's secrets after a draft. Typed ones become its own; `chosen` fields use a shared secret or an
 * environment variable; the others stay unless cleared. Without `chosen`, the fields' choices stay. A plain field without a typed value can
 * use an environment variable, too.
 */
export function placeSecrets(
  fields: readonly FormField[],
  old: SecretPlaces,
  { plain, secrets, cleared }: SplitValues,
  chosen: SecretPlaces = old,
): SecretPlaces {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const takes = (key: string, place: SecretPlace): boolean => {
    const field = byKey.get(key)
    if (field === undefined || field.secret) return field !== undefined
    return place.kind === 'environment' && canReadVariable(field) && !Object.hasOwn(plain, key)
  }
  const retained = Object.entries(old).filter(([, place]) => !isChosen(place))
  const others = Object.entries(chosen).filter(
    ([key, place]) => isChosen(place) && takes(key, place),
  )
  const typed = [...secrets].map(
    ([key, text]) => [key, ownPlaceFor(countOf(fields, key, text))] as const,
  )
  return Object.fromEntries(
    [...retained, ...others, ...typed].filter(([key]) => !cleared.includes(key)),
  )
}

function countOf(fields: readonly FormField[], fieldKey: string, text: string): number {
  const isRepeated = fields.some(({ key, repeated }) => key === fieldKey && repeated)
  return isRepeated ? splitSecretList(text).length : 1
}
