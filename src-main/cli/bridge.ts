import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { errorMessage } from '../../src-shared/domain/error-message'
import { runBridge } from '../bridge/run-bridge'
import { defaultProfileDir } from '../serve/profile-dir'
import { EXIT_USAGE, USAGE } from './usage'

const options = {
  agent: { type: 'string' },
  profile: { type: 'string' },
  start: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Runs `patchbay bridge`; `program` is this command line's own path. The key comes from the keychain or PATCHBAY_AGENT_KEY. */
export async function bridge(args: readonly string[], program: string): Promise<void> {
  const values = readArguments(args)
  if (values?.help) {
    process.stdout.write(USAGE)
    return
  }
  if (values?.agent === undefined) {
    process.stderr.write(USAGE)
    process.exitCode = EXIT_USAGE
    return
  }
  await runBridge({
    agentId: values.agent,
    profileDir: resolve(values.profile ?? defaultProfileDir(process.platform, process.env)),
    starts: values.start ? program : undefined,
    givenKey: process.env.PATCHBAY_AGENT_KEY,
  })
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    process.stderr.write(`patchbay: ${errorMessage(error)}\n`)
    return undefined
  }
}
