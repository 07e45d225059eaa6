import { useState } from 'react'

import { idsBetween } from './listed-servers'

/** The servers that a person chose of a list. */
export type Chosen = {
  readonly ids: ReadonlySet<string>
  /** Chooses one or lets it go; with `isRange` all from the one before. */
  readonly toggle: (id: string, isRange: boolean) => void
  readonly all: () => void
  readonly none: () => void
}

/** Keeps what is chosen of the listed ids; what is not listed is not chosen. */
export function useChosen(listed: readonly string[]): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string | null>(null)
  return {
    ids: new Set(listed.filter((id) => chosen.has(id))),
    toggle: (id, isRange) => {
      const isOn = !chosen.has(id)
      const ids = isRange && last !== null ? idsBetween(listed, last, id) : [id]
      const next = new Set(chosen)
      for (const one of ids.length > 0 ? ids : [id]) {
        if (isOn) next.add(one)
        else next.delete(one)
      }
      setChosen(next)
      setLast(id)
    },
    all: () => setChosen(new Set(listed)),
    none: () => setChosen(new Set()),
  }
}
