import { useCallback, useState } from 'react'

/** Returns the ids between two rows of a list, inclusive; none if one of them is missing. */
export function idsBetween(ids: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)]
  if (one === -1 || other === -1) return []
  return ids.slice(Math.min(one, other), Math.max(one, other) + 1)
}

/** Rows that the user selected in a list. */
export type Chosen = {
  readonly ids: ReadonlySet<string>
  /** Toggles one row; with `isRange` all rows from the previous one. */
  readonly toggle: (id: string, isRange: boolean) => void
  readonly all: () => void
  readonly none: () => void
}

/** Tracks the selection among the listed ids; ids that are not listed are not selected. */
export function useChosen(listed: readonly string[]): Chosen {
  const [{ chosen }, setState] = useState<{
    readonly chosen: ReadonlySet<string>
    readonly last?: string
  }>({ chosen: new Set() })
  const toggle = useCallback(
    (id: string, isRange: boolean) =>
      setState(({ chosen: before, last }) => {
        const between = isRange && last !== undefined ? idsBetween(listed, last, id) : []
        const next = new Set(before)
        for (const one of between.length > 0 ? between : [id]) {
          if (before.has(id)) next.delete(one)
          else next.add(one)
        }
        return { chosen: next, last: id }
      }),
    [listed],
  )
  return {
    ids: new Set(listed.filter((id) => chosen.has(id))),
    toggle,
    all: () => setState({ chosen: new Set(listed) }),
    none: () => setState({ chosen: new Set() }),
  }
}
