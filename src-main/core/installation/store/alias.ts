import type { Installation } from '../../../../src-shared/domain/installation/installation'

const LONGEST = 24
/** Letters, digits, hyphens and single underscores inside: `__` parts the alias from the tool in a name that agents see. */
const ALIAS = /^(?!.*__)(?!_)[A-Za-z0-9_-]{1,24}(?<!_)$/

/** What a server is named after, the best first. */
type Named = { readonly name: string; readonly server: { readonly name: string } }

/**
 * The alias of a new server, of letters, digits, hyphens and single underscores, 24 at most: made from its name, or from
 * the last part of its entry's, and numbered where one of the others has the same but for case.
 */
export function aliasFor(
  { name, server }: Named,
  others: readonly Pick<Installation, 'alias'>[],
): string {
  const fallback = server.name.split('/').at(-1) ?? ''
  const plain = [name, fallback].map(fold).find((one) => one !== '') ?? 'server'
  const taken = new Set(others.map((one) => one.alias.toLowerCase()))
  let alias = plain
  for (let copy = 2; taken.has(alias.toLowerCase()); copy += 1) {
    const number = `-${String(copy)}`
    alias = trimmed(plain.slice(0, LONGEST - number.length)) + number
  }
  return alias
}

/**
 * Gives an alias to the installations of a file that have none, one that cannot be used, or that of one before them.
 * Those that can stay do, so that the same file always reads the same.
 */
export function giveAliases(installations: readonly Installation[]): {
  readonly installations: readonly Installation[]
  /** Those whose alias was another. */
  readonly repaired: readonly Installation[]
} {
  const taken = new Map<string, Installation>()
  for (const installation of installations) {
    const key = installation.alias.toLowerCase()
    if (ALIAS.test(installation.alias) && !taken.has(key)) taken.set(key, installation)
  }
  const repaired: Installation[] = []
  const given = installations.map((old) => {
    if (taken.get(old.alias.toLowerCase()) === old) return old
    const installation = { ...old, alias: aliasFor(old, [...taken.values()]) }
    taken.set(installation.alias.toLowerCase(), installation)
    if (old.alias !== '') repaired.push(installation)
    return installation
  })
  return { installations: given, repaired }
}

/** Accents are left away; what no alias has becomes a hyphen, and so does a run of what parts words. */
function fold(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, (run) => (/^_+$/.test(run) ? '_' : '-'))
    .replace(/^[_-]/, '')
  return trimmed(plain.slice(0, LONGEST))
}

function trimmed(text: string): string {
  return text.replace(/[_-]+$/, '')
}
