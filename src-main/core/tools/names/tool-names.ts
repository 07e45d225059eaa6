import { createHash } from 'node:crypto'

import { describeInvisible, escapeInvisible } from '../warnings/hidden-text'

/** Separates a server's alias from the name of its tool; no alias contains it or ends with a part of it. */
export const SEPARATOR = '__'

/** Maximum name length that model APIs accept. Apps that add a prefix leave less. */
export const MAX_EXPOSED_LENGTH = 64
/** Characters that model APIs accept. */
const EXPOSABLE = /^[A-Za-z0-9_-]+$/
/** Maximum name length of a server's tool, in characters: far beyond the 128 of MCP. */
const LONGEST = 1_000
const HASH_DIGITS = 8
/** Names contain no line breaks or tabs; these would begin a separate line of text. */
const LINE_BREAK = /[\t\n\r\u2028\u2029]/u

/** The exposed name of a tool, or the sentence why it has none. */
export type Naming =
  | { readonly exposedName: string; readonly reason?: undefined }
  | { readonly exposedName?: undefined; readonly reason: string }

/** Whether a tool with this name can be exposed: it isn't empty and has no invisible characters. */
export function isToolName(name: string): boolean {
  return faultOf(name) === undefined
}

/**
 * Returns the exposed name of each tool of a server's list, in order, in at most `limit` characters. The result depends only on the alias,
 * the limit and the set of names, not on their order or exposure. No two tools of a list get the same name. `limit` has room for an alias
 * and a hash: at least 40.
 */
export function nameTools(
  alias: string,
  names: readonly string[],
  limit = MAX_EXPOSED_LENGTH,
): Naming[] {
  const listedNames = new Set<string>()
  const wanted = names.map((name) => {
    const twice = `The server lists "${name}" more than once. The first one is used.`
    const reason = faultOf(name) ?? (listedNames.has(name) ? twice : undefined)
    listedNames.add(name)
    return reason === undefined
      ? { name, exposedName: exposedNameOf(alias, name, limit) }
      : { reason }
  })
  const claims = Map.groupBy(wanted, ({ exposedName }) => exposedName)
  return wanted.map(({ name, exposedName, reason }): Naming => {
    if (exposedName === undefined) return { reason }
    const others = (claims.get(exposedName) ?? []).filter((one) => one.name !== name)
    // A name never moves from one tool to another: of two equal mapped names, neither is used.
    const isAmbiguous = others.length > 0 && exposedName !== prefixedName(alias, name)
    if (!isAmbiguous) return { exposedName }
    const other = others[0]?.name ?? ''
    return {
      reason: `The name "${exposedName}" for agents is already used by "${other}" of the same server.`,
    }
  })
}

/** Returns `ALIAS__TOOL`; if that is invalid, the readable part of the tool's name and the first digits of the hash of all of it. */
function exposedNameOf(alias: string, name: string, limit: number): string {
  const prefixed = prefixedName(alias, name)
  if (EXPOSABLE.test(name) && prefixed.length <= limit) return prefixed
  const room = limit - prefixedName(alias, '').length - 1 - HASH_DIGITS
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room)
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)
  return prefixedName(alias, `${readable.replace(/[_-]+$/, '')}_${hash}`)
}

function prefixedName(alias: string, name: string): string {
  return `${alias}${SEPARATOR}${name}`
}

/** Returns why a tool with this name can't be exposed; any other name is mapped to what models accept. */
function faultOf(name: string): string | undefined {
  if (name.trim() === '') return 'The name is missing.'
  if (name.length > LONGEST) {
    return `The name "${escapeInvisible(name)}" has ${String(name.length)} characters, but Patchbay takes ${String(LONGEST)}.`
  }
  if (LINE_BREAK.test(name))
    return `The name "${escapeInvisible(name)}" contains a line break or a tab.`
  const unseen = describeInvisible(name)
  return unseen === undefined ? undefined : `The name is invalid. ${unseen}`
}
