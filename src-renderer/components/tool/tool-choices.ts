import type { ToolExposure, ToolView } from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'

/** Whether a choice takes a tool in, quick for many names. */
export function chooser(choice: ToolChoice): (name: string) => boolean {
  if (choice.kind !== 'list') return () => choice.kind === 'all'
  const names = new Set(choice.names)
  return (name) => names.has(name)
}

/**
 * The choice with some tools switched on or off; `all` are the names that the server lists. What it need not change
 * stays as it is, and all of them or none become just that.
 */
export function withTools(
  choice: ToolChoice,
  all: readonly string[],
  names: readonly string[],
  isOn: boolean,
): ToolChoice {
  const isChosen = chooser(choice)
  if (names.every((name) => isChosen(name) === isOn)) return choice
  const before = namesOf(choice, all)
  const changed = new Set(names)
  const others = before.filter((name) => !changed.has(name))
  // In the order of the server's list; names that it does not list stay behind them.
  const wanted = new Set([...others, ...(isOn ? names : [])])
  const listed = all.filter((name) => wanted.has(name))
  const known = new Set(all)
  const unlisted = [...wanted].filter((name) => !known.has(name))
  if (wanted.size === 0) return { kind: 'none' }
  if (unlisted.length === 0 && wanted.size === known.size) return { kind: 'all' }
  return { kind: 'list', names: [...new Set([...listed, ...unlisted])] }
}

/** The names that a choice takes in; `all` are those that the server lists. */
export function namesOf(choice: ToolChoice, all: readonly string[]): readonly string[] {
  if (choice.kind === 'list') return choice.names
  return choice.kind === 'all' ? all : []
}

/** How a tool stands by the choice that was made last; what main says of the rest stands. */
export function exposureBy({ exposure, reason }: ToolView, isOn: boolean): ToolExposure {
  if (exposure === 'exposed' && !isOn) return 'off'
  return exposure === 'off' && isOn && reason === undefined ? 'exposed' : exposure
}
