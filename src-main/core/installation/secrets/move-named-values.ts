import { isDeepStrictEqual } from 'node:util'

import { AppError } from '../../../../src-shared/domain/app-error'
import {
  type CustomServer,
  type CustomServerText,
  hasSecret,
  plainText,
} from '../../../../src-shared/domain/installation/custom-server'
import type { Versioned } from '../../../../src-shared/domain/installation/earlier-version'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import {
  OWN_PLACE,
  type SecretPlace,
} from '../../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { withNamedSecrets } from '../../../../src-shared/domain/server-json/named-secrets'
import { findOffer } from '../../../../src-shared/domain/server-json/offer'
import type { InputVariable } from '../../../../src-shared/domain/server-json/server-json'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import { toServerJson } from '../../../../src-shared/form/custom-server'
import { segmentsOf } from '../../../../src-shared/form/custom-server-parts'
import type { FormField } from '../../../../src-shared/form/form-field'
import {
  flagBefore,
  secretText,
  type TextContext,
} from '../../../../src-shared/form/recognize-secrets'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import type { SecretKeeper } from '../../ports'
import { describeFailure } from '../../secrets/guarded-backend'
import { secretName } from '../../secrets/secret-keys'
import type { ProfileDocument } from '../store/profile-document'
import { changeSecrets } from './change-secrets'
import { movedPlaces } from './move-secrets'

/** The vault, whose state is known once it is ready. */
type CheckedVault = Required<SecretKeeper> & { readonly ready: Promise<void> }

/** One installation, or one of its earlier versions, to change. */
type Move = {
  readonly version: Versioned
  readonly serverName: string
  readonly place: SecretPlace
  readonly save: (change: Partial<Versioned>) => void
}

/**
 * Moves values whose names say that they are secret from the settings file to the secret store; resolves to notices. Each value is in the
 * store before it leaves the file, so an interrupted run loses none and the next one continues. While secrets are in memory or locked,
 * nothing moves. Approvals stay: the same value reaches the same place. Never rejects.
 */
export async function moveNamedValues(
  store: ProfileDocument,
  vault: CheckedVault,
  previewOf: (version: Versioned) => LaunchPreview,
): Promise<AppNotice[]> {
  const moved: string[] = []
  const failed: string[] = []
  await store.mutex(async () => {
    for (const move of movesOf(store)) {
      const found = namedValues(move.version, move.place)
      if (found === undefined) continue
      const names = found.names.map((name) => `${name} (${move.serverName})`)
      try {
        if (await carryOut(store, move, found, vault, previewOf)) moved.push(...names)
      } catch (error) {
        failed.push(`${names.join(', ')}: ${describeFailure(error)}.`)
      }
    }
  })
  return noticesOf([...new Set(moved)], failed)
}

/** Resolves to false if the secrets stay in the file. Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
async function carryOut(
  store: ProfileDocument,
  { version, place, save }: Move,
  { change, secrets }: NamedValues,
  vault: CheckedVault,
  previewOf: (version: Versioned) => LaunchPreview,
): Promise<boolean> {
  if (secrets.size > 0) {
    await vault.ready
    if (vault.state.kind !== 'keychain' && vault.state.kind !== 'file') return false
  }
  const after = { ...version, ...change }
  const isApproved = hashOf(version, previewOf) === version.approvedPlan
  const approvedPlan = isApproved ? hashOf(after, previewOf) : version.approvedPlan
  const sets = [...secrets].map(
    ([key, value]) => [secretName(version.installationId, key, place), value] as const,
  )
  await changeSecrets(store, vault, new Map(sets), () => save({ ...change, approvedPlan }))
  return true
}

/** Returns the plan's hash; undefined if nothing can run. */
function hashOf(
  version: Versioned,
  previewOf: (version: Versioned) => LaunchPreview,
): string | undefined {
  try {
    return previewOf(version).planHash
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function movesOf(store: ProfileDocument): Move[] {
  const present = store.installations.map((version) => ({
    version,
    serverName: version.name,
    place: OWN_PLACE,
    // Keeps switches that changed while the keychain was busy.
    save: (change: Partial<Versioned>) =>
      store.save({ ...(store.find(version.installationId) ?? version), ...change }),
  }))
  const earlier = store.earlier.map((version) => ({
    version,
    serverName: `${version.server.name} ${version.server.version}`,
    place: { kind: 'kept', versionKey: version.versionKey } as const,
    save: (change: Partial<Versioned>) => {
      const changed = store.earlier.map((one) =>
        one.versionKey === version.versionKey ? { ...one, ...change } : one,
      )
      store.saveEarlier(changed)
    },
  }))
  return [...present, ...earlier]
}

function noticesOf(moved: readonly string[], failed: readonly string[]): AppNotice[] {
  const notices: AppNotice[] = []
  if (moved.length > 0)
    notices.push({
      noticeId: 'secrets-moved',
      severity: 'info',
      title: `${moved.length === 1 ? '1 secret' : `${String(moved.length)} secrets`} moved out of the settings file`,
      message: `The settings file no longer contains ${moved.join(', ')}.`,
    })
  if (failed.length > 0)
    notices.push({
      noticeId: 'secrets-not-moved',
      severity: 'warn',
      title: 'Some secrets are still in the settings file',
      message: `Patchbay retries at the next start. ${failed.join(' ')}`,
    })
  return notices
}

type Change = Pick<Versioned, 'server' | 'offer' | 'values' | 'secrets'>

/** The changed version after moving its secret values. */
type NamedValues = {
  readonly change: Change
  /** Values for the secret store, by field key. */
  readonly secrets: ReadonlyMap<string, string>
  /** Labels of the values: names of variables, headers or arguments. */
  readonly names: readonly string[]
}

/**
 * Finds values in the settings file whose names say that they are secret, saved before Patchbay knew these names. Undefined if nothing
 * changes. `place`: the secrets' new place. A value marked as secret or plain stays.
 */
export function namedValues(version: Versioned, place: SecretPlace): NamedValues | undefined {
  return version.source === 'hand' ? customValues(version, place) : fieldValues(version, place)
}

function fieldValues(version: Versioned, place: SecretPlace): NamedValues | undefined {
  const server = withNamedSecrets(version.server)
  const offer = findOffer(server, version.offer)
  if (offer === undefined || isDeepStrictEqual(server, version.server)) return undefined
  const fields = fieldsOfOffer(offer).filter(({ secret }) => secret)
  const typed = fields.flatMap(({ key }) => {
    const value = version.values[key] ?? []
    const entries = typeof value === 'string' ? [value] : value
    return entries.every((entry) => entry === '') ? [] : [{ key, entries }]
  })
  // The secret store holds one value per field.
  if (typed.some(({ entries }) => entries.length > 1)) return undefined
  const secrets = new Map(typed.map(({ key, entries: [only = ''] }) => [key, only]))
  const values: FieldValues = Object.fromEntries(
    Object.entries(version.values).filter(([key]) => !secrets.has(key)),
  )
  const change = { server, offer: version.offer, values, secrets: version.secrets }
  return withPlaces(change, fields, secrets, place)
}

function customValues(version: Versioned, place: SecretPlace): NamedValues | undefined {
  const made = segmentsOf(version.server, version.offer, version.secrets)
  const offer = findOffer(version.server, version.offer)
  if (made === undefined || offer === undefined) return undefined
  const inputs =
    offer.kind === 'package'
      ? [...offer.pkg.packageArguments, ...offer.pkg.environmentVariables]
      : [offer.remote.variables ? { isSecret: false } : {}, ...offer.remote.headers]
  const source = toServerJson(withSecrets(made, inputs))
  // Until the settings file is written, a moved key could name another field's secret.
  if (Object.keys(source.values).length === 0 || source.kept.some(({ from, to }) => from !== to))
    return undefined
  const secrets = new Map(
    Object.entries(source.values).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    ),
  )
  const places = { ...movedPlaces(version.secrets, source.kept), ...source.secrets }
  const change = { server: source.server, offer: source.ref, values: {}, secrets: places }
  return withPlaces(change, fieldsOfOffer(source.offer), secrets, place)
}

function withPlaces(
  change: Change,
  fields: readonly FormField[],
  secrets: ReadonlyMap<string, string>,
  place: SecretPlace,
): NamedValues {
  const places = [...secrets.keys()].map((key) => [key, place] as const)
  const named = fields.filter(({ key }) => secrets.has(key))
  return {
    change: { ...change, secrets: { ...change.secrets, ...Object.fromEntries(places) } },
    secrets,
    names: named.map(({ machineName, label }) => machineName?.replace(/^\{(.*)\}$/, '$1') ?? label),
  }
}

/** Marks parts as secret by their names; `inputs` are in the order of the texts. */
function withSecrets(made: CustomServer, inputs: readonly InputVariable[]): CustomServer {
  let index = 0
  const read = (text: CustomServerText, context: TextContext): CustomServerText => {
    const input = inputs[index++]
    return input?.isSecret === undefined && !hasSecret(text) ? secretText(text, context) : text
  }
  if (made.kind === 'address') {
    const url = read(made.url, { place: 'address', name: undefined })
    const headers = made.headers.map(({ name, value }) => ({
      name,
      value: read(value, { place: 'header', name }),
    }))
    return { ...made, url, headers }
  }
  const words = made.args.map((text) => plainText(text, ''))
  const args = made.args.map((text, at) =>
    read(text, { place: 'argument', name: flagBefore(words, at) }),
  )
  const env = made.env.map(({ name, value }) => ({
    name,
    value: read(value, { place: 'variable', name }),
  }))
  return { ...made, args, env }
}
