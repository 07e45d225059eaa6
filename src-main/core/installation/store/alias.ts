import type { Installation } from '../../../../src-shared/domain/installation/installation'

const LONGEST = 24
/** Letters, digits, hyphens and single inner underscores: `__` separates the alias from the tool in exposed names. */
const ALIAS = /^(?!.*__)(?!_)[A-Za-z0-9_-]{1,24}(?<!_)$/

/** The sources of an alias. */
type Named = { readonly name: string; readonly server: { readonly name: string } }

/**
 * Returns the alias of a new server: letters, digits, hyphens and single underscores, 24 at most. Based on its name, or on the last part of
 * its entry's name; numbered if another server has it, ignoring case.
 */
export function aliasFor(
  { name, server }: Named,
  others: readonly Pick<Installation, 'alias'>[],
): string {
  const fallback = server.name.split('/').at(-1) ?? ''
  const base = [name, fallback].map(fold).find((one) => one !== '') ?? 'server'
  const usedAliases = new Set(others.map((one) => one.alias.toLowerCase()))
  let alias = base
  for (let copy = 2; usedAliases.has(alias.toLowerCase()); copy += 1) {
    const number = `-${String(copy)}`
    alias = trimmed(base.slice(0, LONGEST - number.length)) + number
  }
  return alias
}

/**
 * Gives an alias to installations without one, with an invalid one, or with that of an earlier one. Valid aliases stay, so that the same
 * file always gives the same result.
 */
export function assignAliases(installations: readonly Installation[]): {
  readonly installations: readonly Installation[]
  /** Installations whose alias was replaced. */
  readonly repaired: readonly Installation[]
} {
  const usedAliases = new Map<string, Installation>()
  for (const installation of installations) {
    const key = installation.alias.toLowerCase()
    if (ALIAS.test(installation.alias) && !usedAliases.has(key)) usedAliases.set(key, installation)
  }
  const repaired: Installation[] = []
  const withAliases = installations.map((old) => {
    if (usedAliases.get(old.alias.toLowerCase()) === old) return old
    const installation = { ...old, alias: aliasFor(old, [...usedAliases.values()]) }
    usedAliases.set(installation.alias.toLowerCase(), installation)
    if (old.alias !== '') repaired.push(installation)
    return installation
  })
  return { installations: withAliases, repaired }
}

/** Removes accents; a run of other characters becomes one hyphen, or one underscore if it has only underscores. */
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
