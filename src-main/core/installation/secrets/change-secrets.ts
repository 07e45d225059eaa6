import { attempt } from '../../../../src-shared/domain/attempt'
import { errorMessage } from '../../../../src-shared/domain/error-message'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import type { SecretKeeper } from '../../ports'
import { type SecretHolders, secretLabel } from '../../secrets/own-secrets'
import type { ProfileDocument } from '../store/profile-document'
import type { UnwantedSecret } from '../store/store-change'

/** New values by key of the secret store; null deletes. */
export type SecretChanges = ReadonlyMap<string, string | null>

/**
 * Changes secrets and their references in the settings file. Sets new values first, then `save` writes the file, which lists the secrets to
 * delete, and finally deletes them. An interruption loses no secret, and leaves none that the file doesn't name. Call within the store's
 * mutex. Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and changes nothing; a secret that can't be deleted stays listed.
 */
export async function changeSecrets(
  store: ProfileDocument,
  secrets: SecretKeeper,
  changes: SecretChanges,
  save: () => void,
): Promise<void> {
  /** Previous values of the keys that were set. */
  const before = new Map<string, string | null>()
  try {
    for (const [key, value] of changes) {
      if (value === null) continue
      const old = await secrets.get(key)
      // A failed set leaves the previous value.
      await secrets.set(key, value)
      before.set(key, old)
    }
    const holders = secretHolders(store)
    const unwanted = [...changes]
      .filter(([, value]) => value === null)
      .map(([key]) => ({ key, label: secretLabel(key, holders) }))
    // The same save removes a key with a new value from the list.
    const listed = listedWith(store, unwanted).filter(({ key }) => !before.has(key))
    store.saveUnwanted(listed, save)
  } catch (error) {
    await restoreValues(store, secrets, before)
    throw error
  }
  await deleteUnwanted(store, secrets)
}

/** Deletes the listed secrets; failed ones stay listed with the reason. Call within the store's mutex; never rejects. */
export async function deleteUnwanted(store: ProfileDocument, secrets: SecretKeeper): Promise<void> {
  if (store.unwantedSecrets.length === 0) return
  const remaining: UnwantedSecret[] = []
  for (const secret of store.unwantedSecrets) {
    // After one failure the others would fail, too, each after its own timeout.
    const problem =
      remaining[0]?.problem ??
      (await secrets.delete(secret.key).then(() => undefined, errorMessage))
    if (problem !== undefined) remaining.push({ ...secret, problem })
  }
  // A run without a keychain can't reach keychain entries; the vault's state is known only now.
  if (secrets.state?.kind === 'memory') return
  trySaving(store, remaining)
}

/** Returns the notice about secrets that couldn't be deleted; undefined without any. */
export function undeletedNotice(unwanted: readonly UnwantedSecret[]): AppNotice | undefined {
  const remaining = unwanted.filter(({ problem }) => problem !== undefined)
  const [first] = remaining
  if (first === undefined) return undefined
  const labels = remaining.map(({ label }) => label).join(', ')
  return {
    noticeId: UNDELETED,
    severity: 'warn',
    title:
      remaining.length === 1
        ? '1 secret wasn’t deleted'
        : `${remaining.length} secrets weren’t deleted`,
    message: `Still stored: ${labels}. ${first.problem ?? ''} Patchbay retries at the next start.`,
  }
}

export const UNDELETED = 'secrets-undeleted'

/** Returns the owners of keychain secrets in the settings file. */
export function secretHolders(store: ProfileDocument): SecretHolders {
  const { installations, removed, secrets: stored, settings } = store
  return {
    installations: [...installations, ...removed.map(({ installation }) => installation)],
    stored,
    registries: new Map(settings.registries.map(({ sourceId, baseUrl }) => [sourceId, baseUrl])),
  }
}

function listedWith(
  { unwantedSecrets: listed }: ProfileDocument,
  unwanted: readonly UnwantedSecret[],
): readonly UnwantedSecret[] {
  return [...listed, ...unwanted.filter(({ key }) => !listed.some((one) => one.key === key))]
}

/** Restores previous values as far as possible; lists the rest. */
async function restoreValues(
  store: ProfileDocument,
  secrets: SecretKeeper,
  before: ReadonlyMap<string, string | null>,
): Promise<void> {
  const remaining: UnwantedSecret[] = []
  for (const [key, value] of before) {
    try {
      if (value === null) await secrets.delete(key)
      else await secrets.set(key, value)
    } catch {
      if (value === null) remaining.push({ key, label: 'Unsaved secret' })
    }
  }
  if (remaining.length > 0) trySaving(store, listedWith(store, remaining))
}

/** If saving fails, the file still lists the secrets, and deleting them twice is harmless. */
function trySaving(store: ProfileDocument, unwanted: readonly UnwantedSecret[]): void {
  attempt(() => store.saveUnwanted(unwanted))
}
