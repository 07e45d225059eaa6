import { parseArgs } from 'node:util'

import manifest from '../../package.json'
import { AppError } from '../../src-shared/domain/app-error'
import { errorMessage } from '../../src-shared/domain/error-message'
import { boundHeap } from '../core/lifecycle/heap-bounds'
import { EXIT_USAGE, USAGE } from './usage'

/** Servers that start with the app have usually started by then. */
const STARTED_MS = 5_000

const options = {
  port: { type: 'string' },
  open: { type: 'boolean', default: true },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Built = {
  /** Absolute path of this command line. */
  readonly program: string
  /** Folder of the built screens. */
  readonly rendererDir: string
}

/** Runs any command but `bridge`. Exits the process on failure. */
export async function runCommand(built: Built): Promise<void> {
  try {
    await dispatch(built)
  } catch (error) {
    printError(error)
  }
}

async function dispatch(built: Built): Promise<void> {
  const [, , first0, ...words] = process.argv
  if (first0 === 'vet' && !isForHelp(words)) {
    const { vet } = await import('./vet')
    const exitCode = await vet(words)
    // Its threads may still run.
    process.stdout.write('', () => process.exit(exitCode))
    return
  }
  const { values, positionals } = readArguments()
  const [command, ...rest] = positionals
  const [first, second] = rest
  if (values.help) {
    process.stdout.write(USAGE)
  } else if (values.version) {
    process.stdout.write(`${manifest.version}\n`)
  } else if ((command ?? 'serve') === 'serve' && rest.length === 0) {
    boundHeap(STARTED_MS)
    // Commands that only print don't load the app.
    const { serve } = await import('./serve')
    await serve({
      port: readPort(values.port),
      open: values.open,
      profileDir: values.profile,
      ...built,
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
    process.exitCode = EXIT_USAGE
  }
}

/** After "--" comes the command to check, which may have the same option. */
function isForHelp(words: readonly string[]): boolean {
  const [help, end] = [words.indexOf('--help'), words.indexOf('--')]
  return help !== -1 && (end === -1 || help < end)
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, allowNegative: true, options })
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new AppError('INVALID_REQUEST', reason, { cause })
  }
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new AppError('INVALID_REQUEST', `${String(text)} is not a port.`, {
    hint: 'Use a number from 0 to 65535.',
  })
}

function printError(error: unknown): void {
  const isAppError = error instanceof AppError
  const text = isAppError ? [error.message, error.hint].join(' ').trim() : String(error)
  const exitCode = isAppError && error.code === 'INVALID_REQUEST' ? EXIT_USAGE : 1
  process.stderr.write(`patchbay: ${text}\n`, () => process.exit(exitCode))
}
