import { randomBytes, timingSafeEqual } from 'node:crypto'

import type { Timekeeper } from '../core/ports'

const TOKEN_BYTES = 32
/** How long a link can be opened, in ms. */
export const LINK_MS = 60_000
/** Tabs that stay signed in; the one signed in longest ago leaves for the next. */
const MAX_TABS = 100

/** A tab that offered a right token. */
export type Admission = {
  /** What the tab keeps. */
  readonly token: string
  /** It came by a link, and not by the token of a tab. */
  readonly isNew: boolean
}

/**
 * Who may use the browser way in: the token of the one link works once, within a minute, and is exchanged for a token of
 * the tab, which works until all are signed out or the listener closes.
 */
export class AccessTokens {
  #link: { readonly token: string; readonly expiry: Disposable } | undefined
  #tabs: string[] = []

  constructor(
    private readonly time: Pick<Timekeeper, 'after'>,
    /** The last link can't be opened anymore. */
    private readonly onLinkEnd: () => void = () => undefined,
  ) {}

  /** A token for a new link, base64url; the link before it is void. */
  issueLink(): string {
    this.#link?.expiry[Symbol.dispose]()
    const token = newToken()
    this.#link = { token, expiry: this.time.after(LINK_MS, () => this.#endLink()) }
    return token
  }

  /** Undefined when the offered token isn't known. */
  admit(offered: string): Admission | undefined {
    const tab = this.#tabs.find((token) => isSame(token, offered))
    if (tab !== undefined) return { token: tab, isNew: false }
    if (!this.#link || !isSame(this.#link.token, offered)) return undefined
    this.#endLink()
    const token = newToken()
    this.#tabs = [...this.#tabs.slice(1 - MAX_TABS), token]
    return { token, isNew: true }
  }

  /** How many tabs came by a link since the start, or since all were signed out. */
  get tabs(): number {
    return this.#tabs.length
  }

  /** Makes the tokens of all tabs void, and the link. */
  revokeAll(): void {
    this.#tabs = []
    this.#endLink()
  }

  #endLink(): void {
    if (!this.#link) return
    this.#link.expiry[Symbol.dispose]()
    this.#link = undefined
    this.onLinkEnd()
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

function isSame(known: string, offered: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(offered)]
  return a.length === b.length && timingSafeEqual(a, b)
}
