import type { OpenSessionAuth } from '../mcp/connections/remote-fetch'
import { SignIn } from './sign-in'
import type { SignInEvent, SignInOptions } from './sign-in-keeper'

export type SignInsOptions = Omit<SignInOptions, 'installationId' | 'onEvent'> & {
  readonly onEvent: (installationId: string, event: SignInEvent) => void
}

/** The sign-ins of all remote servers, by installation. */
export class SignIns implements Disposable {
  readonly #byId = new Map<string, SignIn>()

  constructor(private readonly options: SignInsOptions) {}

  find(installationId: string): SignIn | undefined {
    return this.#byId.get(installationId)
  }

  /** The one of an installation, made where there is none yet. */
  of(installationId: string): SignIn {
    const found = this.#byId.get(installationId) ?? this.#make(installationId)
    this.#byId.set(installationId, found)
    return found
  }

  /** For the sessions of an installation. */
  openFor(installationId: string): OpenSessionAuth {
    return this.of(installationId).open
  }

  /** Forgets all of an installation that is removed. Rejects with SECRET_STORE_FAILED. */
  async remove(installationId: string): Promise<void> {
    // Whoever has a sign-in has been looked at when the app opened, or began since.
    await this.#byId.get(installationId)?.remove()
    this.#byId.delete(installationId)
  }

  /** Gives up what is under way; tokens stay where they are. */
  [Symbol.dispose](): void {
    for (const one of this.#byId.values()) one[Symbol.dispose]()
  }

  #make(installationId: string): SignIn {
    const { options } = this
    return new SignIn({
      ...options,
      installationId,
      onEvent: (event) => options.onEvent(installationId, event),
    })
  }
}
