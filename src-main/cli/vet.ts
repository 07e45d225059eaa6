import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

import { AppError } from '../../src-shared/domain/app-error'
import { errorMessage } from '../../src-shared/domain/error-message'
import {
  byWeight,
  levelLabel,
  vetLine,
  vetMarkdown,
} from '../../src-shared/domain/vet/vet-markdown'
import {
  type VetCheck,
  vetHeadline,
  type VetLevel,
  type VetReport,
} from '../../src-shared/domain/vet/vet-report'
import { defaultProfileDir } from '../serve/profile-dir'
import { EXIT_INCOMPLETE, EXIT_USAGE, exitCodeOf } from './usage'
import { openVetCore, type VetCore } from './vet-core'
import { readTarget, setUpTarget, type VetTarget } from './vet-target'

const OPTIONS = {
  json: { type: 'string' },
  markdown: { type: 'string' },
  values: { type: 'string' },
  'fail-on': { type: 'string', default: 'must' },
  'call-read-only': { type: 'boolean', default: false },
  advisories: { type: 'boolean', default: false },
  yes: { type: 'boolean', short: 'y', default: false },
  timeout: { type: 'string' },
  profile: { type: 'string' },
} as const

type VetArguments = {
  readonly target: VetTarget
  readonly values: string | undefined
  readonly outputs: { readonly json?: string | undefined; readonly markdown?: string | undefined }
  readonly failOn: 'must' | 'should'
  readonly isAgreed: boolean
  readonly options: {
    readonly callReadOnly: boolean
    readonly advisories: boolean
    readonly checkMs?: number
  }
}

/** `patchbay vet TARGET`: checks a server and prints its report; resolves to the exit code. Throws INVALID_REQUEST. */
export async function vet(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args)
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-'))
  const ending = new AbortController()
  const stop = (): void => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  let core: VetCore | undefined
  try {
    core = openVetCore(folder, parsed.target.kind === 'installed' ? parsed.target : undefined)
    const { command, approve } = await setUpTarget(core, parsed)
    process.stderr.write(`Command: ${command}\n`)
    if (!parsed.isAgreed && !(await agrees(ending))) {
      process.stderr.write('patchbay: Not run. Add --yes to agree to this command.\n')
      return EXIT_USAGE
    }
    const report = await check(core, await approve(), parsed, ending.signal)
    write(report, parsed.outputs)
    return exitCodeOf(report, parsed.failOn)
  } catch (error) {
    if (!ending.signal.aborted) throw error
    process.stderr.write('patchbay: The check was stopped.\n')
    return EXIT_INCOMPLETE
  } finally {
    await core?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function check(
  { call }: VetCore,
  installationId: string,
  { options }: VetArguments,
  signal: AbortSignal,
): Promise<VetReport> {
  const cancel = (): void => void call('vet.cancel', { installationId }).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  signal.throwIfAborted()
  return call('vet.run', { installationId, ...options })
}

function write(report: VetReport, { json, markdown }: VetArguments['outputs']): void {
  const text = vetMarkdown(report)
  if (json !== undefined) writeFileSync(resolve(json), `${JSON.stringify(report, null, 2)}\n`)
  if (markdown !== undefined) writeFileSync(resolve(markdown), text)
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env
  if (GITHUB_ACTIONS === 'true' && GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, text)
  const found = byWeight(report.checks)
  const lines =
    GITHUB_ACTIONS === 'true'
      ? found.flatMap(annotations)
      : found.flatMap((check) =>
          check.findings.flatMap(({ message, fix }) => [
            `${levelLabel(check)} [${check.id}] ${printable(message)}`,
            `    ${printable(fix)}`,
          ]),
        )
  const skipped = report.checks
    .filter(({ outcome }) => outcome === 'notChecked')
    .map(({ id, reason = '' }) => `Not checked [${id}] ${printable(reason)}`)
  const closing = ['', vetHeadline(report), vetLine(report)]
  process.stdout.write(`${[...lines, ...skipped, ...closing].join('\n')}\n`)
}

const ANNOTATIONS: Readonly<Record<VetLevel, string>> = {
  must: 'error',
  should: 'warning',
  note: 'notice',
}

/** GitHub Actions workflow commands, one per finding. */
function annotations({ id, level, isPending, findings }: VetCheck): string[] {
  const command = isPending ? 'notice' : ANNOTATIONS[level]
  return findings.map(({ message, fix }) => {
    const text = printable(`${message} ${fix}`).replaceAll('%', '%25')
    return `::${command} title=patchbay vet ${id}::${text}`
  })
}

/** Untrusted text on one line, without terminal control characters. */
function printable(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '\uFFFD')
}

/** Asks for consent; false without a terminal or at the end of input. Rejects if `ending` is aborted, as by Ctrl+C. */
async function agrees(ending: AbortController): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  prompt.once('SIGINT', () => ending.abort())
  const { signal } = ending
  try {
    const answer = await prompt.question('Run this command now? Type yes: ', { signal })
    return answer.trim().toLowerCase() === 'yes'
  } catch (error) {
    signal.throwIfAborted()
    // End of input by Ctrl+D.
    if (error instanceof Error && error.name === 'AbortError') return false
    throw error
  } finally {
    prompt.close()
  }
}

function readArguments(args: readonly string[]): VetArguments {
  const { values, positionals, tokens } = parse(args)
  const terminator = tokens.find(({ kind }) => kind === 'option-terminator')
  const command = terminator ? args.slice(terminator.index + 1) : []
  const named = positionals.slice(0, positionals.length - command.length)
  const profileDir = resolve(values.profile ?? defaultProfileDir(process.platform, process.env))
  const failOn = values['fail-on']
  if (failOn !== 'must' && failOn !== 'should')
    throw usageError(`--fail-on takes must or should, not ${failOn}.`)
  const seconds = Number(values.timeout ?? 20)
  if (!(seconds >= 1 && seconds <= 600))
    throw usageError(`--timeout takes 1 to 600 seconds, not ${values.timeout ?? ''}.`)
  return {
    target: readTarget(named, command, profileDir),
    values: values.values,
    outputs: { json: values.json, markdown: values.markdown },
    failOn,
    isAgreed: values.yes,
    options: {
      callReadOnly: values['call-read-only'],
      advisories: values.advisories,
      ...(values.timeout !== undefined && { checkMs: Math.round(seconds * 1_000) }),
    },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true })
  } catch (cause) {
    throw usageError(errorMessage(cause), cause)
  }
}

function usageError(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', message, {
    cause,
    hint: 'See patchbay --help.',
  })
}
