import type { Socket } from 'node:net'

import { Strangers } from '../../listener/strangers'

/** Most connections on which no key was shown yet. */
export const MAX_STRANGERS = 256

/** Which connection belongs to which agent. */
export class AgentConnections {
  readonly #strangers = new Strangers<Socket>(MAX_STRANGERS, (socket) => socket.destroy())
  readonly #leaving = new WeakMap<Socket, () => void>()
  readonly #sockets = new Map<string, Set<Socket>>()
  /** Who showed a key on each connection: an app may use one for several agents. */
  readonly #owners = new WeakMap<Socket, Set<string>>()

  constructor(private readonly onDidChange: (agentId: string) => void) {}

  /** A new connection, a stranger's until it is admitted. */
  receive(socket: Socket): void {
    const owners = new Set<string>()
    this.#owners.set(socket, owners)
    this.#leaving.set(socket, this.#strangers.receive(socket))
    socket.once('close', () => {
      for (const agentId of owners) this.#left(socket, agentId)
    })
  }

  /** An agent showed its key on the connection; false where it has `most` others. */
  admit(socket: Socket, agentId: string, most: number): boolean {
    const own = this.#sockets.get(agentId) ?? new Set()
    if (own.has(socket)) return true
    if (own.size >= most) return false
    this.#leaving.get(socket)?.()
    this.#sockets.set(agentId, own.add(socket))
    this.#owners.get(socket)?.add(agentId)
    this.onDidChange(agentId)
    return true
  }

  /** Open connections of an agent. */
  countOf(agentId: string): number {
    return this.#sockets.get(agentId)?.size ?? 0
  }

  /** Ends all connections of an agent, whatever is under way on them. */
  cut(agentId: string): void {
    for (const socket of this.#sockets.get(agentId) ?? []) socket.destroy()
  }

  #left(socket: Socket, agentId: string): void {
    const own = this.#sockets.get(agentId)
    own?.delete(socket)
    if (own?.size === 0) this.#sockets.delete(agentId)
    this.onDidChange(agentId)
  }
}
