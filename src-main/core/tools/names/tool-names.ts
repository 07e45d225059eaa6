import { createHash } from 'node:crypto'

import { codeOf, writtenOut } from './written-out'

/** Between a server's alias and the name of its tool; no alias has it or ends with a part of it. */
export const SEPARATOR = '__'

/** The longest name that the interfaces of models take. */
const LONGEST_EXPOSED = 64
/** What those interfaces take besides its length. */
const EXPOSABLE = /^[A-Za-z0-9_-]+$/
/** Longest name of a tool in MCP. */
const LONGEST = 128
const HASH_DIGITS = 8
/** Characters of a name that are looked at: a name may have megabytes. */
const READ = 300
/** How many different characters a reason names. */
const NAMED_CHARACTERS = 5

/** What agents call a tool, or the sentence why they cannot. */
export type Naming =
  | { readonly exposedName: string; readonly reason?: undefined }
  | { readonly exposedName?: undefined; readonly reason: string }

/** Whether MCP allows it as the name of a tool; no agent is shown another. */
export function isToolName(name: string): boolean {
  return faultOf(name) === undefined
}

/**
 * What agents call each tool of a server's list, in its order. It depends on the alias and on which names there are,
 * and on nothing else: not on their order, nor on which of them are shown. No two tools of a list get the same.
 */
export function nameTools(alias: string, names: readonly string[]): Naming[] {
  const seen = new Set<string>()
  const wanted = names.map((name) => {
    const reason = faultOf(name) ?? (seen.has(name) ? twice(name) : undefined)
    seen.add(name)
    return reason === undefined ? { name, exposedName: exposedNameOf(alias, name) } : { reason }
  })
  const claims = Map.groupBy(wanted, ({ exposedName }) => exposedName)
  return wanted.map(({ name, exposedName, reason }): Naming => {
    if (exposedName === undefined) return { reason }
    const others = (claims.get(exposedName) ?? []).filter((one) => one.name !== name)
    // A name never passes from one tool to the other: of two that were both made up, neither gets it.
    const gives = others.length > 0 && exposedName !== plainName(alias, name)
    return gives ? { reason: clash(exposedName, others[0]?.name ?? '') } : { exposedName }
  })
}

/** `ALIAS__TOOL`; where that cannot be, what can be read of the tool's name and the first digits of the hash of all of it. */
function exposedNameOf(alias: string, name: string): string {
  const plain = plainName(alias, name)
  if (EXPOSABLE.test(name) && plain.length <= LONGEST_EXPOSED) return plain
  const room = LONGEST_EXPOSED - plainName(alias, '').length - 1 - HASH_DIGITS
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room)
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)
  return plainName(alias, `${readable.replace(/[_-]+$/, '')}_${hash}`)
}

function plainName(alias: string, name: string): string {
  return `${alias}${SEPARATOR}${name}`
}

/** Why MCP does not allow it as the name of a tool: 1 to 128 of `A-Za-z0-9_.-`. */
function faultOf(name: string): string | undefined {
  if (name === '') return 'The name is missing.'
  const foreign = new Set(name.slice(0, READ).match(/[^A-Za-z0-9_.-]/gu))
  if (foreign.size > 0) {
    const codes = [...foreign].slice(0, NAMED_CHARACTERS).map(codeOf).join(', ')
    const rest = foreign.size > NAMED_CHARACTERS ? ' and others' : ''
    return `The name "${writtenOut(name)}" contains characters that MCP doesn’t allow: ${codes}${rest}.`
  }
  if (name.length <= LONGEST) return undefined
  return `The name "${writtenOut(name)}" has ${String(name.length)} characters, but MCP allows ${String(LONGEST)}.`
}

function twice(name: string): string {
  return `The server lists "${name}" more than once. The first one is used.`
}

function clash(exposedName: string, other: string): string {
  return `The name "${exposedName}" for agents is already used by "${other}" of the same server.`
}
