import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import {
  type Check,
  type CheckContext,
  type CheckOutcome,
  flaw,
  found,
  notChecked,
  PASSED,
} from '../check'
import { observed } from '../launch-variants'
import { type Reach, readStrace, STRACE_OPTIONS } from '../strace-log'
import type { VetStart } from '../vetted-server'

const MAX_TRACE_BYTES = 64 * 1024 * 1024
const MAX_FILE_BYTES = 1024 * 1024
const SHOWN = 10
/** Paths that any program writes: temporary files, runner caches, devices. */
const USUAL =
  /^(?:\/dev\/|\/proc\/|\/tmp\/|\/var\/tmp\/)|\/(?:\.cache|\.npm|__pycache__|\.local\/share\/uv)\//u

const FAILED: CheckOutcome = {
  ...{ kind: 'notChecked', reason: 'The server didn’t start under strace.', isMissing: true },
}

/** Checks that observe a start from outside; `traceDir` gets the strace output, if any. */
export function reachChecks({ strace, traceDir }: Observer): readonly Check[] {
  const observe = observerOf(strace, traceDir)
  return [
    {
      id: 'reach.network',
      level: 'note',
      title: 'The server contacts nobody before its first call.',
      needs: ['running', 'process', 'strace'],
      run: async (ctx) => {
        const reach = await (await observe(ctx)).reach()
        if (!reach) return FAILED
        if (reach.addresses.length === 0) return PASSED
        return flaw({
          message: `The server contacts ${String(reach.addresses.length)} ${reach.addresses.length === 1 ? 'address' : 'addresses'} when it starts.`,
          received: reach.addresses.slice(0, SHOWN).join('\n'),
          fix: 'Say in the description what is contacted and why, or wait for the first call.',
        })
      },
    },
    {
      id: 'reach.files',
      level: 'note',
      title: 'The server writes no files before its first call.',
      needs: ['running', 'process', 'strace'],
      run: async (ctx) => {
        const reach = await (await observe(ctx)).reach()
        if (!reach) return FAILED
        const written = reach.written.filter((path) => !USUAL.test(path))
        if (written.length === 0) return PASSED
        return flaw({
          message: `The server writes ${String(written.length)} ${written.length === 1 ? 'file' : 'files'} when it starts.`,
          received: written.slice(0, SHOWN).join('\n'),
          fix: 'Say in the description what is kept where.',
        })
      },
    },
    {
      id: 'secrets.output',
      level: 'must',
      title: 'Secrets appear in no output and no file.',
      needs: ['running', 'process'],
      run: async (ctx) => {
        const { secrets } = ctx.entry
        if (secrets.length === 0) return notChecked('The entry declares no secret variable.')
        const { start, values, reach } = await observe(ctx)
        const places = await placesOf(values, start, await reach())
        return found(
          places.map(({ name, place, text }) => ({
            message: `The value of ${name} appears in ${place}.`,
            received: text.replaceAll(values[name] ?? '', '(the value)'),
            fix: 'Never print or store the value of a secret.',
          })),
        )
      },
    },
  ]
}

type Observer = { readonly strace: string | undefined; readonly traceDir: string }

/** An observed start with made-up secrets. */
type Observation = {
  readonly start: VetStart
  readonly values: Readonly<Record<string, string>>
  /** Undefined if the start wasn't traced. */
  readonly reach: () => Promise<Reach | undefined>
}

function observerOf(
  strace: string | undefined,
  traceDir: string,
): (ctx: CheckContext) => Promise<Observation> {
  const file = join(traceDir, 'trace')
  const canary = `pbvet-${randomBytes(12).toString('hex')}`
  return async ({ entry, server }) => {
    const values = Object.fromEntries(
      entry.secrets.map((name, index) => [name, `${canary}${String(index)}`]),
    )
    const around = strace === undefined ? [] : [strace, ...STRACE_OPTIONS, '-o', file]
    const start = await server.variant('observed', observed(values, around))
    const reach = async (): Promise<Reach | undefined> => {
      const facts = await stat(file).catch(() => undefined) // not traced
      if (!facts || facts.size === 0 || facts.size > MAX_TRACE_BYTES) return undefined
      return readStrace(await readFile(file, 'utf8'))
    }
    return { start, values, reach }
  }
}

type Place = { readonly name: string; readonly place: string; readonly text: string }

async function placesOf(
  values: Observation['values'],
  start: VetStart,
  reach: Reach | undefined,
): Promise<Place[]> {
  const log = start.kind === 'ready' ? start.run.log : start.log
  const texts = (['stderr', 'stdout'] as const).map((source) => ({
    place: source,
    text: log
      .newest(5_000, 0, [source])
      .map(({ text }) => text)
      .join('\n'),
  }))
  const messages = start.kind === 'ready' ? start.run.messages : []
  const received = messages.filter(({ direction }) => direction === 'received')
  const files = await Promise.all((reach?.written ?? []).map(readWritten))
  const all = [
    ...texts,
    ...received.map(({ text }) => ({ place: 'a protocol message', text })),
    ...files.filter((one) => one !== undefined),
  ]
  return Object.entries(values).flatMap(([name, value]) => {
    const place = all.find(({ text }) => text.includes(value))
    if (!place) return []
    return [{ name, place: place.place, text: around(place.text, value) }]
  })
}

async function readWritten(path: string): Promise<{ place: string; text: string } | undefined> {
  try {
    const facts = await stat(path)
    if (!facts.isFile() || facts.size > MAX_FILE_BYTES) return undefined
    return { place: path, text: await readFile(path, 'latin1') }
  } catch {
    return undefined // gone again, or not readable by this account
  }
}

function around(text: string, value: string): string {
  const at = text.indexOf(value)
  return text.slice(Math.max(0, at - 200), at + value.length + 200)
}
