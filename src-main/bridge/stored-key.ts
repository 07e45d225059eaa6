import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { loadKeytar } from '../adapters/keytar-secret-store'
import { agentSecretName } from '../core/gateway/agents/agent-secret-name'
import { hasSecretsFile, SECRETS_FILE, SecretsFile } from '../core/secrets/secrets-file'

/** The key of an agent from the keychain, or from the encrypted file of a profile where PATCHBAY_PASSPHRASE opens it; null where there is none. Rejects with the keychain's error or SECRET_STORE_FAILED. */
export async function storedKey(
  profileDir: string,
  agentId: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const { PATCHBAY_PASSPHRASE: passphrase } = env
  const file = join(profileDir, SECRETS_FILE)
  if (passphrase && hasSecretsFile(file))
    return (await SecretsFile.open(file, passphrase)).get(agentSecretName(agentId))
  const folder = `/run/user/${String(process.getuid?.())}`
  Object.assign(env, missingBus(process.platform, env, folder))
  return (await loadKeytar()).get(agentSecretName(agentId))
}

/** What a process lacks to find the session bus of its user, over which Linux gives keys: many agent apps pass only a handful of variables on. `folder`: where systemd keeps the user's sockets, absolute. */
export function missingBus(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Record<string, string> {
  if (platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS || env.XDG_RUNTIME_DIR) return {}
  return existsSync(join(folder, 'bus')) ? { XDG_RUNTIME_DIR: folder } : {}
}
