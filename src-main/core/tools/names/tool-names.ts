import { createHash } from 'node:crypto'

import { unseenIn, writtenOut } from '../warnings/hidden-text'

/** Between a server's alias and the name of its tool; no alias has it or ends with a part of it. */
export const SEPARATOR = '__'

/** The longest name that the APIs of models accept. Apps that put a prefix before it leave less. */
export const LONGEST_EXPOSED = 64
/** What those interfaces take besides its length. */
const EXPOSABLE = /^[A-Za-z0-9_-]+$/
/** Longest name of a server's tool, in characters: far beyond the 128 of MCP. */
const LONGEST = 1_000
const HASH_DIGITS = 8
/** Ends of lines are no part of a name, and neither is text that begins a line of its own. */
const LINE_BREAK = /[\t\n\r\u2028\u2029]/u

/** What agents call a tool, or the sentence why they cannot. */
export type Naming =
  | { readonly exposedName: string; readonly reason?: undefined }
  | { readonly exposedName?: undefined; readonly reason: string }

/** Whether agents can be shown a tool of this name: it isn't empty and hides nothing. */
export function isToolName(name: string): boolean {
  return faultOf(name) === undefined
}

/**
 * What agents call each tool of a server's list, in its order, in at most `limit` characters. It depends on the alias,
 * the limit and on which names there are, and on nothing else: not on their order, nor on which of them are shown. No
 * two tools of a list get the same. `limit` leaves room for an alias and a hash: 40 at least.
 */
export function nameTools(
  alias: string,
  names: readonly string[],
  limit = LONGEST_EXPOSED,
): Naming[] {
  const seen = new Set<string>()
  const wanted = names.map((name) => {
    const twice = `The server lists "${name}" more than once. The first one is used.`
    const reason = faultOf(name) ?? (seen.has(name) ? twice : undefined)
    seen.add(name)
    return reason === undefined
      ? { name, exposedName: exposedNameOf(alias, name, limit) }
      : { reason }
  })
  const claims = Map.groupBy(wanted, ({ exposedName }) => exposedName)
  return wanted.map(({ name, exposedName, reason }): Naming => {
    if (exposedName === undefined) return { reason }
    const others = (claims.get(exposedName) ?? []).filter((one) => one.name !== name)
    // A name never passes from one tool to the other: of two that were both made up, neither gets it.
    const gives = others.length > 0 && exposedName !== plainName(alias, name)
    if (!gives) return { exposedName }
    const other = others[0]?.name ?? ''
    return {
      reason: `The name "${exposedName}" for agents is already used by "${other}" of the same server.`,
    }
  })
}

/** `ALIAS__TOOL`; where that cannot be, what can be read of the tool's name and the first digits of the hash of all of it. */
function exposedNameOf(alias: string, name: string, limit: number): string {
  const plain = plainName(alias, name)
  if (EXPOSABLE.test(name) && plain.length <= limit) return plain
  const room = limit - plainName(alias, '').length - 1 - HASH_DIGITS
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room)
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)
  return plainName(alias, `${readable.replace(/[_-]+$/, '')}_${hash}`)
}

function plainName(alias: string, name: string): string {
  return `${alias}${SEPARATOR}${name}`
}

/** Why no agent can be shown a tool of this name; any other name is mapped to what models accept. */
function faultOf(name: string): string | undefined {
  if (name.trim() === '') return 'The name is missing.'
  if (name.length > LONGEST) {
    return `The name "${writtenOut(name)}" has ${String(name.length)} characters, but Patchbay takes ${String(LONGEST)}.`
  }
  if (LINE_BREAK.test(name)) return `The name "${writtenOut(name)}" contains a line break or a tab.`
  const unseen = unseenIn(name)
  return unseen === undefined ? undefined : `The name is invalid. ${unseen}`
}
