import type { AppError } from '../../../src-shared/domain/app-error'
import type { RequestOrigin } from './elicitation/elicitation'
import type { ServerRequests } from './elicitation/server-requests'
import type { ProtocolMode } from './negotiate'
import type { MessageTap, OnFault } from './peer/connection'
import type { Progress } from './peer/pending-requests'

export type RequestOptions = {
  readonly timeoutMs?: number | undefined
  /** How long in all however it progresses, in ms; never less than `timeoutMs`. */
  readonly maxTotalMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The caller that answers the elicitations of the server; Patchbay's user where it is missing. */
  readonly requestOrigin?: RequestOrigin | undefined
}

export type ServerSessionOptions = {
  readonly clientVersion: string
  readonly packageVersion?: string | undefined
  /** The kind of protocol that it spoke before; `isModeChosen`: the user chose it, so that no other is tried. */
  readonly protocolMode?: ProtocolMode | undefined
  readonly isModeChosen?: boolean | undefined
  readonly onWarning: (message: string) => void
  /** A request was given up, be it by Patchbay or by its caller. */
  readonly onGiveUp?: ((error: AppError) => void) | undefined
  readonly onFault?: OnFault | undefined
  readonly onText?: ((text: string) => void) | undefined
  readonly tap?: MessageTap | undefined
  readonly maxMessageBytes?: number | undefined
  /** Oldest first and masked. */
  readonly stderrTail: () => readonly string[]
  /** Limits of a request that sets none, without progress, in ms: of the protocol's own (B3), and of one that does an agent's work (F10). */
  readonly requestMs: number
  readonly callMs: number
  /** Answers the requests of the server; where it is missing, none are invited. */
  readonly serverRequests?: ServerRequests | undefined
}
