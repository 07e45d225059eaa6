import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import type { Keychain } from '../ports'
import { type OwnSecret, ownSecrets, type SecretOwners } from '../secrets/own-secrets'
import { type PartOutcome, reasonOf, type RemainingItem } from './own-entries'

/** Number of failures after which the keychain isn't asked again. */
const MAX_FAILURES = 3
/** The second round finds secrets that a concurrent request has saved. */
const ROUNDS = 2

const OWED =
  'A turned-off server couldn’t be restored to its app’s file. This may be the only copy of its secrets, so it is kept until the server is restored.'

export type ProfileSecretsParts = {
  readonly vault: Keychain & { readonly state: SecretStoreState; readonly ready: Promise<void> }
  /** Rejects if the profile's documents can't be read. */
  readonly owners: () => Promise<SecretOwners>
}

/** The secrets of this profile in the keychain. */
export class ProfileSecrets {
  constructor(private readonly parts: ProfileSecretsParts) {}

  /** Reason why this run has no keychain, as sentences; undefined if it has one. */
  get noKeychain(): string | undefined {
    const { state } = this.parts.vault
    return state.kind === 'memory' ? `${state.reason} ${state.fix}` : undefined
  }

  /** Returns this profile's secrets and the number of others; none if secrets are in memory. Rejects with SECRET_STORE_FAILED. */
  async read(): Promise<{ readonly own: readonly OwnSecret[]; readonly others: number }> {
    const { vault, owners } = this.parts
    await vault.ready
    if (vault.state.kind !== 'keychain') return { own: [], others: 0 }
    const { own, others } = ownSecrets(await vault.keys(), await owners())
    return { own, others: others.length }
  }

  /** Deletes the secrets. With `shouldKeepOwed`, keeps those of servers that couldn't be turned on again. Never rejects. */
  async remove(shouldKeepOwed: boolean): Promise<PartOutcome> {
    const removed = new Set<string>()
    let left: RemainingItem[] = []
    try {
      for (let round = 0; round < ROUNDS; round += 1)
        left = await this.#removeOnce(removed, shouldKeepOwed)
    } catch (error) {
      left.push({ label: 'Secrets', place: 'Keychain', reason: reasonOf(error) })
    }
    return { removed: [...removed], left }
  }

  async #removeOnce(removed: Set<string>, shouldKeepOwed: boolean): Promise<RemainingItem[]> {
    const left: RemainingItem[] = []
    const own = (await this.read()).own
    const isKept = ({ isOwed }: OwnSecret): boolean => shouldKeepOwed && isOwed
    for (const { label, keys } of own.filter((one) => !isKept(one))) {
      const reason =
        left.length < MAX_FAILURES ? await this.#delete(keys) : (left.at(-1)?.reason ?? '')
      if (reason === undefined) removed.add(label)
      else left.push({ label, place: keys[0] ?? '', reason })
    }
    const kept = own.filter(isKept)
    return [
      ...left,
      ...kept.map(({ label, keys }) => ({ label, place: keys[0] ?? '', reason: OWED })),
    ]
  }

  /** Resolves to the reason of a failure, or undefined if all are deleted. */
  async #delete(keys: readonly string[]): Promise<string | undefined> {
    try {
      for (const key of keys) await this.parts.vault.delete(key)
      return undefined
    } catch (error) {
      return reasonOf(error)
    }
  }
}
