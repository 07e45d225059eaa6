import type { AuthProvider } from '@modelcontextprotocol/client'

/** Gives the requests of a session the token of a signed-in person, and renews it where it is refused. */
export type SessionAuth = Required<AuthProvider> & {
  /** An answer (401, 403) refused this `Authorization` header; many requests may have sent the same one. */
  noteRefused(response: Response, authorization: string | null): void
  /** A request with this `Authorization` header was answered. */
  noteAccepted(authorization: string | null): void
}

/** What a session tells of its sign-in. */
export type SessionAuthEvents = {
  /** Every token that was in use in this run, to be masked. */
  readonly onSecrets: (secrets: readonly string[]) => void
}

/** Makes the sign-in of a server known to its sessions. */
export type OpenSessionAuth = (url: URL, events: SessionAuthEvents) => SessionAuth
