import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client'

import type { Era } from './era'
import type { EraDoubt, SessionLine } from './session-line'

/**
 * What the next start is to go by; a guess where the question for the era failed, or may still be answered. One over
 * pipes that answers what is asked later has passed over the question for good.
 */
export type FoundEra = { readonly era: Era | undefined; readonly isGuess?: true }

/** What a handshake, also one that failed, tells of the era of its server. */
export class EraFinding {
  #isFatal = false

  constructor(
    private readonly line: Pick<SessionLine, 'eraDoubt' | 'exit'>,
    private readonly era: () => Era | undefined,
  ) {}

  /** Whether the server ended on being asked for its era: it is of the older one, most likely. */
  get isFatal(): boolean {
    return this.#isFatal
  }

  /** See `EraDoubt`; it may come at any time. */
  get doubt(): EraDoubt | undefined {
    return this.line.eraDoubt
  }

  /** Known once it is connected. */
  get found(): FoundEra {
    if (this.doubt === 'late') return { era: 'modern' }
    const isGuess = this.doubt === 'silent' || this.doubt === 'failed'
    return { era: this.era(), ...(isGuess && { isGuess }) }
  }

  /** `endedByItself`: the connection was gone although nobody ended it. */
  failed(error: unknown, endedByItself: boolean): void {
    const isAboutEra = isEraFailure(error) || this.doubt === 'failed'
    this.#isFatal = this.line.exit !== undefined && endedByItself && isAboutEra
  }
}

/** Whether the era could not be found out, as when the server is gone before it answered. */
function isEraFailure(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
}
