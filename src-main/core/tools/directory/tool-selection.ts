import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'

/** Which tools of a list are chosen, in its order, and the chosen names that it does not have (C7). */
export type ToolSelection = {
  readonly isChosen: readonly boolean[]
  readonly unknown: readonly string[]
}

/** Applies a choice to the names that a server lists. */
export function selectTools(choice: ToolChoice, names: readonly string[]): ToolSelection {
  if (choice.kind !== 'list')
    return { isChosen: names.map(() => choice.kind === 'all'), unknown: [] }
  const chosen = new Set(choice.names)
  const listed = new Set(names)
  return {
    isChosen: names.map((name) => chosen.has(name)),
    unknown: [...chosen].filter((name) => !listed.has(name)),
  }
}
