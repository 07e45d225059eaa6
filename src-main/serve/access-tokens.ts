import { randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN_BYTES = 32
/** Links that nobody opened are dropped, oldest first. */
const MAX_LINKS = 16

/**
 * Who may use the browser way in: a link's token works once and is exchanged for a token of the tab,
 * which works until the listener closes. A copied or logged link is thus worth nothing once it was used.
 */
export class AccessTokens {
  readonly #links: string[] = []
  readonly #tabs: string[] = []

  /** A token for a new link, base64url. */
  issueLink(): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    this.#links.push(token)
    if (this.#links.length > MAX_LINKS) this.#links.shift()
    return token
  }

  /** The token that the tab keeps, or undefined when the offered one is not known. */
  admit(offered: string): string | undefined {
    const tab = this.#tabs.find((token) => isSame(token, offered))
    if (tab !== undefined) return tab
    const at = this.#links.findIndex((token) => isSame(token, offered))
    if (at === -1) return undefined
    this.#links.splice(at, 1)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    this.#tabs.push(token)
    return token
  }
}

function isSame(known: string, offered: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(offered)]
  return a.length === b.length && timingSafeEqual(a, b)
}
