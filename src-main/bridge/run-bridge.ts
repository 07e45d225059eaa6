import { constants } from 'node:buffer'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import manifest from '../../package.json'
import { loadKeytar } from '../adapters/keytar-secret-store'
import { agentSecretName } from '../core/gateway/agents/agent-secret-name'
import { MessageFraming } from '../core/lines/message-framing'
import { AgentKeyRing } from './agent-key-ring'
import { Bridge } from './bridge'
import { gatewayPort } from './gateway-address'
import { GatewayLine } from './gateway-line'
import { HostLine } from './host-line'
import { findSessionBus } from './session-bus'

/** How long what is under way may take when the host says no more, in ms; it waits about as long before it ends the bridge. */
const LAST_ANSWERS_MS = 1_000

export type BridgeOptions = {
  readonly agentId: string
  /** Absolute path. */
  readonly profileDir: string
  /** The command line that runs now, where it is to start the app. */
  readonly starts: string | undefined
  /** The agent's key, where it is not in the keychain. */
  readonly givenKey: string | undefined
}

/** An MCP server on stdin and stdout that is the gateway; ends the process when the host is gone, or says so. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const { agentId, profileDir, starts, givenKey: given } = options
  const log = (words: string): void => void process.stderr.write(`patchbay bridge: ${words}\n`)
  const host = new HostLine(process.stdout)
  const lookUp = async (): Promise<string | null> => {
    findSessionBus()
    return (await loadKeytar()).get(agentSecretName(agentId))
  }
  const line = new GatewayLine({
    port: () => gatewayPort(profileDir),
    keys: new AgentKeyRing({ agentId, given, lookUp }),
    start: starts === undefined ? undefined : () => void start(starts, profileDir, log),
  })
  const bridge = new Bridge({ line, host, log, version: manifest.version })
  const end = async (): Promise<void> => {
    await bridge.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void end())
  // The host is gone.
  process.stdout.once('error', () => void end())
  await readHost(bridge, line)
  await Promise.race([
    bridge.idle(),
    new Promise((resolve) => setTimeout(resolve, LAST_ANSWERS_MS)),
  ])
  await host.room()
  await end()
}

/** Settles when the host says no more. */
async function readHost(bridge: Bridge, line: GatewayLine): Promise<void> {
  const framing = new MessageFraming(
    constants.MAX_STRING_LENGTH,
    (message) => bridge.receive(message),
    () => bridge.receive(Buffer.from('the message is too long')),
  )
  for await (const chunk of process.stdin) {
    framing.push(chunk as Buffer)
    while (line.room()) await line.room()
  }
  framing.end()
}

async function start(
  program: string,
  profileDir: string,
  log: (words: string) => void,
): Promise<void> {
  if (!existsSync(join(profileDir, 'agents.json'))) {
    // Everything was removed while the host ran on: nothing of it comes back by itself.
    log(`no agent exists in ${profileDir}, so Patchbay was not started`)
    return
  }
  const { startApp } = await import('./start-app')
  startApp(program, profileDir, (error) => log(`can't start Patchbay: ${error.message}`))
}
