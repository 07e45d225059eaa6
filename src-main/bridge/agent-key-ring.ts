import { TimeLimitError, withTimeLimit } from '../core/lifecycle/time-limit'
import { Outage } from './outage'

/** How long the keychain may take, in ms: a locked one asks its user, or never answers. */
const KEYCHAIN_MS = 4_000
/** How long a rejected or missing key is not looked up again, in ms: a keychain may ask its user each time. */
const ASK_AGAIN_MS = 10_000

/** Where the key of an agent is looked for. */
export type KeySource = {
  readonly agentId: string
  /** Given by who started the bridge; then the keychain is not asked. */
  readonly given: string | undefined
  /** The key that the keychain holds, or null; may never settle. */
  readonly lookUp: () => Promise<string | null>
}

/** The key of one agent, looked up once, and again when the gateway rejects it. */
export class AgentKeyRing {
  #key: Promise<string> | undefined
  #refusal: { readonly error: Outage; readonly at: number } | undefined

  constructor(private readonly source: KeySource) {}

  /** Rejects with an outage of the kind `refused`. */
  async read(): Promise<string> {
    const { error, at = 0 } = this.#refusal ?? {}
    if (error && performance.now() - at < ASK_AGAIN_MS) throw error
    this.#refusal = undefined
    this.#key ??= this.#find()
    return this.#key
  }

  /** It may have been renewed: the next time it is looked up. */
  forget(): void {
    this.#key = undefined
  }

  /** The gateway does not know the key. */
  refused(): Outage {
    const { agentId, given } = this.source
    const todo =
      given === undefined
        ? 'Check the agent in Patchbay > Apps.'
        : 'Get a new key in Patchbay > Apps, set it as PATCHBAY_AGENT_KEY, and restart the agent.'
    return this.#refuse(
      `Patchbay rejected the key of agent "${agentId}": it was replaced, or the agent was removed. ${todo}`,
    )
  }

  #refuse(message: string, cause?: unknown): Outage {
    this.#key = undefined
    this.#refusal = { error: new Outage('refused', message, { cause }), at: performance.now() }
    return this.#refusal.error
  }

  async #find(): Promise<string> {
    const { given, lookUp, agentId } = this.source
    if (given !== undefined) return given
    const key = await withTimeLimit(KEYCHAIN_MS, lookUp).catch((cause: unknown) => {
      const words = cause instanceof Error ? cause.message : String(cause)
      const reason = cause instanceof TimeLimitError ? 'the keychain did not respond' : words
      const message = `Can't read the key of agent "${agentId}" from the keychain: ${reason}. Unlock the keychain, or set PATCHBAY_AGENT_KEY.`
      throw this.#refuse(message, cause)
    })
    if (key !== null) return key
    throw this.#refuse(
      `The keychain has no key for agent "${agentId}". Check the agent ID in Patchbay > Apps, or set PATCHBAY_AGENT_KEY.`,
    )
  }
}
