import type { SavedToolChoice, ToolChoice } from '../../../../src-shared/domain/tool-choice'

/** Which tools of a list are chosen, in its order, and the chosen names that it does not have (C7). */
export type ToolSelection = {
  readonly isChosen: readonly boolean[]
  readonly unknown: readonly string[]
}

/** Applies a choice to the names that a server lists. */
export function selectTools(choice: SavedToolChoice, names: readonly string[]): ToolSelection {
  if (choice.kind === 'except') {
    const hidden = new Set(choice.names)
    return { isChosen: names.map((name) => !hidden.has(name)), unknown: [] }
  }
  if (choice.kind !== 'list')
    return { isChosen: names.map(() => choice.kind === 'all'), unknown: [] }
  const chosen = new Set(choice.names)
  const listed = new Set(names)
  return {
    isChosen: names.map((name) => chosen.has(name)),
    unknown: [...chosen].filter((name) => !listed.has(name)),
  }
}

/** The choice as a user sees it: what is left of all tools is a list, of the names that the server lists by now. */
export function shownChoice(choice: SavedToolChoice, names: readonly string[]): ToolChoice {
  if (choice.kind !== 'except') return choice
  const { isChosen } = selectTools(choice, names)
  return { kind: 'list', names: names.filter((_, index) => isChosen[index]) }
}
