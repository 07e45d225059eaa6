import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'

/** What one line of a server or runner says, where it says why it ended. */
export type CauseRow = {
  readonly causeId: string
  /** Any of them; read line by line, and of each line its first 1,000 characters alone. */
  readonly says: readonly RegExp[]
  /** The sentence, from what the groups of the pattern hold. */
  readonly sentence: (first: string, second: string) => string
  readonly step: FailureCause['step'] | ((first: string) => FailureCause['step'])
}
