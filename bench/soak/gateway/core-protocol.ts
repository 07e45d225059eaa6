/** A soak server as the core sees it. */
export type SeenServer = {
  readonly name: string
  readonly status: string
  readonly pid: number | undefined
}

/** Memory of the core's process in MB, after garbage collection. */
export type CoreMemory = { readonly rssMb: number; readonly heapMb: number }

/** Living objects in the core's process, counted after garbage collection. */
export type CoreCensus = {
  /** Agents' sessions, and calls waiting for their agent. */
  readonly agentSessions: number
  readonly heldCalls: number
  /** Connections to servers. */
  readonly serverSessions: number
  /** Requests in flight at servers. */
  readonly inFlight: number
  /** Unhandled rejections, as text. */
  readonly rejections: readonly string[]
}

export type OpenedCore = {
  readonly url: string
  readonly keys: readonly string[]
}

/** Functions of the core's process for the soak. */
export type CoreFunctions = {
  /** Installs the servers until they are Ready, and adds the agents. */
  open(plan: CorePlan): Promise<OpenedCore>
  servers(): Promise<SeenServer[]>
  memory(): Promise<CoreMemory>
  census(): Promise<CoreCensus>
  /** Revokes every agent's access. */
  removeAgents(): Promise<void>
  /** Closes the core; resolves to the kinds of handles opened since before it was opened. */
  close(): Promise<string[]>
}

export type CorePlan = {
  readonly servers: number
  readonly agents: number
  /** Value of `PATCHBAY_SOAK` in the environment of each server process. */
  readonly mark: string
  /** Folder where servers record what they run. */
  readonly folder: string
  /** Time limit of a server's answer, in ms. */
  readonly callMs: number
  /** Files of the built threads. */
  readonly auditThread: string
  /** Faults planted on purpose. */
  readonly plant: readonly Fault[]
}

/** Faults that can be planted in the core, to prove that a soak finds them. */
export const FAULTS = [
  'crossed',
  'lost',
  'twice',
  'misnumbered',
  'refused',
  'progress',
  'uncancelled',
  'child',
  'memory',
  'session',
  'handle',
  'rejection',
] as const
export type Fault = (typeof FAULTS)[number]

/** A server's name by its number. */
export function serverName(index: number): string {
  return `server${String(index + 1).padStart(2, '0')}`
}
