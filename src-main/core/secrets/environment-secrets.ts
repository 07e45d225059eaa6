import type { SecretKeeper } from '../ports'
import { ENVIRONMENT_PREFIX } from './secret-keys'

/** Reads a variable of this computer; undefined where it is not set. */
export type ReadVariable = (name: string) => Promise<string | undefined>

/** A store of secrets that reads the variables of this computer too, as they are at each question. It never writes them. */
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
      // As in the store, an empty secret is none.
      return value === undefined || value === '' ? null : value
    },
    set: async (key, value) => (variableOf(key) === undefined ? backend.set(key, value) : refuse()),
    delete: async (key) => (variableOf(key) === undefined ? backend.delete(key) : refuse()),
  }
}
