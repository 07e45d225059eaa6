import { createStore } from 'zustand/vanilla'

type Passed = {
  readonly installationId: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const passedStore = createStore<{ readonly passed?: Passed | undefined }>(() => ({}))

/** Passes arguments to the page on which a tool is tried, to be filled in when it opens. */
export function passArguments(passed: Passed): void {
  passedStore.setState({ passed })
}

/** The arguments that were passed to the page of a tool, once. */
export function takeArguments(
  installationId: string,
  name: string,
): Passed['arguments'] | undefined {
  const { passed } = passedStore.getState()
  if (passed?.installationId !== installationId || passed.name !== name) return undefined
  passedStore.setState({ passed: undefined })
  return passed.arguments
}
