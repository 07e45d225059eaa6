/** A server of the soak as the core sees it. */
export type SeenServer = {
  readonly name: string
  readonly status: string
  readonly pid: number | undefined
}

/** Memory of the process of the core in MB, after everything free was collected. */
export type CoreMemory = { readonly rssMb: number; readonly heapMb: number }

/** What is alive in the process of the core, as counts of objects on the heap after everything free was collected. */
export type CoreCensus = {
  /** Sessions of agents, and calls that wait for their agent. */
  readonly agentSessions: number
  readonly heldCalls: number
  /** Connections to servers. */
  readonly serverSessions: number
  /** Requests that servers work on. */
  readonly inFlight: number
  /** What was rejected and handled by nobody, as text. */
  readonly rejections: readonly string[]
}

export type OpenedCore = {
  readonly url: string
  readonly keys: readonly string[]
}

/** What the process of the core does for the soak. */
export type CoreFunctions = {
  /** Installs the servers, which then serve, and adds the agents. */
  open(plan: CorePlan): Promise<OpenedCore>
  servers(): Promise<SeenServer[]>
  memory(): Promise<CoreMemory>
  census(): Promise<CoreCensus>
  /** Every agent loses its access. */
  removeAgents(): Promise<void>
  /** Closes the core; resolves to the kinds of handles that are open beside those before it was opened. */
  close(): Promise<string[]>
}

export type CorePlan = {
  readonly servers: number
  readonly agents: number
  /** Each process of a server has it as `PATCHBAY_SOAK` in its environment. */
  readonly mark: string
  /** Where the servers write down what they run. */
  readonly folder: string
  /** After how long a server that does not answer is given up, in ms. */
  readonly callMs: number
  /** Files of the built threads. */
  readonly auditThread: string
  /** What is broken on purpose. */
  readonly plant: readonly Fault[]
}

/** What can be broken in the core on purpose, to prove that a soak finds it. */
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

/** The name of a server by its number. */
export function serverName(index: number): string {
  return `server${String(index + 1).padStart(2, '0')}`
}
