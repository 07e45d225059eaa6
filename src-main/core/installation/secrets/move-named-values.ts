import { AppError } from '../../../../src-shared/domain/app-error'
import type { Versioned } from '../../../../src-shared/domain/installation/earlier-version'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import {
  OWN_PLACE,
  type SecretPlace,
} from '../../../../src-shared/domain/installation/secret-place'
import type { AppNotice, SecretStoreState } from '../../../../src-shared/domain/state/app-state'
import type { SecretBackend } from '../../ports'
import { describeFailure } from '../../secrets/guarded-backend'
import { secretName } from '../../secrets/secret-keys'
import type { ProfileDocument } from '../store/profile-document'
import { changeSecrets } from './change-secrets'
import { type NamedValues, namedValues } from './named-values'

/** Where secrets are kept, with what is known of it once it was checked. */
type CheckedVault = SecretBackend & {
  readonly ready: Promise<void>
  readonly state: SecretStoreState
}

/** One installation, or one of its earlier versions, to be changed. */
type Move = {
  readonly version: Versioned
  readonly serverName: string
  readonly place: SecretPlace
  readonly save: (change: Partial<Versioned>) => void
}

/**
 * Moves values out of the settings file to the keychain whose names say that they are secrets; resolves to what the
 * user has to know. Each value is in the keychain before it leaves the file, so a run that ends half-way loses none and
 * the next one goes on. Without a keychain all stays as it is. An approval stays: the same value reaches the same place.
 * Never rejects.
 */
export async function moveNamedValues(
  store: ProfileDocument,
  vault: CheckedVault,
  previewOf: (version: Versioned) => LaunchPreview,
): Promise<AppNotice[]> {
  const moved: string[] = []
  const failed: string[] = []
  await store.lane(async () => {
    for (const move of movesOf(store)) {
      const found = namedValues(move.version, move.place)
      if (found === undefined) continue
      const names = found.names.map((name) => `${name} (${move.serverName})`)
      try {
        if (await carryOut(move, found, vault, previewOf)) moved.push(...names)
      } catch (error) {
        failed.push(`${names.join(', ')}: ${describeFailure(error)}.`)
      }
    }
  })
  return [...movedNotice([...new Set(moved)]), ...failedNotice(failed)]
}

/** Resolves to false where the secrets stay in the file. Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
async function carryOut(
  { version, place, save }: Move,
  { change, secrets }: NamedValues,
  vault: CheckedVault,
  previewOf: (version: Versioned) => LaunchPreview,
): Promise<boolean> {
  if (secrets.size > 0) {
    await vault.ready
    if (vault.state.kind !== 'keychain') return false
  }
  const after = { ...version, ...change }
  const isApproved = hashOf(version, previewOf) === version.approvedPlan
  const approvedPlan = isApproved ? hashOf(after, previewOf) : version.approvedPlan
  const sets = [...secrets].map(
    ([key, value]) => [secretName(version.installationId, key, place), value] as const,
  )
  await changeSecrets(vault, new Map(sets), () => save({ ...change, approvedPlan }))
  return true
}

/** Undefined where it has nothing to run. */
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
    // What is switched on while the keychain is asked stays so.
    save: (change: Partial<Versioned>) =>
      store.save({ ...(store.find(version.installationId) ?? version), ...change }),
  }))
  const earlier = store.earlier.map((version) => ({
    version,
    serverName: `${version.server.name} ${version.server.version}`,
    place: { kind: 'kept', versionKey: version.versionKey } as const,
    save: (change: Partial<Versioned>) => {
      const { unwantedSecrets } = store
      const changed = store.earlier.map((one) =>
        one.versionKey === version.versionKey ? { ...one, ...change } : one,
      )
      store.saveEarlier({ earlier: changed, unwantedSecrets })
    },
  }))
  return [...present, ...earlier]
}

function movedNotice(names: readonly string[]): AppNotice[] {
  if (names.length === 0) return []
  const title =
    names.length === 1
      ? '1 secret moved to the keychain'
      : `${String(names.length)} secrets moved to the keychain`
  const message = `The settings file no longer contains ${names.join(', ')}.`
  return [{ noticeId: 'secrets-moved', severity: 'info', title, message }]
}

function failedNotice(sentences: readonly string[]): AppNotice[] {
  if (sentences.length === 0) return []
  return [
    {
      noticeId: 'secrets-not-moved',
      severity: 'warn',
      title: 'Some secrets are still in the settings file',
      message: `Patchbay retries at the next start. ${sentences.join(' ')}`,
    },
  ]
}
