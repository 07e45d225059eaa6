import { attempt } from '../../../../src-shared/domain/attempt'
import { errorMessage } from '../../../../src-shared/domain/error-message'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import type { SecretKeeper } from '../../ports'
import { type SecretHolders, secretLabel } from '../../secrets/own-secrets'
import type { ProfileDocument } from '../store/profile-document'
import type { UnwantedSecret } from '../store/store-change'

/** What each key of the secret store shall hold; null deletes. */
export type SecretChanges = ReadonlyMap<string, string | null>

/**
 * Changes secrets and what refers to them in the settings file: new values are set first, then `save` writes the file, which
 * also lists what is to be deleted, and that is deleted last. Whatever ends half-way, no secret is lost and none is left
 * that the file does not name. To be called within the store's mutex. Rejects with SECRET_STORE_FAILED or
 * SETTINGS_UNWRITABLE, and all is as it was then; a secret that can't be deleted stays listed.
 */
export async function changeSecrets(
  store: ProfileDocument,
  secrets: SecretKeeper,
  changes: SecretChanges,
  save: () => void,
): Promise<void> {
  /** What was at each key that was set. */
  const before = new Map<string, string | null>()
  try {
    for (const [key, value] of changes) {
      if (value === null) continue
      const old = await secrets.get(key)
      // A set that failed left what was there.
      await secrets.set(key, value)
      before.set(key, old)
    }
    const holders = secretHolders(store)
    const unwanted = [...changes]
      .filter(([, value]) => value === null)
      .map(([key]) => ({ key, label: secretLabel(key, holders) }))
    // A key that has a value again is off the list with the same save.
    const listed = listedWith(store, unwanted).filter(({ key }) => !before.has(key))
    store.saveUnwanted(listed, save)
  } catch (error) {
    await putBack(store, secrets, before)
    throw error
  }
  await deleteUnwanted(store, secrets)
}

/** Deletes the listed secrets. Those that can't be deleted stay listed, with the reason. To be called within the store's mutex; never rejects. */
export async function deleteUnwanted(store: ProfileDocument, secrets: SecretKeeper): Promise<void> {
  if (store.unwantedSecrets.length === 0) return
  const left: UnwantedSecret[] = []
  for (const secret of store.unwantedSecrets) {
    // Where one fails the others would fail too, each after its own wait.
    const problem =
      left[0]?.problem ?? (await secrets.delete(secret.key).then(() => undefined, errorMessage))
    if (problem !== undefined) left.push({ ...secret, problem })
  }
  // A run without a keychain does not reach what is in there; only now is it known to be one.
  if (secrets.state?.kind === 'memory') return
  trySaving(store, left)
}

/** What the user has to know of secrets that could not be deleted; undefined without any. */
export function undeletedNotice(unwanted: readonly UnwantedSecret[]): AppNotice | undefined {
  const left = unwanted.filter(({ problem }) => problem !== undefined)
  const [first] = left
  if (first === undefined) return undefined
  const labels = left.map(({ label }) => label).join(', ')
  return {
    noticeId: UNDELETED,
    severity: 'warn',
    title: left.length === 1 ? '1 secret wasn’t deleted' : `${left.length} secrets weren’t deleted`,
    message: `Still stored: ${labels}. ${first.problem ?? ''} Patchbay retries at the next start.`,
  }
}

export const UNDELETED = 'secrets-undeleted'

/** Who has secrets of the keychain, as the settings file tells. */
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

/** As far as the secret store lets it; what it keeps of a change that failed is listed. */
async function putBack(
  store: ProfileDocument,
  secrets: SecretKeeper,
  before: ReadonlyMap<string, string | null>,
): Promise<void> {
  const left: UnwantedSecret[] = []
  for (const [key, value] of before) {
    try {
      if (value === null) await secrets.delete(key)
      else await secrets.set(key, value)
    } catch {
      if (value === null) left.push({ key, label: 'Unsaved secret' })
    }
  }
  if (left.length > 0) trySaving(store, listedWith(store, left))
}

/** Where that fails the file still lists what is to be deleted, and deleting that twice does no harm. */
function trySaving(store: ProfileDocument, unwanted: readonly UnwantedSecret[]): void {
  attempt(() => store.saveUnwanted(unwanted))
}
