import type { Agent } from '../../../src-shared/domain/agents/agent'
import { LOOPBACK } from '../listener/bind-loopback'
import { GuardedListener } from '../listener/guarded-listener'
import { AS_JSON_RPC } from '../listener/refusal'
import { GATEWAY_PATH } from './access/judge-request'
import { DoorKeeper, type DoorKeeperOptions } from './door-keeper'

export type ListenerOptions = DoorKeeperOptions & {
  /** 0 takes a free one. */
  readonly port: number
  /** Something of Patchbay's own went wrong. */
  readonly onFault: (error: unknown) => void
  readonly patience?: Patience | undefined
}

/** How long the head of a request, and the whole of it, may take to arrive, and how often that is looked at, in ms. An answer takes as long as it takes. */
export type Patience = {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
}

const PATIENCE: Patience = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
}
/** How long a connection stays open without a request, in ms: longer than agents keep theirs, so that none uses one that ends. */
const KEEP_ALIVE_MS = 65_000
const MOST_HEADER_BYTES = 16 * 1024

/** The gateway's door on 127.0.0.1. What comes in is answered elsewhere. */
export class GatewayListener {
  readonly #listener: GuardedListener<Agent>
  readonly #keeper: DoorKeeper

  /** Rejects with the system's error where the port cannot be had. */
  static async open({
    port,
    patience,
    onFault,
    ...own
  }: ListenerOptions): Promise<GatewayListener> {
    const keeper = new DoorKeeper(own)
    const slowest = { ...PATIENCE, ...patience, keepAliveTimeout: KEEP_ALIVE_MS }
    const listener = await GuardedListener.open<Agent>({
      port,
      onFault,
      patience: { ...slowest, maxHeaderSize: MOST_HEADER_BYTES },
      judge: (request) => keeper.judge(request),
      serve: (...asked) => keeper.serve(...asked),
      onConnection: (socket) => keeper.admissions.receive(socket),
      form: AS_JSON_RPC,
    })
    return new GatewayListener(listener, keeper)
  }

  private constructor(listener: GuardedListener<Agent>, keeper: DoorKeeper) {
    this.#listener = listener
    this.#keeper = keeper
  }

  get port(): number {
    return this.#listener.port
  }

  get url(): string {
    return `http://${LOOPBACK}:${String(this.port)}${GATEWAY_PATH}`
  }

  connectionsOf(agentId: string): number {
    return this.#keeper.admissions.countOf(agentId)
  }

  /** Ends all connections of an agent whose key is void. */
  cut(agentId: string): void {
    this.#keeper.cut(agentId)
  }

  close(): Promise<void> {
    return this.#listener.close()
  }
}
