import { useApp } from '../../stores/app-store'

/** Whether there is no keychain: secrets are held in memory only and end with this run. */
export function useSecretsInMemory(): boolean {
  return useApp(({ app }) => app?.secretStore.kind === 'memory')
}
