import { AppError } from '../../../src-shared/domain/app-error'
import type { InstanceView } from '../../../src-shared/domain/running/instances'
import {
  isActive,
  isWanted,
  isWorking,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'
import type { Sharing } from '../../../src-shared/domain/sharing'
import type { Root } from '../mcp/elicitation/roots'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { ServerSession } from '../mcp/session'
import type { Timekeeper } from '../ports'

/** An idle instance ends after this time, in ms. */
export const INSTANCE_IDLE_MS = 600_000
/** Instances per server. */
export const MAX_INSTANCES = 8
const SWEEP_MS = 30_000

/** The user of a server: an agent, and its session if the protocol version has sessions. */
export type ServerUser = {
  readonly agentId: string
  /** The agent's name in Patchbay. */
  readonly agent: string
  readonly sessionId?: string | undefined
  /** The folders that the agent's app has open; undefined if it reports none. */
  readonly roots?: (() => Promise<readonly Root[] | undefined>) | undefined
}

/** The owner of an instance; `sessionId` is set only if each session has its own. */
export type InstanceOwner = Pick<ServerUser, 'agentId' | 'sessionId'>

/** An instance to open. */
export type NewInstance = {
  readonly key: string
  readonly owner: InstanceOwner
  /** Names the instance in its server's log. */
  readonly label: string
  readonly roots: () => Promise<readonly Root[] | undefined>
  /** Settles when there is room for the instance. */
  readonly room: Promise<void>
}

/** The server of an instance, which is a server like any other. */
export type InstanceServer = Disposable & {
  readonly status: RunStatus
  readonly session: ServerSession | undefined
  readonly liveSession: ServerSession | undefined
  readonly serverRequests: ServerRequests | undefined
  start(options: undefined, origin: 'call'): boolean
  end(): Promise<void>
  stopOrEscalate(): void
}

type Instance<S> = {
  readonly instanceId: number
  readonly owner: InstanceOwner
  readonly server: S
  readonly startedAt: number
  user: ServerUser
  /** Monotonic time of the last request. */
  usedAt: number
}

export type InstancesOptions<S> = {
  readonly installationId: string
  readonly name: () => string
  readonly sharing: () => Sharing
  readonly open: (instance: NewInstance) => S
  readonly time: Timekeeper
  readonly onDidChange: () => void
}

/**
 * Processes of one server (or sessions at a remote server) that belong to one agent or session. Each starts with the first request of its
 * owner.
 */
export class ServerInstances<S extends InstanceServer> implements Disposable {
  readonly #running = new Map<string, Instance<S>>()
  readonly #ending = new Map<S, Promise<void>>()
  #lastId = 0
  #sweeping: Disposable | undefined

  constructor(private readonly options: InstancesOptions<S>) {}

  /** Whether an instance runs or is ending. */
  get isRunning(): boolean {
    return this.#running.size + this.#ending.size > 0
  }

  get servers(): S[] {
    return [...this.#running.values()].map(({ server }) => server)
  }

  get views(): InstanceView[] {
    return [...this.#running.values()].map(({ instanceId, owner, user, server, startedAt }) => ({
      ...{ instanceId, startedAt },
      agent: user.agent,
      isOfSession: owner.sessionId !== undefined,
      pid: server.session?.pid,
      status: server.status.kind,
    }))
  }

  /** The key of the server or instance that a user uses. */
  keyOf(user: InstanceOwner): string {
    const { installationId } = this.options
    const { agentId, sessionId } = this.#ownerOf(user) ?? {}
    return [installationId, agentId, sessionId].filter((part) => part !== undefined).join('@')
  }

  /** Whether a user has an instance, or gets one with the first request. */
  isOwn(user: InstanceOwner): boolean {
    return this.#ownerOf(user) !== undefined
  }

  find(key: string): S | undefined {
    return this.#running.get(key)?.server
  }

  /** The session of a user's instance, if it is Ready. */
  liveSessionFor(user: ServerUser): ServerSession | undefined {
    const known = this.#running.get(this.keyOf(user))
    if (!known?.server.liveSession) return undefined
    this.#use(known, user)
    return known.server.liveSession
  }

  /** Returns a user's instance, starting one if needed. Throws SERVER_NOT_RUNNING if all are in use. */
  acquire(user: ServerUser): S {
    const key = this.keyOf(user)
    const known = this.#running.get(key)
    // The next request replaces an instance that failed for good.
    if (known && isWanted(known.server.status)) {
      this.#use(known, user)
      return known.server
    }
    if (known) void this.#end(key, known)
    const { server } = this.#open(key, user, this.#makeRoom())
    server.start(undefined, 'call')
    this.options.onDidChange()
    return server
  }

  /** The open folders of a user's app have changed. */
  rootsChanged(user: InstanceOwner): void {
    for (const { owner, server } of this.#running.values())
      if (isOf(owner, user)) server.serverRequests?.rootsChanged()
  }

  /** Ends the instances of an agent, or of one of its sessions. */
  endOf({ agentId, sessionId }: InstanceOwner): void {
    for (const [key, one] of this.#running)
      if (one.owner.agentId === agentId && (!sessionId || one.owner.sessionId === sessionId))
        void this.#end(key, one)
  }

  /** Ends one instance; false if it has ended already. */
  endOne(instanceId: number): boolean {
    const found = [...this.#running].find(([, one]) => one.instanceId === instanceId)
    if (found) void this.#end(...found)
    return found !== undefined
  }

  /** Ends all instances; settles when none of their processes is left. */
  async stop(): Promise<void> {
    for (const [key, one] of this.#running) void this.#end(key, one)
    await Promise.all(this.#ending.values())
  }

  /** Moves each stop to its next stage immediately. */
  escalate(): void {
    for (const server of this.#ending.keys()) server.stopOrEscalate()
  }

  [Symbol.dispose](): void {
    this.#sweeping?.[Symbol.dispose]()
  }

  #ownerOf({ agentId, sessionId }: InstanceOwner): InstanceOwner | undefined {
    const sharing = this.options.sharing()
    if (sharing === 'shared') return undefined
    // Without sessions, all requests of an agent share one instance.
    return sharing === 'perSession' && sessionId !== undefined
      ? { agentId, sessionId }
      : { agentId }
  }

  #open(key: string, user: ServerUser, room: Promise<void>): Instance<S> {
    const { open, time } = this.options
    this.#lastId += 1
    const instanceId = this.#lastId
    const owner = this.#ownerOf(user) ?? user
    const server = open({
      ...{ key, owner, room },
      label: `${user.agent} #${String(instanceId)}`,
      roots: async () => instance.user.roots?.(),
    })
    const times = { startedAt: time.now(), usedAt: time.monotonic() }
    const instance: Instance<S> = { instanceId, owner, server, user, ...times }
    this.#running.set(key, instance)
    this.#sweepLater()
    return instance
  }

  #use(instance: Instance<S>, user: ServerUser): void {
    instance.user = user
    instance.usedAt = this.options.time.monotonic()
  }

  /** Ends the longest idle instance if the limit is reached; settles when it is gone. */
  #makeRoom(): Promise<void> {
    if (this.#running.size < MAX_INSTANCES) return Promise.resolve()
    const [idle] = [...this.#running]
      .filter(([, { server }]) => !isBusy(server))
      .toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    if (idle) return this.#end(...idle)
    const limit = String(MAX_INSTANCES)
    throw new AppError(
      'SERVER_NOT_RUNNING',
      `All ${limit} processes of ${this.options.name()} are in use by other sessions.`,
      { hint: 'Try again when a call of another session has ended.' },
    )
  }

  #end(key: string, { server }: Instance<S>): Promise<void> {
    this.#running.delete(key)
    const ended = server.end().finally(() => {
      server[Symbol.dispose]()
      this.#ending.delete(server)
      this.options.onDidChange()
    })
    this.#ending.set(server, ended)
    return ended
  }

  #sweepLater(): void {
    const { time } = this.options
    this.#sweeping ??= time.after(SWEEP_MS, () => {
      this.#sweeping = undefined
      for (const [key, one] of this.#running) {
        if (isBusy(one.server)) one.usedAt = time.monotonic()
        if (time.monotonic() - one.usedAt >= INSTANCE_IDLE_MS) void this.#end(key, one)
      }
      if (this.#running.size > 0) this.#sweepLater()
    })
  }
}

/** Whether an owner's instance serves a user. */
export function isOf(owner: InstanceOwner, user: InstanceOwner): boolean {
  const isSession = owner.sessionId === undefined || owner.sessionId === user.sessionId
  return owner.agentId === user.agentId && isSession
}

function isBusy({ status, session }: InstanceServer): boolean {
  return isWorking(status) ? (session?.inFlight ?? 0) > 0 : isActive(status)
}
