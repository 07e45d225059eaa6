import type { ToolExposure, ToolView } from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'

/** Returns a predicate for whether a choice includes a tool, fast for many names. */
export function chooser(choice: ToolChoice): (name: string) => boolean {
  if (choice.kind !== 'list') return () => choice.kind === 'all'
  const names = new Set(choice.names)
  return (name) => names.has(name)
}

/**
 * Returns a choice with some tools turned on or off; `all` are the listed names. Other names stay unchanged. A choice of all or no tools
 * becomes `all` or `none`.
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
  // Keeps the server's order; unlisted names come last.
  const wanted = new Set([...others, ...(isOn ? names : [])])
  const listed = all.filter((name) => wanted.has(name))
  const known = new Set(all)
  const unlisted = [...wanted].filter((name) => !known.has(name))
  if (wanted.size === 0) return { kind: 'none' }
  if (unlisted.length === 0 && wanted.size === known.size) return { kind: 'all' }
  return { kind: 'list', names: [...new Set([...listed, ...unlisted])] }
}

/** Returns the names that a choice includes; `all` are the listed names. */
export function namesOf(choice: ToolChoice, all: readonly string[]): readonly string[] {
  if (choice.kind === 'list') return choice.names
  return choice.kind === 'all' ? all : []
}

/** Returns the exposure of a tool under the latest choice; main decides all other states. */
export function exposureBy({ exposure, reason }: ToolView, isOn: boolean): ToolExposure {
  if (exposure === 'exposed' && !isOn) return 'off'
  return exposure === 'off' && isOn && reason === undefined ? 'exposed' : exposure
}
