import type { Offer } from '../../../src-shared/domain/server-json/offer'
import type { ParseNotice, ServerJson } from '../../../src-shared/domain/server-json/server-json'
import type { VetFinding, VetGroup, VetLevel } from '../../../src-shared/domain/vet/vet-report'
import type { VetRun } from './vet-run'
import type { VettedServer } from './vetted-server'

/** What a check needs: a server that runs, a process of this computer, its secrets, strace, or an option of the command. */
export type CheckNeed =
  | 'running'
  | 'process'
  | 'stdio'
  | 'session'
  | 'strace'
  | 'callReadOnly'
  | 'advisories'

/** The entry that the server was set up from, as far as there is one. */
export type VetEntry = {
  readonly server: ServerJson
  readonly offer: Offer
  /** Undefined where the entry is not at hand. */
  readonly notices: readonly ParseNotice[] | undefined
  /** A command of the user's own has no entry of a registry. */
  readonly isListed: boolean
  /** Names of the environment variables that the server requires, and of those that are secret. */
  readonly required: readonly string[]
  readonly secrets: readonly string[]
}

export type CheckContext = {
  readonly entry: VetEntry
  readonly server: VettedServer
  readonly signal: AbortSignal
  /** How long the server may take for one answer, in ms. */
  readonly answerMs: number
  /** About how many tokens each text takes. */
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>
}

/** The context of a check that needs a running server. */
export type RunContext = CheckContext & { readonly run: VetRun }

export type CheckOutcome =
  | { readonly kind: 'passed' }
  /** `level`: where it weighs less than the check can. */
  | {
      readonly kind: 'found'
      readonly findings: readonly VetFinding[]
      readonly level?: VetLevel
    }
  /** `isMissing`: it applies to this server, and could not be done. */
  | { readonly kind: 'notChecked'; readonly reason: string; readonly isMissing?: boolean }

type CheckRow = {
  /** Group and name; never changes. */
  readonly id: `${VetGroup}.${string}`
  readonly level: VetLevel
  /** What holds where the check passes. */
  readonly title: string
  /** Address of the section that asks for it. */
  readonly section?: string
  readonly needs?: readonly CheckNeed[]
  readonly isPending?: boolean
  /** The server ends as a part of the check. */
  readonly endsServer?: boolean
}

/** One row of the checks. `run` gets a running server where `needs` names one. */
export type Check = CheckRow & { run(ctx: RunContext): Promise<CheckOutcome> | CheckOutcome }

export const PASSED: CheckOutcome = { kind: 'passed' }

/** Passed where nothing was found. */
export function found(findings: readonly VetFinding[]): CheckOutcome {
  return findings.length === 0 ? PASSED : { kind: 'found', findings }
}

/** The one thing that a check found. */
export function flaw(finding: VetFinding): CheckOutcome {
  return { kind: 'found', findings: [finding] }
}

export function notChecked(reason: string): CheckOutcome {
  return { kind: 'notChecked', reason }
}

/** Addresses of sections that several checks cite. */
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
