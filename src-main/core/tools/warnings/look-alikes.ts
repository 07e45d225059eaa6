import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning } from '../../../../src-shared/domain/agents/tools'
import { madeOnce } from '../../lifecycle/same-object'
import { plainly, writtenOut } from './hidden-text'

/** A server with what its tools are called; `name` is its user's. */
export type NamedServer = {
  readonly installationId: string
  readonly alias: string
  readonly name: string
  readonly tools: readonly Tool[]
}

/** Longer names are no agent's: they are compared by what they begin with. */
const COMPARED = 128
const READ = 20_000

/** A name without what an eye passes over: case, `-_.`, 0 and O, 1, l and I, rn and m, vv and w, letters that are doubled. */
function folded(name: string): string {
  return (
    plainly(name.slice(0, COMPARED))
      .toLowerCase()
      .replace(/[-_. ]+/g, '')
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      // Beside a letter only: 1 and 11 are two numbers.
      .replace(/(?<=[a-z])0|0(?=[a-z])/g, 'o')
      .replace(/(?<=[a-z])1|1(?=[a-z])|[i|]/g, 'l')
      .replace(/([a-z])\1+/g, '$1')
  )
}

/** For each name of one server the earlier one that it can be taken for, where there is one; the same name twice is none. */
export function likeEachOther(names: readonly string[]): (string | undefined)[] {
  const first = new Map<string, string>()
  return names.map((name) => {
    const fold = folded(name)
    const other = first.get(fold)
    if (other === undefined) first.set(fold, name)
    return other === name ? undefined : other
  })
}

/**
 * What of one server can be taken for another's: for each server that has such tools the warnings of all of its tools, in
 * their order. Of two that look alike the tool of the later server is pointed out. Two servers may well have tools of the
 * same name, as their aliases tell them apart: these count only where the aliases look alike too. What is found in a
 * list is kept with it, so that a change of one server costs little.
 */
export function lookAlikes(servers: readonly NamedServer[]): Map<string, SecurityWarning[][]> {
  const earlier = new Map<string, { readonly server: NamedServer; readonly name: string }>()
  const found = new Map<string, SecurityWarning[][]>()
  const named = servers.map(({ alias, name }) => `${alias} ${name}`).join('\n')
  for (const server of servers) {
    // All that list nothing share one empty list.
    if (server.tools.length === 0) continue
    const folds = foldsOf(server.tools)
    const claims = claimsOf(server, servers, named)
    const securityWarnings = server.tools.map(({ name }, index): SecurityWarning[] => {
      const other = earlier.get(folds[index] ?? '')
      const isLike =
        other && (other.name !== name || folded(other.server.alias) === folded(server.alias))
      return [...(isLike ? [alike(name, other)] : []), ...(claims[index] ?? [])]
    })
    for (const [index, { name }] of server.tools.entries()) {
      const fold = folds[index] ?? ''
      if (!earlier.has(fold)) earlier.set(fold, { server, name })
    }
    if (securityWarnings.some((some) => some.length > 0))
      found.set(server.installationId, securityWarnings)
  }
  return found
}

function alike(
  name: string,
  other: { readonly server: NamedServer; readonly name: string },
): SecurityWarning {
  return {
    kind: 'lookAlike',
    where: 'name',
    message: `The name “${writtenOut(name)}” looks like “${writtenOut(other.name)}” of the server “${writtenOut(other.server.name)}”.`,
  }
}

type Claims = {
  /** What all servers and this one were called. */
  readonly named: string
  readonly alias: string
  readonly securityWarnings: SecurityWarning[][]
}

const knownClaims = new WeakMap<readonly Tool[], Claims>()

const foldsOf = madeOnce((tools: readonly Tool[]) => tools.map(({ name }) => folded(name)))

/** The warnings of tools whose title or description speaks for another server. */
function claimsOf(
  server: NamedServer,
  servers: readonly NamedServer[],
  named: string,
): SecurityWarning[][] {
  const known = knownClaims.get(server.tools)
  if (known?.named === named && known.alias === server.alias) return known.securityWarnings
  const others = servers.filter(({ alias }) => alias !== server.alias && alias.length > 2)
  const uppers = others.map(({ alias }) => alias.toUpperCase())
  let claim: RegExp | undefined
  const securityWarnings = server.tools.map((tool) =>
    (['title', 'description'] as const).flatMap((where): SecurityWarning[] => {
      const text = plainly(tool[where]?.slice(0, READ) ?? '')
      const upper = text.toUpperCase()
      // Making the pattern and looking for it takes far longer, and few texts name another server.
      if (!uppers.some((alias) => upper.includes(alias))) return []
      claim ??= claimPattern(others.map(({ alias }) => alias))
      const match = claim.exec(text)
      if (!match) return []
      const groups: (string | undefined)[] = match.slice(1)
      const alias = groups.find((one) => one !== undefined)?.toLowerCase()
      const name = others.find((one) => one.alias.toLowerCase() === alias)?.name ?? ''
      const cited = writtenOut(text.slice(Math.max(0, match.index - 20)), 80)
      const message = `Mentions “${writtenOut(name)}”, another of your servers: “${cited}”.`
      return [{ kind: 'lookAlike', where, message }]
    }),
  )
  knownClaims.set(server.tools, { named, alias: server.alias, securityWarnings })
  return securityWarnings
}

/** An exposed name of another server, a title that begins with its alias, or words that name it as a server. */
function claimPattern(aliases: readonly string[]): RegExp {
  const alias = `(${aliases.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})`
  return new RegExp(
    String.raw`(?<![\w-])${alias}__\w|^\[${alias}\]|^${alias} ?[:/|]|(?<![\w-])official ${alias}\b|(?<![\w-])${alias}(?:['\u2019]s)? (?:mcp )?(?:server|tools?)\b`,
    'i',
  )
}
