import { constants } from 'node:buffer'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import manifest from '../../package.json'
import { isJsonObject } from '../../src-shared/domain/json-object'
import { loadKeytar } from '../adapters/keytar-secret-store'
import { agentSecretName } from '../core/gateway/agents/agent-secret-name'
import { background } from '../core/lifecycle/background'
import { within } from '../core/lifecycle/time-limit'
import { MessageFraming } from '../core/lines/message-framing'
import { hasSecretsFile, SECRETS_FILE, SecretsFile } from '../core/secrets/secrets-file'
import { defaultProfileDir } from '../serve/profile-dir'
import { Bridge } from './bridge'
import { AgentKeyRing, GatewayClient } from './gateway-client'
import { HostConnection } from './gateway-client'

/** Time for requests in flight after the end of stdin, in ms; the host waits about as long before it kills the bridge. */
const FLUSH_MS = 1_000
const GATEWAY_URL = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/mcp$/u

export type BridgeOptions = {
  readonly agentId: string
  readonly profileDir: string
  /** Absolute path of this command line if it should start the app. */
  readonly starts: string | undefined
  /** The agent's key, if it isn't in the keychain. */
  readonly givenKey: string | undefined
}

/** Runs an MCP server on stdin and stdout that forwards to the gateway; exits when stdin ends, or on a signal. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const { agentId, profileDir, starts, givenKey } = options
  const log = (message: string): void => void process.stderr.write(`patchbay bridge: ${message}\n`)
  const host = new HostConnection(process.stdout)
  const readKey = (): Promise<string | null> => storedKey(profileDir, agentId, process.env)
  const gateway = new GatewayClient(
    () => gatewayPort(profileDir),
    new AgentKeyRing(agentId, givenKey, readKey),
    starts === undefined
      ? undefined
      : () => background(startApp(starts, profileDir, log), 'starting Patchbay'),
  )
  const bridge = new Bridge(gateway, host, log, manifest.version)
  const end = async (): Promise<void> => {
    await bridge.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => background(end(), 'ending the bridge'))
  // The host is gone.
  process.stdout.once('error', () => background(end(), 'ending the bridge'))
  await readHost(bridge, gateway)
  await within(FLUSH_MS, bridge.idle(), () => undefined)
  await host.room().catch(() => undefined) // the host is gone
  await end()
}

async function readHost(bridge: Bridge, gateway: GatewayClient): Promise<void> {
  const framing = new MessageFraming(
    constants.MAX_STRING_LENGTH,
    (message) => bridge.receive(message),
    () => bridge.receive(Buffer.from('the message is too long')),
  )
  for await (const chunk of process.stdin) {
    framing.push(chunk as Buffer)
    await gateway.room()
  }
  framing.end()
}

/** The port of a profile's gateway; undefined if there is none. The key goes to no other address. */
function gatewayPort(profileDir: string): number | undefined {
  try {
    const address: unknown = JSON.parse(readFileSync(join(profileDir, 'gateway.json'), 'utf8'))
    const { url, pid } = isJsonObject(address) ? address : {}
    const [, port] = GATEWAY_URL.exec(String(url)) ?? []
    // A killed app leaves its file, and any program may take its port; the gateway of another account isn't used either.
    const isRunning = typeof pid === 'number' && process.kill(pid, 0)
    return port !== undefined && isRunning ? Number(port) : undefined
  } catch {
    return undefined // missing or being written: read again later
  }
}

/** Starts Patchbay without a window as a separate process that outlives the bridge. */
async function startApp(
  cli: string,
  profileDir: string,
  log: (message: string) => void,
): Promise<void> {
  if (!existsSync(join(profileDir, 'agents.json'))) {
    // Everything was removed while the host was running: nothing is recreated.
    log(`no agent exists in ${profileDir}, so Patchbay was not started`)
    return
  }
  const { spawn } = await import('node:child_process')
  const { hiddenStart } = await import('../adapters/own-command')
  const { platform, execPath, env: own } = process
  const program = { platform, execPath, env: own, cli, node: execPath }
  const { command, args, env } = hiddenStart(
    { ...program, isRoot: process.getuid?.() === 0 },
    profileDir,
    profileDir === defaultProfileDir(platform, own),
  )
  const child = spawn(command, args, { detached: true, stdio: 'ignore', env })
  child.once('error', (error) => log(`can't start Patchbay: ${error.message}`))
  child.unref()
}

/**
 * An agent's key from the keychain, or from a profile's encrypted file if PATCHBAY_PASSPHRASE opens it; null if there is none. Rejects with
 * the keychain's error or SECRET_STORE_FAILED.
 */
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

/**
 * The variable that a process lacks to reach its user's session bus, over which Linux provides keys: many agent apps pass only a few
 * variables. `folder`: absolute path of systemd's user sockets.
 */
export function missingBus(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Record<string, string> {
  if (platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS || env.XDG_RUNTIME_DIR) return {}
  return existsSync(join(folder, 'bus')) ? { XDG_RUNTIME_DIR: folder } : {}
}
