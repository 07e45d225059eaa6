import type { AppError } from '../../../src-shared/domain/app-error'
import type { RequestOrigin } from './elicitation/elicitation'
import type { ServerRequests } from './elicitation/server-requests'
import type { ProtocolMode } from './negotiate'
import type { MessageTap, OnFault } from './peer/connection'
import type { RequestTiming } from './peer/pending-requests'

/** `maxTotalMs` is never less than `timeoutMs`. */
export type RequestOptions = RequestTiming & {
  /** The caller that answers the elicitations of the server; Patchbay's user where it is missing. */
  readonly requestOrigin?: RequestOrigin | undefined
}

/** What is known of a server before its session. */
export type KnownServer = {
  /** The protocol that it spoke before; `isModeChosen`: the user chose it, so that no other is tried. */
  readonly protocolMode?: ProtocolMode | undefined
  readonly isModeChosen?: boolean | undefined
  readonly packageVersion?: string | undefined
}

/** Where a session reports what the log shows. */
export type SessionReports = {
  readonly onWarning: (message: string) => void
  /** A request was given up, by Patchbay or by its caller. */
  readonly onGiveUp?: ((error: AppError) => void) | undefined
  readonly onFault?: OnFault | undefined
  readonly onText?: ((text: string) => void) | undefined
  readonly tap?: MessageTap | undefined
}

type SessionLimits = {
  readonly maxMessageBytes?: number | undefined
  /** Limits of a request that sets none, without progress, in ms: of the protocol's own (B3), and of one that does an agent's work (F10). */
  readonly requestMs: number
  readonly callMs: number
}

export type ServerSessionOptions = {
  readonly clientVersion: string
  readonly known?: KnownServer | undefined
  readonly reports: SessionReports
  readonly limits: SessionLimits
  /** Oldest first and masked. */
  readonly stderrTail: () => readonly string[]
  /** Answers the requests of the server; where it is missing, none are invited. */
  readonly serverRequests?: ServerRequests | undefined
}
