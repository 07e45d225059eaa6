import { parseArgs } from 'node:util'

import { AppError } from '../../src-shared/domain/app-error'
import { serve } from './serve'

const USAGE = `Usage: patchbay serve [--port N] [--no-open] [--profile FOLDER]

  serve       opens Patchbay in the browser, on 127.0.0.1 only; prints a link that works once
  --port      the port to listen on (a free one is taken without it)
  --no-open   print the link, open no browser
  --profile   the folder that holds the settings
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      port: { type: 'string' },
      open: { type: 'boolean', default: true },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals[0] !== 'serve' || positionals.length > 1) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 2
    return
  }
  await serve({ port: readPort(values.port), open: values.open, profileDir: values.profile })
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new AppError('INVALID_VALUES', `${String(text)} is not a port.`, {
    hint: 'A port is a number from 0 to 65535.',
  })
}

main().catch((error: unknown) => {
  const text = error instanceof AppError ? [error.message, error.hint].join(' ') : String(error)
  process.stderr.write(`patchbay: ${text}\n`, () => process.exit(1))
})
