import type { ElicitResult } from './elicitation'

/** Whose request it is that a server may ask back for. */
export type CallAsker = AgentAsker | TrialAsker

/** An agent. */
type AgentAsker = {
  /** Its name. */
  readonly agent: string
  /** What it asks over, compared by identity: whose calls these are is told by nothing else. Missing where it is this call's alone. */
  readonly session?: object
  readonly trialId?: undefined
  /**
   * Has the agent's own person answer, with the parameters of `elicitation/create` as the server wrote them, and the
   * name of the question, where the server gave it one (MCP 2026-07-28, `inputRequests`); missing where the agent cannot. Where it rejects, as for a mode that the agent does not know, Patchbay asks.
   */
  readonly elicit?: (
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    name?: string,
  ) => Promise<ElicitResult>
}

/** Patchbay's person, who tries something. */
type TrialAsker = {
  readonly trialId: string
  readonly agent?: undefined
  readonly session?: undefined
  readonly elicit?: undefined
}
