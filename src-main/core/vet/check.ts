import type { Offer } from '../../../src-shared/domain/server-json/offer'
import type { ParseNotice, ServerJson } from '../../../src-shared/domain/server-json/server-json'
import type { VetFinding, VetGroup, VetLevel } from '../../../src-shared/domain/vet/vet-report'
import type { VetRun } from './vet-run'
import type { VettedServer } from './vetted-server'

/** Requirements of a check: a running server, a process on this computer, its secrets, strace, or an option of the command. */
export type CheckNeed =
  | 'running'
  | 'process'
  | 'stdio'
  | 'session'
  | 'strace'
  | 'callReadOnly'
  | 'advisories'

/** The entry that the server was set up from, if any. */
export type VetEntry = {
  readonly server: ServerJson
  readonly offer: Offer
  /** Undefined if the entry isn't available. */
  readonly notices: readonly ParseNotice[] | undefined
  /** A custom command has no registry entry. */
  readonly isListed: boolean
  /** Required environment variables of the server, and the secret ones. */
  readonly required: readonly string[]
  readonly secrets: readonly string[]
}

export type CheckContext = {
  readonly entry: VetEntry
  readonly server: VettedServer
  readonly signal: AbortSignal
  /** Time for one response of the server, in ms. */
  readonly responseMs: number
  /** Estimates the tokens of each text. */
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>
}

/** The context of a check that needs a running server. */
export type RunContext = CheckContext & { readonly run: VetRun }

export type CheckOutcome =
  | { readonly kind: 'passed' }
  /** `level`: set if this finding weighs less than the check's level. */
  | {
      readonly kind: 'found'
      readonly findings: readonly VetFinding[]
      readonly level?: VetLevel
    }
  /** `isMissing`: the check applies to this server but couldn't be done. */
  | { readonly kind: 'notChecked'; readonly reason: string; readonly isMissing?: boolean }

type CheckRow = {
  /** Group and name; never changes. */
  readonly id: `${VetGroup}.${string}`
  readonly level: VetLevel
  /** The statement that holds if the check passes. */
  readonly title: string
  /** Address of the specification section. */
  readonly section?: string
  readonly needs?: readonly CheckNeed[]
  readonly isPending?: boolean
  /** The check ends the server. */
  readonly endsServer?: boolean
}

/** One row of the checks. `run` gets a running server if `needs` includes it. */
export type Check = CheckRow & { run(ctx: RunContext): Promise<CheckOutcome> | CheckOutcome }

export const PASSED: CheckOutcome = { kind: 'passed' }

/** Passed without findings. */
export function found(findings: readonly VetFinding[]): CheckOutcome {
  return findings.length === 0 ? PASSED : { kind: 'found', findings }
}

/** A single finding. */
export function flaw(finding: VetFinding): CheckOutcome {
  return { kind: 'found', findings: [finding] }
}

export function notChecked(reason: string): CheckOutcome {
  return { kind: 'notChecked', reason }
}

/** Specification sections that several checks cite. */
const SPEC = 'https://modelcontextprotocol.io/specification/2025-11-25'
export const SECTIONS = {
  stdio: `${SPEC}/basic/transports#stdio`,
  lifecycle: `${SPEC}/basic/lifecycle`,
  shutdown: `${SPEC}/basic/lifecycle#shutdown`,
  ping: `${SPEC}/basic/utilities/ping`,
  messages: `${SPEC}/basic#messages`,
  pagination: `${SPEC}/server/utilities/pagination`,
  tools: `${SPEC}/server/tools`,
  toolErrors: `${SPEC}/server/tools#error-handling`,
  stateless: 'https://modelcontextprotocol.io/specification/2026-07-28',
} as const
