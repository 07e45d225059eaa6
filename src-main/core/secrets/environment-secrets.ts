import type { SecretKeeper } from '../ports'
import { ENVIRONMENT_PREFIX } from './secret-keys'

/** Reads a variable of this computer; resolves to undefined if it isn't set. */
export type ReadVariable = (name: string) => Promise<string | undefined>

/** Extends a store of secrets with the current values of this computer's variables. Never writes them. */
export function withEnvironmentSecrets(
  backend: SecretKeeper,
  readVariable: ReadVariable,
): SecretKeeper {
  const variableOf = (key: string): string | undefined =>
    key.startsWith(ENVIRONMENT_PREFIX) ? key.slice(ENVIRONMENT_PREFIX.length) : undefined
  const refuse = (): never => {
    throw new Error("a variable of the environment is not Patchbay's to change")
  }
  return {
    get state() {
      return backend.state
    },
    get: async (key) => {
      const name = variableOf(key)
      if (name === undefined) return backend.get(key)
      const value = await readVariable(name)
      // An empty secret counts as missing, as in the store.
      return value === undefined || value === '' ? null : value
    },
    set: async (key, value) => (variableOf(key) === undefined ? backend.set(key, value) : refuse()),
    delete: async (key) => (variableOf(key) === undefined ? backend.delete(key) : refuse()),
  }
}
