import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'

import { AppError } from '../../src-shared/domain/app-error'
import { BRIDGE_USAGE } from './bridge-usage'

const USAGE = `Usage: patchbay serve [--port N] [--no-open] [--profile FOLDER]
       ${BRIDGE_USAGE}
       patchbay plan FILE
       patchbay catalog check FILE

  serve          opens Patchbay in the browser, on 127.0.0.1 only; prints a link that works once
    --port       the port to listen on (a free one is taken without it)
    --no-open    print the link, open no browser
    --profile    the folder that holds the settings
  bridge         is an MCP server on stdin and stdout for an agent that speaks only that: all that Patchbay offers it
    --agent      the agent's id; its key comes from the keychain, or from PATCHBAY_AGENT_KEY
    --start      start Patchbay without a window where it is not running
  plan           prints what {package | remote, values} becomes, or each of a list of them, as JSON
  catalog check  prints what is wrong with the entries of a registry, or with one server.json, as JSON
`

/** Exit code for what was asked wrongly: usage, or a file that cannot be read. */
const MISUSED = 2

/** After which the servers that start with the app have started as a rule. */
const STARTED_MS = 5_000

const options = {
  port: { type: 'string' },
  open: { type: 'boolean', default: true },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Runs any command but `bridge`; `rendererDir` holds the built screens. Ends the process where that fails. */
export async function runCommand(rendererDir: string): Promise<void> {
  try {
    await dispatch(rendererDir)
  } catch (error) {
    tell(error)
  }
}

async function dispatch(rendererDir: string): Promise<void> {
  const { values, positionals } = readArguments()
  const [command, ...rest] = positionals
  const [first, second] = rest
  if (values.help) {
    process.stdout.write(USAGE)
  } else if (command === 'serve' && rest.length === 0) {
    // V8 would take 16 MB for what only loading and starting need, and keep them. Afterwards a flood needs the room.
    setFlagsFromString('--semi-space-growth-factor=1')
    setTimeout(() => setFlagsFromString('--semi-space-growth-factor=2'), STARTED_MS).unref()
    // What only prints does not wait for the parts of the app.
    const { serve } = await import('./serve')
    await serve({
      port: readPort(values.port),
      open: values.open,
      profileDir: values.profile,
      rendererDir,
    })
  } else if (command === 'plan' && first !== undefined && rest.length === 1) {
    const { plan } = await import('./plan')
    plan(first)
  } else if (
    command === 'catalog' &&
    first === 'check' &&
    second !== undefined &&
    rest.length === 2
  ) {
    const { catalogCheck } = await import('./catalog-check')
    catalogCheck(second)
  } else {
    process.stderr.write(USAGE)
    process.exitCode = MISUSED
  }
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, allowNegative: true, options })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_REQUEST', reason, { cause })
  }
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new AppError('INVALID_VALUES', `${String(text)} is not a port.`, {
    hint: 'A port is a number from 0 to 65535.',
  })
}

function tell(error: unknown): void {
  const isAppError = error instanceof AppError
  const text = isAppError ? [error.message, error.hint].join(' ').trim() : String(error)
  const exitCode = isAppError && error.code === 'INVALID_REQUEST' ? MISUSED : 1
  process.stderr.write(`patchbay: ${text}\n`, () => process.exit(exitCode))
}
