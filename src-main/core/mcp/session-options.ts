import type { AppError } from '../../../src-shared/domain/app-error'
import type { RequestOrigin } from './elicitation/elicitation'
import type { ServerRequests } from './elicitation/server-requests'
import type { ProtocolMode } from './negotiate'
import type { MessageTap, OnFault } from './peer/connection'
import type { RequestTiming } from './peer/pending-requests'

/** `maxTotalMs` is never less than `timeoutMs`. */
export type RequestOptions = RequestTiming & {
  /** The caller that answers the server's elicitations; Patchbay's user if absent. */
  readonly requestOrigin?: RequestOrigin | undefined
}

/** What is known of a server before its session. */
export type ServerHints = {
  /** The previously used protocol; `isModeChosen`: the user selected it, so no other is tried. */
  readonly protocolMode?: ProtocolMode | undefined
  readonly isModeChosen?: boolean | undefined
  readonly packageVersion?: string | undefined
}

/** Receives what the log shows of a session. */
export type SessionReports = {
  readonly onWarning: (message: string) => void
  /** Patchbay or the caller gave up a request. */
  readonly onGiveUp?: ((error: AppError) => void) | undefined
  readonly onFault?: OnFault | undefined
  readonly onText?: ((text: string) => void) | undefined
  readonly tap?: MessageTap | undefined
}

type SessionLimits = {
  readonly maxMessageBytes?: number | undefined
  /** Default time limits of a request without progress, in ms: of the protocol's own (B3), and of one that does an agent's work (F10). */
  readonly requestMs: number
  readonly callMs: number
}

export type ServerSessionOptions = {
  readonly clientVersion: string
  readonly known?: ServerHints | undefined
  readonly reports: SessionReports
  readonly limits: SessionLimits
  /** Oldest first and masked. */
  readonly stderrTail: () => readonly string[]
  /** Answers the server's requests; if absent, the client declares no support for any. */
  readonly serverRequests?: ServerRequests | undefined
}
