import type { SecretBackend } from '../ports'
import { ENVIRONMENT_PREFIX } from './secret-keys'

type Environment = Readonly<Record<string, string | undefined>>

/** A store of secrets that reads the variables of an environment too, as they are at each question. It never writes them. */
export function withEnvironmentSecrets(
  backend: SecretBackend,
  environment: Environment,
): SecretBackend {
  const variableOf = (key: string): string | undefined =>
    key.startsWith(ENVIRONMENT_PREFIX) ? key.slice(ENVIRONMENT_PREFIX.length) : undefined
  const refuse = (): never => {
    throw new Error("a variable of the environment is not Patchbay's to change")
  }
  return {
    get: async (key) => {
      const name = variableOf(key)
      if (name === undefined) return backend.get(key)
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined
      // As in the store, an empty secret is none.
      return value === undefined || value === '' ? null : value
    },
    set: async (key, value) => (variableOf(key) === undefined ? backend.set(key, value) : refuse()),
    delete: async (key) => (variableOf(key) === undefined ? backend.delete(key) : refuse()),
  }
}
