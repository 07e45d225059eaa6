import { createStore } from 'zustand/vanilla'

type Passed = {
  readonly installationId: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const passedStore = createStore<{ readonly passed?: Passed | undefined }>(() => ({}))

/** Passes arguments to the Try it page of a tool, which fills them in when it opens. */
export function passArguments(passed: Passed): void {
  passedStore.setState({ passed })
}

/** Returns the arguments passed to the page of a tool, once. */
export function consumeArguments(
  installationId: string,
  name: string,
): Passed['arguments'] | undefined {
  const { passed } = passedStore.getState()
  if (passed?.installationId !== installationId || passed.name !== name) return undefined
  passedStore.setState({ passed: undefined })
  return passed.arguments
}
